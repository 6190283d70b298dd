"""What a player can see of a position, and guesses at the rest.

Help in a game starts from here, so it cannot know what the player does not.
"""

from __future__ import annotations

import random
from collections import Counter

from app.engine.cards import Card, fresh_deck
from app.engine.position import Pile, Position
from app.engine.ruleset import Ruleset

View = tuple[tuple[Card | None, ...], ...]
"""The piles in layout order, cards bottom first; ``None`` is a card that lies face down."""


def view_of(position: Position) -> View:
    """The position with its hidden cards masked."""
    return tuple((*(None,) * pile.down, *pile.face_up) for pile in position.piles)


def guess(rules: Ruleset, view: View, chance: random.Random) -> Position:
    """A position that looks like ``view``, the cards not in sight dealt anew to where none is seen."""
    seen = Counter(card for pile in view for card in pile if card)
    unseen = list((Counter(fresh_deck(rules.decks)) - seen).elements())
    chance.shuffle(unseen)
    return Position(
        tuple(
            Pile(tuple(card or unseen.pop() for card in pile), sum(card is None for card in pile))
            for pile in view
        )
    )
