import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zxcvbn.frequency_lists import FREQUENCY_LISTS

from app.errors import MalformedError
from app.identity.password_rules import MIN_LENGTH, check_new_password, is_common

LONG_ENOUGH = [one for one in FREQUENCY_LISTS["passwords"] if len(one) >= MIN_LENGTH]


def refusal(password: str, name: str = "Anna") -> str:
    with pytest.raises(MalformedError) as refused:
        check_new_password(password, name)
    return refused.value.detail


@pytest.mark.parametrize(
    "password",
    [
        *("password2", "qwerty12", "iloveyou1", "letmein123", "trustno1", "changeme", "fairdeal1"),
        *("Passw0rd!", "P@SSWORD", "drowssap", "dragondragon", "monkey2024", "123456789a"),
        *("let me in!", "!!!sunshine", "1q2w3e4r5t", "aaaaaaaaaa", "abababababab", " 12345678 "),
    ],
)
def test_common_passwords_and_their_small_changes_are_refused(password):
    assert refusal(password) == "This password is too common. Please choose another."


@given(
    st.sampled_from(LONG_ENOUGH),
    st.sampled_from(["", "1", "123", "!", "2024"]),
    st.sampled_from([str.lower, str.upper, str.title, str.swapcase]),
)
def test_no_password_of_the_list_is_accepted(password, added, case):
    assert is_common(case(password))
    if password.isalpha():
        assert is_common(case(password) + added)


@pytest.mark.parametrize(
    "password",
    [
        *("seven ravens sleep", "caf\u00e9 au lait", "zebra-lamp", "correct horse", "gM7#tQ2vLp"),
        "seven ravens sleep " * 10,
        *(
            "planning the annual trip",
            "patience is a virtue",
            "monkeys paint walls",
            "1917-11-blue-42",
        ),
    ],
)
def test_other_passwords_are_accepted(password):
    check_new_password(password, "Ann")


@pytest.mark.parametrize(
    ("name", "password", "said"),
    [
        ("Annabella", "annabella", "can't be your name"),
        ("Zebulonia", "zebulonia2026!", "little more than your name"),
        ("Ольга", "ольга-1987", "little more than your name"),
        ("Anna", "xx Fair Deal 12", "little more than the name of this site"),
        ("Anna", "x" * 7, "at least 8 characters; this one has 7"),
        ("Anna", "xyz " * 60, "at most 200 characters"),
    ],
)
def test_passwords_that_can_be_guessed_from_the_player_are_refused(name, password, said):
    assert said in refusal(password, name)


def test_the_words_that_are_written_down_are_refused():
    text = (Path(__file__).parents[2] / "docs/security.md").read_text()
    listed = re.search(r"the 30,000 most common ones,\n(.+), and little more", text)
    assert listed
    words = re.findall(r'"([^"]+)"', listed[1])
    assert len(words) == 7
    for word in words:
        for password in (f"{word}1!", word.upper() + "99", f"{word}2026"):
            assert refusal(password)
