"""Recovery codes in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from app.db.engine import insert_into
from app.db.schema import recovery_codes, recovery_sets

_c, _s = recovery_codes.c, recovery_sets.c


class StoredSet(NamedTuple):
    """The set of codes that a player made last, or the answer of one who wanted none."""

    made_ms: int | None
    secret: bytes | None
    """The secret to show the codes again; ``None`` once they have been saved."""
    answered_ms: int | None
    """When the player saved codes, or did not want any."""


def find_set(connection: Connection, player_id: str) -> StoredSet | None:
    query = select(_s.made_ms, _s.secret, _s.answered_ms).where(_s.player_id == player_id)
    row = connection.execute(query).one_or_none()
    return StoredSet(*row) if row else None


def replace_set(
    connection: Connection, player_id: str, hashes: Iterable[bytes], stored: StoredSet
) -> None:
    """Store new codes, which voids the old ones."""
    # First the row that everybody writes: a second request for the same player waits here.
    _store(connection, player_id, **stored._asdict())
    connection.execute(delete(recovery_codes).where(_c.player_id == player_id))
    rows = [{"player_id": player_id, "code_hash": code_hash} for code_hash in hashes]
    connection.execute(insert(recovery_codes), rows)


def answer(connection: Connection, player_id: str, now_ms: int) -> None:
    """Store that the player has saved the codes, or does not want any; they can't be shown again."""
    _store(connection, player_id, secret=None, answered_ms=now_ms)


def has_code(connection: Connection, player_id: str, code_hash: bytes) -> bool:
    """Whether a code is unused."""
    query = select(_c.player_id).where(_c.player_id == player_id, _c.code_hash == code_hash)
    return connection.execute(query).first() is not None


def use_code(connection: Connection, player_id: str, code_hash: bytes) -> bool:
    """Delete a code; whether it was there. Of two transactions that use it at once, one gets it."""
    used = delete(recovery_codes).where(_c.player_id == player_id, _c.code_hash == code_hash)
    return connection.execute(used).rowcount == 1


def count_codes(connection: Connection, player_id: str) -> int:
    """How many codes are unused."""
    query = select(func.count()).where(_c.player_id == player_id)
    return connection.scalar(query) or 0


def delete_all(connection: Connection, player_id: str) -> None:
    """Delete everything about the codes of a player whose account is being deleted."""
    connection.execute(delete(recovery_codes).where(_c.player_id == player_id))
    connection.execute(delete(recovery_sets).where(_s.player_id == player_id))


def forget_secrets(connection: Connection, made_before_ms: int) -> None:
    """Delete what old codes could be shown again with."""
    connection.execute(
        update(recovery_sets)
        .where(_s.secret.is_not(None), _s.made_ms < made_before_ms)
        .values(secret=None)
    )


def _store(connection: Connection, player_id: str, **values: object) -> None:
    connection.execute(
        insert_into(connection, recovery_sets)
        .values(player_id=player_id, **values)
        .on_conflict_do_update(index_elements=["player_id"], set_=values)
    )
