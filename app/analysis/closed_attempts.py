"""Loads attempts of closed days for what is computed of them in the background."""

from __future__ import annotations

from typing import Final

from app.errors import NotFoundError
from app.games.event_log import EventLog
from app.games.game_actions import MAX_ACTIONS
from app.games.model import Game
from app.logs import logger_of

_log: Final = logger_of("analysis")


async def load_attempt(log: EventLog, game_id: str) -> Game | None:
    """An attempt, or ``None`` if it is too long to compute anything of it, or its log cannot be read or replayed.

    Its task then notes it as done: otherwise it would be the next one again, and no other would have its turn.
    """
    try:
        game = await log.load(game_id)
    except (NotFoundError, LookupError, ValueError):
        _log.exception("The attempt %s is left out: it could not be loaded", game_id)
        return None
    return game if game.version <= MAX_ACTIONS else None
