"""Writing down how far the chains of games are, while they are played: in the background, never on the way of a move.

A game that is played fast gets a digest every few dozen entries, one that rests gets one soon after its last. What a
stopped process has not written, and games from before there were chains, are found by a slow walk along all games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from sqlalchemy import Connection, func, select

from app.admin.integrity.hash_chain import Digest, goes_on, write_down
from app.clock import DAY_MS
from app.db.engine import Database
from app.db.schema import digests, games
from app.games.repository import find_game

FEW_DOZEN: Final = 32

_GAMES_AT_ONCE: Final = 25
_LOOKED_AT_ONCE: Final = 500
_MOST_LOOKS: Final = 10  # at a time: five thousand games, within a few hundredths of a second
_RESTED_MS: Final = 600_000  # what was played later is the business of whoever it was played with
_g = games.c


class Checkpoints:
    """Knows which games have moved on in this process, and keeps their chains up with them."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        """``clock`` gives milliseconds since 1970, UTC."""
        self._database = database
        self._clock = clock
        self._moved: dict[str, int] = {}
        self._open: dict[str, int] = {}
        self._after = ""
        self._next_walk_ms = 0

    def moved(self, game_id: str, version: int) -> None:
        """Note that a game has a new entry; what every move calls."""
        self._moved[game_id] = version

    async def write(self) -> None:
        """Write down the chains of games that have gone far since the last digest, or that rest since the last time."""
        moved, self._moved = self._moved, {}
        due = [game_id for game_id in self._open if game_id not in moved]
        for game_id, version in moved.items():
            if version - self._open.setdefault(game_id, version) >= FEW_DOZEN:
                due.append(game_id)
        for game_id in due:
            del self._open[game_id]
        await self._write(due)

    async def walk(self) -> None:
        """Look at the next games whether their chain was forgotten; once through all of them every day."""
        now_ms = self._clock()
        if now_ms < self._next_walk_ms:
            return
        for _ in range(_MOST_LOOKS):
            look = partial(_forgotten, after=self._after, before_ms=now_ms - _RESTED_MS)
            found, last = await self._database.read(look)
            await self._write(found)
            self._after = last
            if not last:
                self._next_walk_ms = now_ms + DAY_MS
                return
            if len(found) > _GAMES_AT_ONCE:
                return  # that was work enough for now

    async def _write(self, ids: Sequence[str]) -> None:
        for begin in range(0, len(ids), _GAMES_AT_ONCE):
            portion = ids[begin : begin + _GAMES_AT_ONCE]
            # Read and hash beside the players; only what comes of it goes through the one writer.
            owed = await self._database.read(partial(_owed, ids=portion))
            if owed:
                await self._database.write(partial(write_down, owed=owed))


def _owed(connection: Connection, ids: Sequence[str]) -> list[Digest]:
    rows = filter(None, (find_game(connection, game_id) for game_id in ids))
    return [digest for row in rows for digest in goes_on(connection, row)]


def _forgotten(connection: Connection, after: str, before_ms: int) -> tuple[list[str], str]:
    """Among the next games those whose chain does not reach their end, and where to go on; "" behind the last game."""
    looked = (
        select(_g.id, _g.version, _g.updated_ms)
        .where(_g.id > after)
        .order_by(_g.id)
        .limit(_LOOKED_AT_ONCE)
    )
    rows = connection.execute(looked).all()
    if not rows:
        return [], ""
    d = digests.c
    lengths = (
        select(d.game_id, func.max(d.version))
        .where(d.game_id > after, d.game_id <= rows[-1].id)
        .group_by(d.game_id)
    )
    reached = {row[0]: row[1] for row in connection.execute(lengths)}
    found = [
        row.id
        for row in rows
        if row.version > reached.get(row.id, 0) and row.updated_ms < before_ms
    ]
    return found, rows[-1].id
