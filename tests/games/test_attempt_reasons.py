"""Reasons are stored in English and read in the reader's language; what isn't one of them stays as it was written."""

from __future__ import annotations

import pytest

from app.games import attempt_reasons
from app.games.attempt_reasons import attempt_reason
from app.i18n.languages import find
from app.i18n.speaking import current_language, say
from app.i18n.wording import speak
from app.identity.moderators_reasons import REASON_TEXTS, moderators_reason

STORED = {
    attempt_reasons.TOO_LONG.format(actions="12,345"): "12.345 Aktionen",
    attempt_reasons.NOT_REPLAYED.format(actions="12,345"): "12.345 Aktionen",
    attempt_reasons.OTHER_DAY: "an einem anderen Tag",
    attempt_reasons.EARLIER.format(number=2, action="t1-f1"): "Aktion 2 (t1-f1)",
    attempt_reasons.AFTER_THE_END.format(number=2, action="deal"): "Aktion 2 (deal)",
    attempt_reasons.NOT_POSSIBLE.format(
        number=2, action="f1-t1", why="You can't (ever) do that."
    ): "Aktion 2 (f1-t1)",
    attempt_reasons.RECORDED_AS_NOT_SOLVED.format(verdict="open"): "lösen",
    attempt_reasons.RECORDED_AS_SOLVED.format(verdict="solved"): "nicht",
    attempt_reasons.OTHER_SCORE.format(
        actions=20, seconds=60, real_actions=21, real_seconds=3821
    ): "21 Züge in 1:03:41",
}
ENGLISH = [
    "100 % of it is unclear.",
    "The third action is not legal.",
    "It was begun on another day. Or was it?",
    "It has many actions, too many to be replayed when the day closed. It can still be judged.",
    "Again: It was begun on another day.",
    # A text of the site, but no reason: a moderator wrote it.
    "Privacy",
]


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
        stored = "".join(text)
        assert say(attempt_reason(stored)) == say(moderators_reason(stored))
        assert say(attempt_reason(stored)) not in {"", stored}


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("stored", STORED)
def test_each_reason_of_a_replay_is_translated(stored: str):
    assert STORED[stored] in say(attempt_reason(stored))
    assert "Action" not in say(attempt_reason(stored))


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("stored", ENGLISH)
def test_any_other_reason_stays_as_it_was_stored(stored: str):
    assert say(attempt_reason(stored)) == stored
    assert say(moderators_reason(stored)) == stored


def test_without_a_reason_there_is_nothing_to_say():
    assert attempt_reason(None) == attempt_reason("") == moderators_reason(None) == ""


@pytest.mark.parametrize("stored", [*STORED, *ENGLISH])
def test_in_english_nothing_changes(stored: str):
    assert say(attempt_reason(stored)) == stored
