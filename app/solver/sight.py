"""What a player knows of a position: the cards that show, those remembered, and the set of all others.

A ``Sight`` holds no card that the player has not seen, so whatever is computed from it cannot depend on
the order of the hidden cards.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from app.engine.cards import Card, fresh_deck
from app.engine.position import Pile, Position
from app.engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Sight:
    """The piles in layout order, cards bottom first; ``None`` is a card that was never seen.

    The first ``down[i]`` cards of pile i lie face down. One of them that is not ``None`` is
    remembered: it was face up in a line of play that was taken back.
    """

    piles: tuple[tuple[Card | None, ...], ...]
    down: tuple[int, ...]
    redeals: int = 0

    def unseen(self, rules: Ruleset) -> tuple[Card, ...]:
        """The cards never seen, in the order of an unshuffled deck."""
        left = Counter(rules.deck)
        left.subtract(card for pile in self.piles for card in pile if card)
        return tuple(card for card in fresh_deck(1) for _ in range(left[card]))

    def hidden(self) -> int:
        """How many cards were never seen."""
        return sum(card is None for pile in self.piles for card in pile)

    def only_position(self, rules: Ruleset) -> Position | None:
        """The position, if only one agrees with this: no card is left to guess, or only equal ones."""
        unseen = self.unseen(rules) if self.hidden() else ()
        return self.with_hidden(unseen) if len(set(unseen)) <= 1 else None

    def world(self, rules: Ruleset, number: int, seed: str) -> Position:
        """A position that agrees with this: the unseen cards in an order drawn by seed and number."""
        unseen = list(self.unseen(rules))
        random.Random(f"{seed}/{number}").shuffle(unseen)  # noqa: S311 - guesses guard nothing
        return self.with_hidden(unseen)

    def with_hidden(self, cards: Iterable[Card]) -> Position:
        """The position with these cards in the places never seen, first pile first, bottom first."""
        order = iter(cards)
        return Position(
            tuple(
                Pile(tuple(card or next(order) for card in pile), down)
                for pile, down in zip(self.piles, self.down, strict=True)
            ),
            self.redeals,
        )


def see(position: Position, shown: Iterable[Position] = ()) -> Sight:
    """What a player knows in ``position`` who also saw the positions ``shown`` of the same game.

    Undone lines belong to ``shown``, because a player remembers what they turned up: a face-down card
    never moves before it is turned, so it is known if its place was face up once.
    """
    known = [pile.down for pile in position.piles]
    for earlier in shown:
        known = [
            min(least, pile.down, len(pile.cards) if index == 0 else pile.down)
            for index, (least, pile) in enumerate(zip(known, earlier.piles, strict=True))
        ]
    return Sight(
        tuple(
            (*(None,) * least, *pile.cards[least:])
            for least, pile in zip(known, position.piles, strict=True)
        ),
        tuple(pile.down for pile in position.piles),
        position.redeals,
    )
