"""From a deck to the opening: a pure function of the rule set."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.cards import Card
from app.engine.position import Pile, Position
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import DealBase, DealColumns, DealReserve, SinkRank


def opening(rules: Ruleset, deck: Sequence[Card]) -> Position:
    """Deal ``deck``, its first card first; what the deal leaves over is the stock.

    The stock's next card is its top, so the rest of the deck lies in it upside down.
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
            case SinkRank(rank):
                for index in layout.tableau:
                    # A stable sort: cards of the rank first, all else as it was.
                    piles[index].sort(key=lambda card: card.rank is not rank)
    stock = tuple(reversed(deck[dealt:]))
    piles[layout.stock] = list(stock)
    down[layout.stock] = max(len(stock) - 1, 0) if rules.stock.face_up else len(stock)
    return Position(tuple(Pile(tuple(cards), d) for cards, d in zip(piles, down, strict=True)))
