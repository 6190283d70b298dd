"""Playing stored logs again, and saying what differs from what is stored beside them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from sqlalchemy import Connection, select

from app.admin.event_logs import Numbered, logs_of, portions
from app.admin.game_log.service import play_through
from app.admin.integrity.hash_chain import Origin, link, origins_of, start, start_from
from app.db.engine import Database
from app.db.schema import digests, games
from app.games.model import GameEvent, UnknownRevisionError
from app.games.replay import opening_of
from app.games.repository import GameRow

_GAMES_AT_ONCE: Final = 200
_COLUMNS: Final = [games.c[name] for name in GameRow.__slots__]


@dataclass(slots=True)
class Report:
    """How many games were played again, and what was found of each that differs."""

    games: int = 0
    entries: int = 0
    sealed: int = 0
    """Games with digests written down, with which their log was compared."""
    faults: dict[str, list[str]] = field(default_factory=dict)


async def verify(database: Database, ids: Sequence[str] | None) -> AsyncIterator[Report]:
    """Play games again, all of them without ``ids``; the same report again and again, as it grows."""
    report = Report()
    # What no game can be called is not even asked for: not every database can compare such a text.
    known = None if ids is None else [one for one in ids if one.isascii() and one.isprintable()]
    async for rows in _batches(database, known):
        for portion in portions(rows):
            wanted = [row.id for row in portion]
            logs = await database.read(partial(logs_of, ids=wanted))
            ends = await database.read(partial(_digests, ids=wanted))
            origins = await database.read(partial(origins_of, ids=wanted))
            await asyncio.to_thread(_check_all, report, portion, logs, ends, origins)
            yield report
    found = {row.id for row in await database.read(partial(_find, ids=known or []))}
    for missing in set(ids or ()) - found:
        report.faults[missing] = ["There is no such game."]
    yield report


async def tell_verified(
    database: Database, ids: Sequence[str] | None, say: Callable[[str], object]
) -> int:
    """Verify and say what was found; answers the exit code, 1 when something differs."""
    report = Report()
    async for grown in verify(database, ids):
        report = grown
    for game_id, faults in sorted(report.faults.items()):
        for fault in faults:
            say(f"{game_id.encode('ascii', 'backslashreplace').decode()}: {fault}\n")
    say(
        f"{report.games} games with {report.entries} entries were played again, "
        f"{report.sealed} of them compared with their chain. {len(report.faults)} differ.\n"
    )
    return 1 if report.faults else 0


def faults_of(
    row: GameRow, log: Sequence[Numbered], ends: Mapping[int, bytes], origin: Origin | None = None
) -> Iterator[str]:
    """What differs between a log and what is stored beside it, in sentences."""
    try:
        opening = opening_of(row)
    except UnknownRevisionError as error:
        yield str(error)
        return
    if [seq for seq, _ in log] != list(range(1, len(log) + 1)):
        yield "The entries of the log are not numbered from 1 without a gap."
    if row.version != len(log):
        yield f"The game is said to be at version {row.version}; its log has {len(log)} entries."
    entries = [entry for _, entry in log]
    tables, trouble = play_through(opening, entries)
    if trouble:
        yield trouble
    else:
        end = tables[-1]
        if end.status != row.status:
            yield f"The game is said to be {row.status}; its log makes it {end.status}."
        if end.updated_ms != row.updated_ms:
            yield "The time of the last action is not that of the last entry."
    yield from _broken_links(row, entries, ends, origin)


def _broken_links(
    row: GameRow, entries: Sequence[GameEvent], ends: Mapping[int, bytes], origin: Origin | None
) -> Iterator[str]:
    digest = start(row)
    if 0 in ends:
        digest = start_from(row, origin) if origin else digest
        if ends[0] != digest:
            yield "Where the game came from is not what was written down then."
            digest = ends[0]
    for version, entry in enumerate(entries, start=1):
        digest = link(digest, entry)
        if ends.get(version, digest) != digest:
            yield f"The chain to version {version} is not the one that was written down then."
    for version in ends:
        if version > len(entries):
            yield f"The log once had {version} entries."


def _check_all(
    report: Report,
    rows: Sequence[GameRow],
    logs: Mapping[str, Sequence[Numbered]],
    ends: Mapping[str, Mapping[int, bytes]],
    origins: Mapping[str, Origin],
) -> None:
    for row in rows:
        log, own_ends = logs[row.id], ends.get(row.id, {})
        report.games += 1
        report.entries += len(log)
        report.sealed += bool(own_ends)
        faults = list(faults_of(row, log, own_ends, origins.get(row.id)))
        if faults:
            report.faults[row.id] = faults


async def _batches(
    database: Database, ids: Sequence[str] | None
) -> AsyncIterator[Sequence[GameRow]]:
    if ids is not None:
        yield await database.read(partial(_find, ids=ids))
        return
    after = ""
    while rows := await database.read(partial(_next, after=after)):
        yield rows
        after = rows[-1].id


def _find(connection: Connection, ids: Sequence[str]) -> list[GameRow]:
    rows = connection.execute(select(*_COLUMNS).where(games.c.id.in_(ids)))
    return [GameRow(**row._asdict()) for row in rows]


def _next(connection: Connection, after: str) -> list[GameRow]:
    query = select(*_COLUMNS).where(games.c.id > after).order_by(games.c.id).limit(_GAMES_AT_ONCE)
    return [GameRow(**row._asdict()) for row in connection.execute(query)]


def _digests(connection: Connection, ids: Sequence[str]) -> dict[str, dict[int, bytes]]:
    query = select(digests).where(digests.c.game_id.in_(ids))
    found: dict[str, dict[int, bytes]] = {}
    for row in connection.execute(query):
        found.setdefault(row.game_id, {})[row.version] = bytes(row.digest)
    return found
