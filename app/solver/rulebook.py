"""A rule set as flat numbers: what the search needs of a ``GameSpec``, and no more.

Rules never look at a suit, only at rank and, in some games, at color. So the search knows a card
by its *kind*: rank alone in a game in which colors do not matter (13 kinds), else rank and color
(26 kinds). Cards of one kind are interchangeable in every rule, hence in every line; this is the
first of the symmetries that the search uses, and it is exact.
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
KINDS = 32  # room for a kind in five bits
NOBODY = 255  # no such pile


class SpaceRule(IntEnum):
    """What an empty tableau pile takes, as the search asks it."""

    CLOSED = 0
    AUTO_FILL = 1
    MUST_FILL = 2
    ONLY_RANK = 3


class DealRule(IntEnum):
    """Where a deal puts its cards, as the search asks it."""

    WASTE = 0
    EACH_RESERVE = 1
    EACH_TABLEAU = 2


_DEALS = {
    DealTo.WASTE: DealRule.WASTE,
    DealTo.EACH_RESERVE: DealRule.EACH_RESERVE,
    DealTo.EACH_TABLEAU: DealRule.EACH_TABLEAU,
}


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Piles are numbered as in the layout; tables are indexed ``first * KINDS + second``.

    ``follows`` holds, per tableau (first) and foundation pile, which kind may lie on which;
    ``starts`` which kind may begin an empty foundation or space. ``base`` is the rank (0 to 12)
    that foundations start on where the rules fix it, ``full_stock`` the
    height of the stock in every opening.
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
    may_choose: bytes
    whole_run: bytes
    follows: bytes
    follows_of: bytes
    starts: bytes
    space: SpaceRule
    fills: tuple[int, int]
    then_tableau: bool
    lifts_runs: bool
    deals: DealRule
    fixed_base: int
    then_deal: bool
    full_stock: int

    def kind(self, card: Card) -> int:
        """The number of a card's kind: its rank, plus 13 for red where colors matter."""
        red = self.colored and card.color is Color.RED
        return card.rank - 1 + RANKS * red


@lru_cache(maxsize=32)
def rulebook(rules: Ruleset) -> Rulebook:
    """Write out the rules of ``spec``."""
    layout = rules.layout
    zones = layout.zones
    builds = {rules.tableau.build, *(group.build for group in rules.foundations)}
    colored = any(build.match is not Match.ANY for build in builds) or any(
        group.color for group in rules.foundations
    )
    if rules.tableau.move_unit is MoveUnit.RUN and rules.tableau.build.circular:
        raise NotImplementedError("the search finds the part of a run to lift by rank alone")

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
    starts = bytearray(len(zones) * KINDS)
    for pile, cards in enumerate(layout.first_cards):
        for card in cards:
            starts[pile * KINDS + kind(card)] = 1
    build_of = [
        layout.groups[pile].build if pile in layout.groups else rules.tableau.build
        for pile in range(len(zones))
    ]
    chosen = rules.base.zones if isinstance(rules.base, ChosenBase) else frozenset[Zone]()
    rule, fills, then_tableau = _space(rules)
    return Rulebook(
        rules=rules,
        colored=colored,
        piles=len(zones),
        cards=rules.cards,
        waste=NOBODY if layout.waste is None else layout.waste,
        first_reserve=layout.reserves.start,
        first_foundation=layout.foundations.start,
        first_tableau=layout.tableau.start,
        to_tableau=bytes(Zone.TABLEAU in targets for targets in layout.plays_to),
        to_foundation=bytes(Zone.FOUNDATION in targets for targets in layout.plays_to),
        may_choose=bytes(zone in chosen for zone in zones),
        whole_run=bytes(
            pile in layout.groups and layout.groups[pile].whole_run for pile in range(len(zones))
        ),
        follows=b"".join(tables),
        follows_of=bytes(ordered.index(build) for build in build_of),
        starts=bytes(starts),
        space=rule,
        fills=fills,
        then_tableau=then_tableau,
        lifts_runs=rules.tableau.move_unit is MoveUnit.RUN,
        deals=_DEALS[rules.stock.deals_to],
        fixed_base=rules.base.rank - 1 if isinstance(rules.base, FixedBase) else NOBODY,
        then_deal=isinstance(rules.base, ChosenBase) and rules.base.then_deal,
        full_stock=len(opening(rules, fresh_deck(rules.decks)).piles[layout.stock].cards),
    )


def _space(rules: Ruleset) -> tuple[SpaceRule, tuple[int, int], bool]:
    """The rule for empty piles, where fills come from in order, and whether tableau cards may."""

    def piles(sources: tuple[Zone, ...]) -> tuple[int, int]:
        first, second = (rules.layout.ranges[zone].start for zone in sources)
        return first, second

    match rules.tableau.empty_pile:
        case StaysEmpty():
            return SpaceRule.CLOSED, (NOBODY, NOBODY), False
        case AutoFill(sources, then_tableau):
            return SpaceRule.AUTO_FILL, piles(sources), then_tableau
        case MustFill(sources):
            return SpaceRule.MUST_FILL, piles(sources), False
        case OnlyRank():
            return SpaceRule.ONLY_RANK, (NOBODY, NOBODY), False
