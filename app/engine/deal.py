"""Dealing: from a shuffled deck to the opening position."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.cards import Card
from app.engine.position import Pile, Position
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import DealBase, DealColumns, DealReserve, RankToBottom


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
    piles: list[list[Card]] = [[] for _ in layout.ids]
    down = [0] * len(piles)
    dealt = 0
    for step in rules.deal:
        match step:
            case DealReserve(cards):
                for index in layout.reserves:
                    piles[index] += deck[dealt : dealt + cards]
                    dealt += cards
            case DealBase():
                piles[layout.foundations.start].append(deck[dealt])
                dealt += 1
            case DealColumns(columns, tops_only):
                for index, cards in zip(layout.tableau, columns, strict=True):
                    piles[index] += deck[dealt : dealt + cards]
                    dealt += cards
                    down[index] = max(cards - 1, 0) if tops_only else 0
            case RankToBottom(rank):
                for index in layout.tableau:
                    # The sort is stable: cards of the rank come first, the rest keep their order.
                    piles[index].sort(key=lambda card: card.rank is not rank)
    stock = tuple(reversed(deck[dealt:]))
    piles[layout.stock] = list(stock)
    down[layout.stock] = max(len(stock) - 1, 0) if rules.stock.face_up else len(stock)
    return Position(tuple(Pile(tuple(cards), d) for cards, d in zip(piles, down, strict=True)))
