"""The file that a backup is: every row of every table, as text, in a form that any database can take back.

It is gzip around JSON, a value a line: what it is, then for each table its columns and its rows, some hundred to a
line, and last how many there were, with the SHA-256 of all lines before. A file without that last line is no backup.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, BinaryIO, Final, NamedTuple

FORMAT: Final = "fairdeal backup"
VERSION: Final = 1

_LIGHT: Final = 3  # of gzip's nine levels: a third larger than the best, and four times as fast
_LONGEST_LINE: Final = 64 * 1024 * 1024

Row = Sequence[Any]


class ArchiveError(Exception):
    """The file is no backup that can be restored here; the message says why in a sentence."""


@dataclass(frozen=True, slots=True)
class Head:
    """What a backup says of itself: the schema it was made of, when, and by which release."""

    revision: str
    release: str
    made_ms: int


class TableHead(NamedTuple):
    """A table, its columns, and which of them hold bytes."""

    name: str
    columns: tuple[str, ...]
    binary: frozenset[str]


class ArchiveWriter:
    """Writes a backup, some rows at a time."""

    def __init__(self, file: BinaryIO, head: Head) -> None:
        self._zipped = gzip.GzipFile(
            fileobj=file, mode="wb", compresslevel=_LIGHT, filename="", mtime=0
        )
        self._sum = hashlib.sha256()
        self._encode = json.JSONEncoder(separators=(",", ":")).encode
        self._counts: dict[str, int] = {}
        self._line({"format": FORMAT, "version": VERSION, **asdict(head)})

    def table(self, head: TableHead, portions: Iterable[Sequence[Row]]) -> None:
        """Add a table: its rows in portions that fit into memory."""
        self._line({"table": head.name, "columns": head.columns, "binary": sorted(head.binary)})
        at = [place for place, name in enumerate(head.columns) if name in head.binary]
        count = 0
        for portion in portions:
            rows = [_as_text(row, at) for row in portion] if at else list(map(tuple, portion))
            self._line(rows)
            count += len(rows)
        self._counts[head.name] = count

    def end(self) -> Mapping[str, int]:
        """Write the last line; how many rows there are of each table."""
        digest = self._sum.hexdigest()
        self._line({"end": self._counts, "sha256": digest})
        self._zipped.close()
        return self._counts

    def _line(self, value: object) -> None:
        line = (self._encode(value) + "\n").encode()
        self._sum.update(line)
        self._zipped.write(line)


class Archive:
    """Reads a backup, some rows at a time. Everything it does may raise ``ArchiveError``."""

    def __init__(self, file: BinaryIO) -> None:
        """Read what the file says of itself."""
        self._zipped = gzip.GzipFile(fileobj=file, mode="rb")
        self._sum = hashlib.sha256()
        self._before_last = ""
        self._ahead: object = None
        try:
            first = self._next()
        except ArchiveError as error:
            raise ArchiveError("This file is not a backup of Fair Deal.") from error
        match first:
            case {"format": str(form), "version": int(version)} if form == FORMAT:
                if version != VERSION:
                    raise ArchiveError("The backup was made by a newer release than this one.")
            case _:
                raise ArchiveError("This file is not a backup of Fair Deal.")
        match first:
            case {"revision": str(revision), "release": str(release), "made_ms": int(made_ms)}:
                self.head = Head(revision, release, made_ms)
            case _:
                raise ArchiveError(_DAMAGED)

    def tables(self) -> Iterator[tuple[TableHead, Iterator[list[Any]]]]:
        """Each table with its rows, which are to be read to their end; after the last one the sum is checked."""
        counts: dict[str, int] = {}
        self._ahead = self._next()
        while (head := _table_head(self._ahead)) is not None:
            counts[head.name] = 0
            yield head, self._rows(head, counts)
        match self._ahead:
            case {"end": expected, "sha256": str(digest)}:
                if expected != counts or digest != self._before_last:
                    raise ArchiveError(_DAMAGED)
            case _:
                raise ArchiveError(_DAMAGED)
        if self._read_line():
            raise ArchiveError(_DAMAGED)

    def _rows(self, head: TableHead, counts: dict[str, int]) -> Iterator[list[Any]]:
        at = [place for place, name in enumerate(head.columns) if name in head.binary]
        width = len(head.columns)
        while isinstance(portion := self._next(), list):
            for row in portion:
                if not isinstance(row, list) or len(row) != width:
                    raise ArchiveError(_DAMAGED)
                for place in at:
                    if row[place] is not None:
                        row[place] = _bytes(row[place])
                yield row
            counts[head.name] += len(portion)
        self._ahead = portion

    def _next(self) -> object:
        self._before_last = self._sum.hexdigest()
        line = self._read_line()
        if not line.endswith(b"\n"):
            raise ArchiveError("The backup ends too early: it was not written to its end.")
        self._sum.update(line)
        try:
            return json.loads(line)
        except ValueError as error:
            raise ArchiveError(_DAMAGED) from error

    def _read_line(self) -> bytes:
        try:
            return self._zipped.readline(_LONGEST_LINE)
        except EOFError as error:
            raise ArchiveError(
                "The backup ends too early: it was not written to its end."
            ) from error
        except (gzip.BadGzipFile, zlib.error) as error:
            raise ArchiveError(_DAMAGED) from error


_DAMAGED: Final = "The backup is damaged: it does not say what was written into it."


def _table_head(value: object) -> TableHead | None:
    match value:
        case {"table": str(name), "columns": list(columns), "binary": list(binary)}:
            return TableHead(name, tuple(columns), frozenset(binary))
        case _:
            return None


def _as_text(row: Row, at: Sequence[int]) -> list[Any]:
    values = list(row)
    for place in at:
        if values[place] is not None:
            values[place] = b64encode(values[place]).decode()
    return values


def _bytes(text: object) -> bytes:
    try:
        return b64decode(str(text), validate=True)
    except ValueError as error:
        raise ArchiveError(_DAMAGED) from error
