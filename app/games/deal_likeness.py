"""Whether two deals look alike to a player: equal but for the names of the suits, the order of the columns, and a move.

Only cards that lie face up in the opening are compared. So the answer tells nobody a card that they could not see when
they began to play, and a deck that guesses the face-down cards is recognized, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import permutations
from typing import Final, NamedTuple

from app.engine.cards import Card, Rank, fresh_deck
from app.engine.deal import opening
from app.engine.position import Position
from app.engine.ruleset import ALL_SUITS, Layout
from app.games.lookup import deck_of, stored_rules

_MOST_KEPT: Final = 2_000
_LEAST_RUNS: Final = 8  # fewer could be equal by chance

_NUMBERINGS: Final = [
    {card: card.rank * len(suits) + suits.index(card.suit) for card in fresh_deck(1)}
    for suits in permutations(ALL_SUITS)
]
"""The numbers of all cards, for each way to rename the suits."""


class Cards(NamedTuple):
    """The stored origin of the cards of a game; either ``code`` or ``seed`` is set."""

    ruleset: str
    revision: int
    code: str | None
    seed: bytes | None


_Pile = tuple[int, tuple[int, ...]]
"""How many cards of a pile lie face down, and the others as numbers."""


class OpeningLook(NamedTuple):
    """What shows of an opening: ``piles``, zone by zone, and the ranks of any three neighbors in the columns."""

    piles: tuple[tuple[_Pile, ...], ...]
    runs: frozenset[tuple[Rank, ...]]

    def is_like(self, other: OpeningLook) -> bool:
        """Whether the other deal is as good as this one: half of its neighbors are enough.

        Playing one move first, or exchanging two cards, makes other piles but leaves most cards beside each other.
        """
        if self.piles == other.piles:
            return True
        least = max(_LEAST_RUNS, len(other.runs)) / 2
        return len(self.runs & other.runs) >= least


def look_of(layout: Layout, position: Position) -> OpeningLook:
    """What shows of an opening. Suits have the names that come first, and equal piles any order."""
    columns = [[card.rank for card in position.piles[index].face_up] for index in layout.tableau]
    runs = [run for ranks in columns for run in zip(ranks, ranks[1:], ranks[2:], strict=False)]
    piles = min(_piles(layout, position, numbers) for numbers in _NUMBERINGS)
    return OpeningLook(piles, frozenset(runs))


@lru_cache(_MOST_KEPT)
def look_of_cards(cards: Cards) -> OpeningLook:
    """What shows of the opening of a stored game."""
    rules = stored_rules(cards.ruleset, cards.revision)
    return look_of(rules.layout, opening(rules, deck_of(rules, cards.code, cards.seed)))


def _piles(
    layout: Layout, position: Position, numbers: Mapping[Card, int]
) -> tuple[tuple[_Pile, ...], ...]:
    return tuple(
        tuple(
            sorted(
                (pile.down, tuple(numbers[card] for card in pile.face_up))
                for pile in position.piles[zone.start : zone.stop]
            )
        )
        for zone in layout.ranges.values()
    )
