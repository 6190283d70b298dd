"""Players and their sessions in the database. A session is found by the hash of its token."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from app.db.schema import accounts, players, sessions, suspensions, withdrawn_names


class FoundSession(NamedTuple):
    """Whose session it is, when it was last seen, and why they are suspended, if they are."""

    player_id: str
    name: str
    is_named: bool
    seen_ms: int
    suspension: str | None


class Session(NamedTuple):
    """One way in for a player: a device, or a program with a token."""

    token_hash: bytes
    label: str
    created_ms: int
    seen_ms: int

    @property
    def id(self) -> str:
        """What its owner calls it by; it tells nothing about the token."""
        return self.token_hash.hex()[:16]


_FIND = select(
    *(players.c.id, players.c.name, accounts.c.player_id.is_not(None), sessions.c.seen_ms),
    suspensions.c.reason,
).select_from(
    sessions.join(players)
    .outerjoin(accounts, accounts.c.player_id == players.c.id)
    .outerjoin(suspensions, suspensions.c.player_id == players.c.id)
)


def find_session(connection: Connection, token_hash: bytes, oldest_ms: int) -> FoundSession | None:
    """The session of a token, unless it was last seen before ``oldest_ms``."""
    row = connection.execute(
        _FIND.where(sessions.c.token_hash == token_hash, sessions.c.seen_ms >= oldest_ms)
    ).first()
    return FoundSession(*row) if row is not None else None


def add_player(connection: Connection, player_id: str, name: str, now_ms: int) -> None:
    """A new player."""
    connection.execute(insert(players).values(id=player_id, name=name, created_ms=now_ms))


def add_session(
    connection: Connection, token_hash: bytes, player_id: str, label: str, now_ms: int
) -> None:
    """Another way in for a player."""
    connection.execute(
        insert(sessions).values(
            token_hash=token_hash,
            player_id=player_id,
            label=label,
            created_ms=now_ms,
            seen_ms=now_ms,
        )
    )


def sessions_of(connection: Connection, player_id: str, oldest_ms: int) -> list[Session]:
    """A player's ways in, the last used first."""
    s = sessions.c
    query = select(s.token_hash, s.label, s.created_ms, s.seen_ms).where(
        s.player_id == player_id, s.seen_ms >= oldest_ms
    )
    rows = connection.execute(query.order_by(s.seen_ms.desc(), s.created_ms.desc(), s.token_hash))
    return [Session(bytes(row[0]), *row[1:]) for row in rows]


def touch_session(connection: Connection, token_hash: bytes, now_ms: int) -> None:
    """Note that a session is in use."""
    connection.execute(
        update(sessions).where(sessions.c.token_hash == token_hash).values(seen_ms=now_ms)
    )


def end_session(connection: Connection, token_hash: bytes) -> bool:
    """Let a token open nothing any more; whether it did until now."""
    ended = connection.execute(delete(sessions).where(sessions.c.token_hash == token_hash))
    return ended.rowcount == 1


def end_sessions_of(connection: Connection, player_id: str, but: bytes = b"") -> int:
    """Let none of a player's tokens open anything any more, ``but`` perhaps one; how many did until now."""
    ended = connection.execute(
        delete(sessions).where(sessions.c.player_id == player_id, sessions.c.token_hash != but)
    )
    return ended.rowcount


def rename_player(connection: Connection, player_id: str, name: str) -> None:
    """Give a player another name."""
    connection.execute(update(players).where(players.c.id == player_id).values(name=name))


def withdrawn_names_of(connection: Connection, player_id: str) -> list[tuple[str, str]]:
    """The names that were taken from a player, and why."""
    w = withdrawn_names.c
    query = select(w.name, w.reason).where(w.player_id == player_id).order_by(w.withdrawn_ms)
    return [(row.name, row.reason) for row in connection.execute(query)]


def is_named(connection: Connection, player_id: str) -> bool:
    """Whether a player has claimed a name, and so is no guest."""
    found = select(accounts.c.player_id).where(accounts.c.player_id == player_id)
    return connection.execute(found).first() is not None
