"""The way into a race: where one is arranged, and the way back to those that wait."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.games.model import stored_rules
from app.races.room import Phase, Room
from app.rulesets import RULESETS

MINUTES: Final = (3, 5, 10, 15, 20, 30)
USUAL_MINUTES: Final = 10


class Choice(NamedTuple):
    """Something to choose from a list."""

    value: str
    title: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class NewView:
    """Where a race is arranged."""

    path: str
    games: list[Choice]
    minutes: list[Choice]


class Line(NamedTuple):
    """A race on the front page."""

    path: str
    title: str
    note: str


def new_view(game: str) -> NewView:
    """Where a race is arranged, perhaps with a game in mind."""
    return NewView("/race", games(game), minutes(USUAL_MINUTES))


def lines(rooms: Sequence[Room]) -> list[Line]:
    """Races that somebody takes part in."""
    return [
        Line(
            f"/race/{room.code}",
            stored_rules(room.ruleset, room.revision).title,
            "on the way" if room.phase is Phase.RACING else f"{len(room.present)} in the room",
        )
        for room in rooms
    ]


def games(chosen: str) -> list[Choice]:
    """The games to race at."""
    return [Choice(rules.id, rules.title, rules.id == chosen) for rules in RULESETS]


def minutes(chosen: int) -> list[Choice]:
    """How long a race may take."""
    return [Choice(str(one), f"{one} minutes", one == chosen) for one in sorted({*MINUTES, chosen})]
