"""Authenticator apps: setting one up, and checking its codes (TOTP, RFC 6238).

A code is good for its time step of 30 seconds and the ones before and after it, and only once.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import pyotp
from sqlalchemy import Connection

from app import throttle
from app.clock import MINUTE_MS, Clock
from app.db.engine import Database
from app.errors import ForbiddenError
from app.identity.model import Player, hash_token
from app.identity.second_factor import repository
from app.identity.second_factor.repository import Authenticator
from app.identity.second_factor.sealing import SecretSealer
from app.identity.security_log import SecurityEvent, log_attempt
from app.text import gettext
from app.throttle import Counter, Limit

STEP_MS: Final = 30_000
SET_UP_MINUTES: Final = 15
CODES_PER_PLAYER: Final = Limit("code of an authenticator app", 8, 15)  # a hash input
_STEPS_AROUND: Final = (0, -1, 1)  # clocks differ, and typing takes time
_CODE: Final = re.compile(r"[0-9]{6}")


class WrongCodeError(ForbiddenError):
    """The code is not one of the moment, or was used before."""

    code = "wrong_code"
    title = gettext("Wrong code")


class SetUpEndedError(ForbiddenError):
    """Setting up the authenticator app took too long, or began in another session."""

    code = "set_up_ended"
    title = gettext("Please start again")


@dataclass(frozen=True, slots=True)
class PendingSecret:
    """What an authenticator app needs: the secret, in base32, and the same as a link for a QR code."""

    secret: str = field(repr=False)
    link: str = field(repr=False)


class Authenticators:
    """Sets up authenticator apps and checks their codes."""

    def __init__(
        self, database: Database, sealer: SecretSealer, clock: Clock, issuer: str = "Fair Deal"
    ) -> None:
        """``issuer`` is the name under which apps list the account."""
        self._database = database
        self._sealer = sealer
        self._clock = clock
        self._issuer = issuer

    async def find(self, player_id: str) -> Authenticator | None:
        """The authenticator app of a player, which may be only about to be set up."""
        return await self._database.read(
            partial(repository.find_authenticator, player_id=player_id)
        )

    # --- setting up

    async def begin(self, player: Player, session: str) -> None:
        """Make a secret for a session of a player. The caller has confirmed that it is the player."""
        until_ms = self._clock() + SET_UP_MINUTES * MINUTE_MS
        stored = self._sealer.seal(pyotp.random_base32())
        await self._database.write(
            partial(
                repository.store_pending,
                player_id=player.id,
                secret=stored,
                session_hash=hash_token(session),
                until_ms=until_ms,
            )
        )

    async def find_pending(self, player: Player, session: str) -> PendingSecret | None:
        """The secret that is being set up in this session."""
        found = await self.find(player.id)
        stored = self._pending(found, session)
        return self._shown(player.name, self._sealer.unseal(stored)) if stored else None

    async def confirm(self, player: Player, session: str, code: str, address: str) -> None:
        """Finish with the first code, which is used up; raises ``SetUpEndedError`` and what ``check`` raises."""
        with log_attempt(SecurityEvent.AUTHENTICATOR_ADDED, player_id=player.id, address=address):
            found = await self._count_and_find(player.id)
            stored = self._pending(found, session)
            if stored is None:
                raise SetUpEndedError(gettext("Setting up took too long. Please start again."))
            step = self._step_of(self._sealer.unseal(stored), code)
            now_ms = self._clock()

            def confirm(connection: Connection) -> None:
                if (
                    self._pending(repository.find_authenticator(connection, player.id), session)
                    != stored
                ):
                    raise SetUpEndedError(gettext("You set up an app in another window."))
                repository.store_confirmed(connection, player.id, stored, now_ms, step)
                throttle.reset(connection, Counter(CODES_PER_PLAYER, (player.id,)))

            await self._database.write(confirm)

    async def replace(self, player: Player, step: Callable[[Connection], None]) -> PendingSecret:
        """Give a player a new secret at once, on the command line.

        ``step`` runs in the same transaction; if it raises, the old secret stays.
        """
        secret = pyotp.random_base32()
        stored, now_ms = self._sealer.seal(secret), self._clock()

        def replace(connection: Connection) -> None:
            repository.store_confirmed(connection, player.id, stored, now_ms)
            step(connection)

        await self._database.write(replace)
        return self._shown(player.name, secret)

    # --- codes

    async def check(self, player_id: str, code: str) -> None:
        """Check a code and use it up; raises ``WrongCodeError``, ``WrongKeyError`` and ``RateLimitedError``."""
        found = await self._count_and_find(player_id)
        if found is None or found.secret is None:
            raise WrongCodeError(gettext("You have no authenticator app yet."))
        stored = found.secret
        step = self._step_of(self._sealer.unseal(stored), code)

        def use(connection: Connection) -> bool:
            used = repository.record_step(connection, player_id, stored, step)
            if used:
                throttle.reset(connection, Counter(CODES_PER_PLAYER, (player_id,)))
            return used

        if not await self._database.write(use):
            raise WrongCodeError(gettext("This code was used before. Wait for the next one."))

    async def _count_and_find(self, player_id: str) -> Authenticator | None:
        """The player's authenticator app, after counting an attempt; raises ``RateLimitedError``."""
        attempts, now_ms = Counter(CODES_PER_PLAYER, (player_id,)), self._clock()

        def count_and_find(connection: Connection) -> tuple[int, Authenticator | None]:
            wait_ms = throttle.count_attempt(connection, [attempts], now_ms)
            return wait_ms, repository.find_authenticator(connection, player_id)

        wait_ms, found = await self._database.write(count_and_find)
        throttle.raise_if_limited(wait_ms, gettext("Too many codes were tried."))
        return found

    def _pending(self, found: Authenticator | None, session: str) -> str | None:
        if (
            found is None
            or found.pending_until_ms is None
            or found.pending_until_ms <= self._clock()
            or bytes(found.pending_session_hash or b"") != hash_token(session)
        ):
            return None
        return found.pending_secret

    def _step_of(self, secret: str, code: str) -> int:
        """The time step of a code; raises ``WrongCodeError``."""
        typed = "".join(code.split())
        now, totp = self._clock() // STEP_MS, pyotp.TOTP(secret)
        if _CODE.fullmatch(typed):
            for away in _STEPS_AROUND:
                if hmac.compare_digest(totp.generate_otp(now + away), typed):
                    return now + away
        raise WrongCodeError(
            gettext("Wrong code. Type the six digits that your authenticator app shows now.")
        )

    def _shown(self, name: str, secret: str) -> PendingSecret:
        return PendingSecret(
            secret, pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=self._issuer)
        )
