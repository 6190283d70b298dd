"""Cards in words, as whole phrases: many languages change the card's name with its place in the sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, Literal

from app.engine.cards import Card, fresh_deck
from app.text import Text, pgettext

Place = Literal["card", "the card does", "to do with the card", "on the card", "from the card"]
"""Where in a sentence: alone; as its subject; as its object; after "on", where it may go; after "from"."""

_PHRASES: Final[Mapping[Place, str]] = MappingProxyType(
    {
        "card": "{}",
        "the card does": "the {}",
        "to do with the card": "the {}",
        "on the card": "on the {}",
        "from the card": "from the {}",
    }
)


def all_phrases() -> Iterator[tuple[Place, str]]:
    """Every phrase with its place, which is the context of the message."""
    for place, phrase in _PHRASES.items():
        for card in fresh_deck(1):
            yield place, phrase.format(_plain(card))


def card_name(card: Card, place: Place = "card") -> Text:
    """The card in words.

    >>> card_name(Card.parse("7H")), card_name(Card.parse("7H"), "on the card")
    ('seven of hearts', 'on the seven of hearts')
    """
    return _NAMES[place, card]


def _plain(card: Card) -> str:
    return f"{card.rank.word} of {card.suit.word}"


_NAMES: Final = {
    (place, card): pgettext(place, phrase.format(_plain(card)))
    for place, phrase in _PHRASES.items()
    for card in fresh_deck(1)
}
