"""State transitions: the position after an action, including automatic fills and flips."""

from __future__ import annotations

from typing import Final

from app.engine.actions import Action, Deal
from app.engine.cards import Card
from app.engine.position import EMPTY, Pile, Position
from app.engine.rules import Refusal, base_rank, has_legal_action, refusal
from app.engine.ruleset import PileId, Ruleset
from app.engine.vocabulary import AutoFill, ChosenBase, DealTo, Stock, Zone

_new: Final = tuple.__new__  # makes a named tuple in half the time


class IllegalActionError(ValueError):
    """The action is illegal; ``refusal`` says why."""

    def __init__(self, refused: Refusal) -> None:
        """Use the refusal's sentence as the message."""
        super().__init__(refused.sentence)
        self.refusal = refused


def apply(rules: Ruleset, position: Position, action: Action) -> Position:
    r"""The position after ``action``; raise ``IllegalActionError`` if it is illegal.

    >>> from app.engine.actions import parse_action
    >>> from app.engine.notation import parse_position
    >>> from app.rulesets.bristol import BRISTOL
    >>> before = parse_position(BRISTOL, "f1: AS\nt1: 9H 2C")
    >>> after = apply(BRISTOL, before, parse_action(BRISTOL.layout, "t1-f1"))
    >>> [str(pile) for pile in sorted(changed_piles(BRISTOL, before, after))]
    ['f1', 't1']
    >>> cards_home(BRISTOL, after), is_won(BRISTOL, after), is_lost(BRISTOL, after)
    (2, False, True)
    """
    refused = refusal(rules, position, action)
    if refused:
        raise IllegalActionError(refused)
    return apply_unchecked(rules, position, action)


def apply_unchecked(rules: Ruleset, position: Position, action: Action) -> Position:
    """As ``apply``, for an action that was found legal before: replaying a long log takes half the time.

    What an illegal action gives is undefined.
    """
    piles, redeals = list(position.piles), position.redeals
    if isinstance(action, Deal):
        redeals += _deal(rules, rules.stock, piles)
    else:
        index = rules.layout.index
        _move(rules, piles, index[action.source], index[action.target], action.count)
    base, rule = rules.base, rules.tableau.empty_pile
    if isinstance(base, ChosenBase) and base.then_deal and base_rank(rules, position) is None:
        _fill_empty_piles(rules, piles, (Zone.STOCK,))
    if isinstance(rule, AutoFill):
        _fill_empty_piles(rules, piles, rule.sources)
    return _new(Position, (tuple(piles), redeals))


def changed_piles(rules: Ruleset, before: Position, after: Position) -> frozenset[PileId]:
    """The piles that differ between two positions."""
    return frozenset(
        pile
        for pile, old, new in zip(rules.layout.ids, before.piles, after.piles, strict=True)
        if old is not new and old != new
    )


def cards_home(rules: Ruleset, position: Position) -> int:
    """The number of cards on the foundations."""
    return sum(len(position.piles[index].cards) for index in rules.layout.foundations)


def is_won(rules: Ruleset, position: Position) -> bool:
    """Whether every card is on a foundation."""
    # Most positions have a stock or cards in the tableau, and need no counting.
    piles, layout = position.piles, rules.layout
    if piles[layout.stock].cards:
        return False
    for index in layout.tableau:
        if piles[index].cards:
            return False
    return cards_home(rules, position) == rules.cards


def is_lost(rules: Ruleset, position: Position) -> bool:
    """Whether no action is legal, with cards still in play."""
    return not has_legal_action(rules, position) and not is_won(rules, position)


def _deal(rules: Ruleset, stock: Stock, piles: list[Pile]) -> int:
    """Deal, or turn the waste over if the stock is empty; return how many redeals that was, if they are limited."""
    layout = rules.layout
    if not piles[layout.stock].cards:
        waste = piles[layout.ranges[Zone.WASTE].start].cards
        piles[layout.ranges[Zone.WASTE].start] = EMPTY
        piles[layout.stock] = Pile(waste[::-1], len(waste) - stock.face_up)
        return 0 if stock.redeals is None else 1
    match stock.deals_to:
        case DealTo.WASTE:
            targets = [*layout.ranges[Zone.WASTE]] * stock.draws
        case DealTo.EACH_RESERVE:
            # The sort is stable: empty piles first, each group left to right.
            targets = sorted(layout.reserves, key=lambda index: bool(piles[index].cards))
        case DealTo.EACH_TABLEAU | DealTo.EACH_FILLED_TABLEAU:
            targets = list(layout.tableau)
        case DealTo.NOWHERE:
            targets = []
    del targets[len(piles[layout.stock].cards) :]
    cards = _take(rules, piles, layout.stock, len(targets))
    for target, card in zip(targets, reversed(cards), strict=True):
        _put(piles, target, (card,))
    return 0


def _fill_empty_piles(rules: Ruleset, piles: list[Pile], sources: tuple[Zone, ...]) -> None:
    layout = rules.layout
    if EMPTY not in piles[layout.tableau.start : layout.tableau.stop]:
        return
    for target in layout.tableau:
        if piles[target].cards:
            continue
        for source in (index for zone in sources for index in layout.ranges[zone]):
            if piles[source].cards:
                _move(rules, piles, source, target, 1)
                break


def _move(rules: Ruleset, piles: list[Pile], source: int, target: int, count: int) -> None:
    _put(piles, target, _take(rules, piles, source, count))


def _take(rules: Ruleset, piles: list[Pile], source: int, count: int) -> tuple[Card, ...]:
    """Remove and return the top ``count`` cards, bottom first; flip the card below if the rules do."""
    cards, down = piles[source]
    rest = cards[:-count]
    if down:
        down = min(down, len(rest) - 1 if source in rules.layout.auto_flip else len(rest))
    piles[source] = _new(Pile, (rest, down)) if rest else EMPTY
    return cards[-count:]


def _put(piles: list[Pile], target: int, cards: tuple[Card, ...]) -> None:
    """Put ``cards`` face up on a pile."""
    there, down = piles[target]
    piles[target] = _new(Pile, (there + cards, down))
