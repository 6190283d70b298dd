"""The games that a player has marked as favorites. Every function runs in the transaction of its caller."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select

from app.db.engine import insert_or_ignore
from app.db.schema import favorites

_f = favorites.c


def list_favorites(connection: Connection, player_id: str) -> list[str]:
    """The ids of a player's favorite rule sets, in the order in which they were added."""
    query = select(_f.ruleset).where(_f.player_id == player_id)
    return list(connection.scalars(query.order_by(_f.added_ms, _f.ruleset)))


def add(connection: Connection, player_id: str, ruleset: str, at_ms: int) -> None:
    """Mark a rule set; nothing changes if it is marked already."""
    row = insert_or_ignore(connection, favorites)
    connection.execute(row.values(player_id=player_id, ruleset=ruleset, added_ms=at_ms))


def remove(connection: Connection, player_id: str, ruleset: str) -> None:
    """Take the mark of a rule set away."""
    connection.execute(delete(favorites).where(_f.player_id == player_id, _f.ruleset == ruleset))


def move(connection: Connection, guest_id: str, player_id: str) -> None:
    """Give a guest's favorites to the account that they signed in to."""
    marked = select(_f.ruleset, _f.added_ms).where(_f.player_id == guest_id)
    for ruleset, added_ms in connection.execute(marked).all():
        add(connection, player_id, ruleset, added_ms)
    delete_all(connection, guest_id)


def delete_all(connection: Connection, player_id: str) -> None:
    """Forget a player's favorites."""
    connection.execute(delete(favorites).where(_f.player_id == player_id))
