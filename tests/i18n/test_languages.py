"""Which language a reader gets, and how texts are put into it."""

from __future__ import annotations

import io
from datetime import date
from gettext import GNUTranslations

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from app.i18n import languages
from app.i18n.languages import DECLARED, PSEUDO_INFO, negotiate
from app.i18n.speaking import LanguageInfo
from app.i18n.wording import CatalogLanguage, PseudoEnglish
from app.text import date_text, decimal_text, gettext, listing, ngettext, pgettext


@pytest.fixture
def all_offered(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(languages, "offered", lambda: DECLARED)
    _forget()
    yield
    _forget()


def _forget() -> None:
    languages.find.cache_clear()
    negotiate.cache_clear()


@pytest.mark.usefixtures("all_offered")
@pytest.mark.parametrize(
    ("header", "tag"),
    [
        ("de", "de"),
        ("de-CH,de;q=0.9", "de"),
        ("pt-PT", "pt-BR"),
        ("PT-br", "pt-BR"),
        ("nl, fr;q=0.5, de;q=0.8", "de"),
        ("fr;q=0, pl;q=0.1", "pl"),
        ("en, de;q=0.9", "en"),
        ("nl", None),
        ("*", None),
        ("", None),
        ("de;q=much", None),
        (",;q=,;;" * 500, None),
    ],
)
def test_a_header_gets_the_language_it_prefers(header: str, tag: str | None):
    info = negotiate(header)
    assert (info and info.tag) == tag


def test_only_languages_with_a_complete_catalog_are_offered():
    offered = languages.offered()
    assert offered[0].tag == "en"
    assert PSEUDO_INFO not in offered
    assert all(languages.catalog_of(info) for info in offered[1:])


def language(folder: str, *messages: tuple[object, ...]) -> CatalogLanguage:
    """A language of a few messages: id or (singular, plural), translation or forms, and context."""
    catalog = Catalog(locale=folder)
    for message, translation, *context in messages:
        catalog.add(message, translation, context=context[0] if context else None)  # type: ignore[arg-type]
    written = io.BytesIO()
    write_mo(written, catalog)
    written.seek(0)
    return CatalogLanguage(LanguageInfo(folder, folder, folder), GNUTranslations(written))


def test_texts_are_said_in_the_words_of_a_catalog():
    german = language(
        "de",
        ("Only %(card)s can go there.", "Dorthin kann nur %(card)s."),
        ("seven of hearts", "Herz-Sieben", "card"),
        ("seven of hearts", "auf die Herz-Sieben", "on the card"),
    )
    card = pgettext("card", "seven of hearts")
    text = gettext("Only %(card)s can go there.", card=card)
    assert text.in_language(german) == "Dorthin kann nur Herz-Sieben."
    place = pgettext("on the card", "seven of hearts")
    assert place.in_language(german) == "auf die Herz-Sieben"
    assert gettext("Not translated.").in_language(german) == "Not translated."


@pytest.mark.parametrize(
    ("count", "said"), [(1, "1 karta"), (3, "3 karty"), (5, "5 kart"), (22, "22 karty")]
)
def test_plurals_follow_the_rules_of_the_language(count: int, said: str):
    polish = language(
        "pl", (("%(n)s card", "%(n)s cards"), ("%(n)s karta", "%(n)s karty", "%(n)s kart"))
    )
    assert ngettext("%(n)s card", "%(n)s cards", count).in_language(polish) == said


def test_numbers_dates_and_lists_follow_the_language():
    german = language("de")
    assert ngettext("%(n)s card", "%(n)s cards", 12345).in_language(german) == "12.345 cards"
    assert decimal_text(-1234.56).in_language(german) == "\N{MINUS SIGN}1.234,6"
    assert decimal_text(1234.0, 0).in_language(german) == "1.234"
    assert date_text(date(2026, 11, 3), "long").in_language(german) == "3. November 2026"
    assert date_text(date(2026, 11, 3), "month").in_language(german) == "November 2026"
    assert listing(["A", "B", "C"], "or").in_language(german) == "A, B oder C"
    assert listing(["A", "B"], "and").in_language(language("ja")) == "A、B"


def test_pseudo_english_keeps_places_and_markup():
    said = PseudoEnglish().message("", "%(n)s of 100%% <b>won</b>", "", 0)
    assert said.startswith("[%(n)s óf 100%% <b>wóñ</b>")
    assert said % {"n": 3} != said
