"""Recovery codes: making a set, and signing in with one of it and a new password."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app import throttle
from app.clock import MINUTE_MS
from app.db.engine import Database
from app.errors import ForbiddenError
from app.identity import repository as identity_repository
from app.identity.accounts import Accounts
from app.identity.model import Account, ClientInfo, NoAccountError, Player, SignedIn
from app.identity.name_keys import name_key
from app.identity.password_rules import check_new_password
from app.identity.passwords import Passwords
from app.identity.recovery import repository
from app.identity.recovery.codes import COUNT, hash_code, make_codes, new_secret
from app.identity.recovery.repository import StoredSet
from app.identity.security_log import LoggedAttempt, SecurityEvent, log_attempt
from app.identity.session_start import SessionStarter
from app.identity.sessions import Sessions
from app.networks import network_of
from app.text import gettext, ngettext
from app.throttle import Counter, Limit

# The kinds are hash inputs. There is no limit by name alone: it would lock out the owner, and protect nothing.
PER_NAME_AND_NETWORK: Final = Limit("recovery of a name from a place", 8, 15)
PER_NETWORK: Final = Limit("recovery from a place", 30, 15)

SHOWN_MINUTES: Final = 15
"""How long new codes can be shown again in the browser that made them."""

_FEW: Final = 3
_MAX_TYPED: Final = 200
_NOBODY: Final = ""  # the id of no player


class WrongRecoveryCodeError(ForbiddenError):
    """The recovery code is not an unused one of this name, or the name is unknown."""

    code = "wrong_recovery_code"
    title = gettext("Wrong name or recovery code")


@dataclass(frozen=True, slots=True)
class RecoveryStatus:
    """The state of the codes, for the player's own pages."""

    left: int
    """How many are unused, of ten."""
    made_ms: int | None
    is_invited: bool
    """Whether the player has neither saved codes nor said that they want none."""

    @property
    def are_few(self) -> bool:
        """Whether it is time to make new ones."""
        return self.made_ms is not None and self.left <= _FEW


class RecoveryService:
    """Makes recovery codes and signs players in by them."""

    def __init__(
        self,
        database: Database,
        sessions: Sessions,
        accounts: Accounts,
        passwords: Passwords,
        starter: SessionStarter,
    ) -> None:
        self._database = database
        self._sessions = sessions
        self._accounts = accounts
        self._passwords = passwords
        self._starter = starter

    async def status(self, player: Player) -> RecoveryStatus:
        """How many codes a player has left."""

        def read(connection: Connection) -> RecoveryStatus:
            stored = repository.find_set(connection, player.id)
            return RecoveryStatus(
                repository.count_codes(connection, player.id),
                stored.made_ms if stored else None,
                stored is None or stored.answered_ms is None,
            )

        return await self._database.read(read)

    async def make_first(self, player: Player, token: str) -> None:
        """Make the codes of a player who has just created an account; ``shown`` returns them."""
        with log_attempt(SecurityEvent.RECOVERY_CODES_MADE, player_id=player.id):
            await self._make(player, token, new_secret())

    async def make(
        self, player: Player, password: str, client: ClientInfo, *, show_again: bool
    ) -> list[str]:
        """Make ten new codes, which voids the old ones. With ``show_again``, ``shown`` returns them for a while.

        Raises what ``check_password`` raises.
        """
        with log_attempt(
            SecurityEvent.RECOVERY_CODES_MADE, player_id=player.id, address=client.address
        ):
            await self._accounts.check_password(player.id, password, client.address, client.token)
            return await self._make(player, client.token or "", new_secret(), again=show_again)

    async def shown(self, player: Player, token: str) -> list[str]:
        """The player's new codes, once more, in the session that made them; empty when they were saved or are old."""
        stored = await self._database.read(partial(repository.find_set, player_id=player.id))
        oldest_ms = self._sessions.now_ms() - SHOWN_MINUTES * MINUTE_MS
        if not stored or not stored.secret or (stored.made_ms or 0) < oldest_ms:
            return []
        codes = make_codes(token, stored.secret)
        is_known = partial(
            repository.has_code, player_id=player.id, code_hash=hash_code(player.id, codes[0])
        )
        return codes if await self._database.read(is_known) else []

    async def answer(self, player: Player) -> None:
        """Note that the player has saved the codes, or wants none for now: nobody asks again."""
        if not player.is_named:
            raise NoAccountError(
                gettext("Create an account first: guests have no password to recover.")
            )
        now_ms = self._sessions.now_ms()
        await self._database.write(partial(repository.answer, player_id=player.id, now_ms=now_ms))

    async def recover(
        self,
        name: str,
        code: str,
        password: str,
        client: ClientInfo,
        guest: Player | None = None,
        *,
        keep_games: bool,
    ) -> SignedIn:
        """Sign in by a code, which is used up, and set a new password. Ends all sessions of the account.

        Raises ``WrongRecoveryCodeError``, for unknown names too, ``RateLimitedError``, and ``MalformedError`` for a
        bad password before anything else.
        """
        with log_attempt(
            SecurityEvent.SIGN_IN, address=client.address, method="recovery_code"
        ) as attempt:
            check_new_password(password, name[:_MAX_TYPED])
            account, code_hash, counter = await self._find(attempt, name, code, client)
            # Only now, or strangers could ask who has a role.
            await self._accounts.check_password_of_role(account.player_id, account.name, password)
            password_hash = await self._passwords.hash(password)

            def prove(connection: Connection) -> None:
                found = identity_repository.find_account_of(
                    connection, account.player_id, lock=True
                )
                is_proven = repository.use_code(connection, account.player_id, code_hash)
                if found is None or not is_proven:
                    raise _wrong()
                throttle.reset(connection, counter)
                identity_repository.change_password(connection, account.player_id, password_hash)
                identity_repository.end_sessions(connection, account.player_id)

            signed_in = await self._starter.start(
                account, client, guest, keep_games=keep_games, prove=prove
            )
            self._sessions.forget(account.player_id)
            return signed_in

    async def _find(
        self, attempt: LoggedAttempt, name: str, code: str, client: ClientInfo
    ) -> tuple[Account, bytes, Counter]:
        key, network = name_key(name[:_MAX_TYPED]), network_of(client.address)
        counter = Counter(PER_NAME_AND_NETWORK, (key, network))
        counters = [counter, Counter(PER_NETWORK, (network,))]
        now_ms = self._sessions.now_ms()

        def find(connection: Connection) -> tuple[int, Account | None, bytes, bool]:
            wait_ms = throttle.count_attempt(connection, counters, now_ms)
            account = identity_repository.find_account_by_name(connection, key)
            # The same queries for an unknown name, so that the time tells nothing.
            player_id = account.player_id if account else _NOBODY
            code_hash = hash_code(player_id, code[:_MAX_TYPED])
            is_known = repository.has_code(connection, player_id, code_hash)
            return wait_ms, account, code_hash, is_known

        wait_ms, account, code_hash, is_known = await self._database.write(find)
        attempt.player_id = account.player_id if account else None
        throttle.raise_if_limited(wait_ms, gettext("Too many attempts."))
        if account is None or not is_known:
            raise _wrong()
        return account, code_hash, counter

    async def _make(
        self, player: Player, token: str, secret: bytes, *, again: bool = True
    ) -> list[str]:
        codes, now_ms = make_codes(token, secret), self._sessions.now_ms()
        stored = StoredSet(now_ms, secret if again else None, None if again else now_ms)
        hashes = [hash_code(player.id, code) for code in codes]

        def store(connection: Connection) -> None:
            found = identity_repository.find_account_of(connection, player.id, lock=True)
            if found is None:
                raise NoAccountError(
                    gettext("Create an account first: guests have no password to recover.")
                )
            repository.replace_set(connection, player.id, hashes, stored)

        await self._database.write(store)
        return codes


def _wrong() -> WrongRecoveryCodeError:
    return WrongRecoveryCodeError(
        ngettext(
            "Wrong name or recovery code. The %(n)s code works once, and only your newest code is valid.",
            "Wrong name or recovery code. Each of the %(n)s codes works once, and only your newest codes are valid.",
            COUNT,
        )
    )
