"""Codes of authenticator apps, at the services, with a clock that the tests set."""

from __future__ import annotations

import base64
import hashlib
import re

import pyotp
import pytest
from cryptography.fernet import Fernet
from sqlalchemy import select

from app.db.schema import authenticators
from app.errors import RateLimitedError
from app.identity.model import Player
from app.identity.second_factor.sealing import SecretSealer, WrongKeyError
from app.identity.second_factor.service import (
    CODES_PER_PLAYER,
    SET_UP_MINUTES,
    STEP_MS,
    Authenticators,
    SetUpEndedError,
    WrongCodeError,
)
from tests.support.serving import welcome

pytestmark = pytest.mark.anyio

ANNA = Player("anna", "Anna", is_named=True)
HERE = "198.51.100.7"


class Phone:
    """The authenticator app of Anna, the site's side of it, and a clock for both."""

    def __init__(self, database, key=""):
        self.now_ms = 1_800_000_000_000
        self.secret = ""
        self.apps = Authenticators(database, SecretSealer(key), lambda: self.now_ms)

    async def set_up(self, session="session"):
        await self.apps.begin(ANNA, session)
        await self.scan(session)
        await self.apps.confirm(ANNA, session, self.code(), HERE)
        self.now_ms += STEP_MS

    async def scan(self, session="session"):
        pending = await self.apps.find_pending(ANNA, session)
        assert pending is not None
        self.secret = pending.secret
        return pending

    def code(self, steps=0):
        return pyotp.TOTP(self.secret).generate_otp(self.now_ms // STEP_MS + steps)


@pytest.fixture
def phone(database):
    welcome(database, "anna")
    return Phone(database)


async def test_a_code_counts_once(phone):
    await phone.set_up()
    await phone.apps.check("anna", phone.code())
    with pytest.raises(WrongCodeError, match="used before"):
        await phone.apps.check("anna", phone.code())
    phone.now_ms += STEP_MS
    await phone.apps.check("anna", phone.code())


async def test_an_older_code_does_not_follow_a_newer_one(phone):
    await phone.set_up()
    await phone.apps.check("anna", phone.code())
    with pytest.raises(WrongCodeError):
        await phone.apps.check("anna", phone.code(-1))


async def test_the_code_that_finished_the_set_up_is_used_up(phone):
    await phone.apps.begin(ANNA, "session")
    await phone.scan()
    await phone.apps.confirm(ANNA, "session", phone.code(), HERE)
    with pytest.raises(WrongCodeError, match="used before"):
        await phone.apps.check("anna", phone.code())


@pytest.mark.parametrize("steps", [-1, 0, 1])
async def test_a_clock_may_be_a_step_away(phone, steps):
    await phone.set_up()
    phone.now_ms += 5 * STEP_MS
    await phone.apps.check("anna", phone.code(steps))


@pytest.mark.parametrize("steps", [-2, 2])
async def test_a_clock_may_not_be_two_steps_away(phone, steps):
    await phone.set_up()
    phone.now_ms += 5 * STEP_MS
    with pytest.raises(WrongCodeError):
        await phone.apps.check("anna", phone.code(steps))


async def test_codes_are_typed_as_they_are_shown(phone):
    await phone.set_up()
    code = phone.code()
    await phone.apps.check("anna", f" {code[:3]} {code[3:]} ")


@pytest.mark.parametrize(
    "typed", ["", "12345", "1234567", "abcdef", "\u0661\u0662\u0663\u0664\u0665\u0666", "\ud800"]
)
async def test_what_is_no_code_is_refused(phone, typed):
    await phone.set_up()
    with pytest.raises(WrongCodeError):
        await phone.apps.check("anna", typed)


async def test_attempts_are_limited_whoever_makes_them(phone):
    await phone.set_up()
    for _ in range(CODES_PER_PLAYER.most):
        with pytest.raises(WrongCodeError):
            await phone.apps.check("anna", "no code")
    with pytest.raises(RateLimitedError):
        await phone.apps.check("anna", phone.code())
    phone.now_ms += CODES_PER_PLAYER.minutes * 60_000
    await phone.apps.check("anna", phone.code())


async def test_without_an_app_no_code_counts(phone):
    with pytest.raises(WrongCodeError):
        await phone.apps.check("anna", "000000")


async def test_a_secret_counts_only_after_its_first_code(phone):
    await phone.apps.begin(ANNA, "session")
    await phone.scan()
    with pytest.raises(WrongCodeError):
        await phone.apps.check("anna", phone.code())
    with pytest.raises(WrongCodeError):
        await phone.apps.confirm(ANNA, "session", "000000", HERE)
    await phone.apps.confirm(ANNA, "session", phone.code(), HERE)


async def test_setting_up_belongs_to_a_session_and_ends(phone):
    await phone.apps.begin(ANNA, "session")
    await phone.scan()
    assert await phone.apps.find_pending(ANNA, "another") is None
    with pytest.raises(SetUpEndedError):
        await phone.apps.confirm(ANNA, "another", phone.code(), HERE)
    phone.now_ms += SET_UP_MINUTES * 60_000
    assert await phone.apps.find_pending(ANNA, "session") is None
    with pytest.raises(SetUpEndedError):
        await phone.apps.confirm(ANNA, "session", phone.code(), HERE)


async def test_the_old_app_works_until_the_new_one_does(phone):
    await phone.set_up()
    old = phone.secret
    await phone.apps.begin(ANNA, "session")
    await phone.apps.check("anna", phone.code())
    await phone.scan()
    assert phone.secret != old
    await phone.apps.confirm(ANNA, "session", phone.code(), HERE)
    phone.now_ms += STEP_MS
    with pytest.raises(WrongCodeError):
        await phone.apps.check("anna", pyotp.TOTP(old).generate_otp(phone.now_ms // STEP_MS))
    await phone.apps.check("anna", phone.code())


async def test_the_link_for_the_app_names_the_site_and_the_player(phone):
    await phone.apps.begin(ANNA, "session")
    pending = await phone.scan()
    assert (
        pending.link
        == f"otpauth://totp/Fair%20Deal:Anna?secret={pending.secret}&issuer=Fair%20Deal"
    )
    assert re.fullmatch(r"[A-Z2-7]{32}", pending.secret)
    assert pending.secret not in repr(pending)


async def test_with_a_key_the_secret_is_not_in_the_database(database):
    welcome(database, "anna")
    phone = Phone(database, key="correct horse battery staple")
    await phone.set_up()
    stored = await database.read(
        lambda connection: connection.execute(select(authenticators)).one()._asdict()
    )
    assert stored["secret"].startswith("aes-gcm:")
    assert phone.secret not in repr(stored)
    await phone.apps.check("anna", phone.code())
    phone.now_ms += STEP_MS
    for key in ("another", ""):
        other = Phone(database, key)
        other.now_ms = phone.now_ms
        with pytest.raises(WrongKeyError):
            await other.apps.check("anna", phone.code())


async def test_secrets_of_before_the_key_still_work(database):
    welcome(database, "anna")
    phone = Phone(database)
    await phone.set_up()
    phone.apps = Authenticators(database, SecretSealer("a key"), lambda: phone.now_ms)
    await phone.apps.check("anna", phone.code())


def test_a_sealed_secret_that_was_changed_is_refused():
    sealer = SecretSealer("a key")
    stored = sealer.seal("JBSWY3DPEHPK3PXP")
    assert sealer.unseal(stored) == "JBSWY3DPEHPK3PXP"
    assert sealer.seal("JBSWY3DPEHPK3PXP") != stored  # each time with a nonce of its own
    scheme, _, text = stored.partition(":")
    sealed = base64.urlsafe_b64decode(text)
    for place in range(len(sealed)):
        forged = bytearray(sealed)
        forged[place] ^= 1
        with pytest.raises(WrongKeyError):
            sealer.unseal(f"{scheme}:{base64.urlsafe_b64encode(forged).decode()}")
    for damaged in (f"{scheme}:", stored[:20], "x", f"{scheme}:{text[:8]}", "fernet:x"):
        with pytest.raises(WrongKeyError):
            sealer.unseal(damaged)


def test_secrets_sealed_as_before_are_still_read():
    digest = hashlib.sha256(b"fairdeal authenticator secrets\0a key").digest()
    before = Fernet(base64.urlsafe_b64encode(digest)).encrypt(b"JBSWY3DPEHPK3PXP").decode()
    assert SecretSealer("a key").unseal(f"fernet:{before}") == "JBSWY3DPEHPK3PXP"
    with pytest.raises(WrongKeyError):
        SecretSealer("another").unseal(f"fernet:{before}")
