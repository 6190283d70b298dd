"""Staff: roles, which are granted on the command line, and step-up sessions, which `step_up` starts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.admin import audit_log
from app.admin.audit_log import AuditAction
from app.admin.audit_notes import AUTHENTICATOR
from app.admin.auth.repository import (
    Role,
    RoleGrant,
    delete_step_up_session,
    delete_step_up_sessions_of,
    find_role,
    find_step_up_session,
    list_role_grants,
    set_role,
)
from app.clock import Clock
from app.db.engine import Database
from app.errors import ConflictError, ForbiddenError, NotFoundError
from app.identity import repository
from app.identity.accounts import Accounts
from app.identity.build import delete_second_factors
from app.identity.model import Account, ClientInfo, Player, hash_token
from app.identity.name_keys import name_key
from app.identity.password_rules import MIN_LENGTH_FOR_ROLES
from app.identity.second_factor.service import Authenticators, PendingSecret
from app.identity.security_log import SecurityEvent, log_security_event
from app.identity.sessions import Sessions
from app.text import gettext

STEP_UP_MINUTES: Final = 30
"""How long a step-up session lasts."""

_COMMAND_LINE: Final = ClientInfo("", "Command line")


class AccountNotFoundError(NotFoundError):
    """No account has this name. Guests cannot have a role, as they have no password."""

    title = gettext("Account not found")


class NoRoleError(ConflictError):
    """The account has no role to revoke."""

    title = gettext("No role to revoke")


class AdministratorsOnlyError(ForbiddenError):
    """A moderator asked for something that only administrators may do."""

    title = gettext("Administrators only")


@dataclass(frozen=True, slots=True)
class StaffMember:
    """A player with a role who has re-authenticated."""

    player: Player
    role: Role
    entered_ms: int

    @property
    def is_administrator(self) -> bool:
        """Whether they may do everything."""
        return self.role is Role.ADMINISTRATOR


class StaffService:
    """Manages roles and second factors, and finds step-up sessions."""

    def __init__(
        self,
        database: Database,
        sessions: Sessions,
        accounts: Accounts,
        authenticators: Authenticators,
        clock: Clock,
    ) -> None:
        """``accounts`` makes new ones."""
        self._database = database
        self._sessions = sessions
        self._accounts = accounts
        self._authenticators = authenticators
        self._clock = clock

    # --- roles, from the command line

    async def create_account(self, name: str, password: str, role: Role) -> Player:
        """A new account with a role. Raises what claiming a name raises."""
        entered = await self._accounts.create_account(
            None, name, password, _COMMAND_LINE, min_length=MIN_LENGTH_FOR_ROLES
        )
        await self._sessions.sign_out(entered.player, entered.token)
        await self._set_role(entered.player.id, role, AuditAction.CREATE)
        return entered.player

    async def grant_role(self, name: str, role: Role) -> str:
        """Give an account a role in place of any it had; return its name. Raises ``AccountNotFoundError``."""
        account = await self._account(name)
        await self._set_role(account.player_id, role, AuditAction.GRANT)
        return account.name

    async def revoke_role(self, name: str) -> str:
        """Take an account's role away; return its name. Raises ``AccountNotFoundError`` and ``NoRoleError``."""
        account = await self._staff_account(name)
        await self._set_role(account.player_id, None, AuditAction.REVOKE)
        return account.name

    async def list_role_grants(self) -> list[RoleGrant]:
        """All players with a role."""
        return await self._database.read(list_role_grants)

    # --- second factors, from the command line

    async def issue_authenticator(self, name: str) -> PendingSecret:
        """Give a staff member an authenticator app in place of any they had; return what the app needs.

        Raises ``AccountNotFoundError`` and ``NoRoleError``.
        """
        account = await self._staff_account(name)
        made = await self._authenticators.replace(
            Player(account.player_id, account.name, is_named=True),
            partial(
                self._add_audit_entry,
                player_id=account.player_id,
                action=AuditAction.SECOND_FACTOR,
                note=AUTHENTICATOR,
            ),
        )
        log_security_event(
            SecurityEvent.AUTHENTICATOR_ADDED, "success", player_id=account.player_id
        )
        return made

    async def reset_second_factor(self, name: str) -> str:
        """Remove the passkeys and the authenticator app of a staff member who is locked out; return the name.

        Raises ``AccountNotFoundError`` and ``NoRoleError``.
        """
        account = await self._staff_account(name)

        def reset(connection: Connection) -> None:
            delete_second_factors(connection, account.player_id)
            delete_step_up_sessions_of(connection, account.player_id)
            self._add_audit_entry(
                connection, account.player_id, AuditAction.SECOND_FACTOR_RESET, ""
            )

        await self._database.write(reset)
        log_security_event(
            SecurityEvent.SECOND_FACTOR_RESET, "success", player_id=account.player_id
        )
        return account.name

    # --- step-up sessions

    async def find_role(self, player_id: str) -> Role | None:
        return await self._database.read(partial(find_role, player_id=player_id))

    async def find_staff_member(
        self, player: Player, role: Role, session: str, token: str
    ) -> StaffMember | None:
        """The staff member whose two tokens belong together; ``None`` when re-authentication is due."""
        step_up = await self._database.read(
            partial(
                find_step_up_session,
                token_hash=hash_token(token),
                player_id=player.id,
                session_hash=hash_token(session),
                now_ms=self._clock(),
            )
        )
        return StaffMember(player, role, step_up.entered_ms) if step_up else None

    async def end_step_up_session(self, player: Player, token: str) -> None:
        """End a step-up session before it expires."""
        await self._database.write(partial(delete_step_up_session, token_hash=hash_token(token)))
        log_security_event(SecurityEvent.STEP_UP_ENDED, "success", player_id=player.id)

    async def _staff_account(self, name: str) -> Account:
        account = await self._account(name)
        if await self.find_role(account.player_id) is None:
            raise NoRoleError(gettext("%(name)s has no role.", name=account.name))
        return account

    async def _account(self, name: str) -> Account:
        found = await self._database.read(
            partial(repository.find_account_by_name, name_key=name_key(name[:200]))
        )
        if found is None:
            raise AccountNotFoundError(
                gettext("No account has the name %(value)s.", value=repr(name[:60]))
            )
        return found

    async def _set_role(self, player_id: str, role: Role | None, action: AuditAction) -> None:
        now_ms = self._clock()

        def change(connection: Connection) -> None:
            set_role(connection, player_id, role, now_ms)
            self._add_audit_entry(connection, player_id, action, role or "")

        await self._database.write(change)
        log_security_event(
            SecurityEvent.ROLE_CHANGE, "success", player_id=player_id, role=role or "none"
        )

    def _add_audit_entry(
        self, connection: Connection, player_id: str, action: AuditAction, note: str
    ) -> None:
        audit_log.add_entry(connection, self._clock(), None, action, subject=player_id, note=note)
