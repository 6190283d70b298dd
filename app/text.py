"""Texts for people: English words that remember how they were made, so that they can be said in another language.

A part that has something to say returns a ``Text``. It is a ``str`` with the English words, and knows its message id
and parameters. Pages, problem documents and the command line put it into the reader's language (see ``app.i18n``);
whatever else handles it, such as a log, sees English. So nothing here knows a reader, a catalog or a setting.

The functions are named after gettext's, which is how the extraction finds their messages:

>>> gettext("Only %(card)s can go there.", card=pgettext("card", "seven of hearts"))
'Only seven of hearts can go there.'
>>> ngettext("%(n)s card", "%(n)s cards", 1234)
'1,234 cards'

Parameters may be texts themselves. Whole numbers get the separators of the language, so a year is passed as a ``str``.
A text that is put into an f-string or joined with ``+`` forgets how it was made: use a parameter, ``sentences`` or
``listing``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final, Literal, Protocol, TypeVarTuple

ListStyle = Literal["and", "or", "comma"]
DateStyle = Literal[
    "long",
    "medium",
    "full",
    "day_month",
    "day_long_month",
    "month",
    "short_month",
    "weekday",
    "weekday_short",
    "weekday_day",
]

_Given = TypeVarTuple("_Given")


class Language(Protocol):
    """What texts need to know of a language."""

    def message(self, context: str, singular: str, plural: str, number: int) -> str:
        """The translation of a message; ``plural`` is empty for one without a number, ``context`` for most."""

    def number(self, number: int) -> str:
        """A whole number with separators."""

    def decimal(self, number: float, places: int) -> str:
        """A number with ``places`` decimal places."""

    def date(self, day: date, style: DateStyle) -> str: ...

    def listing(self, words: Sequence[str], style: ListStyle) -> str:
        """Words as ``a``, ``a or b``, ``a, b and c``, or with commas only; at least one."""


class Text(str):
    """Words for people; equal to the English words, which is what it is for all who do not know a language."""

    __slots__ = ()

    def in_language(self, language: Language) -> str:
        """The words in another language."""
        raise NotImplementedError


_NEVER_SAID: Final = (None, "")


class _Recipe(Text):
    """A text that remembers what it said last: names of cards and piles are said again and again."""

    __slots__ = ("last_said",)
    last_said: tuple[Language | None, str]

    def in_language(self, language: Language) -> str:
        said_in, words = self.last_said
        if said_in is not language:
            words = self.put_into(language)
            self.last_said = language, words
        return words

    def put_into(self, language: Language) -> str:
        raise NotImplementedError

    def __reduce__(self) -> Any:  # noqa: ANN401 - as in object
        # Another process gets the recipe, too, and no language.
        slots: Sequence[str] = type(self).__slots__
        return _restore, (type(self), str(self), {slot: getattr(self, slot) for slot in slots})


def _restore(kind: type[_Recipe], english: str, state: Mapping[str, object]) -> Text:
    text = str.__new__(kind, english)
    text.last_said = _NEVER_SAID
    for name, value in state.items():
        setattr(text, name, value)
    return text


class _Message(_Recipe):
    """A message of the catalogs with its parameters."""

    __slots__ = ("context", "number", "plural", "singular", "values")
    context: str
    singular: str
    plural: str
    number: int
    values: Mapping[str, object]

    def put_into(self, language: Language) -> str:
        template = language.message(self.context, self.singular, self.plural, self.number)
        return template % {name: put(value, language) for name, value in self.values.items()}


def put(value: object, language: Language) -> object:
    """A parameter in a language: texts translated, whole numbers with separators, all else as it is."""
    if isinstance(value, Text):
        return value.in_language(language)
    return language.number(value) if type(value) is int else value


def _message(
    context: str, singular: str, plural: str, number: int, values: Mapping[str, object]
) -> Text:
    chosen = plural if plural and number != 1 else singular
    english = chosen % _in_english(values)
    text = str.__new__(_Message, english)
    text.context = context
    text.singular = singular
    text.plural = plural
    text.number = number
    text.values = values
    text.last_said = _NEVER_SAID
    return text


def _in_english(values: Mapping[str, object]) -> Mapping[str, object]:
    """Parameters as English prints them; most have no whole number, and every move makes some texts."""
    for value in values.values():
        if type(value) is int:
            return {
                name: f"{value:,}" if type(value) is int else value
                for name, value in values.items()
            }
    return values


def gettext(message: str, **values: object) -> Text:
    """A message with its parameters. A percent sign is written twice."""
    return _message("", message, "", 0, values)


def quoted(typed: str) -> str:
    """What somebody typed, in quotation marks and without what can't be printed."""
    return f"“{''.join(filter(str.isprintable, typed))}”"


def pgettext(context: str, message: str, **values: object) -> Text:
    """A message that may be translated differently elsewhere: ``context`` tells translators where it stands."""
    return _message(context, message, "", 0, values)


def ngettext(singular: str, plural: str, n: int, **values: object) -> Text:
    """A message about ``n`` things, which is a parameter as well."""
    return _message("", singular, plural, n, {"n": n, **values})


def npgettext(context: str, singular: str, plural: str, n: int, **values: object) -> Text:
    """Both: a number and a context."""
    return _message(context, singular, plural, n, {"n": n, **values})


def ngettext_noop(singular: str, plural: str) -> tuple[str, str]:
    """A message for a later ``ngettext``: named here, so that the extraction finds it."""
    return singular, plural


class _Made(_Recipe):
    """Words that a function makes in a language, of what it is given."""

    __slots__ = ("given", "words")
    words: Callable[..., str]
    given: tuple[object, ...]

    def put_into(self, language: Language) -> str:
        return self.words(language, *self.given)


def _made(english: str, words: Callable[[Language, *_Given], str], *given: *_Given) -> Text:
    # The function is one of this module, by whose name another process finds it.
    text = str.__new__(_Made, english)
    text.words = words
    text.given = given
    text.last_said = _NEVER_SAID
    return text


def _said(language: Language, text: str) -> str:
    return text.in_language(language) if isinstance(text, Text) else text


_GAP: Final = pgettext("between two sentences", " ")


def sentences(*texts: str) -> Text:
    """Several sentences, one after another; empty ones are left out.

    >>> sentences(gettext("You won."), "", gettext("Well played."))
    'You won. Well played.'
    """
    kept = tuple([text for text in texts if text])
    if len(kept) == 1 and isinstance(kept[0], Text):
        return kept[0]
    return _made(" ".join(kept), _joined, kept)


def _joined(language: Language, texts: tuple[str, ...]) -> str:
    return _GAP.in_language(language).join(_said(language, text) for text in texts)


def joined(separator: str, *texts: str) -> Text:
    """Texts with a sign or a line break between them that is the same in every language."""
    return _made(separator.join(texts), _joined_by, separator, texts)


def _joined_by(language: Language, separator: str, texts: tuple[str, ...]) -> str:
    return separator.join(_said(language, text) for text in texts)


def listing(texts: Iterable[str], style: ListStyle) -> Text:
    """A list in words: ``a``, ``a or b``, ``a, b or c``; at least one text.

    >>> listing(["stock", "waste", "reserve"], "or")
    'stock, waste or reserve'
    """
    kept = tuple(texts)
    *head, last = kept
    english = f"{', '.join(head)} {style} {last}" if head else last
    if style == "comma":
        english = ", ".join(kept)
    return _made(english, _listed, kept, style)


def _listed(language: Language, texts: tuple[str, ...], style: ListStyle) -> str:
    return language.listing([_said(language, text) for text in texts], style)


def capital(text: str) -> Text:
    """A text as the beginning of a sentence.

    >>> capital(pgettext("card", "seven of hearts"))
    'Seven of hearts'
    """
    return _made(_capital(text), _capital_in, text)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _capital_in(language: Language, text: str) -> str:
    return _capital(_said(language, text))


def in_english(english: str, text: str) -> Text:
    """A text that English says with other words, such as ones that were stored.

    >>> in_english("It was begun on another day.", gettext("It was started on another day."))
    'It was begun on another day.'
    """
    return _made(english, _said, text)


def after_colon(sentence: str) -> Text:
    """A sentence that follows a colon: English begins it with a small letter, translations stay as they are.

    >>> after_colon(gettext("It fits there."))
    'it fits there.'
    """
    return in_english(sentence[:1].lower() + sentence[1:], sentence)


_STOPS: Final = ".。"


def without_stop(sentence: str) -> Text:
    """A sentence without its full stop, for a list or the middle of another.

    >>> without_stop(gettext("Seven of hearts on the eight of clubs."))
    'Seven of hearts on the eight of clubs'
    """
    return _made(sentence.rstrip(_STOPS), _without_stop, sentence)


def _without_stop(language: Language, sentence: str) -> str:
    return _said(language, sentence).rstrip(_STOPS)


def sentence_of(error: Exception) -> str:
    """What an error says: still a ``Text`` if it was raised with one, which ``str(error)`` forgets.

    >>> type(sentence_of(ValueError(gettext("Choose a card.")))) is type(gettext(""))
    True
    """
    said = error.args[0] if error.args else None
    return said if isinstance(said, str) else str(error)


_ENGLISH_DATES: Final[Mapping[DateStyle, str]] = {
    "long": "{0.day} {0:%B %Y}",
    "medium": "{0.day} {0:%b %Y}",
    "full": "{0:%A}, {0.day} {0:%B %Y}",
    "day_month": "{0.day} {0:%b}",
    "day_long_month": "{0.day} {0:%B}",
    "month": "{0:%B %Y}",
    "short_month": "{0:%b %Y}",
    "weekday": "{0:%A}",
    "weekday_short": "{1:.2}",
    "weekday_day": "{0:%A}, {0.day} {0:%B}",
}


def date_text(day: date, style: DateStyle) -> Text:
    """A date in words.

    >>> date_text(date(2026, 11, 21), "long")
    '21 November 2026'
    """
    return _made(_ENGLISH_DATES[style].format(day, f"{day:%a}"), _date, day, style)


def _date(language: Language, day: date, style: DateStyle) -> str:
    return language.date(day, style)


def number_text(number: int) -> Text:
    """A whole number: ``1,234``."""
    return _made(f"{number:,}", _number, number)


def _number(language: Language, number: int) -> str:
    return language.number(number)


def decimal_text(number: float, places: int = 1) -> Text:
    """A number with ``places`` decimal places, and a true minus sign.

    >>> decimal_text(1234.56)
    '1,234.6'
    """
    return _made(_true_minus(f"{number:,.{places}f}"), _decimal, number, places)


def _decimal(language: Language, number: float, places: int) -> str:
    return _true_minus(language.decimal(number, places))


def _true_minus(number: str) -> str:
    return number.replace("-", "\N{MINUS SIGN}")


_SUFFIXES: Final = {1: "st", 2: "nd", 3: "rd"}


def ordinal(number: int) -> Text:
    """``1st``, ``2nd``, ``3rd``, ``11th``, ``1,022nd``."""
    is_teen = number // 10 % 10 == 1
    suffix = "th" if is_teen else _SUFFIXES.get(number % 10, "th")
    return _made(f"{number:,}{suffix}", _ordinal, number)


def _ordinal(language: Language, number: int) -> str:
    return pgettext("ordinal number", "%(n)s.", n=number).in_language(language)
