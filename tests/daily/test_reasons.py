"""Reasons are stored in English and read in the reader's language."""

from __future__ import annotations

import pytest

from app.admin.moderation.actions import REASON_TEXTS
from app.daily.reasons import reason_text
from app.daily.setting_aside import NOT_REPLAYED, TOO_LONG
from app.i18n.languages import find
from app.i18n.speaking import current_language, say
from app.i18n.wording import speak


@pytest.fixture
def german():
    before = current_language().info
    info = find("de")
    assert info is not None
    speak(info)
    yield
    speak(before)


@pytest.mark.usefixtures("german")
def test_each_reason_of_a_moderator_is_translated():
    for text in REASON_TEXTS.values():
        assert say(reason_text(str(text))) not in {"", str(text)}


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("stored", [TOO_LONG, NOT_REPLAYED])
def test_a_reason_with_a_number_is_translated(stored: str):
    said = say(reason_text(stored.format(actions="12,345")))
    assert "12.345" in said
    assert "Aktionen" in said


def test_any_other_reason_stays_as_it_was_stored():
    assert reason_text("100 % of it is unclear.") == "100 % of it is unclear."
    assert reason_text("The third action is not legal.") == "The third action is not legal."
    assert reason_text(None) == ""


@pytest.mark.parametrize("stored", [TOO_LONG, NOT_REPLAYED])
def test_in_english_nothing_changes(stored: str):
    assert reason_text(stored.format(actions="12,345")) == stored.format(actions="12,345")
