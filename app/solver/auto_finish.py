"""Automatic moves to the foundations: safe moves, and finishing a game that is already decided."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from app.engine.actions import DEAL, Action, Move
from app.engine.cards import Card
from app.engine.position import Position, hidden_cards
from app.engine.rules import FULL_FOUNDATION, goes_home, legal_actions, runs_home
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, is_won
from app.engine.vocabulary import AutoFill, DealTo, FixedBase, Match, MustFill, Zone
from app.solver.rule_tables import KINDS, RuleTables, rule_tables


def can_finish(rules: Ruleset, position: Position) -> bool:
    """Whether ``automatic_finish`` brings all cards home, told from the cards in sight alone."""
    if _goes_round_stock(rules):
        return not _hidden_beside_stock(rules, position) and _all_follow(rules, position)
    return bool(automatic_finish(rules, position))


def automatic_finish(rules: Ruleset, position: Position) -> list[Action]:
    """The actions that take all remaining cards home, if moves home alone are enough; otherwise none.

    Only when every card is face up and dealt, so it reveals nothing that the player could not see. Cards that are not
    dealt may be left where each of them comes by as often as one likes: then it deals whenever nothing goes home. With
    n cards in stock and waste these are at most n(n + 3)/2 deals, since each round brings a card home.
    """
    has_round = _goes_round_stock(rules)
    if _hidden_beside_stock(rules, position) or not (
        _all_follow(rules, position) if has_round else not position.piles[rules.layout.stock].cards
    ):
        return []
    actions: list[Action] = []
    passed: set[Position] = set()  # since the last card went home
    while not is_won(rules, position):
        legal = legal_actions(rules, position)
        moves_home = [action for action in legal if goes_home(rules, action)]
        if moves_home:
            # Whole runs first, since single cards would break them up.
            action = max(moves_home, key=lambda action: isinstance(action, Move) and action.count)
            passed.clear()
        elif has_round and DEAL in legal and position not in passed:
            action = DEAL
            passed.add(position)
        else:
            return []
        actions.append(action)
        position = apply(rules, position, action)
    return actions


def finishing_moves(
    rules: Ruleset, positions: Sequence[Position], actions: Sequence[Action]
) -> int:
    """How many of the actions at the end of a won game took the last cards home when no decision was left.

    ``positions`` are those before each action, and the last one.
    """
    if not is_won(rules, positions[-1]):
        return 0
    count = 0
    for before, action in zip(positions[-2::-1], reversed(actions), strict=True):
        is_deal = action == DEAL and _goes_round_stock(rules)
        is_dealt = _goes_round_stock(rules) or not before.piles[rules.layout.stock].cards
        in_sight = is_dealt and not _hidden_beside_stock(rules, before)
        if not in_sight or not (is_deal or goes_home(rules, action)):
            break
        count += 1
    return count


@cache
def _goes_round_stock(rules: Ruleset) -> bool:
    """Whether every card of the stock comes by, one after another, as often as one likes, and has one place at home.

    Then nothing depends on their order. With three cards a deal, some may never come to the top.
    """
    stock, layout = rules.stock, rules.layout
    return (
        stock.deals_to is DealTo.WASTE
        and stock.draws == 1
        and stock.redeals is None
        and rules.waste is not None
        and Zone.FOUNDATION in rules.waste.plays_to
        and isinstance(rules.base, FixedBase)
        and len(set(rules.deck)) == len(rules.deck)
        and all(
            group.build.match is Match.SAME_SUIT and not group.whole_run
            for group in layout.groups.values()
        )
        and not isinstance(rules.tableau.empty_pile, (AutoFill, MustFill))
    )


def _hidden_beside_stock(rules: Ruleset, position: Position) -> int:
    """The number of face-down cards outside the stock."""
    return hidden_cards(position) - position.piles[rules.layout.stock].down


def _all_follow(rules: Ruleset, position: Position) -> bool:
    """Whether all cards go home if those of stock and waste can be had in any order, as in ``_goes_round_stock``.

    A card that can go home can do so later, too, so it is all the same which goes first.
    """
    layout = rules.layout
    loose: set[Card] = set()
    columns: list[list[Card]] = []
    for index, pile in enumerate(position.piles):
        if index in {layout.stock, layout.waste}:
            loose.update(pile.cards)
        elif index not in layout.foundations:
            columns.append(list(pile.cards))
    successors = layout.successors[layout.foundations.start]
    wanted = set(layout.first_cards[layout.foundations.start])
    for index in layout.foundations:
        for card in position.piles[index].cards:
            wanted |= successors[card]
    while going := wanted & loose.union(column[-1] for column in columns if column):
        loose -= going
        for column in columns:
            if column and column[-1] in going:
                column.pop()
        for card in going:
            wanted |= successors[card]
    return not loose and not any(columns)


def safe_moves(rules: Ruleset, position: Position) -> list[Move]:
    """The moves home that never turn a winnable position into one that is not.

    A move is safe when the card is of no use where it lies, does not compete with another card for a
    foundation, and triggers nothing else. In full:

    1. Every card that may be placed on it is home, so nothing will ever be placed on it.
    2. Foundations that accept it exist now for every card of its kind that is still out. So the cards
       do not compete. (This excludes cards that a whole run needs.)
    3. It does not leave a pile empty that would be filled, or that the next deal would serve first, and
       it is not itself the next card to fill an empty pile. So deals and fills stay the same. Where a deal takes
       several cards to the waste, a card of the waste never goes by itself: others would come to the top later.

    Then every solution from before also works after the move, with the moves of this card left out: the
    card it covered is free earlier, and nothing else changes. Only visible cards matter here.
    """
    tables = rule_tables(rules)
    out = _kinds_out(tables, position)
    return [
        action
        for action in legal_actions(rules, position)
        if isinstance(action, Move)
        and action.count == 1
        and goes_home(rules, action)
        and _is_safe(tables, position, action, out)
    ]


def moves_to_make(rules: Ruleset, position: Position) -> list[Move]:
    """What is played home for a player who wants that: the safe moves, and complete runs where only those go home.

    A run is no safe move in the strict sense: it can be taken apart again, to lay other cards on its
    upper part. But a player who leaves such moves to the site does not wait for that. Where an empty column forbids a
    deal, enough cards must stay to fill all of them.
    """
    return [*safe_moves(rules, position), *complete_runs(rules, position)]


def complete_runs(rules: Ruleset, position: Position) -> list[Move]:
    """The moves of complete runs to a foundation, in games that have no other way home."""
    if not rules.has_only_whole_runs:
        return []
    layout = rules.layout
    left = sum(len(position.piles[index].cards) for index in layout.tableau) - FULL_FOUNDATION
    needs_all = rules.stock.deals_to is DealTo.EACH_FILLED_TABLEAU
    if needs_all and position.piles[layout.stock].cards and left < len(layout.tableau):
        return []
    return runs_home(rules, legal_actions(rules, position))


def _kinds_out(tables: RuleTables, position: Position) -> dict[int, int]:
    """How many cards of each kind are not home."""
    out = dict.fromkeys(range(KINDS), 0)
    for card in tables.rules.deck:
        out[tables.kind(card)] += 1
    for index in tables.rules.layout.foundations:
        for card in position.piles[index].cards:
            out[tables.kind(card)] -= 1
    return out


def _is_safe(tables: RuleTables, position: Position, move: Move, out: dict[int, int]) -> bool:
    rules, layout = tables.rules, tables.rules.layout
    source = layout.index[move.source]
    cards = position.piles[source].cards
    card = cards[-1]
    followers = layout.successors[layout.tableau.start][card]
    if any(out[tables.kind(follower)] for follower in followers):
        return False
    if _accepting_foundations(rules, position, card) < out[tables.kind(card)]:
        return False
    zone = layout.zones[source]
    if zone is Zone.WASTE and rules.stock.draws > 1:
        return False  # other cards would come to the top in the next round
    if rules.stock.deals_to is DealTo.EACH_FILLED_TABLEAU and len(cards) == 1:
        return False
    if isinstance(rules.tableau.empty_pile, (AutoFill, MustFill)):
        fills = any(
            position.piles[index].cards
            for filler in rules.tableau.empty_pile.sources
            for index in layout.ranges[filler]
        )
        return zone is Zone.RESERVE or (zone is Zone.TABLEAU and (len(cards) > 1 or not fills))
    deals_on = rules.stock.deals_to is DealTo.EACH_RESERVE and position.piles[layout.stock].cards
    return not (zone is Zone.RESERVE and deals_on and len(cards) == 1)


def _accepting_foundations(rules: Ruleset, position: Position, card: Card) -> int:
    """How many foundations would accept a card like this one now."""
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
