"""Re-authentication: what proves, within a session, that the player is still the same.

Players use their password or a passkey. An account that needs two factors (`needs_two`: those with a role) uses the
password *and*, once it has one, a passkey or a code. Without a password, a session that has just begun takes its place
for players, and for roles the second factor stands alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from sqlalchemy import Connection

from app.db.engine import Database
from app.errors import ForbiddenError, MalformedError
from app.identity import repository as accounts_repository
from app.identity.accounts import Accounts
from app.identity.model import ClientInfo, LastSignInMethodError
from app.identity.passkeys import repository as passkeys_repository
from app.identity.passkeys.service import PasskeyService
from app.identity.second_factor import repository
from app.identity.second_factor.service import Authenticators
from app.identity.security_log import SecurityEvent, log_attempt
from app.text import gettext

NeedsTwo = Callable[[Connection, str], bool]
"""Whether a player, by id, must prove two factors."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The typed password or code, or the answer of an authenticator in the browser with this ``binding``."""

    password: str = field(default="", repr=False)
    code: str = field(default="", repr=False)
    passkey: str = field(default="", repr=False)
    binding: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class ConfirmationMethods:
    """How a player can confirm: the fields of the form."""

    password: bool
    passkey: bool
    code: bool
    needs_two: bool

    @property
    def has_second_factor(self) -> bool:
        """Whether there is anything besides the password."""
        return self.passkey or self.code


class Confirmations:
    """Checks that it is still the player."""

    def __init__(
        self,
        database: Database,
        accounts: Accounts,
        passkeys: PasskeyService,
        authenticators: Authenticators,
        needs_two: NeedsTwo,
    ) -> None:
        self._database = database
        self._accounts = accounts
        self._passkeys = passkeys
        self._authenticators = authenticators
        self._needs_two = needs_two

    async def methods_of(self, player_id: str) -> ConfirmationMethods:
        """How a player can confirm now."""

        def find(connection: Connection) -> ConfirmationMethods:
            account = accounts_repository.find_account_of(connection, player_id)
            needs_two = self._needs_two(connection, player_id)
            return ConfirmationMethods(
                password=account is not None and account.has_password,
                passkey=passkeys_repository.has_passkey(connection, player_id),
                # Other players have no use for it.
                code=needs_two and repository.is_set_up(connection, player_id),
                needs_two=needs_two,
            )

        return await self._database.read(find)

    async def check(self, player_id: str, proof: Proof, client: ClientInfo) -> ConfirmationMethods:
        """Check a proof; return the methods that there were.

        Raises ``ForbiddenError``, ``WrongPasswordError``, ``SignInAgainError``, ``WrongCodeError``,
        ``RateLimitedError``, ``PasskeyRefusedError``, ``CeremonyEndedError``,
        and ``MalformedError`` when something is missing.
        """
        with log_attempt(
            SecurityEvent.REAUTHENTICATION, player_id=player_id, address=client.address
        ):
            return await self._check(player_id, proof, client)

    async def _check(self, player_id: str, proof: Proof, client: ClientInfo) -> ConfirmationMethods:
        methods = await self.methods_of(player_id)
        if not methods.needs_two:
            if proof.passkey:
                await self._passkeys.confirm(player_id, proof.passkey, proof.binding)
            else:
                await self._check_password(player_id, proof, client)
            return methods
        if methods.password:
            await self._check_password(player_id, proof, client)
        elif not methods.has_second_factor:
            raise ForbiddenError(
                gettext(
                    "Your account has neither a password nor a second factor. Set a password in your account first."
                )
            )
        if methods.has_second_factor:
            await self._check_second_factor(player_id, proof, methods)
        return methods

    async def _check_password(self, player_id: str, proof: Proof, client: ClientInfo) -> None:
        await self._accounts.check_password(player_id, proof.password, client.address, client.token)

    async def _check_second_factor(
        self, player_id: str, proof: Proof, methods: ConfirmationMethods
    ) -> None:
        if proof.passkey:
            await self._passkeys.confirm(player_id, proof.passkey, proof.binding)
        elif proof.code and methods.code:
            await self._authenticators.check(player_id, proof.code)
        else:
            raise MalformedError(
                gettext("Type the code from your authenticator app, or use a passkey.")
                if methods.code
                else gettext("Use one of your passkeys to confirm that it's you.")
            )


def last_factor_guard(needs_two: NeedsTwo) -> Callable[[Connection, str], None]:
    """Refuses to remove the last passkey of an account that needs it as its second factor."""
    return partial(_keep_a_second_factor, needs_two=needs_two)


def _keep_a_second_factor(connection: Connection, player_id: str, needs_two: NeedsTwo) -> None:
    if needs_two(connection, player_id) and not repository.is_set_up(connection, player_id):
        raise LastSignInMethodError(
            gettext("Your role needs a second factor. Set up another one first.")
        )
