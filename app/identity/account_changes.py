"""Changes to an account by its owner: another name, another password, deletion."""

from __future__ import annotations

from functools import partial
from typing import Final

from sqlalchemy import Connection

from app import throttle
from app.db.engine import Database
from app.db.schema.identity import DELETED
from app.identity import repository
from app.identity.account_merge import NO_CALLBACKS, AccountCallbacks
from app.identity.accounts import Accounts
from app.identity.model import (
    ClientInfo,
    NoAccountError,
    Player,
    SignedIn,
    WrongPasswordError,
    hash_token,
    new_token,
)
from app.identity.names import check_available, check_claimable, parse_name, write_name
from app.identity.password_rules import check_new_password
from app.identity.passwords import Passwords
from app.identity.security_log import SecurityEvent, log_attempt
from app.identity.sessions import Sessions
from app.text import gettext
from app.throttle import Counter, Limit

RENAMES: Final = Limit("another name", 10, 24 * 60)  # the kind is a hash input


class AccountChanges:
    """Renames and deletes accounts and changes their passwords."""

    def __init__(
        self,
        database: Database,
        sessions: Sessions,
        passwords: Passwords,
        accounts: Accounts,
        callbacks: AccountCallbacks = NO_CALLBACKS,
    ) -> None:
        """``accounts`` confirms passwords."""
        self._callbacks = callbacks
        self._database = database
        self._sessions = sessions
        self._passwords = passwords
        self._accounts = accounts

    async def change_name(self, player: Player, text: str) -> Player:
        """Change a claimed name. The old name is free for others at once.

        Raises ``MalformedError``, ``NameTakenError``, ``NoAccountError``, ``SuspendedError`` and
        ``RateLimitedError``.
        """
        with log_attempt(SecurityEvent.NAME_CHANGE, player_id=player.id):
            return await self._change_name(player, text)

    async def _change_name(self, player: Player, text: str) -> Player:
        player.check_not_suspended()
        shown = parse_name(text)
        keys = check_claimable(shown)

        def change(connection: Connection) -> None:
            if repository.find_account_of(connection, player.id, lock=True) is None:
                raise NoAccountError(
                    gettext("Guests can't choose a name. Create an account first.")
                )
            # The old name would be free, and the player could come back under it.
            repository.check_not_suspended(connection, player)
            repository.lock_shape(connection, keys.shape)
            check_available(connection, keys, shown, player.id)
            repository.change_name_keys(connection, player.id, keys)
            repository.rename_player(connection, player.id, shown)

        await self._database.read(
            partial(check_available, keys=keys, shown=shown, player_id=player.id)
        )
        if player.is_named:
            await throttle.count_or_raise(
                self._database,
                Counter(RENAMES, (player.id,)),
                self._sessions.now_ms(),
                gettext("You have changed your name too often today."),
            )
        await write_name(self._database, change, shown)
        self._sessions.forget(player.id)
        return Player(player.id, shown, is_named=True)

    async def change_password(
        self, player: Player, current: str, new: str, client: ClientInfo
    ) -> SignedIn:
        """Change a password, end all sessions of the account, and start a new one for this client.

        Raises what ``check_password`` raises, and ``MalformedError``.
        """
        with log_attempt(
            SecurityEvent.PASSWORD_CHANGE, player_id=player.id, address=client.address
        ):
            return await self._change_password(player, current, new, client)

    async def _change_password(
        self, player: Player, current: str, new: str, client: ClientInfo
    ) -> SignedIn:
        check_new_password(new, player.name)
        await self._accounts.check_password_of_role(player.id, player.name, new)
        account = await self._accounts.check_password(
            player.id, current, client.address, client.token
        )
        password_hash = await self._passwords.hash(new)
        token, now_ms = new_token(), self._sessions.now_ms()

        def change(connection: Connection) -> None:
            if repository.find_account_of(connection, player.id, lock=True) != account:
                raise WrongPasswordError(gettext("Your password was changed in another window."))
            repository.change_password(connection, player.id, password_hash)
            repository.end_sessions(connection, player.id)
            repository.add_session(connection, hash_token(token), player.id, client.label, now_ms)

        await self._database.write(change)
        self._sessions.forget(player.id)
        return SignedIn(player, token)

    async def delete(self, player: Player, password: str, client: ClientInfo) -> None:
        """Delete a player: name, password and sessions go, results stay under the name of a deleted player.

        Guests need no password. Raises ``SuspendedError``, since deletion frees the name and a suspended player could
        come back under it, and what ``check_password`` raises.
        """
        with log_attempt(
            SecurityEvent.ACCOUNT_DELETION, player_id=player.id, address=client.address
        ):
            await self._delete(player, password, client)

    async def _delete(self, player: Player, password: str, client: ClientInfo) -> None:
        player.check_not_suspended()
        if player.is_named:
            await self._accounts.check_password(player.id, password, client.address, client.token)

        def delete(connection: Connection) -> None:
            repository.check_not_suspended(connection, player)
            # Both statements wait for a concurrent claim or sign-in; only then are its effects visible.
            if player.is_named:
                repository.delete_account(connection, player.id)
            repository.end_sessions(connection, player.id)
            if repository.is_named(connection, player.id):
                raise WrongPasswordError(gettext("You created an account in another window."))
            for callback in self._callbacks.on_delete:
                callback(connection, player.id)
            repository.rename_player(connection, player.id, DELETED)

        await self._database.write(delete)
        self._sessions.forget(player.id)
