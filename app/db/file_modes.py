"""Makes the SQLite file private to the server's user: it has seeds of coming deals and hashes of passwords."""

from __future__ import annotations

import os
import stat
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

_FILE: Final = 0o600
_FOLDER: Final = 0o700
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_BESIDE: Final = ("", "-wal", "-shm", "-journal")

_creating: Final = threading.Lock()
"""Nobody connects to a new file before it is closed here."""


def create_folder(file: Path) -> None:
    """Create the folder of a database for its own user, or tighten one that holds nothing but the database.

    A folder with other things in it, such as ``/tmp`` or a home, is left as it is.
    """
    folder = file.parent
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(_FOLDER)  # whatever the umask
    elif all(path.name.startswith(file.name) for path in folder.iterdir()):
        _tighten(folder, _FOLDER)


def create_file(file: Path) -> None:
    """Create the file of a database, which is empty then, or tighten it and the files that SQLite keeps beside it.

    SQLite gives new files beside it the same mode. Call it before each connection.

    A file that exists is never opened here: closing it would drop the locks of every connection of this process (as
    POSIX has it), and the next process to open the database would delete the write-ahead log under them.
    """
    with _creating, suppress(FileExistsError):
        os.close(os.open(file, os.O_RDONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _FILE))
    for suffix in _BESIDE:
        _tighten(file.with_name(file.name + suffix), _FILE)


def _tighten(path: Path, mode: int) -> None:
    # Another user's file is that user's decision, and the other files come and go.
    with suppress(PermissionError, FileNotFoundError):
        if path.stat().st_mode & _OTHERS:
            path.chmod(mode)
