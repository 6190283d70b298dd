"""The file format of backups: every row of every table as text, the same for every kind of database.

It is gzipped JSON lines: a header, then for each table its columns and its rows, several hundred to a line, and last
the number of rows and the SHA-256 of all lines before. A file without that last line is incomplete.
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

_COMPRESSION: Final = 3  # of 9: a third larger than the best, and four times as fast
_LONGEST_LINE: Final = 64 * 1024 * 1024

Row = Sequence[Any]


class BackupError(Exception):
    """The file cannot be restored here; the message is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class BackupHeader:
    """The first line: the revision of the schema, the release, and the time of the backup."""

    revision: str
    release: str
    made_ms: int


class TableHeader(NamedTuple):
    """A table, its columns, and which of them hold bytes."""

    name: str
    columns: tuple[str, ...]
    binary: frozenset[str]


class BackupWriter:
    """Writes a backup, some rows at a time."""

    def __init__(self, file: BinaryIO, header: BackupHeader) -> None:
        self._file = gzip.GzipFile(
            fileobj=file, mode="wb", compresslevel=_COMPRESSION, filename="", mtime=0
        )
        self._sum = hashlib.sha256()
        self._encode = json.JSONEncoder(separators=(",", ":")).encode
        self._counts: dict[str, int] = {}
        self._write_line({"format": FORMAT, "version": VERSION, **asdict(header)})

    def table(self, header: TableHeader, chunks: Iterable[Sequence[Row]]) -> None:
        """Add a table, with its rows in chunks that fit into memory."""
        self._write_line(
            {"table": header.name, "columns": header.columns, "binary": sorted(header.binary)}
        )
        at = [place for place, name in enumerate(header.columns) if name in header.binary]
        count = 0
        for chunk in chunks:
            rows = [_as_text(row, at) for row in chunk] if at else list(map(tuple, chunk))
            self._write_line(rows)
            count += len(rows)
        self._counts[header.name] = count

    def end(self) -> Mapping[str, int]:
        """Write the last line; return the number of rows in each table."""
        digest = self._sum.hexdigest()
        self._write_line({"end": self._counts, "sha256": digest})
        self._file.close()
        return self._counts

    def _write_line(self, value: object) -> None:
        line = (self._encode(value) + "\n").encode()
        self._sum.update(line)
        self._file.write(line)


class BackupReader:
    """Reads a backup, some rows at a time. Any method can raise ``BackupError``."""

    def __init__(self, file: BinaryIO) -> None:
        """Read the header."""
        self._file = gzip.GzipFile(fileobj=file, mode="rb")
        self._sum = hashlib.sha256()
        self._before_last = ""
        self._ahead: object = None
        try:
            first = self._next()
        except BackupError as error:
            raise BackupError("This file is not a backup of Fair Deal.") from error
        match first:
            case {"format": str(form), "version": int(version)} if form == FORMAT:
                if version != VERSION:
                    raise BackupError("The backup was made by a newer release than this one.")
            case _:
                raise BackupError("This file is not a backup of Fair Deal.")
        match first:
            case {"revision": str(revision), "release": str(release), "made_ms": int(made_ms)}:
                self.header = BackupHeader(revision, release, made_ms)
            case _:
                raise BackupError(_DAMAGED)

    def tables(self) -> Iterator[tuple[TableHeader, Iterator[list[Any]]]]:
        """Each table with its rows, which must be read to the end; then the checksum is compared."""
        counts: dict[str, int] = {}
        self._ahead = self._next()
        while (header := _table_header(self._ahead)) is not None:
            counts[header.name] = 0
            yield header, self._rows(header, counts)
        match self._ahead:
            case {"end": expected, "sha256": str(digest)}:
                if expected != counts or digest != self._before_last:
                    raise BackupError(_DAMAGED)
            case _:
                raise BackupError(_DAMAGED)
        if self._read_line():
            raise BackupError(_DAMAGED)

    def _rows(self, header: TableHeader, counts: dict[str, int]) -> Iterator[list[Any]]:
        at = [place for place, name in enumerate(header.columns) if name in header.binary]
        width = len(header.columns)
        while isinstance(chunk := self._next(), list):
            for row in chunk:
                if not isinstance(row, list) or len(row) != width:
                    raise BackupError(_DAMAGED)
                for place in at:
                    if row[place] is not None:
                        row[place] = _bytes(row[place])
                yield row
            counts[header.name] += len(chunk)
        self._ahead = chunk

    def _next(self) -> object:
        self._before_last = self._sum.hexdigest()
        line = self._read_line()
        if not line.endswith(b"\n"):
            raise BackupError("The backup ends too early: it was not written completely.")
        self._sum.update(line)
        try:
            return json.loads(line)
        except ValueError as error:
            raise BackupError(_DAMAGED) from error

    def _read_line(self) -> bytes:
        try:
            return self._file.readline(_LONGEST_LINE)
        except EOFError as error:
            raise BackupError(
                "The backup ends too early: it was not written completely."
            ) from error
        except (gzip.BadGzipFile, zlib.error) as error:
            raise BackupError(_DAMAGED) from error


_DAMAGED: Final = "The backup is damaged: its content does not match its checksum."


def _table_header(value: object) -> TableHeader | None:
    match value:
        case {"table": str(name), "columns": list(columns), "binary": list(binary)}:
            return TableHeader(name, tuple(columns), frozenset(binary))
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
        raise BackupError(_DAMAGED) from error
