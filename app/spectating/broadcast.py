"""Moves as those who watch a table are shown them: made once, however many watch.

Everybody who may watch a table knows exactly what its player knows, so one answer does for all.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from app.engine.transition import changed_piles
from app.errors import AppError
from app.games import board, responses
from app.games.board import EMPTY_HANDED
from app.games.model import Game
from app.games.service import GameService
from app.games.stream import game_topic
from app.games.view_models import Notice as Line
from app.pubsub.topics import ChangeNotice, Notice

_MOST: Final = 2000  # tables whose last shown version is remembered


class MoveBroadcast:
    """Remembers what was shown last of each watched table. Forgetting costs a question of each page."""

    def __init__(self, play: GameService) -> None:
        self._play = play
        self._last: OrderedDict[str, Game] = OrderedDict()

    async def show(self, game_id: str, version: int) -> Notice | None:
        """What leads to ``version`` from what was shown last; nothing when that is not known."""
        try:
            game = await self._play.load_seen(game_id, version)
        except AppError:
            return None
        before = self._last.pop(game_id, None)
        self._last[game_id] = game
        if len(self._last) > _MOST:
            self._last.popitem(last=False)
        if before is None or before.version >= game.version:
            return None
        touched = changed_piles(game.rules, before.position, game.position)
        piles = board.redrawn(game.rules, before.position, touched, game.position)
        html = bytes(responses.render_fragments(game, EMPTY_HANDED, piles, Line()).body).decode()
        return ChangeNotice(game_topic(game_id), before.version, game.version, html)
