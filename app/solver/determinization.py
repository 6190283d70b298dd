"""What a player can see of a position, and random complete positions that agree with it.

Determinization: hints and difficulty never look at hidden cards, they sample them instead.
"""

from __future__ import annotations

import random
from collections import Counter

from app.engine.cards import Card, fresh_deck
from app.engine.position import Pile, Position
from app.engine.ruleset import Ruleset

View = tuple[tuple[Card | None, ...], ...]
"""What is visible: the piles in layout order, cards bottom first; ``None`` is a face-down card."""


def observe(position: Position) -> View:
    """The view of a position: its face-down cards are masked."""
    return tuple((*(None,) * pile.down, *pile.face_up) for pile in position.piles)


def sample_position(rules: Ruleset, view: View, rng: random.Random) -> Position:
    """A random position that agrees with ``view``: the unseen cards are shuffled into the hidden places."""
    seen = Counter(card for pile in view for card in pile if card)
    unseen = list((Counter(fresh_deck(rules.decks)) - seen).elements())
    rng.shuffle(unseen)
    return Position(
        tuple(
            Pile(tuple(card or unseen.pop() for card in pile), sum(card is None for card in pile))
            for pile in view
        )
    )
