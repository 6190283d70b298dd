"""A rule set compiled to lookup tables of integers, for the search.

The rules never depend on suit, only on rank and, in some games, on color. So the search represents a
card by its *kind*: the rank where color does not matter (13 kinds), else rank and color (26 kinds).
Cards of one kind are interchangeable under every rule. This symmetry reduction is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from app.engine.cards import Card, Color, Rank, fresh_deck
from app.engine.deal import opening
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import (
    AutoFill,
    ChosenBase,
    DealTo,
    FixedBase,
    Match,
    MoveUnit,
    MustFill,
    OnlyRank,
    StaysEmpty,
    Zone,
)

RANKS = len(Rank)
KINDS = 32  # a kind fits in 5 bits
NO_PILE = 255


class EmptyPileCode(IntEnum):
    """What an empty tableau pile accepts, as an integer."""

    STAYS_EMPTY = 0
    AUTO_FILL = 1
    MUST_FILL = 2
    ONLY_RANK = 3


class DealCode(IntEnum):
    """Where a deal puts its cards, as an integer."""

    WASTE = 0
    EACH_RESERVE = 1
    EACH_TABLEAU = 2


_DEALS = {
    DealTo.WASTE: DealCode.WASTE,
    DealTo.EACH_RESERVE: DealCode.EACH_RESERVE,
    DealTo.EACH_TABLEAU: DealCode.EACH_TABLEAU,
}


@dataclass(frozen=True, slots=True)
class RuleTables:
    """The tables of a rule set. Piles are numbered as in the layout.

    ``can_follow`` has a table per build, indexed ``below * KINDS + above``: whether a kind may lie on
    another. ``build_of`` is the build of each pile. ``can_start``, indexed ``pile * KINDS + kind``, says
    which kinds may start an empty foundation or tableau pile. ``fixed_base`` is the base rank (0 to 12)
    where the rules fix it, and ``full_stock`` the height of the stock in the opening position.
    """

    rules: Ruleset
    colored: bool
    piles: int
    cards: int
    waste: int
    first_reserve: int
    first_foundation: int
    first_tableau: int
    to_tableau: bytes
    to_foundation: bytes
    may_set_base: bytes
    whole_run: bytes
    can_follow: bytes
    build_of: bytes
    can_start: bytes
    empty_pile: EmptyPileCode
    fills: tuple[int, int]
    then_tableau: bool
    lifts_runs: bool
    deals: DealCode
    fixed_base: int
    then_deal: bool
    full_stock: int

    def kind(self, card: Card) -> int:
        """The kind of a card: its rank, plus 13 for red cards where color matters."""
        red = self.colored and card.color is Color.RED
        return card.rank - 1 + RANKS * red


@lru_cache(maxsize=32)
def rule_tables(rules: Ruleset) -> RuleTables:
    """Compile a rule set; the result is cached."""
    layout = rules.layout
    zones = layout.zones
    builds = {rules.tableau.build, *(group.build for group in rules.foundations)}
    colored = any(build.match is not Match.ANY for build in builds) or any(
        group.color for group in rules.foundations
    )
    if rules.tableau.move_unit is MoveUnit.RUN and rules.tableau.build.circular:
        raise NotImplementedError("the search finds the part of a run to move by rank alone")

    def kind(card: Card) -> int:
        return card.rank - 1 + RANKS * (colored and card.color is Color.RED)

    ordered = sorted(builds, key=repr)
    tables = []
    for build in ordered:
        table = bytearray(KINDS * KINDS)
        for low, highs in build.successors.items():
            for high in highs:
                table[kind(low) * KINDS + kind(high)] = 1
        tables.append(bytes(table))
    can_start = bytearray(len(zones) * KINDS)
    for pile, cards in enumerate(layout.first_cards):
        for card in cards:
            can_start[pile * KINDS + kind(card)] = 1
    build_of = [
        layout.groups[pile].build if pile in layout.groups else rules.tableau.build
        for pile in range(len(zones))
    ]
    chosen = rules.base.zones if isinstance(rules.base, ChosenBase) else frozenset[Zone]()
    rule, fills, then_tableau = _empty_pile(rules)
    return RuleTables(
        rules=rules,
        colored=colored,
        piles=len(zones),
        cards=rules.cards,
        waste=NO_PILE if layout.waste is None else layout.waste,
        first_reserve=layout.reserves.start,
        first_foundation=layout.foundations.start,
        first_tableau=layout.tableau.start,
        to_tableau=bytes(Zone.TABLEAU in targets for targets in layout.plays_to),
        to_foundation=bytes(Zone.FOUNDATION in targets for targets in layout.plays_to),
        may_set_base=bytes(zone in chosen for zone in zones),
        whole_run=bytes(
            pile in layout.groups and layout.groups[pile].whole_run for pile in range(len(zones))
        ),
        can_follow=b"".join(tables),
        build_of=bytes(ordered.index(build) for build in build_of),
        can_start=bytes(can_start),
        empty_pile=rule,
        fills=fills,
        then_tableau=then_tableau,
        lifts_runs=rules.tableau.move_unit is MoveUnit.RUN,
        deals=_DEALS[rules.stock.deals_to],
        fixed_base=rules.base.rank - 1 if isinstance(rules.base, FixedBase) else NO_PILE,
        then_deal=isinstance(rules.base, ChosenBase) and rules.base.then_deal,
        full_stock=len(opening(rules, fresh_deck(rules.decks)).piles[layout.stock].cards),
    )


def _empty_pile(rules: Ruleset) -> tuple[EmptyPileCode, tuple[int, int], bool]:
    """The rule for empty piles, the sources that fill them, and whether tableau cards may."""

    def piles(sources: tuple[Zone, ...]) -> tuple[int, int]:
        first, second = (rules.layout.ranges[zone].start for zone in sources)
        return first, second

    match rules.tableau.empty_pile:
        case StaysEmpty():
            return EmptyPileCode.STAYS_EMPTY, (NO_PILE, NO_PILE), False
        case AutoFill(sources, then_tableau):
            return EmptyPileCode.AUTO_FILL, piles(sources), then_tableau
        case MustFill(sources):
            return EmptyPileCode.MUST_FILL, piles(sources), False
        case OnlyRank():
            return EmptyPileCode.ONLY_RANK, (NO_PILE, NO_PILE), False
