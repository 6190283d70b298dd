"""What can go home without a thought: safe cards, and the plain end of a game."""

from __future__ import annotations

from app.engine.actions import Action, Move
from app.engine.cards import Card, fresh_deck
from app.engine.position import Position, hidden_cards
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, is_won
from app.engine.vocabulary import AutoFill, DealTo, MustFill, Zone
from app.solver.rulebook import Rulebook, rulebook


def plain_finish(rules: Ruleset, position: Position) -> list[Action]:
    """The moves that bring all the rest home, one after the other; empty when it takes thought.

    Only with every card in sight, so that it tells nothing that the player could not see.
    """
    if position.piles[rules.layout.stock].cards or hidden_cards(position):
        return []
    line: list[Action] = []
    while not is_won(rules, position):
        homeward = [
            action for action in legal_actions(rules, position) if _goes_home(rules, action)
        ]
        if not homeward:
            return []
        # A whole run first: single cards would break it up.
        action = max(homeward, key=lambda action: isinstance(action, Move) and action.count)
        line.append(action)
        position = apply(rules, position, action)
    return line


def safe_moves(rules: Ruleset, position: Position) -> list[Action]:
    """The moves home after which everything that could be won before can still be won.

    A card is safe when it is of no use where it lies, takes no place that another card will need,
    and its going sets nothing else off. In full:

    1. Every card that may be laid on it is home, so nothing will ever lie on it.
    2. There is a place at home, now, for every card of its kind that is still out: whichever of
       them goes first, the others lose nothing. (A card that a whole run will need is one of
       those, and has no such place.)
    3. It leaves no pile empty whose space would be filled, or to which a deal would go first, and
       it is not itself what would fill a space. So deals and fills go as they would have gone.

    Then any line that wins from before wins from after, too, once the moves of this card are left
    out: what it covered is free earlier, and nothing else is changed. Foundations are in sight,
    so this uses nothing that the player cannot see.
    """
    book = rulebook(rules)
    out = _kinds_out(book, position)
    return [
        action
        for action in legal_actions(rules, position)
        if isinstance(action, Move)
        and action.count == 1
        and _goes_home(rules, action)
        and _is_safe(book, position, action, out)
    ]


def _goes_home(rules: Ruleset, action: Action) -> bool:
    return (
        isinstance(action, Move) and rules.layout.index[action.target] in rules.layout.foundations
    )


def _kinds_out(book: Rulebook, position: Position) -> dict[int, int]:
    """How many cards of each kind are not home."""
    out = dict.fromkeys(range(26), 0)
    for card in fresh_deck(book.rules.decks):
        out[book.kind(card)] += 1
    for index in book.rules.layout.foundations:
        for card in position.piles[index].cards:
            out[book.kind(card)] -= 1
    return out


def _is_safe(book: Rulebook, position: Position, move: Move, out: dict[int, int]) -> bool:
    rules, layout = book.rules, book.rules.layout
    source = layout.index[move.source]
    cards = position.piles[source].cards
    card = cards[-1]
    followers = layout.successors[layout.tableau.start][card]
    if any(out[book.kind(follower)] for follower in followers):
        return False
    if _places(rules, position, card) < out[book.kind(card)]:
        return False
    zone = layout.zones[source]
    if isinstance(rules.tableau.empty_pile, (AutoFill, MustFill)):
        fills = any(
            position.piles[index].cards
            for filler in rules.tableau.empty_pile.sources
            for index in layout.ranges[filler]
        )
        return zone is Zone.RESERVE or (zone is Zone.TABLEAU and (len(cards) > 1 or not fills))
    deals_on = rules.stock.deals_to is DealTo.EACH_RESERVE and position.piles[layout.stock].cards
    return not (zone is Zone.RESERVE and deals_on and len(cards) == 1)


def _places(rules: Ruleset, position: Position, card: Card) -> int:
    """How many foundations would take a card like this one now, were there several."""
    layout = rules.layout
    places = 0
    for index in layout.foundations:
        there = position.piles[index].cards
        group = layout.groups[index]
        if group.whole_run or len(there) == 13:
            continue
        if there:
            places += card in layout.successors[index][there[-1]]
        else:
            places += card in layout.first_cards[index] and _is_base(rules, position, card)
    return places


def _is_base(rules: Ruleset, position: Position, card: Card) -> bool:
    bases = {
        position.piles[index].cards[0].rank
        for index in rules.layout.foundations
        if position.piles[index].cards and not rules.layout.groups[index].whole_run
    }
    return not bases or card.rank in bases
