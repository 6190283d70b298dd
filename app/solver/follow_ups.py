"""Follow-ups: what a move makes possible next, as the reason for a hint.

Only cards in sight are named, and a move that turns a card up has no follow-up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from app.engine.actions import Action, Move
from app.engine.card_names import card_name
from app.engine.cards import Card
from app.engine.position import Position, has_revealed
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.transition import apply
from app.engine.vocabulary import StaysEmpty, Zone
from app.solver.sight import Sight
from app.text import Text, capital, gettext


def follow_up_sentence(rules: Ruleset, sight: Sight, action: Action) -> Text | Literal[""]:
    """A sentence on what can go where after a move and could not before: home first. Empty if nothing that matters."""
    if not isinstance(action, Move):
        return ""
    before = sight.with_hidden(sight.unseen(rules))
    after = apply(rules, before, action)
    if has_revealed(before, after):
        return ""
    known = {_cards(rules, before, move) for move in _moves(rules, before)}
    new = [
        move
        for move in _moves(rules, after)
        if move.source != action.target and _cards(rules, after, move) not in known
    ]
    return next(_sentences(rules, after, new), "")


def then_home(card: Card) -> Text:
    """The sentence that a card can go home after a move."""
    return capital(gettext("Then %(card)s can go home.", card=card_name(card, "the card does")))


def _moves(rules: Ruleset, position: Position) -> Iterator[Move]:
    return (each for each in legal_actions(rules, position) if isinstance(each, Move))


def _cards(rules: Ruleset, position: Position, move: Move) -> tuple[Card, Card | None]:
    """The card that moves, with those on it, and the card where it goes, wherever both lie."""
    index, piles = rules.layout.index, position.piles
    target = piles[index[move.target]].cards
    return piles[index[move.source]].cards[-move.count], target[-1] if target else None


def _sentences(rules: Ruleset, position: Position, moves: list[Move]) -> Iterator[Text]:
    """The sentences about those moves that matter, the most telling first."""
    index, zones = rules.layout.index, rules.layout.zones
    for move in moves:
        lead, _ = _cards(rules, position, move)
        if zones[index[move.target]] is Zone.FOUNDATION and move.count == 1:
            yield then_home(lead)
    for move in moves:
        lead, top = _cards(rules, position, move)
        if zones[index[move.target]] is Zone.TABLEAU and top and _matters(rules, position, move):
            card, on_card = card_name(lead, "the card does"), card_name(top, "on the card")
            yield capital(gettext("Then %(card)s can go %(on_card)s.", card=card, on_card=on_card))


def _matters(rules: Ruleset, position: Position, move: Move) -> bool:
    """Whether a move to a column frees another place, empties a column or turns a card up."""
    source = rules.layout.index[move.source]
    if rules.layout.zones[source] is not Zone.TABLEAU:
        return rules.layout.zones[source] is not Zone.FOUNDATION
    pile = position.piles[source]
    left = len(pile.cards) - move.count
    if left:
        return left <= pile.down
    return not isinstance(rules.tableau.empty_pile, StaysEmpty)
