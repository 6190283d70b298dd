"""Verifying stored games: replaying event logs and comparing the result with what is stored beside them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from sqlalchemy import ColumnElement, Connection, select

from app.admin.integrity.hash_chain import (
    GameOrigin,
    find_origins,
    forked_digest,
    initial_digest,
    next_digest,
)
from app.admin.log_batches import replay_until_error, split_into_batches
from app.clock import month_of
from app.db.engine import Database
from app.db.event_partitions import list_detached
from app.db.schema import digests, games
from app.games.game_row import GameRow
from app.games.lookup import UnknownRevisionError
from app.games.moments import GameEvent
from app.games.numbered_logs import NumberedEvent, read_numbered_logs
from app.games.replay import opening_of
from app.games.repository import GAME_COLUMNS, game_rows, list_games

_GAMES_PER_QUERY: Final = 200


@dataclass(slots=True)
class VerificationReport:
    """What was verified, and the faults found by game."""

    games: int = 0
    events: int = 0
    with_checkpoints: int = 0
    """Games whose log was compared with checkpoints of its hash chain."""
    archived: int = 0
    """Games whose log is not here, because their month was taken out of the database."""
    faults: dict[str, list[str]] = field(default_factory=dict)


async def verify_games(
    database: Database, game_ids: Sequence[str] | None
) -> AsyncIterator[VerificationReport]:
    """Verify games, or all if ``game_ids`` is ``None``; yields the same report again and again as it grows."""
    report = VerificationReport()
    # Not every database can compare arbitrary text, and no game has such an id.
    valid = None if game_ids is None else [g for g in game_ids if g.isascii() and g.isprintable()]
    detached = await database.read(list_detached)
    async for rows in read_rows(database) if valid is None else _read_named(database, valid):
        here = [row for row in rows if month_of(row.started_ms) not in detached]
        report.archived += len(rows) - len(here)
        for batch in split_into_batches(here):
            logs = await database.read(
                partial(read_numbered_logs, game_ids=[row.id for row in batch])
            )
            await verify_logs(database, report, batch, logs)
            yield report
    found = {row.id for row in await database.read(partial(list_games, game_ids=valid or []))}
    for missing in set(game_ids or ()) - found:
        report.faults[missing] = ["There is no such game."]
    yield report


async def verify_logs(
    database: Database,
    report: VerificationReport,
    rows: Sequence[GameRow],
    logs: Mapping[str, Sequence[NumberedEvent]],
) -> None:
    """Compare logs with what is stored about their games, and add the result to a report."""
    ids = [row.id for row in rows]
    checkpoints = await database.read(partial(_read_checkpoints, game_ids=ids))
    origins = await database.read(partial(find_origins, game_ids=ids))
    await asyncio.to_thread(_verify_batch, report, rows, logs, checkpoints, origins)


async def print_verification(
    database: Database, game_ids: Sequence[str] | None, write: Callable[[str], object]
) -> int:
    """Verify games and write what was found; returns the exit code, 1 if anything differs."""
    report = VerificationReport()
    async for latest in verify_games(database, game_ids):
        report = latest
    if report.archived:
        write(f"{report.archived} games are not here: their months were archived.\n")
    return print_report(report, write)


def print_report(report: VerificationReport, write: Callable[[str], object]) -> int:
    """Write what was found; returns the exit code, 1 if anything differs."""
    for game_id, faults in sorted(report.faults.items()):
        for fault in faults:
            write(f"{game_id.encode('ascii', 'backslashreplace').decode()}: {fault}\n")
    write(
        f"Replayed {report.games} games with {report.events} events and compared "
        f"{report.with_checkpoints} of them with their hash chain. {len(report.faults)} differ.\n"
    )
    return 1 if report.faults else 0


def find_faults(
    row: GameRow,
    log: Sequence[NumberedEvent],
    checkpoints: Mapping[int, bytes],
    origin: GameOrigin | None = None,
) -> Iterator[str]:
    """How a log differs from what is stored beside it, in sentences."""
    try:
        opening = opening_of(row)
    except UnknownRevisionError as error:
        yield str(error)
        return
    if [seq for seq, _ in log] != list(range(1, len(log) + 1)):
        yield "The events of the log are not numbered from 1 without a gap."
    if row.version != len(log):
        yield f"The stored version is {row.version}, but the log has {len(log)} events."
    events = [event for _, event in log]
    states, fault = replay_until_error(opening, events)
    if fault:
        yield fault
    else:
        end = states[-1]
        if end.status != row.status:
            yield f"The stored status is {row.status}, but the log leads to {end.status}."
        if end.updated_ms != row.updated_ms:
            yield "The stored time of the last action is not that of the last event."
        if end.played_ms != row.played_ms:
            yield f"The stored time played is {row.played_ms} ms, but the log makes it {end.played_ms}."
        if end.moves != row.moves:
            yield f"The stored number of moves is {row.moves}, but the log makes it {end.moves}."
    yield from _find_chain_faults(row, events, checkpoints, origin)


def _find_chain_faults(
    row: GameRow,
    events: Sequence[GameEvent],
    checkpoints: Mapping[int, bytes],
    origin: GameOrigin | None,
) -> Iterator[str]:
    digest = initial_digest(row)
    if 0 in checkpoints:
        digest = forked_digest(row, origin) if origin else digest
        if checkpoints[0] != digest:
            yield "The origin of the game is not the one in its checkpoint."
            digest = checkpoints[0]
    for version, event in enumerate(events, start=1):
        digest = next_digest(digest, event)
        if checkpoints.get(version, digest) != digest:
            yield f"The hash chain does not match the checkpoint at version {version}."
    for version in checkpoints:
        if version > len(events):
            yield f"The log once had {version} events."


def _verify_batch(
    report: VerificationReport,
    rows: Sequence[GameRow],
    logs: Mapping[str, Sequence[NumberedEvent]],
    checkpoints: Mapping[str, Mapping[int, bytes]],
    origins: Mapping[str, GameOrigin],
) -> None:
    for row in rows:
        log, own_checkpoints = logs[row.id], checkpoints.get(row.id, {})
        report.games += 1
        report.events += len(log)
        report.with_checkpoints += bool(own_checkpoints)
        faults = list(find_faults(row, log, own_checkpoints, origins.get(row.id)))
        if faults:
            report.faults[row.id] = faults


async def read_rows(
    database: Database, *which: ColumnElement[bool]
) -> AsyncIterator[Sequence[GameRow]]:
    """All games that meet some conditions, a number at a time, in the order of their ids."""
    after = ""
    while rows := await database.read(partial(_next_rows, after=after, which=which)):
        yield rows
        after = rows[-1].id


async def _read_named(
    database: Database, game_ids: Sequence[str]
) -> AsyncIterator[Sequence[GameRow]]:
    yield await database.read(partial(list_games, game_ids=game_ids))


def _next_rows(
    connection: Connection, after: str, which: Sequence[ColumnElement[bool]]
) -> list[GameRow]:
    query = select(*GAME_COLUMNS).where(games.c.id > after, *which)
    return game_rows(connection.execute(query.order_by(games.c.id).limit(_GAMES_PER_QUERY)))


def _read_checkpoints(
    connection: Connection, game_ids: Sequence[str]
) -> dict[str, dict[int, bytes]]:
    query = select(digests).where(digests.c.game_id.in_(game_ids))
    found: dict[str, dict[int, bytes]] = {}
    for row in connection.execute(query):
        found.setdefault(row.game_id, {})[row.version] = bytes(row.digest)
    return found
