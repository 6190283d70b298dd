"""Why a click does nothing: what an empty place may hold, and why a card goes nowhere."""

from __future__ import annotations

from typing import Final

from app.engine import sentences
from app.engine.actions import Move
from app.engine.card_names import card_name
from app.engine.cards import Card
from app.engine.position import Position
from app.engine.rules import Refusal, Rule, base_rank, can_fill, refusal
from app.engine.ruleset import PileId, Ruleset
from app.engine.vocabulary import AutoFill, Zone
from app.text import capital, gettext
from app.text import sentences as join_sentences

_LACKS_PLACE: Final = frozenset(
    {
        Rule.BUILD,
        Rule.EMPTY_PILE,
        Rule.FOUNDATION_BASE,
        Rule.FOUNDATION_COLOR,
        Rule.FOUNDATION_FULL,
        Rule.WHOLE_RUN,
        Rule.CELL_TAKEN,
    }
)
_TELLING: Final = frozenset(
    {Rule.CHOOSE_BASE, Rule.FILL_EMPTY_PILE, Rule.SOURCE_ZONE, Rule.NOT_A_RUN, Rule.FACE_DOWN}
)


def about_space(rules: Ruleset, position: Position, pile: PileId, zone: Zone) -> str:
    """What an empty place may hold."""
    match zone:
        case Zone.STOCK:
            return sentences.stock_empty(rules.stock)
        case Zone.WASTE:
            return gettext("The waste is empty: the next deal puts a card here.")
        case Zone.RESERVE:
            return gettext("This reserve pile is empty.")
        case Zone.CELL:
            return gettext("This cell is empty: it takes one card from a column.")
        case Zone.FOUNDATION:
            if rules.layout.groups[rules.layout.index[pile]].whole_run:
                return sentences.WHOLE_RUN
            base = base_rank(rules, position)
            if base is None:
                return gettext(
                    "The first card you put on a foundation sets the base for all of them."
                )
            return sentences.base_wanted(base)
        case Zone.TABLEAU:
            return sentences.empty_pile(rules.tableau)


def why_stuck(rules: Ruleset, position: Position, pile: PileId, size: int) -> str:
    """Why the top ``size`` cards of a pile go nowhere, and what would take them; or that they may stay."""
    layout = rules.layout
    source = layout.index[pile]
    refusals = _list_refusals(rules, position, pile, size)
    # A card that may be built on lacks a card to go on, whatever else is closed to it: of a cell, another cell.
    if Zone.TABLEAU in layout.plays_to[source]:
        refusals = [r for r in refusals if r.rule is not Rule.SOURCE_ZONE]
    telling = [r for r in refusals if r.rule in _TELLING] or refusals
    if len({r.rule for r in telling}) == 1 and telling[0].rule is not Rule.BUILD:
        return telling[0].sentence
    card = position.piles[source].cards[-size:][0]
    name = card_name(card, "the card does")
    below = _lies_on(rules, position, source, size)
    if below is not None:
        there = card_name(below, "on the card")
        return capital(
            gettext(
                "%(card)s already lies %(on_card)s. It has nowhere else to go right now.",
                card=name,
                on_card=there,
            )
        )
    stuck = capital(gettext("%(card)s has nowhere to go right now.", card=name))
    if not {r.rule for r in refusals} <= _LACKS_PLACE:
        return stuck
    tableau = rules.tableau
    taker = sentences.would_take(tableau.build, card)
    fills_itself = isinstance(tableau.empty_pile, AutoFill)
    if not taker and not fills_itself and can_fill(tableau, card, layout.zones[source]):
        taker = gettext("It needs an empty column.")
    return join_sentences(stuck, taker, _comes_first(rules, position, card) if size == 1 else "")


def _comes_first(rules: Ruleset, position: Position, card: Card) -> str:
    """Which card goes to a foundation before this one, where only that is missing; else empty."""
    for index in rules.layout.foundations:
        group, there = rules.layout.groups[index], position.piles[index].cards
        if group.whole_run or not there or (group.color and card.color is not group.color):
            continue
        after = group.build.successors
        if any(card in after[between] for between in after[there[-1]]):
            return sentences.comes_first(group.build, card)
    return ""


def _list_refusals(rules: Ruleset, position: Position, pile: PileId, size: int) -> list[Refusal]:
    layout = rules.layout
    targets = (*layout.foundations, *layout.tableau, *layout.cells)
    if layout.index[pile] in layout.foundations:
        targets = tuple(layout.tableau)
    moves = (Move(pile, layout.ids[index], size) for index in targets if layout.ids[index] != pile)
    return list(filter(None, (refusal(rules, position, move) for move in moves)))


def _lies_on(rules: Ruleset, position: Position, source: int, size: int) -> Card | None:
    """The face-up card of the tableau that cards lie on already, if it would take them."""
    pile = position.piles[source]
    below = len(pile.cards) - size - 1
    if rules.layout.zones[source] is not Zone.TABLEAU or below < pile.down:
        return None
    fits = pile.cards[below + 1] in rules.tableau.build.successors[pile.cards[below]]
    return pile.cards[below] if fits else None
