"""A player's passkeys: adding, using, renaming and removing them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.db.engine import Database
from app.errors import ConflictError, MalformedError, NotFoundError
from app.identity import repository as accounts_repository
from app.identity.model import (
    ClientInfo,
    LastSignInMethodError,
    NoAccountError,
    Player,
    SignedIn,
    SignInMethod,
)
from app.identity.passkeys import repository
from app.identity.passkeys.ceremonies import Ceremonies, Use
from app.identity.passkeys.model import (
    UNNAMED,
    Passkey,
    PasskeyKnownError,
    PasskeyRefusedError,
    Purpose,
)
from app.identity.security_log import SecurityEvent, log_attempt
from app.identity.session_start import SessionStarter
from app.identity.sessions import Sessions
from app.text import gettext, ngettext

MAX_PASSKEYS: Final = 20
MAX_LABEL_LENGTH: Final = 40
_USER_HANDLE_BYTES: Final = 32
_NOT_KNOWN: Final = gettext("We don't know this passkey. You may have removed it.")

Guard = Callable[[Connection, str], None]
"""Raises ``LastSignInMethodError`` when a player, by id, must not lose their last passkey."""


@dataclass(frozen=True, slots=True)
class Browser:
    """The browser of a ceremony: the value of its cookie, and its address."""

    binding: str
    address: str


class PasskeyService:
    """Adds passkeys to accounts, and signs in and re-authenticates with them."""

    def __init__(
        self,
        database: Database,
        sessions: Sessions,
        ceremonies: Ceremonies,
        starter: SessionStarter,
        *,
        guards: Sequence[Guard] = (),
        other_methods: Sequence[SignInMethod] = (),
    ) -> None:
        """Before a player's last passkey is removed, ``guards`` are asked, and ``other_methods`` besides a password."""
        self._database = database
        self._sessions = sessions
        self._ceremonies = ceremonies
        self._starter = starter
        self._guards = guards
        self._other_methods = other_methods

    # --- sign in

    async def begin_sign_in(self, browser: Browser) -> str:
        """Options for any passkey of this site, as JSON; raises ``RateLimitedError``."""
        return await self._ceremonies.start_authentication(
            Purpose.SIGN_IN, browser.binding, browser.address
        )

    async def sign_in(
        self,
        answer: str,
        binding: str,
        client: ClientInfo,
        guest: Player | None = None,
        *,
        keep_games: bool,
    ) -> SignedIn:
        """Sign in with a passkey. ``keep_games`` moves the games of the ``guest`` into the account.

        Raises ``CeremonyEndedError`` and ``PasskeyRefusedError``.
        """
        with log_attempt(
            SecurityEvent.SIGN_IN, address=client.address, method="passkey"
        ) as attempt:
            use = await self._ceremonies.finish_authentication(answer, Purpose.SIGN_IN, binding)
            player_id = attempt.player_id = use.passkey.player_id
            account = await self._database.read(
                partial(accounts_repository.find_account_of, player_id=player_id)
            )
            if account is None:
                raise PasskeyRefusedError(_NOT_KNOWN)

            def prove(connection: Connection) -> None:
                if accounts_repository.find_account_of(connection, player_id, lock=True) is None:
                    raise PasskeyRefusedError(_NOT_KNOWN)
                self._record(connection, use)

            return await self._starter.start(
                account, client, guest, keep_games=keep_games, prove=prove
            )

    # --- re-authentication

    async def begin_confirmation(self, player: Player, browser: Browser) -> str:
        """Options for the passkeys of a player, as JSON; raises ``NotFoundError`` and ``RateLimitedError``."""
        passkeys = await self.list_passkeys(player.id)
        if not passkeys:
            raise NotFoundError(gettext("You have no passkey yet."))
        return await self._ceremonies.start_authentication(
            Purpose.CONFIRM, browser.binding, browser.address, player.id, passkeys
        )

    async def confirm(self, player_id: str, answer: str, binding: str) -> None:
        """Check that the player has just used one of their passkeys.

        Raises ``CeremonyEndedError`` and ``PasskeyRefusedError``.
        """
        use = await self._ceremonies.finish_authentication(
            answer, Purpose.CONFIRM, binding, player_id
        )
        await self._database.write(partial(self._record, use=use))

    # --- a player's own list

    async def list_passkeys(self, player_id: str) -> list[Passkey]:
        """A player's passkeys, the oldest first."""
        return await self._database.read(partial(repository.list_passkeys, player_id=player_id))

    async def find(self, player_id: str, passkey_id: str) -> Passkey:
        """One of a player's passkeys by its public id; raises ``NotFoundError``."""
        for passkey in await self.list_passkeys(player_id):
            if passkey.id == passkey_id:
                return passkey
        raise NotFoundError(gettext("You have already removed this passkey, or it isn't yours."))

    def check_may_register(self, player: Player) -> None:
        """Raise ``NoAccountError`` for a guest and ``SuspendedError`` for a suspended player."""
        player.check_not_suspended()
        if not player.is_named:
            raise NoAccountError(gettext("Create an account first: a passkey signs you in to it."))

    async def begin_registration(self, player: Player, browser: Browser) -> str:
        """Options for a new passkey, as JSON. The caller has confirmed that it is the player.

        Raises ``NoAccountError``, ``SuspendedError``, ``ConflictError`` and ``RateLimitedError``.
        """
        self.check_may_register(player)
        present = await self.list_passkeys(player.id)
        _check_room(len(present))
        handle = present[0].user_handle if present else secrets.token_bytes(_USER_HANDLE_BYTES)
        return await self._ceremonies.start_registration(
            player, handle, present, browser.binding, browser.address
        )

    async def register(
        self, player: Player, answer: str, browser: Browser, label: str, device: str
    ) -> Passkey:
        """Add a passkey under a label, or else under the name of the device.

        Raises ``CeremonyEndedError``, ``PasskeyRefusedError``, ``PasskeyKnownError`` and what
        ``begin_registration`` raises.
        """
        with log_attempt(SecurityEvent.PASSKEY_ADDED, player_id=player.id, address=browser.address):
            player.check_not_suspended()
            made = await self._ceremonies.finish_registration(answer, player.id, browser.binding)
            passkey = made._replace(label=_clean(label) or _clean(device) or UNNAMED)

            def add(connection: Connection) -> None:
                if accounts_repository.find_account_of(connection, player.id, lock=True) is None:
                    raise NoAccountError(
                        gettext("Create an account first: a passkey signs you in to it.")
                    )
                _check_room(repository.count_passkeys(connection, player.id))
                repository.add_passkey(connection, passkey)

            try:
                await self._database.write(add)
            except IntegrityError as error:
                raise PasskeyKnownError(gettext("This passkey is already registered.")) from error
            return passkey

    async def rename(self, player_id: str, passkey_id: str, label: str) -> None:
        """Give a passkey another label; raises ``NotFoundError`` and ``MalformedError``."""
        shown = _clean(label)
        if not shown:
            raise MalformedError(
                gettext("A passkey needs a name, so that you can tell it from others.")
            )
        passkey = await self.find(player_id, passkey_id)
        await self._database.write(
            partial(repository.rename_passkey, credential_id=passkey.credential_id, label=shown)
        )

    async def revoke(self, player_id: str, passkey_id: str, address: str) -> None:
        """Remove a passkey, which no longer signs in. The caller has confirmed that it is the player.

        Raises ``NotFoundError`` and ``LastSignInMethodError``.
        """
        with log_attempt(SecurityEvent.PASSKEY_REMOVED, player_id=player_id, address=address):
            passkey = await self.find(player_id, passkey_id)

            def remove(connection: Connection) -> None:
                account = accounts_repository.find_account_of(connection, player_id, lock=True)
                if repository.count_passkeys(connection, player_id) == 1:
                    has_another = (account is not None and account.has_password) or any(
                        has_method(connection, player_id) for has_method in self._other_methods
                    )
                    if not has_another:
                        raise LastSignInMethodError(
                            gettext(
                                "This is the only way you can sign in. Add another passkey first."
                            )
                        )
                    for guard in self._guards:
                        guard(connection, player_id)
                repository.delete_passkey(connection, passkey.credential_id)

            await self._database.write(remove)

    def _record(self, connection: Connection, use: Use) -> None:
        if not repository.record_use(
            connection, use.passkey, use.sign_count, self._sessions.now_ms()
        ):
            raise PasskeyRefusedError(_NOT_KNOWN)


def _check_room(present: int) -> None:
    if present >= MAX_PASSKEYS:
        raise ConflictError(
            ngettext(
                "You have %(n)s passkey already. Remove one first.",
                "You have %(n)s passkeys already. Remove one first.",
                present,
            )
        )


def _clean(label: str) -> str:
    """A label without control characters."""
    shown = "".join(character if character.isprintable() else " " for character in label)
    return " ".join(shown.split())[:MAX_LABEL_LENGTH]
