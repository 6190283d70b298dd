"""Cards, and the decks they come in."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Final


class Color(Enum):
    """The two colors that building rules speak of."""

    RED = "red"
    BLACK = "black"


class Suit(Enum):
    """A suit; its value is the letter that card names use."""

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
    """Ace is 1 and king is 13; whether king meets ace is a rule's business, not a rank's."""

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
    """One of 52 faces, each existing once per process.

    Because a face is interned, identity is equality, which keeps hashing and comparing positions
    cheap. A two-deck game simply holds the same object twice.
    """

    __slots__ = ("color", "rank", "suit", "text")

    rank: Final[Rank]
    suit: Final[Suit]
    color: Final[Color]
    text: Final[str]

    def __init__(self, rank: Rank, suit: Suit) -> None:
        """Only this module makes cards; everybody else asks ``Card.parse`` or ``fresh_deck``."""
        self.rank = rank
        self.suit = suit
        self.color = suit.color
        self.text = rank.letter + suit.value

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card.parse({self.text!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        # Keeps the promise of one object per face across pickling (worker processes).
        return (Card.parse, (self.text,))

    @property
    def words(self) -> str:
        """The card as a person says it: ``seven of hearts``."""
        return f"{self.rank.word} of {self.suit.word}"

    @staticmethod
    def parse(text: str) -> Card:
        """Read ``TD``; raise ``ValueError`` with a sentence for anything else."""
        card = _FACES.get(text)
        if card is None:
            message = f"{text!r} is not a card: write a rank (A23456789TJQK) and a suit (CDHS)."
            raise ValueError(message)
        return card


_FACES: Final = {card.text: card for card in (Card(rank, suit) for suit in Suit for rank in Rank)}


def fresh_deck(decks: int) -> tuple[Card, ...]:
    """``decks`` decks on top of each other, each clubs, diamonds, hearts, spades from ace to king.

    The order is part of the deal algorithm (``shuffle``) and never changes.
    """
    return tuple(_FACES.values()) * decks
