"""Cards and ranks in words, as whole phrases: many languages change them with their place in the sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, Literal

from app.engine.cards import Card, Color, Rank, fresh_deck
from app.text import Text, pgettext

Place = Literal["card", "the card does", "to do with the card", "on the card", "from the card"]
"""Where in a sentence: alone; as its subject; as its object; after "on", where it may go; after "from"."""

RankPlace = Literal["a card does", "starting with a card", "from the rank", "all cards of a rank"]
"""As the subject; after "start with"; after "from", where a foundation begins; all of its cards."""

_PHRASES: Final[Mapping[Place, str]] = MappingProxyType(
    {
        "card": "{}",
        "the card does": "the {}",
        "to do with the card": "the {}",
        "on the card": "on the {}",
        "from the card": "from the {}",
    }
)
_RANK_PHRASES: Final[Mapping[RankPlace, str]] = MappingProxyType(
    {
        "a card does": "{article} {rank}",
        "starting with a card": "{article} {rank}",
        "from the rank": "from the {rank}",
        "all cards of a rank": "{plural}",
    }
)


def all_phrases() -> Iterator[tuple[str, str]]:
    """The context and the words of every phrase."""
    for place, phrase in _PHRASES.items():
        for card in fresh_deck(1):
            yield place, phrase.format(_plain(card))
    for rank_place in _RANK_PHRASES:
        for rank in Rank:
            yield rank_place, _rank_words(rank, rank_place)
    for color in Color:
        for rank in Rank:
            yield "a card does", _colored_words(rank, color)


def card_name(card: Card, place: Place = "card") -> Text:
    """The card in words.

    >>> card_name(Card.parse("7H")), card_name(Card.parse("7H"), "on the card")
    ('seven of hearts', 'on the seven of hearts')
    """
    return _NAMES[place, card]


def rank_name(rank: Rank, place: RankPlace) -> Text:
    """A card of a rank in words.

    >>> rank_name(Rank.ACE, "a card does"), rank_name(Rank.SIX, "all cards of a rank")
    ('an ace', 'sixes')
    """
    return pgettext(place, _rank_words(rank, place))


def colored_rank(rank: Rank, color: Color) -> Text:
    """A card of a rank and a color, as the subject of a sentence: ``a black eight``."""
    return pgettext("a card does", _colored_words(rank, color))


def _plain(card: Card) -> str:
    return f"{card.rank.word} of {card.suit.word}"


def _rank_words(rank: Rank, place: RankPlace) -> str:
    article = "an" if rank in {Rank.ACE, Rank.EIGHT} else "a"
    plural = rank.word + ("es" if rank is Rank.SIX else "s")
    return _RANK_PHRASES[place].format(article=article, rank=rank.word, plural=plural)


def _colored_words(rank: Rank, color: Color) -> str:
    return f"a {color.value} {rank.word}"


_NAMES: Final = {
    (place, card): pgettext(place, phrase.format(_plain(card)))
    for place, phrase in _PHRASES.items()
    for card in fresh_deck(1)
}
