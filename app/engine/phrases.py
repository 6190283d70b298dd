"""Noun phrases that sentences are made of: kinds of pile, numbers, and how the cards of a build follow each other.

Each has a context that says where in a sentence it stands, because many languages change it there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal

from app.engine.vocabulary import Match, Zone
from app.text import ListStyle, Text, listing, number_text, pgettext

PilePlace = Literal["pile", "in a pile", "from a pile", "to a pile"]
"""Alone; after "in", where cards lie; after "from"; after "to", where they may go."""

ListedPlace = Literal["cards go to", "cards come from", "the top card of", "piles are empty"]
"""The beginning of a sentence in which several piles are listed."""

_PILES: Final[Mapping[tuple[PilePlace, Zone], Text]] = MappingProxyType(
    {
        ("pile", Zone.STOCK): pgettext("pile", "stock"),
        ("pile", Zone.WASTE): pgettext("pile", "waste"),
        ("pile", Zone.RESERVE): pgettext("pile", "reserve"),
        ("pile", Zone.CELL): pgettext("pile", "cell"),
        ("pile", Zone.FOUNDATION): pgettext("pile", "foundation"),
        ("pile", Zone.TABLEAU): pgettext("pile", "column"),
        ("in a pile", Zone.STOCK): pgettext("in a pile", "in the stock"),
        ("in a pile", Zone.WASTE): pgettext("in a pile", "in the waste"),
        ("in a pile", Zone.RESERVE): pgettext("in a pile", "in the reserve"),
        ("in a pile", Zone.CELL): pgettext("in a pile", "in the cells"),
        ("in a pile", Zone.FOUNDATION): pgettext("in a pile", "in the foundation"),
        ("in a pile", Zone.TABLEAU): pgettext("in a pile", "in the columns"),
        ("from a pile", Zone.STOCK): pgettext("from a pile", "from the stock"),
        ("from a pile", Zone.WASTE): pgettext("from a pile", "from the waste"),
        ("from a pile", Zone.RESERVE): pgettext("from a pile", "from the reserve"),
        ("from a pile", Zone.CELL): pgettext("from a pile", "from the cell"),
        ("from a pile", Zone.FOUNDATION): pgettext("from a pile", "from the foundation"),
        ("from a pile", Zone.TABLEAU): pgettext("from a pile", "from the columns"),
        ("to a pile", Zone.STOCK): pgettext("to a pile", "to the stock"),
        ("to a pile", Zone.WASTE): pgettext("to a pile", "to the waste"),
        ("to a pile", Zone.RESERVE): pgettext("to a pile", "to the reserve"),
        ("to a pile", Zone.CELL): pgettext("to a pile", "to the cell"),
        ("to a pile", Zone.FOUNDATION): pgettext("to a pile", "to the foundation"),
        ("to a pile", Zone.TABLEAU): pgettext("to a pile", "to the columns"),
    }
)
_LISTED: Final[Mapping[tuple[ListedPlace, Zone], Text]] = MappingProxyType(
    {
        ("cards go to", Zone.STOCK): pgettext("cards go to", "the stock"),
        ("cards go to", Zone.WASTE): pgettext("cards go to", "the waste"),
        ("cards go to", Zone.RESERVE): pgettext("cards go to", "the reserve"),
        ("cards go to", Zone.CELL): pgettext("cards go to", "the cell"),
        ("cards go to", Zone.FOUNDATION): pgettext("cards go to", "the foundations"),
        ("cards go to", Zone.TABLEAU): pgettext("cards go to", "the columns"),
        ("cards come from", Zone.STOCK): pgettext("cards come from", "the stock"),
        ("cards come from", Zone.WASTE): pgettext("cards come from", "the waste"),
        ("cards come from", Zone.RESERVE): pgettext("cards come from", "the reserve"),
        ("cards come from", Zone.CELL): pgettext("cards come from", "the cell"),
        ("cards come from", Zone.FOUNDATION): pgettext("cards come from", "the foundation"),
        ("cards come from", Zone.TABLEAU): pgettext("cards come from", "the columns"),
        ("the top card of", Zone.STOCK): pgettext("the top card of", "the stock"),
        ("the top card of", Zone.WASTE): pgettext("the top card of", "the waste"),
        ("the top card of", Zone.RESERVE): pgettext("the top card of", "the reserve"),
        ("the top card of", Zone.CELL): pgettext("the top card of", "the cell"),
        ("the top card of", Zone.FOUNDATION): pgettext("the top card of", "the foundation"),
        ("the top card of", Zone.TABLEAU): pgettext("the top card of", "a column"),
        ("piles are empty", Zone.STOCK): pgettext("piles are empty", "the stock"),
        ("piles are empty", Zone.WASTE): pgettext("piles are empty", "the waste"),
        ("piles are empty", Zone.RESERVE): pgettext("piles are empty", "the reserve"),
        ("piles are empty", Zone.CELL): pgettext("piles are empty", "the cell"),
        ("piles are empty", Zone.FOUNDATION): pgettext("piles are empty", "the foundation"),
        ("piles are empty", Zone.TABLEAU): pgettext("piles are empty", "the columns"),
    }
)
_NUMBERS: Final = (
    pgettext("number", "no"),
    pgettext("number", "one"),
    pgettext("number", "two"),
    pgettext("number", "three"),
    pgettext("number", "four"),
    pgettext("number", "five"),
    pgettext("number", "six"),
    pgettext("number", "seven"),
    pgettext("number", "eight"),
    pgettext("number", "nine"),
    pgettext("number", "ten"),
    pgettext("number", "eleven"),
    pgettext("number", "twelve"),
)
MOST_IN_WORDS: Final = len(_NUMBERS) - 1
_MATCHES: Final[Mapping[Match, Text]] = MappingProxyType(
    {
        Match.ANY: pgettext("how cards follow each other", "regardless of suit"),
        Match.ALTERNATE_COLOR: pgettext("how cards follow each other", "in alternating colors"),
        Match.SAME_COLOR: pgettext("how cards follow each other", "in one color"),
        Match.SAME_SUIT: pgettext("how cards follow each other", "in suit"),
    }
)


def pile_kind(zone: Zone, place: PilePlace = "pile") -> Text:
    """A kind of pile.

    >>> pile_kind(Zone.STOCK), pile_kind(Zone.STOCK, "from a pile")
    ('stock', 'from the stock')
    """
    return _PILES[place, zone]


def pile_kinds(zones: Collection[Zone], style: ListStyle, place: ListedPlace) -> Text:
    """Several kinds of pile; those of a set in the order of the layout.

    >>> pile_kinds((Zone.WASTE, Zone.STOCK), "or", "cards come from")
    'the waste or the stock'
    """
    ordered = zones if isinstance(zones, tuple) else [zone for zone in Zone if zone in zones]
    return listing((_LISTED[place, zone] for zone in ordered), style)


def match_clause(match: Match) -> Text:
    """``in alternating colors``, ``in one color``, ``in suit``, ``regardless of suit``."""
    return _MATCHES[match]


@lru_cache(maxsize=256)  # a search for games asks for any number
def count_word(count: int) -> Text:
    """Numbers up to twelve as words, larger ones as digits.

    A message gives it as ``word``, beside the number itself as ``n``: translations may say either.
    """
    return _NUMBERS[count] if count <= MOST_IN_WORDS else number_text(count)
