"""Granting roles, and letting in those who have one: their password opens the admin pages for a while."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.admin import audit_log as audit
from app.admin.audit_log import Act
from app.admin.auth.repository import (
    Bearer,
    GameEvent,
    Role,
    bearers,
    find_entry,
    open_entry,
    role_of,
    set_role,
    shut_entry,
)
from app.admin.errors import NoRoleError, NoSuchBearerError
from app.db.engine import Database
from app.identity import repository
from app.identity.accounts import Accounts
from app.identity.model import Account, ClientInfo, Player, hash_token, new_token
from app.identity.names import name_key
from app.identity.service import PlayerService

FRESH_MINUTES: Final = 30
"""For so long a password counts as just given."""

_AT_THE_MACHINE: Final = ClientInfo("", "Command line")


@dataclass(frozen=True, slots=True)
class Officer:
    """Somebody with a role who has given their password lately."""

    player: Player
    role: Role
    entered_ms: int

    @property
    def is_administrator(self) -> bool:
        """Whether they may do everything."""
        return self.role is Role.ADMINISTRATOR


class StaffAccess:
    """Keeps the doors of the admin pages."""

    def __init__(
        self,
        database: Database,
        players: PlayerService,
        accounts: Accounts,
        clock: Callable[[], int],
    ) -> None:
        """``accounts`` makes sure of who somebody is; ``clock`` gives milliseconds since 1970, UTC."""
        self._database = database
        self._players = players
        self._accounts = accounts
        self._clock = clock

    # --- roles, from the command line

    async def create(self, name: str, password: str, role: Role) -> Player:
        """A new account with a role. Raises what claiming a name raises."""
        entered = await self._accounts.claim(None, name, password, _AT_THE_MACHINE)
        await self._players.sign_out(entered.token)
        await self._set_role(entered.player.id, role, Act.CREATE)
        return entered.player

    async def grant(self, name: str, role: Role) -> str:
        """Give somebody a role instead of what they had; their name. Raises ``NoSuchBearerError``."""
        account = await self._account(name)
        await self._set_role(account.player_id, role, Act.GRANT)
        return account.name

    async def revoke(self, name: str) -> str:
        """Take somebody's role away; their name. Raises ``NoSuchBearerError`` and ``NoRoleError``."""
        account = await self._account(name)
        if await self.role_of(account.player_id) is None:
            raise NoRoleError(f"{account.name} has no role.")
        await self._set_role(account.player_id, None, Act.REVOKE)
        return account.name

    async def bearers(self) -> list[Bearer]:
        """Everybody with a role."""
        return await self._database.read(bearers)

    # --- doors

    async def role_of(self, player_id: str) -> Role | None:
        """The role of a player, as it is at this moment."""
        return await self._database.read(partial(role_of, player_id=player_id))

    async def enter(self, player: Player, session: str, password: str, address: str) -> str:
        """Open the door to the session of a token; the answer is the token that the door wants to see.

        Raises what a wrong password raises.
        """
        await self._accounts.check_password(player.id, password, address)
        token, now_ms = new_token(), self._clock()
        entry = GameEvent(
            token_hash=hash_token(token),
            player_id=player.id,
            session_hash=hash_token(session),
            entered_ms=now_ms,
            until_ms=now_ms + FRESH_MINUTES * 60_000,
        )

        def enter(connection: Connection) -> None:
            open_entry(connection, entry)
            audit.write(connection, now_ms, player.id, Act.ENTER, subject=player.id)

        await self._database.write(enter)
        return token

    async def admitted(
        self, player: Player, role: Role, session: str, token: str
    ) -> Officer | None:
        """Whoever shows both tokens while the door is open; ``None`` when the password is due."""
        entry = await self._database.read(
            partial(
                find_entry,
                token_hash=hash_token(token),
                player_id=player.id,
                session_hash=hash_token(session),
                now_ms=self._clock(),
            )
        )
        return Officer(player, role, entry.entered_ms) if entry else None

    async def leave(self, token: str) -> None:
        """Shut the door."""
        await self._database.write(partial(shut_entry, token_hash=hash_token(token)))

    # --- inside

    async def _account(self, name: str) -> Account:
        found = await self._database.read(
            partial(repository.find_account_by_name, name_key=name_key(name[:200]))
        )
        if found is None:
            raise NoSuchBearerError(f"Nobody has claimed the name {name[:60]!r}.")
        return found

    async def _set_role(self, player_id: str, role: Role | None, act: Act) -> None:
        now_ms = self._clock()

        def change(connection: Connection) -> None:
            set_role(connection, player_id, role, now_ms)
            audit.write(connection, now_ms, None, act, subject=player_id, note=role or "")

        await self._database.write(change)
