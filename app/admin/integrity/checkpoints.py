"""Checkpoints of hash chains, written in the background while games are played; no move waits for them.

A busy game gets one every few dozen events, an idle one gets one soon after its last event. A slow scan of all games
finds what a stopped process has not written, and games from before there were hash chains.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from sqlalchemy import Connection, func, select

from app.admin.integrity.hash_chain import Checkpoint, add_checkpoints, missing_checkpoints
from app.clock import DAY_MS
from app.db.engine import Database
from app.db.schema import digests, games
from app.games.repository import find_game

EVENTS_PER_CHECKPOINT: Final = 32

_GAMES_PER_WRITE: Final = 25
_GAMES_PER_QUERY: Final = 500
_MAX_QUERIES: Final = 10  # per scan: five thousand games, in a few hundredths of a second
_IDLE_MS: Final = 600_000  # later games are left to the process that they are played on
_g = games.c


class CheckpointWriter:
    """Tracks the games played in this process and keeps their checkpoints up to date."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        """``clock`` gives milliseconds since 1970, UTC."""
        self._database = database
        self._clock = clock
        self._changed: dict[str, int] = {}
        self._tracked: dict[str, int] = {}
        self._cursor = ""
        self._next_scan_ms = 0

    def track(self, game_id: str, version: int) -> None:
        """Note that a game has a new event; called with every move."""
        self._changed[game_id] = version

    async def write(self) -> None:
        """Write checkpoints of games with many new events, or with none since the last call."""
        changed, self._changed = self._changed, {}
        due = [game_id for game_id in self._tracked if game_id not in changed]
        for game_id, version in changed.items():
            if version - self._tracked.setdefault(game_id, version) >= EVENTS_PER_CHECKPOINT:
                due.append(game_id)
        for game_id in due:
            del self._tracked[game_id]
        await self._write(due)

    async def scan(self) -> None:
        """Write missing checkpoints of the next games; one pass over all games takes at least a day."""
        now_ms = self._clock()
        if now_ms < self._next_scan_ms:
            return
        for _ in range(_MAX_QUERIES):
            query = partial(_find_behind, after=self._cursor, before_ms=now_ms - _IDLE_MS)
            found, last = await self._database.read(query)
            await self._write(found)
            self._cursor = last
            if not last:
                self._next_scan_ms = now_ms + DAY_MS
                return
            if len(found) > _GAMES_PER_WRITE:
                return  # enough work for one call

    async def _write(self, game_ids: Sequence[str]) -> None:
        for begin in range(0, len(game_ids), _GAMES_PER_WRITE):
            batch = game_ids[begin : begin + _GAMES_PER_WRITE]
            # Reading and hashing runs beside the players; only the result goes through the single writer.
            missing = await self._database.read(partial(_missing_checkpoints, game_ids=batch))
            if missing:
                await self._database.write(partial(add_checkpoints, checkpoints=missing))


def _missing_checkpoints(connection: Connection, game_ids: Sequence[str]) -> list[Checkpoint]:
    rows = filter(None, (find_game(connection, game_id) for game_id in game_ids))
    return [checkpoint for row in rows for checkpoint in missing_checkpoints(connection, row)]


def _find_behind(connection: Connection, after: str, before_ms: int) -> tuple[list[str], str]:
    """The idle games among the next ones whose chain is behind, and the cursor; "" after the last game."""
    query = (
        select(_g.id, _g.version, _g.updated_ms)
        .where(_g.id > after)
        .order_by(_g.id)
        .limit(_GAMES_PER_QUERY)
    )
    rows = connection.execute(query).all()
    if not rows:
        return [], ""
    d = digests.c
    lengths = (
        select(d.game_id, func.max(d.version))
        .where(d.game_id > after, d.game_id <= rows[-1].id)
        .group_by(d.game_id)
    )
    covered = {row[0]: row[1] for row in connection.execute(lengths)}
    found = [
        row.id
        for row in rows
        if row.version > covered.get(row.id, 0) and row.updated_ms < before_ms
    ]
    return found, rows[-1].id
