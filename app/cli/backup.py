"""Backups as files: written whole or not at all, and put back."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO

from app.clock import now_ms
from app.db.backup import NotEmptyError, back_up
from app.db.backup import restore as put_back
from app.db.backup_file import BackupError
from app.db.engine import Database
from app.errors import MalformedError

Say = Callable[[str], object]


def backup(database: Database, path: Path, say: Say) -> int:
    """Write a backup into a new file; raises ``MalformedError`` where that cannot be written."""
    if path.exists():
        raise MalformedError(f"There is a file called {path} already.")
    partly = path.with_name(f"{path.name}.partly")
    try:
        file = _open_new(partly)
    except OSError as error:
        raise MalformedError(f"The file cannot be written: {error}.") from error
    try:
        with file:
            counts = back_up(database, file, now_ms())
            file.flush()
            os.fsync(file.fileno())
        partly.rename(path)
    except BaseException:
        partly.unlink(missing_ok=True)
        raise
    say(f"Written to {path}: {_told(counts)}.\n")
    return 0


async def restore(database: Database, path: Path, say: Say, *, replace: bool) -> None:
    """Put a backup back; raises ``MalformedError`` for a file that is none, and for a database that is in use."""
    try:
        file = await asyncio.to_thread(path.open, "rb")
    except OSError as error:
        raise MalformedError(f"The file cannot be read: {error}.") from error
    with file:
        try:
            counts = await put_back(database, file, replace=replace)
        except BackupError as error:
            raise MalformedError(f"{error} Nothing was restored.") from error
        except NotEmptyError as error:
            raise MalformedError(
                f"The database is not empty ({error}). With --replace everything in it is dropped first."
            ) from error
    say(f"Restored: {_told(counts)}.\n")


def _open_new(path: Path) -> BinaryIO:
    # It holds the seeds of coming deals and the hashes of passwords.
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in counts.items() if count)
