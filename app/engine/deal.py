"""Dealing: from a shuffled deck to the opening position."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.cards import Card
from app.engine.position import Pile, Position
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import (
    DealBase,
    DealCells,
    DealColumns,
    DealReserve,
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
    layout = rules.layout
    deck = [rules.shown(card) for card in deck]
    piles: list[list[Card]] = [[] for _ in layout.ids]
    down = [0] * len(piles)
    dealt = 0
    for step in rules.deal:
        match step:
            case DealReserve(cards, tops_only):
                for index in layout.reserves:
                    piles[index] += deck[dealt : dealt + cards]
                    dealt += cards
                    down[index] = cards - 1 if tops_only else 0
            case DealCells(cards):
                for index in layout.cells[:cards]:
                    piles[index].append(deck[dealt])
                    dealt += 1
            case DealBase():
                piles[layout.foundations.start].append(deck[dealt])
                dealt += 1
            case DealColumns(columns, hidden):
                for index, cards, below in zip(layout.tableau, columns, hidden, strict=True):
                    piles[index] += deck[dealt : dealt + cards]
                    dealt += cards
                    down[index] = below
            case RankToBottom(rank):
                for index in layout.tableau:
                    # The sort is stable: cards of the rank come first, the rest keep their order.
                    piles[index].sort(key=lambda card: card.rank is not rank)
            case RankToFoundations(rank, count):
                taken = [card for card in deck[dealt:] if card.rank is rank][:count]
                for index, card in zip(layout.foundations, taken, strict=False):
                    piles[index].append(card)
                    deck.remove(card)
    stock = tuple(reversed(deck[dealt:]))
    piles[layout.stock] = list(stock)
    down[layout.stock] = max(len(stock) - 1, 0) if rules.stock.face_up else len(stock)
    return Position(tuple(Pile(tuple(cards), d) for cards, d in zip(piles, down, strict=True)))
