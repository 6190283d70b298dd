"""Languages other than English: their messages from catalogs, their dates, numbers and lists from the Unicode CLDR."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cache, lru_cache
from gettext import GNUTranslations
from typing import Final, Literal

from babel import Locale
from babel.dates import format_date, format_skeleton
from babel.lists import format_list
from babel.numbers import format_decimal

from app.i18n.languages import DECLARED, PSEUDO_INFO, catalog_of
from app.i18n.speaking import ENGLISH, English, LanguageInfo, ReadersLanguage, set_language
from app.text import DateStyle, ListStyle

_SKELETONS: Final[dict[DateStyle, str]] = {
    "day_month": "MMMd",
    "day_long_month": "MMMMd",
    "month": "yMMMM",
    "short_month": "yMMM",
    "weekday": "EEEE",
    "weekday_day": "MMMMEEEEd",
}
_LISTS: Final[dict[ListStyle, Literal["standard", "or", "unit"]]] = {
    "and": "standard",
    "or": "or",
    "comma": "unit",
}
_SHORT_WEEKDAY: Final = "EEEEEE"


_KEPT: Final = 1 << 12
"""Of each language; a table says some hundred messages and numbers again after every move."""


class CatalogLanguage:
    """A language with a catalog; dates, numbers and lists follow the Unicode CLDR."""

    def __init__(self, info: LanguageInfo, catalog: GNUTranslations) -> None:
        self.info = info
        self.message = lru_cache(_KEPT)(self._message)
        self.number = lru_cache(_KEPT)(self._number)
        self._listing = lru_cache(_KEPT)(self._join)
        self._catalog = catalog
        self._locale = Locale.parse(info.folder)

    def _message(self, context: str, singular: str, plural: str, number: int) -> str:
        if plural:
            if context:
                return self._catalog.npgettext(context, singular, plural, number)
            return self._catalog.ngettext(singular, plural, number)
        if context:
            return self._catalog.pgettext(context, singular)
        return self._catalog.gettext(singular)

    def _number(self, number: int) -> str:
        return format_decimal(number, locale=self._locale)

    def decimal(self, number: float, places: int) -> str:
        return format_decimal(number, f"#,##0.{'0' * places}", self._locale)

    def date(self, day: date, style: DateStyle) -> str:
        if skeleton := _SKELETONS.get(style):
            return format_skeleton(skeleton, day, locale=self._locale)
        pattern = _SHORT_WEEKDAY if style == "weekday_short" else style
        return format_date(day, pattern, self._locale)

    def listing(self, words: Sequence[str], style: ListStyle) -> str:
        # Plain words: a key that equals another one must not bring markup back.
        return self._listing(tuple(map(str, words)), style)

    def _join(self, words: tuple[str, ...], style: ListStyle) -> str:
        return format_list(words, _LISTS[style], self._locale)


_FIXED: Final = re.compile(r"(%\(\w+\)s|%%|<[^>]*>|&\w+;)")
_ACCENTS: Final = str.maketrans("aeiouyncAEIOUYNC", "áéíóúýñçÁÉÍÓÚÝÑÇ")
_LONGER: Final = 0.4
_WORD: Final = 8


def _padding(length: int) -> str:
    """As many letters, in words that a line can be broken between."""
    return " ".join("~" * min(_WORD, length - done) for done in range(0, length, _WORD))


class PseudoEnglish(English):
    """English that shows what is not translated, and what is too narrow for longer languages: ``[Únðó~~]``."""

    info = PSEUDO_INFO

    def message(self, context: str, singular: str, plural: str, number: int) -> str:
        text = super().message(context, singular, plural, number)
        if not text.strip():
            return text
        parts = _FIXED.split(text)
        parts[::2] = [part.translate(_ACCENTS) for part in parts[::2]]
        length = sum(map(len, parts[::2]))
        return f"[{''.join(parts)}{_padding(int(length * _LONGER))}]"

    def date(self, day: date, style: DateStyle) -> str:
        return f"[{super().date(day, style)}]"


@cache
def language_of(info: LanguageInfo) -> ReadersLanguage:
    """The language with its catalog, loaded once; English if the catalog is not compiled."""
    if info is PSEUDO_INFO:
        return PseudoEnglish()
    catalog = catalog_of(info) if info in DECLARED else None
    return CatalogLanguage(info, catalog) if catalog else ENGLISH


def speak(info: LanguageInfo) -> None:
    """From now on, texts of this request are in this language."""
    set_language(language_of(info))
