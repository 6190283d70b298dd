"""Event logs for staff: many at a time in batches that fit into memory, and replayed even if damaged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Final, Protocol, TypeVar

from app.db.portions import split_into_portions
from app.games.model import Game
from app.games.moments import GameEvent
from app.games.replay import InvalidEventError, replay_checked
from app.text import gettext

MAX_BATCH_EVENTS: Final = 5_000


class _Game(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def version(self) -> int: ...


G = TypeVar("G", bound=_Game)


def split_into_batches(games: Sequence[G], max_events: int = MAX_BATCH_EVENTS) -> Iterator[list[G]]:
    """The games in batches of at most ``max_events`` events; a game with more is a batch of its own."""
    return split_into_portions(games, max_events, attrgetter("version"))


def replay_until_error(opening: Game, events: Sequence[GameEvent]) -> tuple[tuple[Game, ...], str]:
    """The opening and the game after each event, up to the first impossible one, and what is wrong with it."""
    states: list[Game] = []
    try:
        states.extend(replay_checked(opening, events))
    except InvalidEventError as error:
        if not error.reason:
            return tuple(states), gettext(
                "Event %(number)s comes after the end of the game.", number=error.number
            )
        return tuple(states), f"Event {error.number}, {error.event.action}, can't follow: {error}"
    return tuple(states), ""
