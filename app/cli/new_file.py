"""Files that a command writes: completely or not at all, and only their owner may read them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from app.errors import MalformedError


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to. At the end it is on the disk under its name; after an error there is none.

    Raises ``MalformedError`` for one that exists, or that cannot be written. Its mode is 0600: it may contain the seeds
    of coming deals, and password hashes.
    """
    if path.exists():
        raise MalformedError(f"The file {path} already exists.")
    partial_path = path.with_name(f"{path.name}.partly")
    try:
        file = os.fdopen(os.open(partial_path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")
    except OSError as error:
        raise MalformedError(f"Can't write the file: {error}.") from error
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial_path.rename(path)
    except BaseException:
        partial_path.unlink(missing_ok=True)
        raise
