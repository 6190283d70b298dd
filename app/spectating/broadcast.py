"""Broadcasts moves to viewers: each change is rendered once, however many watch.

Every viewer of a game knows exactly what its player knows, so one response does for all who read English; the others
ask for theirs. So does everyone when the game ends.
"""

from __future__ import annotations

from app.engine.transition import changed_piles
from app.errors import AppError
from app.games import board, responses
from app.games.board import EMPTY_HANDED
from app.games.event_log import EventLog
from app.games.model import Status
from app.games.topics import game_topic
from app.games.view_models import NoticeLine
from app.i18n.speaking import ENGLISH_INFO
from app.i18n.wording import speak
from app.pubsub.hub import UNKNOWN
from app.pubsub.topics import ChangeNotice, Notice


class MoveBroadcast:
    """Renders what changed since the version that viewers were shown last."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    async def render_change(self, game_id: str, since: int, version: int) -> Notice | None:
        """The change from one version to the other, or to a later one; without the first, the last change alone."""
        try:
            game = await self._log.load_seen(game_id, version)
        except AppError:
            return None
        if game.status is not Status.PLAYING:
            return None  # an end is told one way to its players, and another to everyone else
        since = game.version - 1 if since == UNKNOWN else since
        if not 0 <= since < game.version:
            return None
        before = game.at(since)
        speak(ENGLISH_INFO)  # the player who moved may read another language
        changed = changed_piles(game.rules, before.position, game.position)
        piles = board.redrawn(game.rules, before.position, changed, game.position)
        html = bytes(
            responses.render_fragments(game, EMPTY_HANDED, piles, NoticeLine()).body
        ).decode()
        return ChangeNotice(game_topic(game_id), since, game.version, html, ENGLISH_INFO.tag)
