"""The one judge of legality, and the list of everything that is legal."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from app.engine import sentences
from app.engine.actions import DEAL, Action, Deal, Move
from app.engine.cards import Card, Rank, fresh_deck
from app.engine.position import EMPTY, Pile, Position
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import (
    AutoFill,
    Build,
    ChosenBase,
    Closed,
    FixedBase,
    Lift,
    MustFill,
    OnlyRank,
    Zone,
)

FULL_FOUNDATION = len(Rank)

# Reading a member off an enum class costs more than the comparisons that the judge makes with it.
_FOUNDATION, _TABLEAU = Zone.FOUNDATION, Zone.TABLEAU


class Rule(StrEnum):
    """The rules that can refuse an action; the values are stable names for programs."""

    EMPTY_SOURCE = "empty_source"
    SAME_PILE = "same_pile"
    LEAVES_FOUNDATION = "leaves_foundation"
    CLOSED_TARGET = "closed_target"
    CHOOSE_BASE = "choose_base"
    FILL_SPACE = "fill_space"
    SOURCE_ZONE = "source_zone"
    ONE_CARD = "one_card"
    FACE_DOWN = "face_down"
    NOT_A_RUN = "not_a_run"
    WHOLE_RUN = "whole_run"
    FOUNDATION_FULL = "foundation_full"
    FOUNDATION_COLOR = "foundation_color"
    FOUNDATION_BASE = "foundation_base"
    BUILD = "build"
    SPACE = "space"
    STOCK_EMPTY = "stock_empty"


class Refusal(NamedTuple):
    """Why an action is against the rules: the rule's name, and one sentence for the player."""

    rule: Rule
    sentence: str


class _Scene(NamedTuple):
    """What is true of a position as a whole; worked out once however many moves are judged."""

    rules: Ruleset
    piles: tuple[Pile, ...]
    base: Rank | None
    must_choose: ChosenBase | None
    must_fill: MustFill | None


def base_rank(rules: Ruleset, position: Position) -> Rank | None:
    """The rank that foundations start on; ``None`` while the player has yet to choose it."""
    if isinstance(rules.base, FixedBase):
        return rules.base.rank
    for index in rules.layout.foundations:
        cards = position.piles[index].cards
        if cards:
            return cards[0].rank
    return None


def refusal(rules: Ruleset, position: Position, action: Action) -> Refusal | None:
    """Judge ``action``: ``None`` when it is legal, else the rule that forbids it.

    Raises ``KeyError`` for a pile that the game does not have; ``parse_action`` lets none through.
    """
    scene = _survey(rules, position)
    match action:
        case Deal():
            return _judge_deal(scene)
        case Move(source, target, count):
            index = rules.layout.index
            return _judge_move(scene, index[source], index[target], count)


def legal_actions(rules: Ruleset, position: Position) -> list[Action]:
    """Every legal action: the deal first, then moves by source and number of cards."""
    return list(_legal(rules, position))


def has_legal_action(rules: Ruleset, position: Position) -> bool:
    """Whether there is anything left to do; cheaper than listing it."""
    return next(_legal(rules, position), None) is not None


def _survey(rules: Ruleset, position: Position) -> _Scene:
    base = base_rank(rules, position)
    choose = rules.base if base is None and isinstance(rules.base, ChosenBase) else None
    space = rules.tableau.space
    fill = (
        space
        if isinstance(space, MustFill) and not choose and _space_is_open(rules, space, position)
        else None
    )
    return _Scene(rules, position.piles, base, choose, fill)


def _space_is_open(rules: Ruleset, space: MustFill, position: Position) -> bool:
    """Whether a tableau pile is empty while there is something to fill it with."""
    piles, layout = position.piles, rules.layout
    return EMPTY in piles[layout.tableau.start : layout.tableau.stop] and any(
        piles[index].cards for zone in space.sources for index in layout.ranges[zone]
    )


# --- judging


def _judge_deal(scene: _Scene) -> Refusal | None:
    if scene.must_choose:
        return _choose_first(scene.must_choose)
    if scene.must_fill:
        return _fill_first(scene.must_fill)
    if not scene.piles[scene.rules.layout.stock].cards:
        return Refusal(Rule.STOCK_EMPTY, "The stock is empty, and there is no second deal.")
    return None


def _judge_move(scene: _Scene, source: int, target: int, count: int) -> Refusal | None:
    rules, piles = scene.rules, scene.piles
    layout = rules.layout
    source_zone, target_zone = layout.zones[source], layout.zones[target]
    if source_zone is _FOUNDATION:
        return Refusal(Rule.LEAVES_FOUNDATION, "Cards never leave a foundation.")
    if target_zone is not _TABLEAU and target_zone is not _FOUNDATION:
        return Refusal(Rule.CLOSED_TARGET, sentences.closed_target(target_zone))
    pile = piles[source]
    if not pile.cards:
        return Refusal(Rule.EMPTY_SOURCE, "There is no card to take there.")
    if source == target:
        return Refusal(Rule.SAME_PILE, "That card is there already.")
    if scene.must_choose and not (
        target_zone is _FOUNDATION and source_zone in scene.must_choose.zones
    ):
        return _choose_first(scene.must_choose)
    if scene.must_fill and source_zone not in scene.must_fill.sources:
        return _fill_first(scene.must_fill)
    if target not in layout.reach[source]:
        return Refusal(Rule.SOURCE_ZONE, sentences.plays_only(source_zone, layout.plays_to[source]))
    if count != 1:
        refused = _judge_unit(rules, pile, source_zone, count)
        if refused:
            return refused
    if target_zone is _FOUNDATION:
        return _judge_foundation(scene, pile, target, count)
    return _judge_tableau(scene, pile.cards[-count], source_zone, piles[target])


def _judge_unit(rules: Ruleset, pile: Pile, zone: Zone, count: int) -> Refusal | None:
    """Whether the top ``count`` cards may be lifted together."""
    if count < 1:
        return Refusal(Rule.ONE_CARD, "A move carries at least one card.")
    if zone is not _TABLEAU or rules.tableau.lift is Lift.TOP_CARD:
        return Refusal(Rule.ONE_CARD, "Cards move one at a time in this game.")
    if count > len(pile.cards) - pile.down:
        return Refusal(Rule.FACE_DOWN, f"There are not {count} face-up cards to lift there.")
    if run_length(pile, rules.tableau.build) < count:
        order = sentences.build(rules.tableau.build)
        return Refusal(Rule.NOT_A_RUN, f"Those cards are not a run: runs {order}.")
    return None


def _judge_foundation(scene: _Scene, pile: Pile, target: int, count: int) -> Refusal | None:
    group = scene.rules.layout.groups[target]
    there = scene.piles[target].cards
    if len(there) == FULL_FOUNDATION:
        return Refusal(Rule.FOUNDATION_FULL, "That foundation has its 13 cards.")
    if group.whole_run:
        if count == FULL_FOUNDATION and run_length(pile, group.build) >= count:
            return None
        return Refusal(
            Rule.WHOLE_RUN,
            "That foundation takes only a complete run from king to ace, all at once.",
        )
    if count > 1:
        return Refusal(Rule.ONE_CARD, "Foundations take one card at a time.")
    card = pile.cards[-1]
    if group.color and card.color is not group.color:
        return Refusal(Rule.FOUNDATION_COLOR, f"That foundation is for {group.color.value} cards.")
    if there:
        if card in group.build.followers[there[-1]]:
            return None
        return Refusal(Rule.BUILD, sentences.wanted(group.build, there[-1]))
    if scene.base is None or card.rank is scene.base:
        return None
    return Refusal(Rule.FOUNDATION_BASE, sentences.base_wanted(scene.base))


def _judge_tableau(scene: _Scene, lead: Card, source: Zone, target: Pile) -> Refusal | None:
    tableau = scene.rules.tableau
    if target.cards:
        if lead in tableau.build.followers[target.cards[-1]]:
            return None
        return Refusal(Rule.BUILD, sentences.wanted(tableau.build, target.cards[-1]))
    match tableau.space:
        case Closed():
            allowed = False
        case AutoFill(_, then_tableau):
            # Only met with its sources empty: before that no pile stays empty.
            allowed = then_tableau and source is _TABLEAU
        case MustFill(sources):
            allowed = source in sources
        case OnlyRank(rank):
            allowed = lead.rank is rank
    return None if allowed else Refusal(Rule.SPACE, sentences.space(tableau.space))


def _choose_first(base: ChosenBase) -> Refusal:
    return Refusal(Rule.CHOOSE_BASE, sentences.choose_base(base))


def _fill_first(space: MustFill) -> Refusal:
    return Refusal(Rule.FILL_SPACE, sentences.fill_first(space))


def run_length(pile: Pile, build: Build) -> int:
    """How many cards at the top of ``pile`` lie face up and in order; 0 where none lies face up."""
    cards = pile.cards
    if len(cards) == pile.down:
        return 0
    fits = build.followers
    start = len(cards) - 1
    while start > pile.down and cards[start] in fits[cards[start - 1]]:
        start -= 1
    return len(cards) - start


# --- listing


def _legal(rules: Ruleset, position: Position) -> Iterator[Action]:
    """Yield what the judge lets pass among the moves that have any chance.

    Most pairs of piles are dismissed by a look at two cards; every survivor is still judged.
    """
    scene = _survey(rules, position)
    if _judge_deal(scene) is None:
        yield DEAL
    layout, piles = rules.layout, position.piles
    units = layout.units
    takers, anywhere = _takers(scene)
    runs = layout.tableau if rules.tableau.lift is Lift.RUN else ()
    for source, pile in enumerate(piles):
        reach = layout.reach[source]
        if not reach or not pile.cards:
            continue
        most = run_length(pile, rules.tableau.build) if source in runs else 1
        for count in range(1, most + 1):
            for target in (*takers.get(pile.cards[-count], ()), *anywhere):
                if target not in reach or units[target] not in (0, count):
                    continue
                if _judge_move(scene, source, target, count) is None:
                    yield Move(layout.ids[source], layout.ids[target], count)


def _takers(scene: _Scene) -> tuple[dict[Card, list[int]], list[int]]:
    """For each card, the piles that it could possibly lead a move to; and those for any card."""
    layout, piles = scene.rules.layout, scene.piles
    # A fixed base is in the starters already, and a foundation for whole runs does not start with it.
    base = None if isinstance(scene.rules.base, FixedBase) else scene.base
    takers: dict[Card, list[int]] = {}
    anywhere: list[int] = []
    for target in (*layout.foundations, *layout.tableau):
        cards = piles[target].cards
        takes = layout.followers[target][cards[-1]] if cards else layout.starters[target]
        if not cards and base and target in layout.foundations:
            takes &= _OF_RANK[base]
        if len(takes) == len(_EVERYTHING):
            anywhere.append(target)
        else:
            for card in takes:
                takers.setdefault(card, []).append(target)
    return takers, anywhere


_EVERYTHING = frozenset(fresh_deck(1))
_OF_RANK = {rank: frozenset(card for card in _EVERYTHING if card.rank is rank) for rank in Rank}
