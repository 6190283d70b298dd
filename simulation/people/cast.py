"""Who takes part in a seed."""

from __future__ import annotations

from typing import Final

from simulation.people.daily import DailyPlayer
from simulation.people.hurried import Hurried
from simulation.people.others import Challenger, Moderator, Viewer
from simulation.people.person import Person
from simulation.people.races import NamedRacer, Racer
from simulation.people.readers import LeagueMember, Reader
from simulation.people.returning import Returner
from simulation.people.solo import SoloPlayer
from simulation.people.tables import CellGuest, CellOwner, TableGuest, TableOwner
from simulation.world import World

_GROUPS: Final[tuple[tuple[float, tuple[tuple[type[Person], int, int], ...]], ...]] = (
    (0.7, ((SoloPlayer, 1, 2),)),
    (0.7, ((DailyPlayer, 1, 4),)),
    (0.4, ((Racer, 2, 4),)),
    (0.4, ((TableOwner, 1, 1), (TableGuest, 1, 5))),
    (0.6, ((SoloPlayer, 0, 1), (Viewer, 1, 3))),
    (0.3, ((SoloPlayer, 1, 1), (Challenger, 1, 2))),
    (0.4, ((Moderator, 1, 1),)),
    (0.25, ((Hurried, 1, 2),)),
)
"""How likely a group takes part, and how many of each kind: few seeds have them all, most have some in depth."""


_READERS: Final = 0.4
"""How likely there are people for leagues, ratings and explored deals, drawn apart from the groups."""

_LATECOMERS: Final[tuple[tuple[float, tuple[tuple[type[Person], int, int], ...]], ...]] = (
    (0.3, ((CellOwner, 1, 1), (CellGuest, 2, 4))),
    (0.3, ((Returner, 1, 2),)),
)
"""Groups that were added later, drawn apart from all others, too."""

_FEWEST_GROUPS: Final = 2


def cast_people(world: World) -> list[Person]:
    """Some groups; some people share an address."""
    chance = world.stream("cast")
    people: list[Person] = []
    groups: list[tuple[tuple[type[Person], int, int], ...]] = []
    while len(groups) < _FEWEST_GROUPS:
        groups = [kinds for probability, kinds in _GROUPS if chance.random() < probability]
    for kinds in groups:
        for kind, fewest, most in kinds:
            for _ in range(chance.randint(fewest, most)):
                address = f"192.0.2.{chance.randint(1, 8)}"
                people.append(kind(world, f"{kind.__name__}-{len(people) + 1}", address))
    people += _cast_readers(world, len(people))
    return people + _cast_latecomers(world, len(people))


def _cast_readers(world: World, others: int) -> list[Person]:
    """They come last and are drawn by themselves, so that they change nothing where there are none."""
    chance = world.stream("cast of rooms")
    if chance.random() >= _READERS:
        return []
    kinds: list[type[Person]] = [Reader, NamedRacer, NamedRacer]
    kinds += [LeagueMember] * chance.randint(1, 4)
    return [
        kind(world, f"{kind.__name__}-{number}", f"192.0.2.{chance.randint(1, 8)}")
        for number, kind in enumerate(kinds, others + 1)
    ]


def _cast_latecomers(world: World, others: int) -> list[Person]:
    """They come last as well, so that a seed without them is what it was."""
    chance = world.stream("cast of guests")
    kinds = [
        kind
        for probability, members in _LATECOMERS
        if chance.random() < probability
        for kind, fewest, most in members
        for _ in range(chance.randint(fewest, most))
    ]
    return [
        kind(world, f"{kind.__name__}-{number}", f"192.0.2.{chance.randint(1, 8)}")
        for number, kind in enumerate(kinds, others + 1)
    ]
