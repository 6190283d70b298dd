"""Playing one action: from a position to the next, fills and turn-overs included."""

from __future__ import annotations

from app.engine.actions import Action, Deal, Move
from app.engine.cards import Card
from app.engine.position import EMPTY, Pile, Position
from app.engine.rules import Refusal, base_rank, has_legal_action, refusal
from app.engine.ruleset import PileId, Ruleset
from app.engine.vocabulary import AutoFill, ChosenBase, DealTo, Zone


class IllegalActionError(ValueError):
    """An action against the rules was played; ``refusal`` says which rule."""

    def __init__(self, refused: Refusal) -> None:
        """Carry the refusal; its sentence is the message."""
        super().__init__(refused.sentence)
        self.refusal = refused


def apply(rules: Ruleset, position: Position, action: Action) -> Position:
    """The position after ``action``; raise ``IllegalActionError`` when the rules forbid it."""
    refused = refusal(rules, position, action)
    if refused:
        raise IllegalActionError(refused)
    piles = list(position.piles)
    match action:
        case Deal():
            _deal(rules, piles)
        case Move(source, target, count):
            index = rules.layout.index
            _shift(rules, piles, index[source], index[target], count)
    base, space = rules.base, rules.tableau.space
    if isinstance(base, ChosenBase) and base.then_deal and base_rank(rules, position) is None:
        _fill_spaces(rules, piles, (Zone.STOCK,))
    if isinstance(space, AutoFill):
        _fill_spaces(rules, piles, space.sources)
    return Position(tuple(piles))


def changed_piles(rules: Ruleset, before: Position, after: Position) -> frozenset[PileId]:
    """The piles that differ between two positions of a game."""
    return frozenset(
        pile
        for pile, old, new in zip(rules.layout.ids, before.piles, after.piles, strict=True)
        if old is not new and old != new
    )


def cards_home(rules: Ruleset, position: Position) -> int:
    """How many cards lie on foundations."""
    return sum(len(position.piles[index].cards) for index in rules.layout.foundations)


def is_won(rules: Ruleset, position: Position) -> bool:
    """Every card is on a foundation."""
    return cards_home(rules, position) == rules.cards


def is_lost(rules: Ruleset, position: Position) -> bool:
    """Cards are still out, the stock is empty and nothing is legal."""
    return (
        not position.piles[rules.layout.stock].cards
        and not is_won(rules, position)
        and not has_legal_action(rules, position)
    )


def _deal(rules: Ruleset, piles: list[Pile]) -> None:
    layout = rules.layout
    match rules.stock.deals_to:
        case DealTo.WASTE:
            targets = list(layout.ranges[Zone.WASTE])
        case DealTo.EACH_RESERVE:
            # Sorting is stable, so empty piles come first and both halves stay left to right.
            targets = sorted(layout.reserves, key=lambda index: bool(piles[index].cards))
        case DealTo.EACH_TABLEAU:
            targets = list(layout.tableau)
    del targets[len(piles[layout.stock].cards) :]
    cards = _lift(rules, piles, layout.stock, len(targets))
    for target, card in zip(targets, reversed(cards), strict=True):
        _lay(piles, target, (card,))


def _fill_spaces(rules: Ruleset, piles: list[Pile], sources: tuple[Zone, ...]) -> None:
    layout = rules.layout
    if EMPTY not in piles[layout.tableau.start : layout.tableau.stop]:
        return
    for target in layout.tableau:
        if piles[target].cards:
            continue
        for source in (index for zone in sources for index in layout.ranges[zone]):
            if piles[source].cards:
                _shift(rules, piles, source, target, 1)
                break


def _shift(rules: Ruleset, piles: list[Pile], source: int, target: int, count: int) -> None:
    _lay(piles, target, _lift(rules, piles, source, count))


def _lift(rules: Ruleset, piles: list[Pile], source: int, count: int) -> tuple[Card, ...]:
    """Take the top ``count`` cards away, bottom first, and turn up what they leave uncovered."""
    cards, down = piles[source]
    rest = cards[:-count]
    if down:
        down = min(down, len(rest) - 1 if source in rules.layout.turning else len(rest))
    piles[source] = Pile(rest, down) if rest else EMPTY
    return cards[-count:]


def _lay(piles: list[Pile], target: int, cards: tuple[Card, ...]) -> None:
    """Lay ``cards`` face up on a pile."""
    there, down = piles[target]
    piles[target] = Pile(there + cards, down)
