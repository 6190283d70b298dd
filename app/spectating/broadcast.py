"""Broadcasts moves to viewers: each change is rendered once, however many watch.

Every viewer of a game knows exactly what its player knows, so one response does for all who read English; the others
ask for theirs.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cachetools import LRUCache

from app.engine.position import Position
from app.engine.transition import changed_piles
from app.errors import AppError
from app.games import board, responses
from app.games.board import EMPTY_HANDED
from app.games.model import game_topic
from app.games.service import GameService
from app.games.view_models import Notice as Line
from app.i18n.speaking import ENGLISH_INFO
from app.i18n.wording import speak
from app.pubsub.topics import ChangeNotice, Notice

_MOST: Final = 2000


class _Shown(NamedTuple):
    """What was broadcast last: not the game, whose history would stay in memory."""

    version: int
    position: Position


class MoveBroadcast:
    """Renders the change since the version that was broadcast last; without that, viewers load the page again."""

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._last: LRUCache[str, _Shown] = LRUCache(_MOST)

    async def render_change(self, game_id: str, version: int) -> Notice | None:
        """The change that leads to ``version``; ``None`` if the version before is not known."""
        try:
            game = await self._games.load_seen(game_id, version)
        except AppError:
            return None
        before = self._last.get(game_id)
        self._last[game_id] = _Shown(game.version, game.position)
        if before is None or before.version >= game.version:
            return None
        speak(ENGLISH_INFO)  # the player who moved may read another language
        changed = changed_piles(game.rules, before.position, game.position)
        piles = board.redrawn(game.rules, before.position, changed, game.position)
        html = bytes(responses.render_fragments(game, EMPTY_HANDED, piles, Line()).body).decode()
        return ChangeNotice(
            game_topic(game_id), before.version, game.version, html, ENGLISH_INFO.tag
        )
