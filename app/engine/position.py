"""A position: every card in its place, as an immutable value."""

from __future__ import annotations

from typing import NamedTuple

from app.engine.cards import Card


class Pile(NamedTuple):
    """Cards bottom first. The first ``down`` of them lie face down."""

    cards: tuple[Card, ...]
    down: int

    @property
    def face_up(self) -> tuple[Card, ...]:
        """The visible cards, bottom first."""
        return self.cards[self.down :]


class Position(NamedTuple):
    """The piles in the order of the game's layout.

    Two positions are equal when every card lies in the same place with the same side up.
    """

    piles: tuple[Pile, ...]


def hidden_cards(position: Position) -> int:
    """How many cards lie face down."""
    return sum(pile.down for pile in position.piles)


EMPTY = Pile((), 0)
