"""One game from its log: the table at every step, as far as the log can be played."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import Final

from app.admin.event_logs import replay_until_error
from app.admin.game_log.repository import Found, find_one
from app.db.engine import Database
from app.errors import GameNotFoundError
from app.games.model import Game, GameEvent, UnknownRevisionError
from app.games.repository import read_log
from app.games.service import GameService

_MOST_STEPS: Final = 20_000  # kept for those who step through a game; each weighs about a kilobyte


@dataclass(frozen=True, slots=True)
class GameReplay:
    """A game and its log. ``tables`` begins with the opening; it is shorter when the log does not follow from it.

    ``trouble`` then says where and why; without any table the rules of the game are not known here.
    """

    found: Found
    entries: tuple[GameEvent, ...]
    tables: tuple[Game, ...]
    trouble: str


class GameReplays:
    """Reads games, and remembers the last ones for whoever steps through them."""

    def __init__(self, database: Database, play: GameService) -> None:
        """``play`` knows how a game begins."""
        self._database = database
        self._play = play
        self._kept: OrderedDict[tuple[str, int], GameReplay] = OrderedDict()

    async def story(self, game_id: str) -> GameReplay:
        """A game as it is now; raises ``GameNotFoundError``."""
        found = await self._database.read(partial(find_one, game_id=game_id))
        if found is None:
            raise GameNotFoundError("There is no game at this address.")
        known = self._kept.get((game_id, found.version))
        if known:
            self._kept.move_to_end((game_id, found.version))
            return GameReplay(found, known.entries, known.tables, known.trouble)
        log = (await self._database.read(partial(read_log, game_id=game_id)))[: found.version]
        try:
            opening = await self._play.load_at(game_id, 0)
        except UnknownRevisionError as error:
            return GameReplay(found, tuple(log), (), str(error))
        tables, trouble = await asyncio.to_thread(replay_until_error, opening, log)
        story = GameReplay(found, tuple(log), tables, trouble)
        self._kept[(game_id, found.version)] = story
        while len(self._kept) > 1 and sum(len(s.tables) for s in self._kept.values()) > _MOST_STEPS:
            self._kept.popitem(last=False)
        return story
