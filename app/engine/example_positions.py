"""Small positions to show examples of moves in.

>>> from app.rulesets.bristol import BRISTOL
>>> [card.text for card in chain_of(BRISTOL, BRISTOL.layout.foundations[0], 3)]
['AC', '2D', '3C']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import cycle, islice
from typing import Final

from app.engine.cards import Card, Rank, fresh_deck
from app.engine.position import Pile, Position
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import Build, FixedBase, Zone

SOME_BASE: Final = Rank.FIVE
"""The base where the rules fix none."""


@cache
def faces_of(rules: Ruleset) -> tuple[Card, ...]:
    """The different cards of a game, suit by suit from ace to king: fewer than 52 where it has fewer suits."""
    return tuple(card for card in fresh_deck(1) if card.suit in rules.suits)


def table_of(rules: Ruleset, piles: Mapping[int, Sequence[Card]], *, base: bool = True) -> Position:
    """A position with these piles. Other tableau piles get a card each: an empty one has rules of its own."""
    layout = rules.layout
    piles = dict(piles)
    has_base = any(piles.get(index) for index in layout.foundations)
    if base and not has_base and not isinstance(rules.base, FixedBase):
        piles[layout.foundations[0]] = chain_of(rules, layout.foundations[0], 1)
    used = {card for cards in piles.values() for card in cards}
    faces = faces_of(rules)
    # A run of one suit may take all there are: then its cards come a second time, from another deck.
    spare = cycle([card for card in faces[::-7] if card not in used] or faces[::-7])
    for index in layout.tableau:
        if index not in piles:
            piles[index] = (next(spare),)
    stock = tuple(piles.pop(layout.stock, ()))
    down = len(stock) - rules.stock.face_up if stock else 0
    rest = (piles.get(index, ()) for index in range(1, len(layout.ids)))
    return Position((Pile(stock, down), *(Pile(tuple(cards), 0) for cards in rest)))


def supply_of(rules: Ruleset) -> dict[int, tuple[Card, ...]]:
    """Cards in the stock, enough for a deal, and in the piles beside it."""
    layout = rules.layout
    beside = (*layout.ranges[Zone.WASTE], *layout.reserves)
    faces = faces_of(rules)
    supply = {index: (faces[(n * 5 + 16) % len(faces)],) for n, index in enumerate(beside)}
    # Not the same again: a game of one deck has each card once.
    others = cycle([card for card in faces[-3::-4] if (card,) not in supply.values()])
    return {layout.stock: tuple(islice(others, len(layout.tableau) + 2)), **supply}


def chain_of(rules: Ruleset, foundation: int, length: int) -> tuple[Card, ...]:
    """The first cards of a foundation, from its base."""
    layout = rules.layout
    group = layout.groups[foundation]
    first = [card for card in faces_of(rules) if card in layout.first_cards[foundation]]
    if not isinstance(rules.base, FixedBase) and not group.whole_run:
        first = [card for card in first if card.rank is SOME_BASE]
    return run_of(rules, group.build, first[0], length)


def run_of(rules: Ruleset, build: Build, start: Card, length: int) -> tuple[Card, ...]:
    """A run in this order, of mixed suits where that is allowed."""
    cards = [start]
    while len(cards) < length:
        last = cards[-1]
        after = [card for card in faces_of(rules) if card in build.successors[last]]
        if not after:
            break
        cards.append(min(after, key=lambda card: card.suit is last.suit))
    return tuple(cards)
