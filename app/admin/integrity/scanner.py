"""Looking for signals in every game that has ended, beside the players and at no cost to a move.

One process at a time walks along the games in the order in which they ended, and remembers how far it came. What it
finds is stored with the game as flags, for the list; the reasons are worked out anew for whoever opens the game.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from sqlalchemy import Connection, select, text, tuple_, update

from app.admin.conflict_of_interest import find_earlier_reveal
from app.admin.event_logs import Numbered, logs_of, portions
from app.admin.integrity import access_records, duplicate_runs
from app.admin.integrity.signals import (
    Finding,
    Signal,
    Timed,
    device_finding,
    flags_of,
    pace,
    seen_finding,
)
from app.db import leases
from app.db.engine import Database
from app.db.schema import bookmarks, games, origins
from app.db.statements import insert_into
from app.games.model import GameEvent, Kind, Status
from app.games.repository import GameRow, find_game, read_log

_BREATH: Final = 0.2  # seconds between portions while there is much to catch up with
_AT_ONCE: Final = 100
# What ended a moment ago may become visible after what ended later: nothing may be passed by.
_SETTLED_MS: Final = 10_000
_LEASE_MS: Final = 120_000
_NAME: Final = "signals"
_MOST_ALIKE: Final = 50
_COLUMNS: Final = [games.c[name] for name in GameRow.__slots__]


class _OustedError(Exception):
    """It took so long that another process goes on from where we were."""


def read_findings(connection: Connection, game_id: str) -> list[Finding]:
    """Everything that is out of the ordinary about a game, as it is now."""
    row = find_game(connection, game_id)
    if row is None or _is_apart(connection, row):
        return []
    entries = read_log(connection, game_id)
    return _findings(connection, row, entries)


class SignalScanner:
    """The walk."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        """``clock`` gives milliseconds since 1970, UTC."""
        self._database = database
        self._clock = clock
        self._holder = secrets.token_hex(8)

    async def work(self) -> None:
        """Walk on until there is nothing more to look at, or another process does."""
        with suppress(_OustedError):
            is_behind = True
            while is_behind:
                is_behind = await self.walk()
                await asyncio.sleep(_BREATH)

    async def walk(self) -> bool:
        """Look at the next games, if no other process does; whether there are probably more."""
        if not await self._database.read(partial(_next_games, until_ms=self._until_ms(), most=1)):
            return False
        now_ms = self._clock()

        def take(connection: Connection) -> bool:
            return leases.acquire(connection, _NAME, self._holder, now_ms, now_ms + _LEASE_MS)

        if not await self._database.write(take):
            return False
        find = partial(_next_games, until_ms=self._until_ms(), most=_AT_ONCE)
        rows = await self._database.read(find)
        for portion in portions(rows):
            logs = await self._database.read(partial(logs_of, ids=[row.id for row in portion]))
            prints = await asyncio.to_thread(_prints, portion, logs)
            # Kept first: two of one portion may be twins.
            await self._write(partial(duplicate_runs.keep, prints=prints))
            flags = await self._database.read(partial(_flags, rows=portion, logs=logs))
            await self._write(partial(_settle, flags=flags, last=portion[-1]))
        return len(rows) == _AT_ONCE

    async def _write(self, work: Callable[[Connection], None]) -> None:
        """Write only as the one who holds the lease, and hold it on."""
        now_ms = self._clock()

        def fenced(connection: Connection) -> None:
            if not leases.acquire(connection, _NAME, self._holder, now_ms, now_ms + _LEASE_MS):
                raise _OustedError
            work(connection)

        await self._database.write(fenced)

    def _until_ms(self) -> int:
        return self._clock() - _SETTLED_MS


def _findings(connection: Connection, row: GameRow, entries: Sequence[GameEvent]) -> list[Finding]:
    alike = duplicate_runs.twins_of(connection, row, duplicate_runs.fingerprint(row, entries))
    found = [
        *pace(Timed(row.started_ms, Status(row.status), entries)),
        duplicate_runs.finding_of(row, alike),
        device_finding(access_records.alike(connection, row.id, _MOST_ALIKE)),
        seen_finding(find_earlier_reveal(connection, row.owner_id, row.id, row.updated_ms)),
    ]
    return [finding for finding in found if finding]


def _flags(
    connection: Connection, rows: Sequence[GameRow], logs: Mapping[str, Sequence[Numbered]]
) -> dict[str, int]:
    """What is to be stored with each game. Attempts that began on one device are all told of each other."""
    flags: dict[str, int] = {}
    for row in rows:
        if _is_apart(connection, row):
            continue
        found = _findings(connection, row, [entry for _, entry in logs[row.id]])
        flags[row.id] = flags.get(row.id, 0) | flags_of(found)
        if flags[row.id] & Signal.DEVICE.bit:
            for other in access_records.alike(connection, row.id, _MOST_ALIKE):
                flags[other] = flags.get(other, 0) | Signal.DEVICE.bit
    return {game_id: bits for game_id, bits in flags.items() if bits}


def _settle(connection: Connection, flags: Mapping[str, int], last: GameRow) -> None:
    """Store what was found, and how far the walk came. A flag once set stays: what it stood on may be forgotten."""
    for game_id, bits in sorted(flags.items()):
        more = games.c.flags.bitwise_or(bits)
        flagged = update(games).where(games.c.id == game_id, games.c.flags != more)
        connection.execute(flagged.values(flags=more))
    insertion = insert_into(connection, bookmarks)
    values = {"at_ms": last.updated_ms, "key": last.id}
    connection.execute(
        insertion.values(name=_NAME, **values).on_conflict_do_update(
            index_elements=["name"], set_=values
        )
    )


def _is_apart(connection: Connection, row: GameRow) -> bool:
    """Whether a log has no pace of its own: played on from another, brought along, or played by several."""
    if row.kind == Kind.SHARED:
        return True
    query = select(origins.c.game_id).where(origins.c.game_id == row.id)
    return connection.execute(query).first() is not None


def _prints(
    rows: Sequence[GameRow], logs: Mapping[str, Sequence[Numbered]]
) -> list[tuple[str, bytes]]:
    found = (
        (row.id, duplicate_runs.fingerprint(row, [entry for _, entry in logs[row.id]]))
        for row in rows
    )
    return [(game_id, run) for game_id, run in found if run is not None]


def _next_games(connection: Connection, until_ms: int, most: int) -> list[GameRow]:
    b, g = bookmarks.c, games.c
    place = connection.execute(select(b.at_ms, b.key).where(b.name == _NAME)).one_or_none()
    query = select(*_COLUMNS).where(text("status <> 'playing'"), g.updated_ms < until_ms)
    if place:
        query = query.where(tuple_(g.updated_ms, g.id) > tuple_(place.at_ms, place.key))
    rows = connection.execute(query.order_by(g.updated_ms, g.id).limit(most))
    return [GameRow(**row._asdict()) for row in rows]
