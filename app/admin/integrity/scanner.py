"""The signal scanner: looks for signals in every game that has ended, in the background.

One process at a time scans the games in the order in which they ended, and stores how far it got. Signals are stored
with the game as flags, for the list; their texts are computed again when staff open the game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from sqlalchemy import Connection, select, text, tuple_, update

from app.admin.conflict_of_interest import find_earlier_reveal
from app.admin.integrity.access_records import find_same_device_attempts
from app.admin.integrity.duplicate_games import (
    duplicate_game_finding,
    find_duplicates,
    fingerprint,
    save_fingerprints,
)
from app.admin.integrity.same_network import find_network_attempts, same_network_finding
from app.admin.integrity.signals import (
    Finding,
    Signal,
    TimedGame,
    cards_seen_finding,
    find_timing_signals,
    same_device_finding,
    to_flags,
)
from app.admin.log_batches import split_into_batches
from app.clock import Clock
from app.db.engine import Database, insert_into
from app.db.leases import Lease, LeaseLostError, new_holder
from app.db.schema import bookmarks, games, origins
from app.games.archived import has_log
from app.games.game_row import GameRow
from app.games.model import Kind, Status
from app.games.moments import GameEvent
from app.games.numbered_logs import NumberedEvent, read_numbered_logs
from app.games.repository import GAME_COLUMNS, find_game, game_rows, read_log

_PAUSE_SECONDS: Final = 0.2  # between batches, while there are many games to scan
_BATCH_SIZE: Final = 100
# A game that ended a moment ago may become visible after a later one: waiting means that none is skipped.
_SETTLED_MS: Final = 10_000
_LEASE_MS: Final = 120_000
_NAME: Final = "signals"
_MAX_SAME_DEVICE: Final = 50


def find_signals(connection: Connection, game_id: str) -> list[Finding]:
    """The signals of a game, with their numbers: found again, since only flags are stored."""
    row = find_game(connection, game_id)
    if row is None or _is_exempt(connection, row):
        return []
    return _find_signals(connection, row, read_log(connection, row))


class SignalScanner:
    """Scans ended games; any process may run it at any time."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._lease = Lease(database, _NAME, clock, _LEASE_MS, new_holder())

    async def run(self) -> None:
        """Scan until no games are left, or another process scans."""
        with suppress(LeaseLostError):
            has_more = True
            while has_more:
                has_more = await self.scan_batch()
                await asyncio.sleep(_PAUSE_SECONDS)

    async def scan_batch(self) -> bool:
        """Scan the next games if no other process does; return whether there are probably more."""
        if not await self._database.read(partial(_next_games, until_ms=self._until_ms(), limit=1)):
            return False
        if not await self._lease.hold():
            return False
        query = partial(_next_games, until_ms=self._until_ms(), limit=_BATCH_SIZE)
        rows = await self._database.read(query)
        for batch in split_into_batches(rows):
            logs = await self._database.read(
                partial(read_numbered_logs, game_ids=[row.id for row in batch])
            )
            found = await asyncio.to_thread(_fingerprints, batch, logs)
            # Saved first, since two games of one batch may be duplicates.
            await self._lease.write(partial(save_fingerprints, found=found))
            flags = await self._database.read(partial(_find_flags, rows=batch, logs=logs))
            await self._lease.write(partial(_save_flags, flags=flags, last=batch[-1]))
        return len(rows) == _BATCH_SIZE

    def _until_ms(self) -> int:
        return self._clock() - _SETTLED_MS


def _find_signals(
    connection: Connection, row: GameRow, events: Sequence[GameEvent]
) -> list[Finding]:
    duplicates = find_duplicates(connection, row, fingerprint(row, events))
    revealed = find_earlier_reveal(connection, row.owner_id, row.id, row.updated_ms)
    found = [
        *find_timing_signals(TimedGame(row.started_ms, Status(row.status), events)),
        duplicate_game_finding(row, duplicates),
        same_device_finding(find_same_device_attempts(connection, row.id, _MAX_SAME_DEVICE)),
        same_network_finding(find_network_attempts(connection, row.id)),
        cards_seen_finding(revealed),
    ]
    return [finding for finding in found if finding]


def _find_flags(
    connection: Connection, rows: Sequence[GameRow], logs: Mapping[str, Sequence[NumberedEvent]]
) -> dict[str, int]:
    """The flags to store with each game. Attempts from one device or network are all flagged, earlier ones too."""
    flags: dict[str, int] = {}
    for row in rows:
        if _is_exempt(connection, row):
            continue
        found = _find_signals(connection, row, [event for _, event in logs[row.id]])
        flags[row.id] = flags.get(row.id, 0) | to_flags(found)
        if flags[row.id] & Signal.SAME_DEVICE.bit:
            for other in find_same_device_attempts(connection, row.id, _MAX_SAME_DEVICE):
                flags[other] = flags.get(other, 0) | Signal.SAME_DEVICE.bit
        if flags[row.id] & Signal.SAME_NETWORK.bit:
            network = find_network_attempts(connection, row.id)
            for other in network.others if network.is_many else ():
                flags[other] = flags.get(other, 0) | Signal.SAME_NETWORK.bit
    return {game_id: bits for game_id, bits in flags.items() if bits}


def _save_flags(connection: Connection, flags: Mapping[str, int], last: GameRow) -> None:
    """Store flags and how far the scan got. A flag is never unset: what it was based on may have expired."""
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


def _is_exempt(connection: Connection, row: GameRow) -> bool:
    """Whether timing means nothing: a forked, imported or shared game."""
    if row.kind == Kind.SHARED:
        return True
    query = select(origins.c.game_id).where(origins.c.game_id == row.id)
    return connection.execute(query).first() is not None


def _fingerprints(
    rows: Sequence[GameRow], logs: Mapping[str, Sequence[NumberedEvent]]
) -> list[tuple[str, bytes]]:
    found = ((row.id, fingerprint(row, [event for _, event in logs[row.id]])) for row in rows)
    return [(game_id, mark) for game_id, mark in found if mark is not None]


def _next_games(connection: Connection, until_ms: int, limit: int) -> list[GameRow]:
    b, g = bookmarks.c, games.c
    position = connection.execute(select(b.at_ms, b.key).where(b.name == _NAME)).one_or_none()
    query = select(*GAME_COLUMNS).where(text("status <> 'playing'"), g.updated_ms < until_ms)
    query = query.where(has_log(connection))
    if position:
        query = query.where(tuple_(g.updated_ms, g.id) > tuple_(position.at_ms, position.key))
    return game_rows(connection.execute(query.order_by(g.updated_ms, g.id).limit(limit)))
