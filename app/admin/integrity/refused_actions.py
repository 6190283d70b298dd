"""Refused actions: kept for some days, apart from the event log, to explain complaints from players."""

from __future__ import annotations

from typing import Final, NamedTuple

from sqlalchemy import Connection, insert, select

from app.clock import Clock
from app.db.engine import Database
from app.db.schema import players, refused_actions
from app.db.writer import Row, WriteBuffer
from app.games.outcome import ActionOutcome

_MAX_ACTION_LENGTH: Final = 40

_r = refused_actions.c


class RefusedAction(NamedTuple):
    """An action that was refused at ``version`` of a game, from a player who saw version ``seen``."""

    seq: int
    version: int
    seen: int
    player: str
    action: str
    result: str
    sentence: str
    at_ms: int


class RefusedActionRecorder:
    """Collects refused actions in memory; a scheduled task writes them."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._clock = clock
        self._buffer = WriteBuffer(database.write, _insert)

    def record(self, player_id: str, seen: int, action: str, outcome: ActionOutcome) -> None:
        """Record an action; the game service calls this."""
        game = outcome.game
        self._buffer.add(
            {
                "game_id": game.id,
                "version": game.version,
                "seen": min(max(seen, 0), 2**31 - 1),
                "actor_id": player_id,
                "action": action.replace("\0", "")[
                    :_MAX_ACTION_LENGTH
                ],  # PostgreSQL can't store it
                "result": outcome.result.name.lower(),
                "sentence": outcome.sentence,
                "at_ms": self._clock(),
            }
        )

    async def flush(self) -> None:
        """Write what was recorded."""
        await self._buffer.flush()


def _insert(connection: Connection, rows: list[Row]) -> None:
    connection.execute(insert(refused_actions), rows)


def list_refused_actions(
    connection: Connection, game_id: str, first: int, last: int, limit: int
) -> list[RefusedAction]:
    """What was refused while a game was at versions ``first`` to ``last``, in order."""
    query = (
        select(
            *(_r.seq, _r.version, _r.seen, players.c.name, _r.action),
            *(_r.result, _r.sentence, _r.at_ms),
        )
        .join_from(refused_actions, players)
        .where(_r.game_id == game_id, _r.version.between(first, last))
        .order_by(_r.seq)
        .limit(limit)
    )
    return [RefusedAction(*row) for row in connection.execute(query)]
