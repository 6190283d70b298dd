"""Actions that were asked for and not accepted: kept for a while, apart from the log, at no cost to those who play.

They gather in memory, are written together every few seconds, and forgotten after some days (see app.admin.retention).
A crash may lose the last of them: they explain what a player complains about, and are no part of the truth.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, insert, select

from app.db.engine import Database
from app.db.schema import players, refused_actions
from app.games.outcome import Outcome

_MOST_WAITING: Final = 5_000  # beyond that the oldest are forgotten: somebody is hammering
_MOST_AT_ONCE: Final = 500
_LONGEST_ACTION: Final = 40

_r = refused_actions.c


class Refused(NamedTuple):
    """An action that was not accepted, of a game at ``version``, by somebody who saw it at ``seen``."""

    seq: int
    version: int
    seen: int
    player: str
    action: str
    result: str
    sentence: str
    at_ms: int


class Refusals:
    """Takes them in, and writes them down when somebody says so."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        """``clock`` gives milliseconds since 1970, UTC."""
        self._database = database
        self._clock = clock
        self._waiting: deque[dict[str, Any]] = deque(maxlen=_MOST_WAITING)

    def note(self, player_id: str, seen: int, action: str, outcome: Outcome) -> None:
        """Take one in; what the play service calls."""
        game = outcome.game
        self._waiting.append(
            {
                "game_id": game.id,
                "version": game.version,
                "seen": min(max(seen, 0), 2**31 - 1),
                "actor_id": player_id,
                "action": action[:_LONGEST_ACTION],
                "result": outcome.result.name.lower(),
                "sentence": outcome.sentence,
                "at_ms": self._clock(),
            }
        )

    async def write(self) -> None:
        """Write down what waits."""
        while self._waiting:
            rows = [self._waiting.popleft() for _ in range(min(_MOST_AT_ONCE, len(self._waiting)))]
            await self._database.write(partial(_add, rows=rows))


def _add(connection: Connection, rows: list[dict[str, Any]]) -> None:
    connection.execute(insert(refused_actions), rows)


def read_refused(
    connection: Connection, game_id: str, first: int, last: int, most: int
) -> list[Refused]:
    """What was not accepted while a game stood at versions ``first`` to ``last``, in order."""
    query = (
        select(
            *(_r.seq, _r.version, _r.seen, players.c.name, _r.action),
            *(_r.result, _r.sentence, _r.at_ms),
        )
        .join_from(refused_actions, players)
        .where(_r.game_id == game_id, _r.version.between(first, last))
        .order_by(_r.seq)
        .limit(most)
    )
    return [Refused(*row) for row in connection.execute(query)]
