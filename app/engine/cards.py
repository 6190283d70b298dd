"""Cards and decks."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Final

from app.text import gettext


class Color(Enum):
    """Red or black."""

    RED = "red"
    BLACK = "black"


class Suit(Enum):
    """A suit; its value is its letter in card names."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    @property
    def color(self) -> Color:
        """Red for diamonds and hearts, black for clubs and spades."""
        return Color.RED if self in _RED_SUITS else Color.BLACK

    @property
    def word(self) -> str:
        """The English name, lower case: ``hearts``."""
        return self.name.lower()


_RED_SUITS: Final = frozenset({Suit.DIAMONDS, Suit.HEARTS})


class Rank(IntEnum):
    """Ace is 1 and king is 13. Whether an ace follows a king is up to each rule set."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def letter(self) -> str:
        """One of ``A23456789TJQK``."""
        return RANK_LETTERS[self - 1]

    @property
    def word(self) -> str:
        """The English name, lower case: ``seven``."""
        return self.name.lower()


RANK_LETTERS: Final = "A23456789TJQK"


class Card:
    """One of the 52 cards. Cards are interned: there is one object for each, in every process.

    So two cards are equal when they are the same object, which makes hashing and comparing positions
    cheap. A two-deck game holds the same object twice.

    >>> ten = Card.parse("TD")
    >>> ten.words, ten.color, ten is Card.parse("TD")
    ('ten of diamonds', <Color.RED: 'red'>, True)
    """

    __slots__ = ("color", "rank", "suit", "text")

    rank: Final[Rank]
    suit: Final[Suit]
    color: Final[Color]
    text: Final[str]

    def __init__(self, rank: Rank, suit: Suit) -> None:
        """For this module only; use ``Card.parse`` or ``fresh_deck`` instead."""
        self.rank = rank
        self.suit = suit
        self.color = suit.color
        self.text = rank.letter + suit.value

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card.parse({self.text!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        # Keeps cards interned across pickling, which is how they travel to worker processes.
        return (Card.parse, (self.text,))

    @property
    def words(self) -> str:
        """The card in English words: ``seven of hearts``; for players, see ``card_names``."""
        return f"{self.rank.word} of {self.suit.word}"

    @staticmethod
    def parse(text: str) -> Card:
        """The card called ``text``; raise ``ValueError`` if there is none.

        >>> Card.parse("1D")
        Traceback (most recent call last):
        ValueError: '1D' is not a card: write a rank (A23456789TJQK) and a suit (CDHS).
        """
        card = _FACES.get(text)
        if card is None:
            raise ValueError(
                gettext(
                    "%(text)s is not a card: write a rank (A23456789TJQK) and a suit (CDHS).",
                    text=repr(text),
                )
            )
        return card


def card_of(rank: Rank, suit: Suit) -> Card:
    """The card of this rank and suit."""
    return _FACES[rank.letter + suit.value]


_FACES: Final = {card.text: card for card in (Card(rank, suit) for suit in Suit for rank in Rank)}


def fresh_deck(decks: int) -> tuple[Card, ...]:
    """``decks`` unshuffled decks, each clubs, diamonds, hearts, spades from ace to king.

    The order is part of the shuffle algorithm (see ``shuffle``) and never changes.

    >>> [card.text for card in fresh_deck(1)[11:15]]
    ['QC', 'KC', 'AD', '2D']
    >>> len(fresh_deck(2))
    104
    """
    return tuple(_FACES.values()) * decks
