"""Staff roles and step-up sessions in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from app.db.schema import accounts, admin_entries, players, roles


class Role(StrEnum):
    """What a staff member may do: moderators see games and hide results, administrators do everything."""

    MODERATOR = "moderator"
    ADMINISTRATOR = "administrator"


class RoleGrant(NamedTuple):
    """A player with a role."""

    player_id: str
    name: str
    role: Role
    granted_ms: int


# Joined through the account: a player who deletes their account loses the role with it.
_GRANTS = select(players.c.id, players.c.name, roles.c.role, roles.c.granted_ms).select_from(
    roles.join(players).join(accounts, accounts.c.player_id == roles.c.player_id)
)


def find_role(connection: Connection, player_id: str) -> Role | None:
    """The role of a player; most have none."""
    row = connection.execute(_GRANTS.where(roles.c.player_id == player_id)).one_or_none()
    return Role(row.role) if row else None


def has_role(connection: Connection, player_id: str) -> bool:
    """Whether a player has any role."""
    return find_role(connection, player_id) is not None


def list_role_grants(connection: Connection) -> list[RoleGrant]:
    """All players with a role, by name."""
    rows = connection.execute(_GRANTS.order_by(players.c.name))
    return [RoleGrant(row.id, row.name, Role(row.role), row.granted_ms) for row in rows]


def set_role(connection: Connection, player_id: str, role: Role | None, now_ms: int) -> None:
    """Give a role or take it away, and end the step-up sessions of the old one."""
    connection.execute(delete(roles).where(roles.c.player_id == player_id))
    delete_step_up_sessions_of(connection, player_id)
    if role:
        connection.execute(insert(roles).values(player_id=player_id, role=role, granted_ms=now_ms))


_s = admin_entries.c


@dataclass(frozen=True, slots=True, kw_only=True)
class StepUpSession:
    """Access to the admin pages after re-authentication, bound to one session of one player."""

    token_hash: bytes
    player_id: str
    session_hash: bytes
    entered_ms: int
    until_ms: int


def add_step_up_session(connection: Connection, session: StepUpSession) -> None:
    """Store a session, and delete those that have expired."""
    connection.execute(delete(admin_entries).where(_s.until_ms <= session.entered_ms))
    values = {name: getattr(session, name) for name in StepUpSession.__slots__}
    connection.execute(insert(admin_entries).values(values))


def find_step_up_session(
    connection: Connection, token_hash: bytes, player_id: str, session_hash: bytes, now_ms: int
) -> StepUpSession | None:
    """The unexpired session of a token, if it belongs to this session of this player."""
    query = select(admin_entries).where(
        _s.token_hash == token_hash,
        _s.player_id == player_id,
        _s.session_hash == session_hash,
        _s.until_ms > now_ms,
    )
    row = connection.execute(query).one_or_none()
    return StepUpSession(**row._asdict()) if row else None


def delete_step_up_session(connection: Connection, token_hash: bytes) -> None:
    connection.execute(delete(admin_entries).where(_s.token_hash == token_hash))


def delete_step_up_sessions_of(connection: Connection, player_id: str) -> None:
    """Close the admin pages in all sessions of a player."""
    connection.execute(delete(admin_entries).where(_s.player_id == player_id))
