"""Passwords given again, in the database: each opens the admin pages for a while, to one session of one player."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select

from app.db.schema import admin_entries

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
