"""A rule set as typed data, and the layout of piles that follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NewType

from app.engine.cards import Card, Rank, Suit, card_of, fresh_deck
from app.engine.vocabulary import (
    NO_STOCK,
    Base,
    Cells,
    DealStep,
    DealTo,
    FixedBase,
    Foundations,
    Match,
    MoveUnit,
    OnlyRank,
    Reserve,
    StaysEmpty,
    Stock,
    Tableau,
    Waste,
    Zone,
)

PileId = NewType("PileId", str)
"""A pile's name in actions and JSON: ``stock``, ``waste``, ``r1``, ``f3``, ``t10``."""


ALL_SUITS: Final = tuple(Suit)


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """All the rules of one game. ``revision`` rises when old games would replay differently.

    ``tagline`` is the line below the title on the home page; ``source`` is where the rules come from. ``suits`` are the
    suits that the cards of the deck show: four, or fewer where that makes a game easier. Each game has a
    pile for the stock in its layout, even if that stays empty (``NO_STOCK``).
    """

    id: str
    revision: int
    title: str
    aliases: tuple[str, ...]
    source: str
    tagline: str
    decks: int
    suits: tuple[Suit, ...]
    base: Base
    foundations: tuple[Foundations, ...]
    tableau: Tableau
    reserve: Reserve | None
    cells: Cells | None
    waste: Waste | None
    stock: Stock
    deal: tuple[DealStep, ...]

    def __hash__(self) -> int:
        """By the name alone: what is kept for each rule set is looked up on every move."""
        return hash(self.id)

    @cached_property
    def layout(self) -> Layout:
        """The piles of this game, in order."""
        return Layout(self)

    @cached_property
    def has_stock(self) -> bool:
        """Whether cards are left in the stock when the game begins."""
        return self.stock != NO_STOCK

    @property
    def has_one_suit(self) -> bool:
        """Whether all cards are of one suit, so that nothing need be said about suits."""
        return len(self.suits) == 1

    @property
    def has_only_whole_runs(self) -> bool:
        """Whether no foundation takes single cards."""
        return all(group.whole_run for group in self.foundations)

    @property
    def can_deal(self) -> bool:
        """Whether the stock is dealt, and not only played card by card, or empty from the start."""
        return self.stock.deals_to is not DealTo.NOWHERE

    @property
    def has_unlimited_redeals(self) -> bool:
        """Whether the waste can be turned over without end, so that what was dealt can be dealt again."""
        return self.can_deal and self.stock.redeals is None

    def may_redeal(self, made: int) -> bool:
        """Whether a redeal is left after those that were made."""
        return self.stock.redeals is None or made < self.stock.redeals

    @property
    def cards(self) -> int:
        """The number of cards in the game."""
        return self.decks * 52

    @cached_property
    def deck(self) -> tuple[Card, ...]:
        """The cards of the game in no order that matters."""
        return tuple(self.shown(card) for card in fresh_deck(self.decks))

    def shown(self, card: Card) -> Card:
        """The card of this game for a card of a full deck: a different one only with fewer than four suits."""
        if card.suit in self.suits:
            return card
        return card_of(card.rank, self.suits[ALL_SUITS.index(card.suit) % len(self.suits)])


class Layout:
    """Names and order of a game's piles: stock, waste, reserve, cells, foundations, tableau.

    A position lists its piles in this order, so an index here is an index there. ``ranges`` has the
    indices of each zone. Per index:

    * ``plays_to`` and ``targets``: where its cards may go, as zones and as indices;
    * ``groups``: a foundation's group;
    * ``successors``: which cards may be placed on which;
    * ``first_cards``: the cards that may start the pile when it is empty;
    * ``unit_sizes``: how many cards a move to it takes; 0 if that varies.

    ``open_zones`` and ``open_piles`` are all that cards may go to. ``run_build`` is the order of a run that moves
    together. Piles in ``auto_flip`` turn their top card face up when the card above it leaves.

    >>> from app.rulesets.bristol import BRISTOL
    >>> " ".join(BRISTOL.layout.ids)
    'stock r1 r2 r3 f1 f2 f3 f4 t1 t2 t3 t4 t5 t6 t7 t8'
    """

    def __init__(self, rules: Ruleset) -> None:
        """Use ``rules.layout``, which is cached, instead of calling this."""
        nowhere = frozenset[Zone]()
        cells = frozenset({Zone.CELL}) if rules.cells else nowhere
        onto = frozenset({Zone.TABLEAU, Zone.FOUNDATION})
        sizes = (
            (Zone.STOCK, 1, rules.stock.plays_to),
            (Zone.WASTE, 1, rules.waste.plays_to) if rules.waste else (Zone.WASTE, 0, nowhere),
            (Zone.RESERVE, rules.reserve.count, rules.reserve.plays_to)
            if rules.reserve
            else (Zone.RESERVE, 0, nowhere),
            (Zone.CELL, rules.cells.count, onto) if rules.cells else (Zone.CELL, 0, nowhere),
            (Zone.FOUNDATION, sum(group.count for group in rules.foundations), nowhere),
            (Zone.TABLEAU, rules.tableau.count, onto | cells),
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
        self.groups: Mapping[int, Foundations] = dict(
            zip(
                ranges[Zone.FOUNDATION],
                (group for group in rules.foundations for _ in range(group.count)),
                strict=True,
            )
        )
        for pile, group in self.groups.items():
            plays_to[pile] = group.plays_to
        self.ids = tuple(ids)
        self.zones = tuple(zones)
        self.plays_to = tuple(plays_to)
        self.index: Mapping[PileId, int] = {pile: i for i, pile in enumerate(ids)}
        self.ranges: Mapping[Zone, range] = ranges
        self.stock = 0
        self.waste = ranges[Zone.WASTE].start if rules.waste else None
        self.reserves = ranges[Zone.RESERVE]
        self.cells = ranges[Zone.CELL]
        self.foundations = ranges[Zone.FOUNDATION]
        self.tableau = ranges[Zone.TABLEAU]
        self.targets = tuple(
            frozenset(index for zone in targets for index in ranges[zone]) for targets in plays_to
        )
        self.open_zones = frozenset[Zone]().union(*plays_to)
        self.open_piles = frozenset[int]().union(*self.targets)
        self.auto_flip = frozenset(
            [*self.tableau, *self.reserves, *([self.stock] if rules.stock.face_up else [])]
        )
        builds = [
            self.groups[i].build if i in self.groups else rules.tableau.build
            for i in range(len(ids))
        ]
        self.successors = tuple(build.successors for build in builds)
        self.first_cards = tuple(
            _first_cards(rules, zone, self.groups.get(i)) for i, zone in enumerate(zones)
        )
        self.run_build = (
            replace(rules.tableau.build, match=Match.SAME_SUIT)
            if rules.tableau.move_unit is MoveUnit.SUIT_RUN
            else rules.tableau.build
        )
        self.unit_sizes = tuple(_unit_size(zones[i], self.groups.get(i)) for i in range(len(ids)))


def _pile_id(zone: Zone, number: int) -> PileId:
    single = zone is Zone.STOCK or zone is Zone.WASTE
    return PileId(zone.value if single else f"{zone.value[0]}{number}")


def _unit_size(zone: Zone, group: Foundations | None) -> int:
    if group and group.whole_run:
        return len(Rank)
    return 0 if zone is Zone.TABLEAU else 1


def _first_cards(rules: Ruleset, zone: Zone, group: Foundations | None) -> frozenset[Card]:
    """The cards that may start an empty foundation of ``group``, or another empty pile."""
    ranks: set[Rank] = set(Rank)
    if group and group.whole_run:
        ranks = {Rank.KING}
    elif group and isinstance(rules.base, FixedBase):
        ranks = {rules.base.rank}
    elif zone is Zone.TABLEAU:
        match rules.tableau.empty_pile:
            case StaysEmpty():
                ranks = set()
            case OnlyRank(rank):
                ranks = {rank}
            case _:
                pass
    color = group.color if group else None
    return frozenset(
        card for card in fresh_deck(1) if card.rank in ranks and color in {None, card.color}
    )
