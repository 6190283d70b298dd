"""Authenticator apps in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, delete, select, update

from app.db.engine import insert_into
from app.db.schema import authenticators

_a = authenticators.c
_NEVER = -1


class Authenticator(NamedTuple):
    """The authenticator app of a player, and the one that may be about to replace it. Secrets are sealed."""

    secret: str | None
    confirmed_ms: int | None
    last_step: int
    pending_secret: str | None
    pending_session_hash: bytes | None
    pending_until_ms: int | None


def find_authenticator(connection: Connection, player_id: str) -> Authenticator | None:
    columns = (authenticators.c[field] for field in Authenticator._fields)
    row = connection.execute(select(*columns).where(_a.player_id == player_id)).one_or_none()
    return Authenticator(*row) if row else None


def is_set_up(connection: Connection, player_id: str) -> bool:
    """Whether a player has an authenticator app whose codes count."""
    query = select(_a.player_id).where(_a.player_id == player_id, _a.secret.is_not(None))
    return connection.execute(query).first() is not None


def store_pending(
    connection: Connection, player_id: str, secret: str, session_hash: bytes, until_ms: int
) -> None:
    """Store a secret that counts once a code of it is typed in the same session."""
    values = {
        "pending_secret": secret,
        "pending_session_hash": session_hash,
        "pending_until_ms": until_ms,
    }
    connection.execute(
        insert_into(connection, authenticators)
        .values(player_id=player_id, last_step=_NEVER, **values)
        .on_conflict_do_update(index_elements=["player_id"], set_=values)
    )


def store_confirmed(
    connection: Connection, player_id: str, secret: str, now_ms: int, last_step: int = _NEVER
) -> None:
    """Store a secret that counts from now on, in place of any other."""
    values = {
        "secret": secret,
        "confirmed_ms": now_ms,
        "last_step": last_step,
        "pending_secret": None,
        "pending_session_hash": None,
        "pending_until_ms": None,
    }
    connection.execute(
        insert_into(connection, authenticators)
        .values(player_id=player_id, **values)
        .on_conflict_do_update(index_elements=["player_id"], set_=values)
    )


def record_step(connection: Connection, player_id: str, secret: str, step: int) -> bool:
    """Use up the code of a time step; false when it, or a later one, was used before."""
    used = connection.execute(
        update(authenticators)
        .where(_a.player_id == player_id, _a.secret == secret, _a.last_step < step)
        .values(last_step=step)
    )
    return used.rowcount == 1


def delete_authenticator(connection: Connection, player_id: str) -> bool:
    """Delete a player's authenticator app; whether there was one."""
    return connection.execute(delete(authenticators).where(_a.player_id == player_id)).rowcount == 1
