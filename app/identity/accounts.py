"""Claiming a name, logging in, and making sure of who somebody is.

Whoever comes in is given a new token, and the one that the browser had before opens nothing any more: a token that
somebody else planted there leads nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.db.engine import Database
from app.db.ids import new_id
from app.errors import ForbiddenError
from app.identity import account_repository, repository, throttle
from app.identity.account_repository import Account
from app.identity.claiming import check_free, write_name
from app.identity.confusables import check_claimable, name_key
from app.identity.errors import (
    AlreadyClaimedError,
    NotClaimedError,
    WrongPasswordError,
)
from app.identity.names import parse_name
from app.identity.passwords import Passwords, check_new_password
from app.identity.service import Player, PlayerService, hash_of, new_token
from app.identity.throttle import Limit, Tally, network_of

OnClaim = Callable[[Connection, str], None]
"""Told of a player who claims a name, in that transaction."""

OnMerge = Callable[[Connection, str, str], None]
"""Told of a guest and of the player who the guest turns out to be, in that transaction."""

FROM_ONE_PLACE: Final = Limit("login of a name from a place", 8, 15)
FROM_A_PLACE: Final = Limit("login from a place", 60, 15)
OF_A_NAME: Final = Limit("login of a name", 60, 60)
CLAIMS: Final = Limit("claim from a place", 30, 60)
_KNOWN: Final = "has logged in from a place"

_LONGEST_TYPED: Final = 200


@dataclass(frozen=True, slots=True)
class Place:
    """Where a request comes from: its address, what the device is called, and the token that it showed."""

    address: str
    label: str
    token: str | None = None


@dataclass(frozen=True, slots=True)
class Entered:
    """Somebody who has come in, with the only copy of their new token, and how many games they brought."""

    player: Player
    token: str
    brought: int = 0


class Accounts:
    """Names, and the passwords that they are kept with."""

    def __init__(
        self,
        database: Database,
        players: PlayerService,
        passwords: Passwords,
        on_claim: Sequence[OnClaim] = (),
        on_merge: Sequence[OnMerge] = (),
        *,
        known_days: int = 30,
    ) -> None:
        """``players`` keeps the sessions. Where somebody has logged in is known for so many days."""
        self._known = Limit(_KNOWN, 1, known_days * 24 * 60)
        self._database = database
        self._players = players
        self._passwords = passwords
        self._on_claim = on_claim
        self._on_merge = on_merge

    async def claim(self, guest: Player | None, name: str, password: str, place: Place) -> Entered:
        """Give a guest, or somebody new, a name of their own; they keep everything they have.

        Raises ``MalformedError``, ``NameTakenError``, ``AlreadyClaimedError``, ``SuspendedError`` and
        ``RateLimitedError``.
        """
        if guest:
            guest.check_not_suspended()
        shown = parse_name(name)
        key = check_claimable(shown)
        check_new_password(password, shown)
        if guest and guest.is_named:
            raise AlreadyClaimedError(f"You are {guest.name} already.")
        await self._database.read(partial(check_free, key=key, shown=shown))
        token, now_ms = new_token(), self._players.now_ms()
        claims = Tally(CLAIMS, (network_of(place.address),))
        wait_ms = await self._database.write(
            partial(throttle.count, wanted=[claims], now_ms=now_ms)
        )
        throttle.refuse(wait_ms, "Many names were claimed from your network within the hour.")
        kept = await self._passwords.hash(password)
        player = Player(guest.id if guest else new_id(), shown, is_named=True)

        def claim(connection: Connection) -> None:
            check_free(connection, key, shown)
            # Ending the sessions waits for whoever does so at the same time; only then is it known what they did.
            ended = repository.end_sessions_of(connection, player.id)
            if guest is None:
                repository.add_player(connection, player.id, shown, now_ms)
            elif repository.is_named(connection, player.id):
                raise AlreadyClaimedError("You have claimed a name in another window.")
            elif not ended:
                raise ForbiddenError("Your session has ended in the meantime, so nothing was done.")
            repository.rename_player(connection, player.id, shown)
            account_repository.add_account(connection, player.id, key, kept, now_ms)
            repository.add_session(connection, hash_of(token), player.id, place.label, now_ms)
            for tell in self._on_claim:
                tell(connection, player.id)

        await write_name(self._database, claim, shown)
        self._players.forget(player.id)
        return Entered(player, token)

    async def log_in(
        self, name: str, password: str, place: Place, guest: Player | None = None, *, bring: bool
    ) -> Entered:
        """Let somebody in by name and password. ``bring`` moves the games of the ``guest`` they were until now.

        Raises ``WrongPasswordError``, the same for names that nobody has, and ``RateLimitedError``.
        """
        key, network = name_key(name[:_LONGEST_TYPED]), network_of(place.address)
        pair, known = Tally(FROM_ONE_PLACE, (key, network)), Tally(self._known, (key, network))
        now_ms = self._players.now_ms()

        def ask(connection: Connection) -> tuple[int, Account | None]:
            wanted = [pair, Tally(FROM_A_PLACE, (network,))]
            # Strangers who guess at a name from everywhere must not keep its bearer out.
            if not throttle.is_noted(connection, known, now_ms):
                wanted.append(Tally(OF_A_NAME, (key,)))
            return throttle.count(connection, wanted, now_ms), account_repository.find_account(
                connection, key
            )

        wait_ms, account = await self._database.write(ask)
        throttle.refuse(wait_ms, _TRIED_OFTEN)
        kept = account.password_hash if account else None
        if not await self._passwords.matches(password, kept) or account is None:
            raise WrongPasswordError(_DO_NOT_FIT)
        fresh = await self._refreshed(account, password)
        token = new_token()

        def enter(connection: Connection) -> int:
            if account_repository.account_of(connection, account.player_id, lock=True) != account:
                raise WrongPasswordError(_DO_NOT_FIT)  # changed or deleted while we looked
            throttle.forgive(connection, pair)
            throttle.note(connection, known, now_ms)
            throttle.sweep(connection, now_ms)
            if fresh:
                account_repository.change_password(connection, account.player_id, fresh)
            if place.token:
                repository.end_session(connection, hash_of(place.token))
            repository.add_session(
                connection, hash_of(token), account.player_id, place.label, now_ms
            )
            return self._merge(connection, guest, account.player_id, bring=bring)

        try:
            brought = await self._database.write(enter)
        except IntegrityError:
            # Elsewhere they began, in this moment, what the guest had begun: now that can be seen.
            brought = await self._database.write(enter)
        self._players.forget_token(place.token)
        if guest:
            self._players.forget(guest.id)
        return Entered(Player(account.player_id, account.name, is_named=True), token, brought)

    async def check_password(self, player_id: str, password: str, address: str) -> Account:
        """Make sure that it is really they: for whatever must not be done from a browser left open.

        Raises ``NotClaimedError``, ``WrongPasswordError`` and ``RateLimitedError``.
        """
        pair = Tally(FROM_ONE_PLACE, (player_id, network_of(address)))
        now_ms = self._players.now_ms()

        def ask(connection: Connection) -> tuple[int, Account | None]:
            return (
                throttle.count(connection, [pair], now_ms),
                account_repository.account_of(connection, player_id),
            )

        wait_ms, account = await self._database.write(ask)
        if account is None:
            raise NotClaimedError("Claim a name first: a guest has no password.")
        throttle.refuse(wait_ms, _TRIED_OFTEN)
        if not await self._passwords.matches(password, account.password_hash):
            raise WrongPasswordError("This is not your password.")
        await self._database.write(partial(throttle.forgive, tally=pair))
        return account

    async def check_name(self, text: str) -> str:
        """A name as it would be kept; raises ``MalformedError`` or ``NameTakenError`` when it cannot be had."""
        shown = parse_name(text)
        await self._database.read(partial(check_free, key=check_claimable(shown), shown=shown))
        return shown

    async def count_games(self, player: Player) -> int:
        """How many games somebody would bring along."""
        return await self._database.read(
            partial(account_repository.count_games, player_id=player.id)
        )

    def _merge(
        self, connection: Connection, guest: Player | None, player_id: str, *, bring: bool
    ) -> int:
        """Make a guest one with the player they turn out to be; how many games moved."""
        if guest is None or guest.id == player_id or repository.is_named(connection, guest.id):
            return 0
        before = account_repository.count_games(connection, player_id)
        for tell in self._on_merge:
            tell(connection, guest.id, player_id)
        if bring and guest.suspension is None:
            account_repository.move_games(connection, guest.id, player_id)
            repository.end_sessions_of(connection, guest.id)
        return account_repository.count_games(connection, player_id) - before

    async def _refreshed(self, account: Account, password: str) -> str | None:
        """The password hashed at today's cost, when it was kept at another."""
        if self._passwords.is_outdated(account.password_hash):
            return await self._passwords.hash(password)
        return None


_TRIED_OFTEN: Final = "That was tried too often."
_DO_NOT_FIT: Final = "This name and this password do not fit together."
