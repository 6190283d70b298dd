"""A position: which cards lie where, as an immutable value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable
from typing import NamedTuple

from app.engine.cards import Card
from app.engine.vocabulary import Build


class Pile(NamedTuple):
    """The cards of a pile, bottom first. The first ``down`` of them are face down."""

    cards: tuple[Card, ...]
    down: int

    @property
    def face_up(self) -> tuple[Card, ...]:
        """The visible cards, bottom first."""
        return self.cards[self.down :]


class Position(NamedTuple):
    """The piles, in the order of the rule set's layout, and how many redeals were made of a limited number."""

    piles: tuple[Pile, ...]
    redeals: int = 0


EMPTY = Pile((), 0)


def hidden_cards(position: Position) -> int:
    """The number of face-down cards."""
    return sum([pile.down for pile in position.piles])


def has_revealed(before: Position, after: Position) -> bool:
    """Whether fewer cards are face down after an action than ``before``."""
    piles = zip(before.piles, after.piles, strict=True)
    # Piles that an action leaves alone are the same objects, and nearly all are.
    return sum([old.down - new.down for old, new in piles if old is not new]) > 0


def regardless_of_order(position: Position, columns: Collection[int]) -> Hashable:
    """What positions have in common that differ only in the order of some piles, such as the columns of the tableau."""
    ordered = frozenset(Counter(position.piles[index] for index in columns).items())
    others = tuple(pile for index, pile in enumerate(position.piles) if index not in columns)
    return ordered, others, position.redeals


def run_length(pile: Pile, build: Build) -> int:
    """The number of face-up cards in sequence on top of ``pile``.

    >>> from app.engine.notation import parse_pile
    >>> from app.engine.vocabulary import Match
    >>> down = Build(step=-1, match=Match.ALTERNATE_COLOR, circular=False)
    >>> run_length(parse_pile("[9S] 8D 3C 2D AC"), down)
    3
    """
    cards = pile.cards
    if len(cards) == pile.down:
        return 0
    successors = build.successors
    start = len(cards) - 1
    while start > pile.down and cards[start] in successors[cards[start - 1]]:
        start -= 1
    return len(cards) - start
