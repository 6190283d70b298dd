"""Filters of templates for names, titles and texts with addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from jinja2.utils import urlize
from markupsafe import Markup

from app.i18n.speaking import current_language, say

# In Germany these stand for the Nazi past.
_AVOIDED_INITIALS: Final = {"AH", "HH", "KZ", "NS", "SA", "SS"}

_VARIANT: Final = re.compile(r"[(（](.+)[)）]$")  # noqa: RUF001 - Japanese has wide ones


def initials(name: str) -> str:
    """The first letters of the first two words of a name: ``QH`` of ``Quiet Heron``; of some pairs only the first."""
    words = name.split()[:2]
    pair = "".join(word[0] for word in words).upper()
    return pair[0] if pair in _AVOIDED_INITIALS else pair


def names_in_words(names: Iterable[str]) -> Markup:
    """Players' names as a list in the reader's language: ``Anna, Ben and Cleo``. Each keeps its own direction."""
    return _listed(Markup("<bdi>{}</bdi>"), names)


def titles_in_words(titles: Sequence[str]) -> Markup:
    """Games' titles as a list."""
    return _listed(Markup("<i>{}</i>"), titles)


def variant(title: str) -> str:
    """What tells a game from the one its family is named after, in the reader's language.

    That is the part in parentheses: "Draw Three" of "Klondike (Draw Three)". A title without one stays whole.
    """
    said = say(title)
    found = _VARIANT.search(said)
    return found[1] if found else said


def _listed(mark: Markup, words: Iterable[str]) -> Markup:
    marked = [mark.format(word) for word in words]
    return Markup(current_language().listing(marked, "and"))  # noqa: S704 - escaped just above


def linked(text: str) -> Markup:
    """A text in the reader's language, in which web addresses are links that open in another tab."""
    said = urlize(say(text), rel="noopener noreferrer", target="_blank")
    return Markup(said)  # noqa: S704 - urlize escapes all else
