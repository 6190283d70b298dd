"""Dealing: from a shuffled deck to the opening position."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from app.engine.cards import Card
from app.engine.position import Pile, Position
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import (
    DealBase,
    DealCells,
    DealColumns,
    DealReserve,
    DealStep,
    RankToBottom,
    RankToFoundations,
)


def opening(rules: Ruleset, deck: Sequence[Card]) -> Position:
    """Deal ``deck``, first card first; the cards left over are the stock.

    The next card to deal is the top of the stock, so the stock holds the rest of the deck in reverse.

    >>> from app.engine.cards import fresh_deck
    >>> from app.engine.notation import format_position
    >>> from app.rulesets.bristol import BRISTOL
    >>> print(format_position(BRISTOL, opening(BRISTOL, fresh_deck(1))))  # doctest: +ELLIPSIS
    stock: [KS QS JS ... 3H 2H]
    r1: QD
    r2: KD
    r3: AH
    f1: -
    ...
    t1: AC 2C 3C
    t2: 4C 5C 6C
    ...
    """
    if len(deck) != rules.cards:
        message = f"{rules.title} is played with {rules.cards} cards, not {len(deck)}."
        raise ValueError(message)
    table = _Table(rules, deck)
    for step in rules.deal:
        table.carry_out(step)
    return table.position()


class _Table:
    """Piles while they are dealt; ``rest`` are the cards not dealt yet, the next one first."""

    def __init__(self, rules: Ruleset, deck: Sequence[Card]) -> None:
        self.rules = rules
        self.rest = deque(rules.shown(card) for card in deck)
        self.piles: list[list[Card]] = [[] for _ in rules.layout.ids]
        self.down = [0] * len(self.piles)

    def carry_out(self, step: DealStep) -> None:
        layout = self.rules.layout
        match step:
            case DealReserve(cards, tops_only):
                for index in layout.reserves:
                    self.deal(index, cards, down=cards - 1 if tops_only else 0)
            case DealCells(cards):
                for index in layout.cells[:cards]:
                    self.deal(index, 1)
            case DealBase():
                self.deal(layout.foundations.start, 1)
            case DealColumns(columns, down):
                for index, cards, below in zip(layout.tableau, columns, down, strict=True):
                    self.deal(index, cards, down=below)
            case RankToBottom(rank):
                for index in layout.tableau:
                    # The sort is stable: cards of the rank come first, the rest keep their order.
                    self.piles[index].sort(key=lambda card: card.rank is not rank)
            case RankToFoundations(rank, count):
                taken = [card for card in self.rest if card.rank is rank][:count]
                for index, card in zip(layout.foundations, taken, strict=False):
                    self.rest.remove(card)
                    self.piles[index].append(card)

    def deal(self, index: int, cards: int, *, down: int = 0) -> None:
        self.piles[index] += [self.rest.popleft() for _ in range(cards)]
        self.down[index] += down

    def position(self) -> Position:
        stock = self.rules.layout.stock
        self.piles[stock] = list(reversed(self.rest))
        count = len(self.rest)
        self.down[stock] = max(count - 1, 0) if self.rules.stock.face_up else count
        pairs = zip(self.piles, self.down, strict=True)
        return Position(tuple(Pile(tuple(cards), down) for cards, down in pairs))
