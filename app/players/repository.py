"""Players and their sessions in the database. A session is found by the hash of its token."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from app.storage.schema import players, sessions


class FoundSession(NamedTuple):
    """Whose session it is, and when it was last seen."""

    player_id: str
    name: str
    seen_ms: int


_FIND = select(players.c.id, players.c.name, sessions.c.seen_ms).join_from(sessions, players)


def find_session(connection: Connection, token_hash: bytes, oldest_ms: int) -> FoundSession | None:
    """The session of a token, unless it was last seen before ``oldest_ms``."""
    row = connection.execute(
        _FIND.where(sessions.c.token_hash == token_hash, sessions.c.seen_ms >= oldest_ms)
    ).first()
    return FoundSession(*row) if row is not None else None


def add_player(connection: Connection, player_id: str, name: str, now_ms: int) -> None:
    """A new player."""
    connection.execute(insert(players).values(id=player_id, name=name, created_ms=now_ms))


def add_session(connection: Connection, token_hash: bytes, player_id: str, now_ms: int) -> None:
    """Another way in for a player."""
    connection.execute(
        insert(sessions).values(
            token_hash=token_hash, player_id=player_id, created_ms=now_ms, seen_ms=now_ms
        )
    )


def touch_session(connection: Connection, token_hash: bytes, now_ms: int) -> None:
    """Note that a session is in use."""
    connection.execute(
        update(sessions).where(sessions.c.token_hash == token_hash).values(seen_ms=now_ms)
    )


def end_session(connection: Connection, token_hash: bytes) -> None:
    """Let a token open nothing any more."""
    connection.execute(delete(sessions).where(sessions.c.token_hash == token_hash))


def end_sessions_of(connection: Connection, player_id: str) -> None:
    """Let none of a player's tokens open anything any more."""
    connection.execute(delete(sessions).where(sessions.c.player_id == player_id))


def rename_player(connection: Connection, player_id: str, name: str) -> None:
    """Give a player another name."""
    connection.execute(update(players).where(players.c.id == player_id).values(name=name))
