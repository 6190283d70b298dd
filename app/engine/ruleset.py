"""A rule set as a page of typed data, and the table that it lays out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NewType

from app.engine.cards import Card, Rank, fresh_deck
from app.engine.vocabulary import (
    Base,
    Closed,
    DealStep,
    FixedBase,
    Foundations,
    OnlyRank,
    Reserve,
    Stock,
    Tableau,
    Waste,
    Zone,
)

PileId = NewType("PileId", str)
"""A pile's name as players and programs write it: ``stock``, ``waste``, ``r1``, ``f3``, ``t10``."""


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """One rule set, whole. ``revision`` rises when an old record would replay differently.

    ``tagline`` is one line for the lobby; ``source`` names where the rules come from.
    """

    id: str
    revision: int
    title: str
    aliases: tuple[str, ...]
    source: str
    tagline: str
    decks: int
    base: Base
    foundations: tuple[Foundations, ...]
    tableau: Tableau
    reserve: Reserve | None
    waste: Waste | None
    stock: Stock
    deal: tuple[DealStep, ...]

    @cached_property
    def layout(self) -> Layout:
        """The piles of this game and their order."""
        return Layout(self)

    @property
    def cards(self) -> int:
        """How many cards the game is played with."""
        return self.decks * 52


class Layout:
    """Names and order of a game's piles: stock, waste, reserve, foundations, tableau.

    A position lists its piles in this order, so an index here is an index there. Zones come as
    ranges of indices. Per index, ``plays_to`` and ``reach`` say where cards may go (as zones, as
    target indices), ``groups`` names a foundation's group, ``followers`` what may be laid on which
    card, ``starters`` what could ever begin the pile when it is empty, and ``units`` how many cards a move
    there carries, 0 where that is open. Piles of ``turning`` show their top card whenever they lose the one above it.
    """

    def __init__(self, rules: Ruleset) -> None:
        """Lay out ``spec``; ask for ``spec.layout`` rather than calling this."""
        sizes = (
            (Zone.STOCK, 1, rules.stock.plays_to),
            (Zone.WASTE, 1, rules.waste.plays_to) if rules.waste else (Zone.WASTE, 0, frozenset()),
            (Zone.RESERVE, rules.reserve.count, rules.reserve.plays_to)
            if rules.reserve
            else (Zone.RESERVE, 0, frozenset[Zone]()),
            (Zone.FOUNDATION, sum(group.count for group in rules.foundations), frozenset[Zone]()),
            (Zone.TABLEAU, rules.tableau.count, frozenset({Zone.TABLEAU, Zone.FOUNDATION})),
        )
        ids: list[PileId] = []
        zones: list[Zone] = []
        plays_to: list[frozenset[Zone]] = []
        ranges: dict[Zone, range] = {}
        for zone, count, targets in sizes:
            ranges[zone] = range(len(ids), len(ids) + count)
            ids += [_pile_id(zone, number) for number in range(1, count + 1)]
            zones += [zone] * count
            plays_to += [targets] * count
        self.ids = tuple(ids)
        self.zones = tuple(zones)
        self.plays_to = tuple(plays_to)
        self.index: Mapping[PileId, int] = {pile: i for i, pile in enumerate(ids)}
        self.ranges: Mapping[Zone, range] = ranges
        self.stock = 0
        self.waste = ranges[Zone.WASTE].start if rules.waste else None
        self.reserves = ranges[Zone.RESERVE]
        self.foundations = ranges[Zone.FOUNDATION]
        self.tableau = ranges[Zone.TABLEAU]
        self.reach = tuple(
            frozenset(index for zone in targets for index in ranges[zone]) for targets in plays_to
        )
        self.groups: Mapping[int, Foundations] = dict(
            zip(
                self.foundations,
                (group for group in rules.foundations for _ in range(group.count)),
                strict=True,
            )
        )
        self.turning = frozenset([*self.tableau, *([self.stock] if rules.stock.face_up else [])])
        builds = [
            self.groups[i].build if i in self.groups else rules.tableau.build
            for i in range(len(ids))
        ]
        self.followers = tuple(build.followers for build in builds)
        self.starters = tuple(_starters(rules, self.groups.get(i)) for i in range(len(ids)))
        self.units = tuple(_unit(self.groups.get(i)) for i in range(len(ids)))


def _pile_id(zone: Zone, number: int) -> PileId:
    single = zone is Zone.STOCK or zone is Zone.WASTE
    return PileId(zone.value if single else f"{zone.value[0]}{number}")


def _unit(group: Foundations | None) -> int:
    if group is None:
        return 0
    return len(Rank) if group.whole_run else 1


def _starters(rules: Ruleset, group: Foundations | None) -> frozenset[Card]:
    """What could begin an empty foundation of ``group``, or without one an empty tableau pile."""
    ranks: set[Rank] = set(Rank)
    if group and group.whole_run:
        ranks = {Rank.KING}
    elif group and isinstance(rules.base, FixedBase):
        ranks = {rules.base.rank}
    elif not group:
        match rules.tableau.space:
            case Closed():
                ranks = set()
            case OnlyRank(rank):
                ranks = {rank}
            case _:
                pass
    color = group.color if group else None
    return frozenset(
        card for card in fresh_deck(1) if card.rank in ranks and color in {None, card.color}
    )
