"""The limits, lifetimes, costs and words in docs/security.md are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.admin.auth.service import STEP_UP_MINUTES
from app.errors import AppError
from app.identity import accounts, password_rules, passwords
from app.identity.openid import service as openid
from app.identity.passkeys import ceremonies
from app.identity.recovery import service as recovery
from app.identity.repository import MAX_SESSIONS
from app.identity.second_factor import service as second_factor
from app.limits import Limits
from app.settings import Settings
from app.throttle import Limit

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs/security.md").read_text()


def section(title: str) -> str:
    """The text under a heading of the second level."""
    found = re.search(rf"^## {title}\n(.+?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found, title
    return " ".join(found[1].split())


def _attempts(limit: Limit, whose: str) -> str:
    return f"{limit.most} {whose} in {limit.minutes} minutes"


@pytest.mark.parametrize(
    "sentence",
    [
        f"{accounts.PER_NAME_AND_NETWORK.most} attempts for a name from a network and "
        + _attempts(accounts.PER_NETWORK, "from a network"),
        f"{accounts.PER_NAME.most} for a name in an hour",
        f"{accounts.PER_PLAYER.most} times in an hour from all networks",
        _attempts(ceremonies.STARTED_PER_NETWORK, "starts from a network"),
        f"{recovery.PER_NAME_AND_NETWORK.most} for a name from a network and "
        + _attempts(recovery.PER_NETWORK, "from a network"),
        _attempts(openid.PER_NETWORK, "from a network"),
        _attempts(second_factor.CODES_PER_PLAYER, "codes"),
        f"Passwords have {password_rules.MIN_LENGTH} to {password_rules.MAX_LENGTH} characters",
        f"(at least {password_rules.MIN_LENGTH_FOR_ROLES} where",
    ],
)
def test_the_limits_of_signing_in_are_those_of_the_code(sentence: str):
    assert accounts.PER_NAME.minutes == accounts.PER_PLAYER.minutes == 60
    assert sentence in section("Signing in")


def test_the_words_that_no_password_may_be_are_those_of_the_text():
    listed = re.search(r"most common ones, (.+?), and little more", section("Signing in"))
    assert listed
    words = re.findall(r'"([^"]+)"', listed[1])
    assert len(words) == 7
    for word in words:
        with pytest.raises(AppError):
            password_rules.check_new_password(word, "Anna")
    assert {word.replace(" ", "") for word in words} == set(password_rules._ALSO_COMMON)


def test_the_lifetimes_of_sessions_are_those_of_the_code():
    text, fields = section("Sessions"), Settings.model_fields
    assert f"ends {fields['session_days'].default} days after its last use" in text
    assert f"an account {fields['session_max_days'].default} days after it began" in text
    assert f"of the admin pages after {STEP_UP_MINUTES} minutes" in text
    assert f"at most {MAX_SESSIONS} sessions" in text


def test_what_costs_much_is_bounded_by_what_the_text_says():
    text = section("Limits and validation")
    assert f"two threads, {passwords._MAX_WAITING} waiting" in text
    assert passwords._THREADS == 2
    for name in re.findall(r"`FAIRDEAL_([A-Z_]+)`", text):
        assert name.lower() in Limits.model_fields | Settings.model_fields


def test_the_costs_of_hashing_are_those_of_the_code():
    text = section("Keys, secrets and algorithms")
    mebibytes, passes = passwords._MEMORY_KIB // 1024, passwords._PASSES
    assert f"Argon2id, {mebibytes} MiB, {passes} passes" in text
