"""What happened in a game, event by event, and how much of the time between them was played."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from app.clock import MINUTE_MS
from app.engine.history import History

MAX_GAP_MS: Final = MINUTE_MS
"""A longer time without an action is a break, which does not count as time played."""


class GameEvent(NamedTuple):
    """One entry of the event log: the action as text, the time (ms, UTC), the player, the idempotency key.

    The key is ``None`` if the client sent none, and in the log that a game in memory holds. ``is_automatic`` is whether
    the site chose the move, as the player had wished; of older events that is not known, and they have no mark.
    """

    action: str
    at_ms: int
    actor_id: str
    key: str | None
    is_automatic: bool = False


@dataclass(slots=True, eq=False)
class Moment:
    """A version of a game: the event that made it, the history and the time after it, and the version before.

    ``played_ms`` and ``undos`` count from the deal, so that no click has to add up the log.

    Games share these linked lists, so that every version of a game in memory is at hand without a replay. Nothing
    changes a moment (see ``History`` for why it is not frozen).
    """

    event: GameEvent
    history: History
    updated_ms: int
    before: Moment | None = field(repr=False)  # None at version 1
    played_ms: int
    undos: int


def gap_played(gap_ms: int) -> int:
    """How much of the time between two events was played: all of it or, if it was a break, none."""
    return gap_ms if gap_ms <= MAX_GAP_MS else 0
