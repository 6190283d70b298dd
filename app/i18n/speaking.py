"""The language of the request that is being answered, and texts in it.

It is kept in a context variable, so that whatever is rendered for a request finds it: templates say each ``Text`` that
they print, and their own sentences, in this language. Nothing is loaded for English.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from datetime import date
from typing import Final, NamedTuple, Protocol

from markupsafe import Markup, escape

from app.text import (
    DateStyle,
    Language,
    ListStyle,
    Text,
    date_text,
    decimal_text,
    listing,
)


class LanguageInfo(NamedTuple):
    """A language: its tag in pages and addresses, the folder of its catalog, and its name for those who read it."""

    tag: str
    folder: str
    name: str
    is_right_to_left: bool = False


ENGLISH_INFO: Final = LanguageInfo("en", "en", "English")


class ReadersLanguage(Language, Protocol):
    """A language that the site speaks."""

    info: LanguageInfo

    def __hash__(self) -> int:
        """Languages are keys of what is kept for each of them."""


class English:
    """The language that texts are written in."""

    info = ENGLISH_INFO

    def message(self, context: str, singular: str, plural: str, number: int) -> str:
        del context
        return plural if plural and number != 1 else singular

    def number(self, number: int) -> str:
        return f"{number:,}"

    def decimal(self, number: float, places: int) -> str:
        return decimal_text(number, places)

    def date(self, day: date, style: DateStyle) -> str:
        return date_text(day, style)

    def listing(self, words: Sequence[str], style: ListStyle) -> str:
        return listing(words, style)


ENGLISH: Final = English()

_current: ContextVar[ReadersLanguage] = ContextVar("language", default=ENGLISH)


def current_language() -> ReadersLanguage:
    """The language of the request that is being answered; English outside of requests."""
    return _current.get()


def set_language(language: ReadersLanguage) -> None:
    """From now on, texts of this request are in this language."""
    _current.set(language)


_PLAIN: Final = frozenset({str, Markup, int})
"""Most of what a template prints: found sooner than it is known to be no ``Text``."""


def say(text: str) -> str:
    """A text in the reader's language; a string that is no ``Text`` stays as it is."""
    language = _current.get()
    if language is ENGLISH or type(text) in _PLAIN or not isinstance(text, Text):
        return text
    return text.in_language(language)


def say_as_markup(value: object) -> str:
    """Whatever a template prints, in the reader's language and escaped.

    Most of it has nothing to escape, and finding that out takes a quarter of the time of ``escape``.
    """
    if isinstance(value, Markup):
        return value
    if type(value) is int:
        return str(value)
    if not isinstance(value, str):
        return escape(value)
    text = value if type(value) is str else say(value)
    if "&" in text or "<" in text or ">" in text or '"' in text or "'" in text:
        return escape(text)
    return text
