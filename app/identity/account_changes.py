"""What somebody may do with the name that they have claimed: change it, change its password, give it all up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.db.engine import Database
from app.identity import account_repository, repository, throttle
from app.identity.accounts import Accounts, Entered, OnClaim, Place
from app.identity.claiming import check_free, write_name
from app.identity.confusables import check_claimable
from app.identity.errors import NotClaimedError, WrongPasswordError
from app.identity.names import DELETED, parse_name
from app.identity.passwords import Passwords, check_new_password
from app.identity.service import Player, PlayerService, hash_of, new_token
from app.identity.throttle import Limit, Tally

RENAMES: Final = Limit("another name", 10, 24 * 60)


class AccountChanges:
    """Changes to accounts, by their owners."""

    def __init__(
        self,
        database: Database,
        players: PlayerService,
        passwords: Passwords,
        accounts: Accounts,
        on_delete: Sequence[OnClaim] = (),
    ) -> None:
        """``accounts`` makes sure of who somebody is; ``players`` keeps the sessions; ``on_delete`` is told first."""
        self._on_delete = on_delete
        self._database = database
        self._players = players
        self._passwords = passwords
        self._accounts = accounts

    async def change_name(self, player: Player, text: str) -> Player:
        """Let a player bear another name; the old one is free for others at once.

        Raises ``MalformedError``, ``NameTakenError``, ``NotClaimedError``, ``SuspendedError`` and
        ``RateLimitedError``.
        """
        player.check_not_suspended()
        shown = parse_name(text)
        key = check_claimable(shown)

        def change(connection: Connection) -> None:
            if account_repository.account_of(connection, player.id, lock=True) is None:
                raise NotClaimedError("A guest's name is given. Claim a name to choose your own.")
            check_free(connection, key, shown, player.id)
            account_repository.change_key(connection, player.id, key)
            repository.rename_player(connection, player.id, shown)

        await self._database.read(partial(check_free, key=key, shown=shown, but=player.id))
        if player.is_named:
            await self._count_rename(player)
        await write_name(self._database, change, shown)
        self._players.forget(player.id)
        return Player(player.id, shown, is_named=True)

    async def change_password(
        self, player: Player, current: str, new: str, place: Place
    ) -> Entered:
        """Let another password open an account, and end all its sessions but this one, which gets a new token.

        Raises what ``check_password`` raises, and ``MalformedError``.
        """
        check_new_password(new, player.name)
        account = await self._accounts.check_password(player.id, current, place.address)
        kept = await self._passwords.hash(new)
        token, now_ms = new_token(), self._players.now_ms()

        def change(connection: Connection) -> None:
            if account_repository.account_of(connection, player.id, lock=True) != account:
                raise WrongPasswordError("The password was changed in another window.")
            account_repository.change_password(connection, player.id, kept)
            repository.end_sessions_of(connection, player.id)
            repository.add_session(connection, hash_of(token), player.id, place.label, now_ms)

        await self._database.write(change)
        self._players.forget(player.id)
        return Entered(player, token)

    async def delete(self, player: Player, password: str, address: str) -> None:
        """Forget somebody: name, password and sessions go, results stay as those of a deleted player.

        A guest has no password to show. Raises what ``check_password`` raises.
        """
        if player.is_named:
            await self._accounts.check_password(player.id, password, address)

        def delete(connection: Connection) -> None:
            # Both wait for whoever claims or logs in at the same time; only then is it known what they did.
            if player.is_named:
                account_repository.drop_account(connection, player.id)
            repository.end_sessions_of(connection, player.id)
            if repository.is_named(connection, player.id):
                raise WrongPasswordError("You have claimed a name in another window.")
            for tell in self._on_delete:
                tell(connection, player.id)
            repository.rename_player(connection, player.id, DELETED)

        await self._database.write(delete)
        self._players.forget(player.id)

    async def _count_rename(self, player: Player) -> None:
        wanted, now_ms = [Tally(RENAMES, (player.id,))], self._players.now_ms()
        wait_ms = await self._database.write(partial(throttle.count, wanted=wanted, now_ms=now_ms))
        throttle.refuse(wait_ms, "You have changed your name often today.")
