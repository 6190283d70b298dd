"""The rules: validation of a single action, and move generation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from app.engine import sentences
from app.engine.actions import DEAL, Action, Deal, Move
from app.engine.cards import Card, Rank, fresh_deck
from app.engine.position import EMPTY, Pile, Position, run_length
from app.engine.ruleset import Layout, Ruleset
from app.engine.vocabulary import (
    AutoFill,
    ChosenBase,
    DealTo,
    FixedBase,
    MayFill,
    MoveUnit,
    MustFill,
    OnlyRank,
    StaysEmpty,
    Tableau,
    Zone,
)

FULL_FOUNDATION = len(Rank)

# Module globals, because looking a member up on its enum class costs more than comparing with it.
_FOUNDATION, _TABLEAU = Zone.FOUNDATION, Zone.TABLEAU
_TOP_CARD, _GROUP = MoveUnit.TOP_CARD, MoveUnit.GROUP
_new: Final = tuple.__new__  # makes a named tuple in half the time

_ALL_CARDS = frozenset(fresh_deck(1))
_OF_RANK = {rank: frozenset(card for card in _ALL_CARDS if card.rank is rank) for rank in Rank}


class Rule(StrEnum):
    """The rules that can refuse an action. The values are public and never change."""

    EMPTY_SOURCE = "empty_source"
    SAME_PILE = "same_pile"
    LEAVES_FOUNDATION = "leaves_foundation"
    CLOSED_TARGET = "closed_target"
    CHOOSE_BASE = "choose_base"
    FILL_EMPTY_PILE = "fill_space"
    SOURCE_ZONE = "source_zone"
    ONE_CARD = "one_card"
    FACE_DOWN = "face_down"
    NOT_A_RUN = "not_a_run"
    WHOLE_RUN = "whole_run"
    FOUNDATION_FULL = "foundation_full"
    FOUNDATION_COLOR = "foundation_color"
    FOUNDATION_BASE = "foundation_base"
    BUILD = "build"
    EMPTY_PILE = "space"
    STOCK_EMPTY = "stock_empty"
    NO_DEAL = "no_deal"
    DEAL_NEEDS_CARDS = "deal_needs_cards"
    CELL_TAKEN = "cell_taken"
    TOO_MANY = "too_many"


class Refusal(NamedTuple):
    """Why an action is illegal: the rule, and a sentence for the player."""

    rule: Rule
    sentence: str


class _Context(NamedTuple):
    """Facts about a position, worked out once for all the actions that are checked in it."""

    rules: Ruleset
    piles: tuple[Pile, ...]
    redeals: int
    base: Rank | None
    must_choose: ChosenBase | None
    must_fill: MustFill | None


def base_rank(rules: Ruleset, position: Position) -> Rank | None:
    """The rank that foundations start on; ``None`` while the player has not chosen it yet."""
    if isinstance(rules.base, FixedBase):
        return rules.base.rank
    for index in rules.layout.foundations:
        cards = position.piles[index].cards
        if cards:
            return cards[0].rank
    return None


def must_fill(rules: Ruleset, position: Position) -> MustFill | None:
    """The rule that an empty tableau pile has to be filled by before anything else; ``None`` if there is none now."""
    has_rule = isinstance(rules.tableau.empty_pile, MustFill)
    return _context_of(rules, position).must_fill if has_rule else None


def refusal(rules: Ruleset, position: Position, action: Action) -> Refusal | None:
    """``None`` if ``action`` is legal, else the rule that forbids it.

    Raises ``KeyError`` for a pile that the game does not have; ``parse_action`` never returns one.

    >>> from app.engine.actions import parse_action
    >>> from app.engine.notation import parse_position
    >>> from app.rulesets.bristol import BRISTOL
    >>> position = parse_position(BRISTOL, "t1: KC 5C")
    >>> refusal(BRISTOL, position, parse_action(BRISTOL.layout, "t1-f1")).sentence
    'An empty foundation starts with an ace.'
    """
    context = _context_of(rules, position)
    if isinstance(action, Deal):
        return _check_deal(context)
    index = rules.layout.index
    return _check_move(context, index[action.source], index[action.target], action.count)


def legal_actions(rules: Ruleset, position: Position) -> list[Action]:
    r"""Every legal action: the deal first, then moves by source pile and number of cards.

    >>> from app.engine.notation import parse_position
    >>> from app.rulesets.bristol import BRISTOL
    >>> position = parse_position(BRISTOL, "stock: [2C]\nt1: 6H 5C\nt2: KS 6D")
    >>> [str(action) for action in legal_actions(BRISTOL, position)]
    ['deal', 't1-t2']
    """
    return list(_generate(rules, position))


def runs_home(rules: Ruleset, legal: Iterable[Action]) -> list[Move]:
    """Those of the legal actions that take a complete run to a foundation."""
    return [
        action
        for action in legal
        if isinstance(action, Move) and action.count == FULL_FOUNDATION and goes_home(rules, action)
    ]


def goes_home(rules: Ruleset, action: Action) -> bool:
    """Whether an action moves cards to a foundation."""
    layout = rules.layout
    return isinstance(action, Move) and layout.index[action.target] in layout.foundations


def has_legal_action(rules: Ruleset, position: Position) -> bool:
    """Whether any action is legal; cheaper than listing them all."""
    return next(_generate(rules, position), None) is not None


def _context_of(rules: Ruleset, position: Position) -> _Context:
    base = base_rank(rules, position)
    choose = rules.base if base is None and isinstance(rules.base, ChosenBase) else None
    rule = rules.tableau.empty_pile
    fill = (
        rule
        if isinstance(rule, MustFill) and not choose and _can_fill(rules, rule, position)
        else None
    )
    return _new(_Context, (rules, position.piles, position.redeals, base, choose, fill))


def _can_fill(rules: Ruleset, rule: MustFill, position: Position) -> bool:
    """Whether a tableau pile is empty and there is a card to fill it with."""
    piles, layout = position.piles, rules.layout
    return EMPTY in piles[layout.tableau.start : layout.tableau.stop] and any(
        piles[index].cards for zone in rule.sources for index in layout.ranges[zone]
    )


# --- validation


def _check_deal(context: _Context) -> Refusal | None:
    if context.must_choose:
        return _choose_base_first(context.must_choose)
    if context.must_fill:
        return _fill_first(context.must_fill)
    stock, layout, piles = context.rules.stock, context.rules.layout, context.piles
    if stock.deals_to is DealTo.NOWHERE:
        return Refusal(Rule.NO_DEAL, sentences.no_deal(stock))
    if not piles[layout.stock].cards:
        left = context.rules.may_redeal(context.redeals)
        if left and layout.waste is not None and piles[layout.waste].cards:
            return None
        return Refusal(Rule.STOCK_EMPTY, sentences.stock_empty(stock))
    if stock.deals_to is DealTo.EACH_FILLED_TABLEAU and _empty_piles(context):
        return Refusal(Rule.DEAL_NEEDS_CARDS, sentences.DEAL_NEEDS_CARDS)
    return None


def _empty_piles(context: _Context) -> int:
    """The number of empty tableau piles."""
    tableau = context.rules.layout.tableau
    return context.piles[tableau.start : tableau.stop].count(EMPTY)


def _check_move(context: _Context, source: int, target: int, count: int) -> Refusal | None:
    rules, piles = context.rules, context.piles
    layout = rules.layout
    source_zone, target_zone = layout.zones[source], layout.zones[target]
    if source_zone is _FOUNDATION and not layout.targets[source]:
        return Refusal(Rule.LEAVES_FOUNDATION, sentences.LEAVES_FOUNDATION)
    if target not in layout.open_piles:
        if source == layout.stock and not layout.plays_to[source]:
            return Refusal(
                Rule.CLOSED_TARGET, sentences.plays_only(source_zone, layout.plays_to[source])
            )
        return Refusal(Rule.CLOSED_TARGET, sentences.closed_target(target_zone))
    pile = piles[source]
    if not pile.cards:
        return Refusal(Rule.EMPTY_SOURCE, sentences.EMPTY_SOURCE)
    if source == target:
        return Refusal(Rule.SAME_PILE, sentences.SAME_PILE)
    if context.must_choose and not (
        target_zone is _FOUNDATION and source_zone in context.must_choose.zones
    ):
        return _choose_base_first(context.must_choose)
    if context.must_fill and source_zone not in context.must_fill.sources:
        return _fill_first(context.must_fill)
    if target not in layout.targets[source]:
        return Refusal(Rule.SOURCE_ZONE, sentences.plays_only(source_zone, layout.plays_to[source]))
    if count != 1:
        refused = _check_unit(context, pile, source_zone, target, count)
        if refused:
            return refused
    return _check_target(context, source_zone, pile, target, count)


def _check_target(
    context: _Context, source: Zone, pile: Pile, target: int, count: int
) -> Refusal | None:
    """Check that the top ``count`` cards of ``pile`` may lie on the pile ``target``."""
    zone, there = context.rules.layout.zones[target], context.piles[target]
    if zone is _FOUNDATION:
        return _check_foundation(context, pile, target, count)
    if zone is _TABLEAU:
        return _check_tableau(context, pile.cards[-count], source, there)
    if zone is Zone.CELL and there.cards:
        return Refusal(Rule.CELL_TAKEN, sentences.CELL_TAKEN)
    return None


def _check_unit(
    context: _Context, pile: Pile, zone: Zone, target: int, count: int
) -> Refusal | None:
    """Check that the top ``count`` cards may move together."""
    layout, unit = context.rules.layout, context.rules.tableau.move_unit
    if count < 1:
        return Refusal(Rule.ONE_CARD, sentences.AT_LEAST_ONE)
    if zone is not _TABLEAU or unit is MoveUnit.TOP_CARD:
        return Refusal(Rule.ONE_CARD, sentences.one_card(zone, unit))
    if layout.zones[target] is Zone.CELL:
        return Refusal(Rule.ONE_CARD, sentences.CELL_TAKES_ONE)
    if count > len(pile.cards) - pile.down:
        return Refusal(Rule.FACE_DOWN, sentences.face_down(count))
    if unit is MoveUnit.GROUP:
        return None
    if run_length(pile, layout.run_build) < count:
        return Refusal(Rule.NOT_A_RUN, sentences.not_a_run(layout.run_build))
    if (
        unit is MoveUnit.CELL_RUN
        and target in layout.tableau
        and count > (most := _most_by_cells(context, target))
    ):
        return Refusal(Rule.TOO_MANY, sentences.too_many(most))
    return None


def _most_by_cells(context: _Context, target: int) -> int:
    """How many cards single moves can carry to the tableau pile ``target``.

    One more than there are empty cells, and twice as many for each empty pile on the way.
    """
    layout, piles = context.rules.layout, context.piles
    most = 1 + piles[layout.cells.start : layout.cells.stop].count(EMPTY)
    if isinstance(context.rules.tableau.empty_pile, MayFill):
        most <<= _empty_piles(context) - (not piles[target].cards)
    return most


def _check_foundation(context: _Context, pile: Pile, target: int, count: int) -> Refusal | None:
    group = context.rules.layout.groups[target]
    there = context.piles[target].cards
    if len(there) == FULL_FOUNDATION:
        return Refusal(Rule.FOUNDATION_FULL, sentences.FOUNDATION_FULL)
    if group.whole_run:
        if count == FULL_FOUNDATION and run_length(pile, group.build) >= count:
            return None
        return Refusal(Rule.WHOLE_RUN, sentences.WHOLE_RUN)
    if count > 1:
        return Refusal(Rule.ONE_CARD, sentences.FOUNDATION_TAKES_ONE)
    card = pile.cards[-1]
    if group.color and card.color is not group.color:
        return Refusal(Rule.FOUNDATION_COLOR, sentences.other_color(group.color))
    if there:
        if card in group.build.successors[there[-1]]:
            return None
        return Refusal(Rule.BUILD, sentences.wanted(group.build, there[-1]))
    if context.base is None or card.rank is context.base:
        return None
    return Refusal(Rule.FOUNDATION_BASE, sentences.base_wanted(context.base))


def _check_tableau(context: _Context, lead: Card, source: Zone, target: Pile) -> Refusal | None:
    tableau = context.rules.tableau
    if target.cards:
        if lead in tableau.build.successors[target.cards[-1]]:
            return None
        return Refusal(Rule.BUILD, sentences.wanted(tableau.build, target.cards[-1]))
    if can_fill(tableau, lead, source):
        return None
    return Refusal(Rule.EMPTY_PILE, sentences.empty_pile(tableau))


def can_fill(tableau: Tableau, lead: Card, source: Zone) -> bool:
    """Whether a run that begins with ``lead`` may go to an empty tableau pile."""
    match tableau.empty_pile:
        case StaysEmpty():
            return False
        case AutoFill(_, then):
            # The sources must be empty: otherwise the pile would have been filled already.
            return source in then
        case MustFill(sources) | MayFill(sources):
            return source in sources
        case OnlyRank(rank):
            return lead.rank is rank


def _choose_base_first(base: ChosenBase) -> Refusal:
    return Refusal(Rule.CHOOSE_BASE, sentences.choose_base(base))


def _fill_first(rule: MustFill) -> Refusal:
    return Refusal(Rule.FILL_EMPTY_PILE, sentences.fill_first(rule))


# --- move generation


def _generate(rules: Ruleset, position: Position) -> Iterator[Action]:
    """Yield the candidate moves that pass validation.

    Comparing two cards rules out most pairs of piles; the rest are validated in full.
    """
    context = _context_of(rules, position)
    if _check_deal(context) is None:
        yield DEAL
    layout, piles = rules.layout, position.piles
    unit_sizes = layout.unit_sizes
    targets_of, open_to_all = _candidate_targets(context)
    for source, pile in enumerate(piles):
        targets = layout.targets[source]
        if not targets or not pile.cards:
            continue
        most = longest_unit(rules, pile) if source in layout.tableau else 1
        for count in range(1, most + 1):
            for target in (*targets_of.get(pile.cards[-count], ()), *open_to_all):
                if target not in targets or unit_sizes[target] not in (0, count):
                    continue
                if _check_move(context, source, target, count) is None:
                    yield Move(layout.ids[source], layout.ids[target], count)


def longest_unit(rules: Ruleset, pile: Pile) -> int:
    """How many cards of a tableau pile are in order to move together."""
    unit = rules.tableau.move_unit
    if unit is _GROUP:
        return len(pile.cards) - pile.down
    return 1 if unit is _TOP_CARD else run_length(pile, rules.layout.run_build)


def _candidate_targets(context: _Context) -> tuple[dict[Card, list[int]], list[int]]:
    """The piles that may accept each card, and the piles that may accept any card."""
    layout, piles = context.rules.layout, context.piles
    # ``first_cards`` allows for a fixed base already, and whole runs never start with the base.
    base = None if isinstance(context.rules.base, FixedBase) else context.base
    targets_of: dict[Card, list[int]] = {}
    open_to_all: list[int] = []
    for target in (*layout.foundations, *layout.tableau, *layout.cells, *_open_reserves(layout)):
        cards = piles[target].cards
        if target in layout.reserves:
            open_to_all.append(target)
            continue
        accepted = layout.successors[target][cards[-1]] if cards else layout.first_cards[target]
        if not cards and base and target in layout.foundations:
            accepted &= _OF_RANK[base]
        if len(accepted) == len(_ALL_CARDS):
            open_to_all.append(target)
        else:
            for card in accepted:
                targets_of.setdefault(card, []).append(target)
    return targets_of, open_to_all


def _open_reserves(layout: Layout) -> range:
    """The reserve piles, if cards may be moved to them."""
    return layout.reserves if Zone.RESERVE in layout.open_zones else layout.reserves[:0]
