"""Actions that were asked for and not accepted: kept for a while, apart from the log, at no cost to those who play.

They gather in memory and are written together every few seconds. A crash may lose the last of them: they explain what
a player complains about, and are no part of the truth.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, delete, insert, select

from app.play.outcome import Outcome
from app.storage import leases
from app.storage.database import Database
from app.storage.schema import players, refused_actions

_MOST_WAITING: Final = 5_000  # beyond that the oldest are forgotten: somebody is hammering
_MOST_AT_ONCE: Final = 500
_WRITE_EVERY: Final = 3.0  # seconds
_SWEEP_EVERY_MS: Final = 3_600_000
_DAY_MS: Final = 86_400_000
_LONGEST_ACTION: Final = 40
_SWEEP: Final = "sweep of refused actions"

_log = logging.getLogger("fairdeal.admin")
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
    """Takes them in, writes them down in the background, and forgets them when their time is over."""

    def __init__(self, database: Database, clock: Callable[[], int], days: int) -> None:
        """Keep each for so many ``days``."""
        self._database = database
        self._clock = clock
        self._kept_ms = days * _DAY_MS
        self._waiting: deque[dict[str, Any]] = deque(maxlen=_MOST_WAITING)
        self._holder = secrets.token_hex(8)
        self._swept_ms = 0

    def note(self, player_id: str, seen: int, action: str, outcome: Outcome) -> None:
        """Take one in; what the play service calls."""
        table = outcome.table
        self._waiting.append(
            {
                "game_id": table.id,
                "version": table.version,
                "seen": min(max(seen, 0), 2**31 - 1),
                "actor_id": player_id,
                "action": action[:_LONGEST_ACTION],
                "result": outcome.result.name.lower(),
                "sentence": outcome.sentence,
                "at_ms": self._clock(),
            }
        )

    async def run(self) -> None:
        """Write and sweep until cancelled; whatever goes wrong is logged and tried again later."""
        while True:
            await asyncio.sleep(_WRITE_EVERY)
            try:
                await self.write()
                await self.sweep()
            except Exception:  # noqa: BLE001 - whatever it was, the next ones are still owed
                _log.exception("Refused actions could not be kept")

    async def write(self) -> None:
        """Write down what waits."""
        while self._waiting:
            rows = [self._waiting.popleft() for _ in range(min(_MOST_AT_ONCE, len(self._waiting)))]
            await self._database.write(partial(_add, rows=rows))

    async def sweep(self) -> None:
        """Forget what is too old, once an hour and in one process only."""
        now_ms = self._clock()
        if now_ms < self._swept_ms + _SWEEP_EVERY_MS:
            return
        self._swept_ms = now_ms

        def forget(connection: Connection) -> None:
            until_ms = now_ms + _SWEEP_EVERY_MS
            if leases.take(connection, _SWEEP, self._holder, now_ms, until_ms):
                connection.execute(delete(refused_actions).where(_r.at_ms < now_ms - self._kept_ms))

        await self._database.write(forget)

    async def close(self, task: asyncio.Task[None]) -> None:
        """Stop the background task and write down what still waits."""
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        try:
            await self.write()
        except Exception:  # noqa: BLE001 - the site stops all the same
            _log.exception("Refused actions could not be kept")


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
