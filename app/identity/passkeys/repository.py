"""Passkeys and ceremonies in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from app.db.schema import passkey_ceremonies, passkeys
from app.identity.passkeys.model import Ceremony, Passkey, Purpose

_p, _c = passkeys.c, passkey_ceremonies.c
_PASSKEY = select(*(passkeys.c[field] for field in Passkey._fields))


# --- ceremonies


def add_ceremony(connection: Connection, ceremony: Ceremony, now_ms: int) -> None:
    """Store a ceremony, and delete those that have expired."""
    connection.execute(delete(passkey_ceremonies).where(_c.until_ms <= now_ms))
    connection.execute(insert(passkey_ceremonies).values(ceremony._asdict()))


def take_ceremony(connection: Connection, challenge: bytes) -> Ceremony | None:
    """Take the ceremony of a challenge: it can be found only once."""
    row = connection.execute(
        delete(passkey_ceremonies)
        .where(_c.challenge == challenge)
        .returning(*(passkey_ceremonies.c[field] for field in Ceremony._fields))
    ).one_or_none()
    if row is None:
        return None
    return Ceremony(
        bytes(row.challenge),
        bytes(row.binding_hash),
        Purpose(row.purpose),
        row.player_id,
        bytes(row.user_handle) if row.user_handle is not None else None,
        row.until_ms,
    )


# --- passkeys


def add_passkey(connection: Connection, passkey: Passkey) -> None:
    """Add a passkey; ``IntegrityError`` when its credential id is known."""
    connection.execute(insert(passkeys).values(passkey._asdict()))


def find_passkey(connection: Connection, credential_id: bytes) -> Passkey | None:
    row = connection.execute(_PASSKEY.where(_p.credential_id == credential_id)).one_or_none()
    return _passkey(row) if row else None


def list_passkeys(connection: Connection, player_id: str) -> list[Passkey]:
    """A player's passkeys, the oldest first."""
    query = _PASSKEY.where(_p.player_id == player_id).order_by(_p.created_ms, _p.credential_id)
    return [_passkey(row) for row in connection.execute(query)]


def has_passkey(connection: Connection, player_id: str) -> bool:
    """Whether a player can sign in with a passkey."""
    return count_passkeys(connection, player_id) > 0


def count_passkeys(connection: Connection, player_id: str) -> int:
    query = select(func.count()).select_from(passkeys).where(_p.player_id == player_id)
    return connection.scalar(query) or 0


def record_use(connection: Connection, passkey: Passkey, sign_count: int, now_ms: int) -> bool:
    """Store that a passkey was used; false when it was removed, or used by someone else, since it was read."""
    used = connection.execute(
        update(passkeys)
        .where(_p.credential_id == passkey.credential_id, _p.sign_count == passkey.sign_count)
        .values(sign_count=sign_count, used_ms=now_ms)
    )
    return used.rowcount == 1


def rename_passkey(connection: Connection, credential_id: bytes, label: str) -> None:
    connection.execute(
        update(passkeys).where(_p.credential_id == credential_id).values(label=label)
    )


def delete_passkey(connection: Connection, credential_id: bytes) -> None:
    connection.execute(delete(passkeys).where(_p.credential_id == credential_id))


def delete_passkeys_of(connection: Connection, player_id: str) -> int:
    """Delete all passkeys of a player; how many there were."""
    return connection.execute(delete(passkeys).where(_p.player_id == player_id)).rowcount


def _passkey(row: Row[Any]) -> Passkey:
    return Passkey(
        **row._asdict()
        | {
            name: bytes(getattr(row, name))
            for name in ("credential_id", "user_handle", "public_key")
        }
    )
