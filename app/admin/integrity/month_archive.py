"""Archives: the event logs of all games that began in one month, in a file of JSON lines.

The first line names the month, the last one counts the games and events, and each other line is a game with its log.
Games and their hash chains stay in the database, so an archive can be verified for as long as they do.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import IO, Any, Final

from sqlalchemy import ColumnElement, func, select

from app.admin.integrity.verify import VerificationReport, read_rows, verify_logs
from app.admin.log_batches import split_into_batches
from app.clock import day_begins_ms, first_day_of
from app.db.engine import Database
from app.db.schema import games
from app.games.moments import GameEvent
from app.games.numbered_logs import NumberedEvent, read_numbered_logs
from app.games.repository import list_games

_GAMES_PER_QUERY: Final = 200
_FORMAT: Final = "fairdeal-month-2"
_FORMATS: Final = ("fairdeal-month-1", _FORMAT)
"""Those that can be read. In the first, events have no mark of automatic moves."""

Batch = list[tuple[str, list[NumberedEvent]]]
"""Ids of games, with their logs."""


class ArchiveError(Exception):
    """An archive that is damaged; the message says how."""


@dataclass(slots=True)
class ArchiveReport(VerificationReport):
    """What an archive contains, and how it differs from what is stored about its games."""

    month: int = 0
    gone: int = 0
    """Games that were deleted since: those of guests who stayed away."""


async def write_archive(database: Database, month: int, file: IO[str]) -> ArchiveReport:
    """Write the archive of a month, and verify each game of it."""
    report = ArchiveReport(month=month)
    _write_line(file, {"format": _FORMAT, "month": month})
    async for rows in read_rows(database, *_is_of(month)):
        for batch in split_into_batches(rows):
            logs = await database.read(
                partial(read_numbered_logs, game_ids=[row.id for row in batch])
            )
            await verify_logs(database, report, batch, logs)
            for row in batch:
                log = [[seq, *event] for seq, event in logs[row.id]]
                _write_line(file, {"game": row.id, "events": log})
    _write_line(file, {"games": report.games, "events": report.events})
    return report


async def verify_archive(database: Database, file: Iterable[str]) -> ArchiveReport:
    """Compare an archive with the games and hash chains in the database; raises ``ArchiveError``."""
    report = ArchiveReport()
    for batch in _read_batches(file, report):
        logs = dict(batch)
        rows = await database.read(partial(list_games, game_ids=list(logs)))
        report.gone += len(logs) - len(rows)
        await verify_logs(database, report, rows, logs)
    return report


async def count_playing(database: Database, month: int) -> int:
    """How many games of a month are still in play."""
    query = select(func.count()).where(*_is_of(month), games.c.status == "playing")
    return await database.read(lambda connection: connection.execute(query).scalar_one())


def _write_line(file: IO[str], line: dict[str, object]) -> None:
    file.write(json.dumps(line, separators=(",", ":")) + "\n")


def _is_of(month: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    begins, ends = (day_begins_ms(first_day_of(which)) for which in (month, month + 1))
    return games.c.started_ms >= begins, games.c.started_ms < ends


def _read_batches(lines: Iterable[str], report: ArchiveReport) -> Iterator[Batch]:
    """The games of an archive with their logs, some at a time. The last line must count them all."""
    batch: Batch = []
    games_read = events_read = 0
    for line in lines:
        try:
            found = json.loads(line)
            if "format" in found:
                report.month = _month_in(found)
            elif "game" in found:
                log = [NumberedEvent(seq, GameEvent(*event)) for seq, *event in found["events"]]
                batch.append((found["game"], log))
                games_read, events_read = games_read + 1, events_read + len(log)
            elif (found["games"], found["events"]) == (games_read, events_read):
                yield batch
                return
            else:
                break
        except (ValueError, TypeError, KeyError) as error:
            raise ArchiveError(f"This is no line of an archive: {line[:80]!r}") from error
        if len(batch) == _GAMES_PER_QUERY:
            yield batch
            batch = []
    raise ArchiveError("The archive is not complete.")


def _month_in(head: dict[str, Any]) -> int:
    if head["format"] not in _FORMATS:
        raise ArchiveError("The archive was made by a newer release than this one.")
    return int(head["month"])
