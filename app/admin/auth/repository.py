"""Staff roles and step-up sessions in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from app.db.schema import accounts, admin_entries, players, roles


class Role(StrEnum):
    """What somebody may do: a moderator sees games, an administrator does everything."""

    MODERATOR = "moderator"
    ADMINISTRATOR = "administrator"


class Bearer(NamedTuple):
    """Somebody with a role."""

    player_id: str
    name: str
    role: Role
    granted_ms: int


# Through their account: whoever deletes it has no role any more.
_BEARERS = select(players.c.id, players.c.name, roles.c.role, roles.c.granted_ms).select_from(
    roles.join(players).join(accounts, accounts.c.player_id == roles.c.player_id)
)


def role_of(connection: Connection, player_id: str) -> Role | None:
    """The role of a player; nearly everybody has none."""
    row = connection.execute(_BEARERS.where(roles.c.player_id == player_id)).one_or_none()
    return Role(row.role) if row else None


def bearers(connection: Connection) -> list[Bearer]:
    """Everybody with a role, by name."""
    rows = connection.execute(_BEARERS.order_by(players.c.name))
    return [Bearer(row.id, row.name, Role(row.role), row.granted_ms) for row in rows]


def set_role(connection: Connection, player_id: str, role: Role | None, now_ms: int) -> None:
    """Give a role, or take it away, and close every door that the old one had opened."""
    connection.execute(delete(roles).where(roles.c.player_id == player_id))
    connection.execute(delete(admin_entries).where(admin_entries.c.player_id == player_id))
    if role:
        connection.execute(insert(roles).values(player_id=player_id, role=role, granted_ms=now_ms))


_e = admin_entries.c


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEvent:
    """An open door: for whom, for which of their sessions, since when and until when."""

    token_hash: bytes
    player_id: str
    session_hash: bytes
    entered_ms: int
    until_ms: int


def open_entry(connection: Connection, entry: GameEvent) -> None:
    """Open a door, and clear away those that have shut by themselves."""
    connection.execute(delete(admin_entries).where(_e.until_ms <= entry.entered_ms))
    values = {name: getattr(entry, name) for name in GameEvent.__slots__}
    connection.execute(insert(admin_entries).values(values))


def find_entry(
    connection: Connection, token_hash: bytes, player_id: str, session_hash: bytes, now_ms: int
) -> GameEvent | None:
    """The door that a token opens now, to this session of this player and to nobody else."""
    query = select(admin_entries).where(
        _e.token_hash == token_hash,
        _e.player_id == player_id,
        _e.session_hash == session_hash,
        _e.until_ms > now_ms,
    )
    row = connection.execute(query).one_or_none()
    return GameEvent(**row._asdict()) if row else None


def shut_entry(connection: Connection, token_hash: bytes) -> None:
    """Shut a door."""
    connection.execute(delete(admin_entries).where(_e.token_hash == token_hash))
