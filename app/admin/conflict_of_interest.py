"""Whoever looks after a site plays on it, too: what they may not look at because it would help them."""

from __future__ import annotations

from sqlalchemy import Connection, literal, or_, select

from app.db.schema import audit, games, roles, seats
from app.games.model import Status

CLOSED = frozenset({Status.WON, Status.RESIGNED})
"""How a game ends for good: a loss can be taken back."""


def would_help(connection: Connection, player_id: str, game_id: str) -> bool:
    """Whether somebody still plays these cards: this very game, alone or with others, or another of the same deal."""
    mine, other = games.alias("mine"), games.alias("other")
    at_the_table = select(seats.c.game_id).where(
        seats.c.player_id == player_id, seats.c.game_id == game_id, seats.c.state == "seated"
    )
    query = (
        select(literal(1))
        .select_from(mine)
        .join(other, mine.c.ruleset == other.c.ruleset)
        .where(
            other.c.id == game_id,
            or_(mine.c.owner_id == player_id, mine.c.id.in_(at_the_table)),
            mine.c.status.not_in(CLOSED),
            or_(mine.c.code == other.c.code, mine.c.seed == other.c.seed),
        )
    )
    return connection.execute(query.limit(1)).first() is not None


def looked_before(
    connection: Connection, player_id: str, game_id: str, until_ms: int
) -> str | None:
    """Another game of the same deal under whose cards a player with a role has looked by then."""
    if connection.scalar(select(roles.c.role).where(roles.c.player_id == player_id)) is None:
        return None
    mine, other = games.alias("mine"), games.alias("other")
    query = (
        select(other.c.id)
        .select_from(audit.join(other, other.c.id == audit.c.subject))
        .join(mine, mine.c.ruleset == other.c.ruleset)
        .where(
            audit.c.actor_id == player_id,
            audit.c.act == "reveal",
            audit.c.at_ms <= until_ms,
            mine.c.id == game_id,
            other.c.id != game_id,
            or_(mine.c.code == other.c.code, mine.c.seed == other.c.seed),
        )
        .order_by(audit.c.seq)
    )
    return connection.scalar(query.limit(1))
