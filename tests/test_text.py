"""Texts: English for everyone, and a recipe for other languages."""

import doctest
import json
import pickle
from collections.abc import Sequence
from datetime import date

import app.text
from app.text import (
    DateStyle,
    ListStyle,
    capital,
    date_text,
    decimal_text,
    gettext,
    in_english,
    listing,
    ngettext,
    npgettext,
    number_text,
    pgettext,
    sentences,
)


class Shouting:
    """A language in which everything is shouted, and each message shows its context."""

    def message(self, context: str, singular: str, plural: str, number: int) -> str:
        chosen = plural if plural and number != 1 else singular
        parts = chosen.split("%(")
        shouted = [part.upper() for part in parts[:1]]
        shouted += [
            f"%({name}){'s' if name else ''}{rest[1:].upper()}"
            for name, _, rest in (part.partition(")") for part in parts[1:])
        ]
        return (f"{context}:" if context else "") + "".join(shouted)

    def number(self, number: int) -> str:
        return f"#{number}"

    def decimal(self, number: float, places: int) -> str:
        return f"#{number:.{places}f}"

    def date(self, day: date, style: DateStyle) -> str:
        return f"{style} {day.isoformat()}"

    def listing(self, words: Sequence[str], style: ListStyle) -> str:
        return f" {style.upper()} ".join(words)


def test_the_examples_are_right():
    result = doctest.testmod(app.text)
    assert result.attempted >= 6
    assert result.failed == 0


def test_a_text_is_its_english_words_for_everyone_who_knows_no_language():
    text = ngettext("%(n)s card of %(name)s", "%(n)s cards of %(name)s", 1234, name="Ann")
    assert text == "1,234 cards of Ann"
    assert json.dumps(text) == '"1,234 cards of Ann"'
    assert hash(text) == hash("1,234 cards of Ann")


def test_parameters_are_put_into_the_language_too():
    card = pgettext("card", "seven of hearts")
    text = gettext("Only %(card)s fits, %(n)s times 100%%.", card=card, n=1234)
    assert text == "Only seven of hearts fits, 1,234 times 100%."
    assert text.in_language(Shouting()) == "ONLY card:SEVEN OF HEARTS FITS, #1234 TIMES 100%."


def test_singular_and_plural():
    one, two = (npgettext("left", "%(n)s deal", "%(n)s deals", n) for n in (1, 2))
    assert (one, two) == ("1 deal", "2 deals")
    assert two.in_language(Shouting()) == "left:#2 DEALS"
    assert ngettext("%(n)s deal", "%(n)s deals", 1).in_language(Shouting()) == "#1 DEAL"


def test_texts_of_texts():
    stock, waste = gettext("stock"), gettext("waste")
    assert listing([stock, waste, "x"], "or") == "stock, waste or x"
    assert listing([stock, waste, "x"], "or").in_language(Shouting()) == "STOCK OR WASTE OR x"
    assert listing([stock], "and") == "stock"
    assert capital(stock).in_language(Shouting()) == "STOCK"
    said = sentences(gettext("Won."), "", gettext("Again?"))
    assert said == "Won. Again?"
    assert said.in_language(Shouting()) == "WON.between two sentences: AGAIN?"
    assert number_text(1234).in_language(Shouting()) == "#1234"
    assert decimal_text(-1.25, 2).in_language(Shouting()) == "#\N{MINUS SIGN}1.25"
    assert in_english("Gone.", stock).in_language(Shouting()) == "STOCK"
    assert date_text(date(2026, 11, 1), "day_month") == "1 Nov"
    assert date_text(date(2026, 11, 1), "long").in_language(Shouting()) == "long 2026-11-01"


class Whispering(Shouting):
    """A language that writes numbers otherwise."""

    def number(self, number: int) -> str:
        return f"~{number}"


class Unsendable(Shouting):
    """A language that no process can send to another, as one with a catalog."""

    def __reduce__(self):
        raise pickle.PicklingError


def test_a_text_that_was_said_is_said_anew_in_another_language():
    card = gettext("%(n)s aces", n=2)
    text = sentences(capital(card), card)
    first, second = Shouting(), Whispering()
    said = [text.in_language(language) for language in (first, second, second, first)]
    loud, low = "#2 ACESbetween two sentences: #2 ACES", "~2 ACESbetween two sentences: ~2 ACES"
    assert said == [loud, low, low, loud]


def test_another_process_gets_the_recipe_too():
    parts = [capital(gettext("stock")), ngettext("%(n)s card", "%(n)s cards", 2), decimal_text(1.5)]
    text = sentences(*parts)
    text.in_language(Unsendable())
    copy = pickle.loads(pickle.dumps(text))
    assert copy == text
    assert copy.in_language(Shouting()) == text.in_language(Shouting())
