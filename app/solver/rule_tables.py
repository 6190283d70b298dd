"""A rule set compiled to lookup tables of integers, for the search.

The search represents a card by its *kind*: the rank where neither color nor suit matters (13 kinds), else
rank and color (26 kinds), or rank and suit where builds are in suit (52 kinds). Cards of one kind are
interchangeable under every rule. This symmetry reduction is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from app.engine.cards import Card, Color, Rank, Suit, fresh_deck
from app.engine.deal import opening
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import (
    AutoFill,
    ChosenBase,
    DealTo,
    FixedBase,
    Match,
    MayFill,
    MoveUnit,
    MustFill,
    OnlyRank,
    StaysEmpty,
    Zone,
)

RANKS = len(Rank)
KINDS = 64  # a kind fits in 6 bits
NO_PILE = 255


class EmptyPileCode(IntEnum):
    """What an empty tableau pile accepts, as an integer."""

    STAYS_EMPTY = 0
    AUTO_FILL = 1
    MUST_FILL = 2
    ONLY_RANK = 3
    MAY_FILL = 4


class DealCode(IntEnum):
    """Where a deal puts its cards, as an integer."""

    WASTE = 0
    EACH_RESERVE = 1
    EACH_TABLEAU = 2
    EACH_FILLED_TABLEAU = 3
    NOWHERE = 4


class UnitCode(IntEnum):
    """What one move may take from a tableau pile, as an integer."""

    TOP_CARD = 0
    RUN = 1
    SUIT_RUN = 2
    GROUP = 3
    CELL_RUN = 4


UNLIMITED = 255  # redeals

_UNITS = {
    MoveUnit.TOP_CARD: UnitCode.TOP_CARD,
    MoveUnit.RUN: UnitCode.RUN,
    MoveUnit.SUIT_RUN: UnitCode.SUIT_RUN,
    MoveUnit.GROUP: UnitCode.GROUP,
    MoveUnit.CELL_RUN: UnitCode.CELL_RUN,
}
_DEALS = {
    DealTo.WASTE: DealCode.WASTE,
    DealTo.EACH_RESERVE: DealCode.EACH_RESERVE,
    DealTo.EACH_TABLEAU: DealCode.EACH_TABLEAU,
    DealTo.EACH_FILLED_TABLEAU: DealCode.EACH_FILLED_TABLEAU,
    DealTo.NOWHERE: DealCode.NOWHERE,
}


@dataclass(frozen=True, slots=True)
class RuleTables:
    """The tables of a rule set. Piles are numbered as in the layout.

    ``can_follow`` has a table per build, indexed ``below * KINDS + above``: whether a kind may lie on
    another. ``build_of`` is the build of each pile. ``can_start``, indexed ``pile * KINDS + kind``, says
    which kinds may start an empty foundation or tableau pile. ``fixed_base`` is the base rank (0 to 12)
    where the rules fix it, and ``full_stock`` the height of the stock in the opening position. ``to_empty`` says from
    which piles cards may go to an empty tableau pile, if they may start it. ``suits`` are those that are told apart.
    """

    rules: Ruleset
    colored: bool
    suits: tuple[Suit, ...]
    piles: int
    cards: int
    waste: int
    first_reserve: int
    first_cell: int
    first_foundation: int
    first_tableau: int
    to_tableau: bytes
    to_foundation: bytes
    to_cell: bytes
    to_reserve: bytes
    to_empty: bytes
    may_set_base: bytes
    whole_run: bytes
    can_follow: bytes
    build_of: bytes
    can_start: bytes
    empty_pile: EmptyPileCode
    fills: tuple[int, int]
    unit: UnitCode
    run_build: int
    deals: DealCode
    draws: int
    redeals: int
    fixed_base: int
    then_deal: bool
    full_stock: int

    def kind(self, card: Card) -> int:
        """The kind of a card: its rank, plus 13 for red cards where color matters, or for each suit before its own."""
        return _kind(card, self.suits, colored=self.colored)

    @property
    def lifts_runs(self) -> bool:
        """Whether the game is one of runs that go home whole and that deals cover."""
        return self.unit is UnitCode.RUN and any(self.whole_run)


@lru_cache(maxsize=64)  # more than there are games
def rule_tables(rules: Ruleset) -> RuleTables:
    """Compile a rule set; the result is cached."""
    layout = rules.layout
    zones = layout.zones
    builds = {rules.tableau.build, *(group.build for group in rules.foundations)}
    colored = any(build.match is not Match.ANY for build in builds) or any(
        group.color for group in rules.foundations
    )
    builds.add(layout.run_build)
    suited = any(build.match is Match.SAME_SUIT for build in builds)
    suits = rules.suits if suited and len(rules.suits) > 1 else ()
    colored = colored and not suits and len(rules.suits) > 1

    def kind(card: Card) -> int:
        return _kind(card, suits, colored=colored)

    ordered = sorted(builds, key=repr)
    tables = []
    for build in ordered:
        table = bytearray(KINDS * KINDS)
        for low, highs in build.successors.items():
            for high in highs:
                if low.suit not in rules.suits or high.suit not in rules.suits:
                    continue
                table[kind(low) * KINDS + kind(high)] = 1
        tables.append(bytes(table))
    can_start = bytearray(len(zones) * KINDS)
    for pile, cards in enumerate(layout.first_cards):
        for card in cards:
            if card.suit not in rules.suits:
                continue
            can_start[pile * KINDS + kind(card)] = 1
    build_of = [
        layout.groups[pile].build if pile in layout.groups else rules.tableau.build
        for pile in range(len(zones))
    ]
    chosen = rules.base.zones if isinstance(rules.base, ChosenBase) else frozenset[Zone]()
    rule, fills = _empty_pile(rules)
    return RuleTables(
        rules=rules,
        colored=colored,
        suits=suits,
        piles=len(zones),
        cards=rules.cards,
        waste=NO_PILE if layout.waste is None else layout.waste,
        first_reserve=layout.reserves.start,
        first_cell=layout.cells.start,
        first_foundation=layout.foundations.start,
        first_tableau=layout.tableau.start,
        to_tableau=bytes(Zone.TABLEAU in targets for targets in layout.plays_to),
        to_foundation=bytes(Zone.FOUNDATION in targets for targets in layout.plays_to),
        to_cell=bytes(Zone.CELL in targets for targets in layout.plays_to),
        to_reserve=bytes(Zone.RESERVE in targets for targets in layout.plays_to),
        to_empty=bytes(zone in _fillers(rules) for zone in zones),
        may_set_base=bytes(zone in chosen for zone in zones),
        whole_run=bytes(
            pile in layout.groups and layout.groups[pile].whole_run for pile in range(len(zones))
        ),
        can_follow=b"".join(tables),
        build_of=bytes(ordered.index(build) for build in build_of),
        can_start=bytes(can_start),
        empty_pile=rule,
        fills=fills,
        unit=_UNITS[rules.tableau.move_unit],
        run_build=ordered.index(layout.run_build),
        deals=_DEALS[rules.stock.deals_to],
        draws=rules.stock.draws,
        redeals=UNLIMITED if rules.stock.redeals is None else rules.stock.redeals,
        fixed_base=rules.base.rank - 1 if isinstance(rules.base, FixedBase) else NO_PILE,
        then_deal=isinstance(rules.base, ChosenBase) and rules.base.then_deal,
        full_stock=len(opening(rules, fresh_deck(rules.decks)).piles[layout.stock].cards),
    )


def _kind(card: Card, suits: tuple[Suit, ...], *, colored: bool) -> int:
    group = suits.index(card.suit) if suits else int(colored and card.color is Color.RED)
    return card.rank - 1 + RANKS * group


def _empty_pile(rules: Ruleset) -> tuple[EmptyPileCode, tuple[int, int]]:
    """The rule for empty piles, and the sources that fill them: the second is the first where there is only one."""

    def piles(sources: tuple[Zone, ...]) -> tuple[int, int]:
        starts = [rules.layout.ranges[zone].start for zone in sources]
        return starts[0], starts[-1]

    match rules.tableau.empty_pile:
        case StaysEmpty():
            return EmptyPileCode.STAYS_EMPTY, (NO_PILE, NO_PILE)
        case AutoFill(sources, _):
            return EmptyPileCode.AUTO_FILL, piles(sources)
        case MustFill(sources):
            return EmptyPileCode.MUST_FILL, piles(sources)
        case OnlyRank():
            return EmptyPileCode.ONLY_RANK, (NO_PILE, NO_PILE)
        case MayFill():
            return EmptyPileCode.MAY_FILL, (NO_PILE, NO_PILE)


def _fillers(rules: Ruleset) -> frozenset[Zone]:
    """The zones from which the player may put a card on an empty tableau pile."""
    match rules.tableau.empty_pile:
        case StaysEmpty():
            return frozenset()
        case AutoFill(_, then):
            return then
        case MustFill(sources):
            return frozenset(sources)
        case MayFill(sources):
            return sources
        case OnlyRank():
            return frozenset(Zone)
