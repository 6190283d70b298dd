"""Accounts: create one, sign in, and confirm a password."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app import throttle
from app.db.engine import Database
from app.db.ids import new_id
from app.errors import AppError, ForbiddenError
from app.identity import account_merge, repository
from app.identity.account_merge import NO_CALLBACKS, AccountCallbacks
from app.identity.model import (
    NO_PASSWORD,
    Account,
    ClientInfo,
    HasAccountError,
    NoAccountError,
    Player,
    SignedIn,
    WrongPasswordError,
    hash_token,
    new_token,
)
from app.identity.name_keys import NameKeys, name_key
from app.identity.names import check_available, check_claimable, parse_name, write_name
from app.identity.password_rules import MIN_LENGTH, MIN_LENGTH_FOR_ROLES, check_new_password
from app.identity.passwords import Passwords
from app.identity.security_log import LoggedAttempt, SecurityEvent, log_attempt, log_security_event
from app.identity.session_start import SessionStarter
from app.identity.sessions import Sessions
from app.networks import network_of
from app.text import gettext
from app.throttle import Counter, Limit

# The kinds are hash inputs.
PER_NAME_AND_NETWORK: Final = Limit("login of a name from a place", 8, 15)
PER_NETWORK: Final = Limit("login from a place", 60, 15)
PER_NAME: Final = Limit("login of a name", 60, 60)
PER_PLAYER: Final = Limit("confirmation of a password", 20, 60)
ACCOUNTS_PER_NETWORK: Final = Limit("claim from a place", 30, 60)
_KNOWN_NETWORK: Final = "has logged in from a place"

_MAX_TYPED_NAME: Final = 200
_TOO_MANY_ATTEMPTS: Final = gettext("Too many attempts.")
_WRONG: Final = gettext("Wrong name or password.")


def _no_step(_connection: Connection, _player_id: str) -> None:
    """Do nothing besides creating the account."""


def _no_role(_connection: Connection, _player_id: str) -> bool:
    return False


class Accounts:
    """Creates accounts and signs players in."""

    def __init__(
        self,
        database: Database,
        sessions: Sessions,
        passwords: Passwords,
        callbacks: AccountCallbacks = NO_CALLBACKS,
        *,
        known_days: int = 30,
        has_role: Callable[[Connection, str], bool] = _no_role,
    ) -> None:
        """Networks that a player has signed in from are remembered for ``known_days``.

        ``has_role`` says whose new passwords must be longer, by the player's id.
        """
        self._has_role = has_role
        self._known_network = Limit(_KNOWN_NETWORK, 1, known_days * 24 * 60)
        self._database = database
        self._sessions = sessions
        self._passwords = passwords
        self._callbacks = callbacks
        self._starter = SessionStarter(database, sessions, callbacks)

    async def account_faults(
        self, guest: Player | None, name: str, password: str, client: ClientInfo
    ) -> dict[str, AppError]:
        """Every fault of a name and of the password for an account, by field."""
        faults: dict[str, AppError] = {}
        try:
            name, _ = await self._check_name(name)
        except AppError as error:
            faults["name"] = error
        try:
            check_new_password(password, name)
        except AppError as error:
            faults["password"] = error
        if faults:
            log_security_event(
                SecurityEvent.ACCOUNT,
                "failure",
                player_id=guest.id if guest else None,
                address=client.address,
                reason=next(iter(faults.values())).code,
            )
        return faults

    async def create_account(
        self,
        guest: Player | None,
        name: str,
        password: str | None,
        client: ClientInfo,
        *,
        min_length: int = MIN_LENGTH,
        step: Callable[[Connection, str], None] = _no_step,
    ) -> SignedIn:
        """Turn a guest, or a new visitor, into a player with a claimed name. The guest keeps everything.

        ``step`` runs in the same transaction, with the player's id: without a ``password`` it stores another way to
        sign in.

        Raises ``MalformedError``, ``NameTakenError``, ``HasAccountError``, ``SuspendedError`` and
        ``RateLimitedError``.
        """
        with log_attempt(
            SecurityEvent.ACCOUNT, player_id=guest.id if guest else None, address=client.address
        ) as attempt:
            signed_in = await self._claim(
                guest, name, password, client, step, min_length=min_length
            )
            attempt.player_id = signed_in.player.id
            return signed_in

    async def _claim(
        self,
        guest: Player | None,
        name: str,
        password: str | None,
        client: ClientInfo,
        step: Callable[[Connection, str], None],
        *,
        min_length: int,
    ) -> SignedIn:
        if guest:
            guest.check_not_suspended()
        if guest and guest.is_named:
            raise HasAccountError(
                gettext("You are already signed in as %(name)s.", name=guest.name)
            )
        shown, keys = await self._check_name(name)
        if password is not None:
            check_new_password(password, shown, min_length)
        token, now_ms = new_token(), self._sessions.now_ms()
        created = Counter(ACCOUNTS_PER_NETWORK, (network_of(client.address),))
        await throttle.count_or_raise(
            self._database,
            created,
            now_ms,
            gettext("Too many accounts were created from your network."),
        )
        password_hash = NO_PASSWORD if password is None else await self._passwords.hash(password)
        player = Player(guest.id if guest else new_id(), shown, is_named=True)

        def create(connection: Connection) -> None:
            repository.lock_shape(connection, keys.shape)
            check_available(connection, keys, shown)
            # Ending the sessions waits for concurrent new accounts and deletions; only then are their effects visible.
            ended = repository.end_sessions(connection, player.id)
            if guest is None:
                repository.add_player(connection, player.id, shown, now_ms)
            elif repository.is_named(connection, player.id):
                raise HasAccountError(gettext("You created an account in another window."))
            elif not ended:
                raise ForbiddenError(gettext("Your session has ended, so nothing was changed."))
            else:
                repository.check_not_suspended(connection, guest)
            repository.rename_player(connection, player.id, shown)
            repository.add_account(connection, player.id, keys, password_hash, now_ms)
            repository.add_session(connection, hash_token(token), player.id, client.label, now_ms)
            step(connection, player.id)
            for callback in self._callbacks.on_new_account:
                callback(connection, player.id)

        await write_name(self._database, create, shown)
        self._sessions.forget(player.id)
        return SignedIn(player, token)

    async def sign_in(
        self,
        name: str,
        password: str,
        client: ClientInfo,
        guest: Player | None = None,
        *,
        keep_games: bool,
    ) -> SignedIn:
        """Sign in by name and password. ``keep_games`` moves the games of the ``guest`` into the account.

        Raises ``WrongPasswordError``, for unknown names too, and ``RateLimitedError``.
        """
        with log_attempt(
            SecurityEvent.SIGN_IN, address=client.address, method="password"
        ) as attempt:
            return await self._sign_in(
                attempt, name, password, client, guest, keep_games=keep_games
            )

    async def _sign_in(
        self,
        attempt: LoggedAttempt,
        name: str,
        password: str,
        client: ClientInfo,
        guest: Player | None,
        *,
        keep_games: bool,
    ) -> SignedIn:
        key, network = name_key(name[:_MAX_TYPED_NAME]), network_of(client.address)
        attempts = Counter(PER_NAME_AND_NETWORK, (key, network))
        known = Counter(self._known_network, (key, network))
        now_ms = self._sessions.now_ms()

        def count_and_find(connection: Connection) -> tuple[int, Account | None]:
            counters = [attempts, Counter(PER_NETWORK, (network,))]
            # Strangers who guess from many networks must not lock the owner out.
            if not throttle.is_remembered(connection, known, now_ms):
                counters.append(Counter(PER_NAME, (key,)))
            wait_ms = throttle.count_attempt(connection, counters, now_ms)
            return wait_ms, repository.find_account_by_name(connection, key)

        wait_ms, account = await self._database.write(count_and_find)
        attempt.player_id = account.player_id if account else None
        throttle.raise_if_limited(wait_ms, _TOO_MANY_ATTEMPTS)
        password_hash = account.password_hash if account else None
        if not await self._passwords.matches(password, password_hash) or account is None:
            raise WrongPasswordError(_WRONG)
        new_hash = None
        if self._passwords.is_outdated(account.password_hash):
            new_hash = await self._passwords.hash(password)

        def prove(connection: Connection) -> None:
            if repository.find_account_of(connection, account.player_id, lock=True) != account:
                raise WrongPasswordError(_WRONG)  # changed or deleted since it was read
            throttle.reset(connection, attempts)
            throttle.remember(connection, known, now_ms)
            throttle.delete_expired(connection, now_ms)
            if new_hash:
                repository.change_password(connection, account.player_id, new_hash)

        return await self._starter.start(account, client, guest, keep_games=keep_games, prove=prove)

    async def check_password(
        self, player_id: str, password: str, address: str, token: str | None = None
    ) -> Account:
        """Confirm a player's password again (re-authentication), before a change that a thief could make.

        Of an account without a password, the session of the ``token`` must be new.

        Raises ``NoAccountError``, ``WrongPasswordError``, ``SignInAgainError`` and ``RateLimitedError``.
        """
        attempts = [
            Counter(PER_NAME_AND_NETWORK, (player_id, network_of(address))),
            Counter(PER_PLAYER, (player_id,)),  # a thief of a session may have many addresses
        ]
        now_ms = self._sessions.now_ms()

        def count_and_find(connection: Connection) -> tuple[int, Account | None]:
            wait_ms = throttle.count_attempt(connection, attempts, now_ms)
            return wait_ms, repository.find_account_of(connection, player_id)

        wait_ms, account = await self._database.write(count_and_find)
        if account is None:
            raise NoAccountError(gettext("Create an account first: guests have no password."))
        throttle.raise_if_limited(wait_ms, _TOO_MANY_ATTEMPTS)
        if not account.has_password:
            await self._sessions.check_is_new(player_id, token or "")
        elif not await self._passwords.matches(password, account.password_hash):
            raise WrongPasswordError(gettext("Wrong password."))
        await self._database.write(partial(throttle.reset_all, counters=attempts))
        return account

    async def check_password_of_role(self, player_id: str, name: str, password: str) -> None:
        """Raise ``MalformedError`` when a new password is too short for the role that the player has."""
        if await self._database.read(lambda connection: self._has_role(connection, player_id)):
            check_new_password(password, name, MIN_LENGTH_FOR_ROLES)

    async def check_name(self, text: str) -> str:
        """A name in its normal form; raises ``MalformedError`` or ``NameTakenError`` when it can't be claimed."""
        shown, _ = await self._check_name(text)
        return shown

    async def _check_name(self, text: str) -> tuple[str, NameKeys]:
        """A name in its normal form, and its keys; raises as ``check_name``."""
        shown = parse_name(text)
        keys = check_claimable(shown)
        await self._database.read(partial(check_available, keys=keys, shown=shown))
        return shown, keys

    async def has_password(self, player: Player) -> bool:
        """Whether a player can sign in with a password; guests cannot."""
        account = await self._database.read(
            partial(repository.find_account_of, player_id=player.id)
        )
        return account is not None and account.has_password

    async def count_games(self, player: Player) -> int:
        """How many games of a guest an account merge could move."""
        return await self._database.read(partial(account_merge.count_games, player_id=player.id))
