"""Microsoft's numbered deals of FreeCell, as an import: a number gives the deck that its layout needs.

Jim Horne published the algorithm; it is described at fc-solve.shlomifish.org/faq.html and at
rosettacode.org/wiki/Deal_cards_for_FreeCell:

1. A linear congruential generator starts at the number of the deal. Each step is
   ``state * 214013 + 2531011`` modulo 2 to the power of 31; its result is the state without the lower 16 bits.
2. Start with aces to kings, each as clubs, diamonds, hearts, spades. As long as there are cards, draw a number
   modulo the count of cards, swap that card with the last one, and deal the last one.
3. The cards go to the eight columns row by row. Our decks are dealt column by column, so the order changes here.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from app.engine.cards import Card, fresh_deck
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import DealColumns
from app.text import gettext

LAST_NUMBER: Final = (1 << 31) - 1
"""Microsoft's first version had 32,000 deals, later ones a million; the generator tells this many apart."""

_COLUMNS: Final = 8
_DEAL: Final = (DealColumns.face_up((7, 7, 7, 7, 6, 6, 6, 6)),)


def check_game(rules: Ruleset) -> None:
    """Raise ``ValueError`` with a sentence for the player unless a game is dealt like FreeCell."""
    if rules.decks != 1 or rules.deal != _DEAL:
        raise ValueError(
            gettext(
                "Microsoft's numbers are for games dealt like FreeCell; %(game)s isn't one.",
                game=rules.title,
            )
        )


def check_number(number: int) -> None:
    """Raise ``ValueError`` with a sentence for the player unless there is a deal of this number."""
    if not 1 <= number <= LAST_NUMBER:
        raise ValueError(
            gettext("Microsoft's deals are numbered from 1 to %(last)s.", last=LAST_NUMBER)
        )


def deck_of_number(number: int) -> tuple[Card, ...]:
    """The deck of a Microsoft deal; raise ``ValueError`` with a sentence for the player.

    >>> " ".join(card.text for card in deck_of_number(1)[:7])
    'JD KD 2S 4C 3S 6D 6S'
    """
    check_number(number)
    dealt = tuple(_dealt(number))
    return tuple(chain.from_iterable(dealt[column::_COLUMNS] for column in range(_COLUMNS)))


def _dealt(number: int) -> Iterator[Card]:
    fresh = fresh_deck(1)
    cards = [card for rank in range(13) for card in fresh[rank::13]]
    for state in _states(number):
        if not cards:
            return
        drawn = (state >> 16) % len(cards)
        cards[drawn], cards[-1] = cards[-1], cards[drawn]
        yield cards.pop()


def _states(state: int) -> Iterator[int]:
    while True:
        state = (state * 214013 + 2531011) & LAST_NUMBER
        yield state
