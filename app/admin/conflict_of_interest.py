"""Conflicts of interest: staff play too, so they must not see cards that would help them."""

from __future__ import annotations

from sqlalchemy import Connection, literal, or_, select

from app.admin.audit_log import AuditAction
from app.db.schema import audit, games, roles, seats
from app.errors import ForbiddenError
from app.games.model import Status

FINAL_STATUSES = frozenset({Status.WON, Status.RESIGNED})
"""A loss is not final: it can be undone."""


class ConflictOfInterestError(ForbiddenError):
    """A staff member asked to see cards that they still play themselves."""

    title = "You still play these cards"


def has_conflict_of_interest(connection: Connection, player_id: str, game_id: str) -> bool:
    """Whether a player still plays these cards: this game, alone or shared, or another game of the same deal."""
    own, other = games.alias("mine"), games.alias("other")
    is_seated = select(seats.c.game_id).where(
        seats.c.player_id == player_id, seats.c.game_id == game_id, seats.c.state == "seated"
    )
    query = (
        select(literal(1))
        .select_from(own)
        .join(other, own.c.ruleset == other.c.ruleset)
        .where(
            other.c.id == game_id,
            or_(own.c.owner_id == player_id, own.c.id.in_(is_seated)),
            own.c.status.not_in(FINAL_STATUSES),
            or_(own.c.code == other.c.code, own.c.seed == other.c.seed),
        )
    )
    return connection.execute(query.limit(1)).first() is not None


def find_earlier_reveal(
    connection: Connection, player_id: str, game_id: str, until_ms: int
) -> str | None:
    """Another game of the same deal whose cards this player, as a staff member, had revealed by then."""
    if connection.scalar(select(roles.c.role).where(roles.c.player_id == player_id)) is None:
        return None
    own, other = games.alias("mine"), games.alias("other")
    query = (
        select(other.c.id)
        .select_from(audit.join(other, other.c.id == audit.c.subject))
        .join(own, own.c.ruleset == other.c.ruleset)
        .where(
            audit.c.actor_id == player_id,
            audit.c.act == AuditAction.REVEAL,
            audit.c.at_ms <= until_ms,
            own.c.id == game_id,
            other.c.id != game_id,
            or_(own.c.code == other.c.code, own.c.seed == other.c.seed),
        )
        .order_by(audit.c.seq)
    )
    return connection.scalar(query.limit(1))
