"""One game for staff: its event log and the game after each event, as far as the log can be replayed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from cachetools import LRUCache
from sqlalchemy import Connection

from app.admin.game_log.repository import GameSummary, find_game_summary
from app.admin.log_batches import replay_until_error
from app.db.engine import Database
from app.errors import GameNotFoundError
from app.games.archived import ArchivedError
from app.games.event_log import EventLog
from app.games.lookup import UnknownRevisionError
from app.games.model import Game
from app.games.moments import GameEvent
from app.games.repository import find_game, read_log
from app.text import sentence_of

_MAX_CACHED_STATES: Final = 20_000  # about a kilobyte each


@dataclass(frozen=True, slots=True)
class GameLog:
    """A game and its log. ``states`` begins with the opening; it is shorter if the log cannot be replayed.

    ``error`` then says why. Without any state, this release does not know the rules of the game.
    """

    summary: GameSummary
    events: tuple[GameEvent, ...]
    states: tuple[Game, ...]
    error: str

    @property
    def last_step(self) -> int:
        """The last step that can be shown."""
        return max(len(self.states) - 1, 0)


class GameLogService:
    """Loads games, and caches the latest ones while staff step through them."""

    def __init__(self, database: Database, log: EventLog) -> None:
        self._database = database
        self._log = log
        self._cache: LRUCache[tuple[str, int], GameLog] = LRUCache(
            _MAX_CACHED_STATES, getsizeof=lambda log: min(len(log.states), _MAX_CACHED_STATES)
        )

    async def load(self, game_id: str) -> GameLog:
        """A game as it is now; raises ``GameNotFoundError``."""
        summary = await self._database.read_elsewhere(partial(find_game_summary, game_id=game_id))
        if summary is None:
            raise GameNotFoundError
        known = self._cache.get((game_id, summary.version))
        if known:
            return GameLog(summary, known.events, known.states, known.error)
        events = await self._database.read_elsewhere(partial(_read_log, game_id=game_id))
        events = tuple(events[: summary.version])
        try:
            opening = await self._log.load_opening(game_id)
        except UnknownRevisionError as error:
            return GameLog(summary, events, (), sentence_of(error))
        if summary.version and not events:
            return GameLog(summary, (), (opening,), sentence_of(ArchivedError()))
        states, error_text = await asyncio.to_thread(replay_until_error, opening, events)
        log = GameLog(summary, events, states, error_text)
        self._cache[game_id, summary.version] = log
        return log


def _read_log(connection: Connection, game_id: str) -> Sequence[GameEvent]:
    row = find_game(connection, game_id)
    return read_log(connection, row) if row else ()
