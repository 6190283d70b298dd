"""What the tasks share that compute something of the attempts of closed days, in the background."""

from __future__ import annotations

from typing import Final

from app.analysis.judgement_repository import ClosedDeals
from app.clock import HOUR_MS, Clock
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


class NothingLeft:
    """Remembers in a process that all attempts of some closed deals are done: to find that out, all are read.

    Until another deal closes, or for an hour: an attempt can be judged or restored later.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._deals: ClosedDeals | None = None
        self._until_ms = 0

    def is_known(self, deals: ClosedDeals) -> bool:
        """Whether nothing was left of just these deals."""
        return deals == self._deals and self._clock() < self._until_ms

    def note(self, deals: ClosedDeals) -> None:
        """Remember it; ``deals`` were read before their attempts."""
        self._deals, self._until_ms = deals, self._clock() + HOUR_MS
