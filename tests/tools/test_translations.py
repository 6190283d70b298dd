"""What the checker of catalogs accepts and refuses."""

from typing import Final

import pytest
from babel.messages.catalog import Catalog

from tools.translations import wrong

ONE: Final = "%(word)s card %(in_pile)s"
MANY: Final = "%(word)s cards %(in_pile)s"


@pytest.mark.parametrize(
    "forms",
    [
        ("%(word)s Karte %(in_pile)s", "%(word)s Karten %(in_pile)s"),
        ("%(n)s Karte %(in_pile)s", "%(n)s Karten %(in_pile)s"),
        ("eine Karte %(in_pile)s", "%(n)s Karten %(in_pile)s"),
    ],
)
def test_a_number_may_be_said_as_a_word_as_digits_or_not_at_all(forms: tuple[str, str]):
    assert list(wrong(catalog((ONE, MANY), forms))) == []


@pytest.mark.parametrize(
    "form",
    [
        "%(word)s Karten",  # a parameter is missing
        "%(word)s Karten %(in_pile)s %(place)s",  # there is no such parameter
        "%(word)s Karten %(in_pile)d",  # it is written in another way
        "100 % Karten %(in_pile)s",  # a percent sign that is not written twice
    ],
)
def test_other_parameters_than_those_of_the_message_are_wrong(form: str):
    (fault,) = wrong(catalog((ONE, MANY), ("%(word)s Karte %(in_pile)s", form)))
    assert repr(form) in fault


def test_without_a_plural_each_parameter_is_needed():
    assert list(wrong(catalog("%(word)s of %(n)s", "%(n)s: %(word)s"))) == []
    (fault,) = wrong(catalog("%(word)s cards", "%(n)s Karten"))
    assert "parameters" in fault


def test_the_markup_stays_the_same():
    assert list(wrong(catalog("<b>Now</b>", "<b>Jetzt</b>"))) == []
    (fault,) = wrong(catalog("<b>Now</b>", "Jetzt"))
    assert "markup" in fault


def catalog(message: str | tuple[str, str], translation: str | tuple[str, str]) -> Catalog:
    made = Catalog(locale="de")
    made.add(message, translation)
    return made
