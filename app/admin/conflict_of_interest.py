"""Conflicts of interest: staff play too, so they must not see cards or games that would help them.

While today's deal or a race is open, its games are withheld from staff members who have yet to finish that deal, or
who race: lists only say that such a game exists.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta
from typing import Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    exists,
    literal,
    or_,
    select,
    true,
    union_all,
)

from app.admin.audit_log import AuditAction
from app.db.schema import (
    audit,
    daily_attempts,
    daily_deals,
    games,
    race_seats,
    races,
    roles,
    table_seats,
)
from app.errors import ForbiddenError
from app.games.attempt_verdicts import AttemptVerdict
from app.games.model import Status
from app.games.repository import is_deal_secret
from app.text import gettext

FINAL_STATUSES = frozenset({Status.WON, Status.RESIGNED})
"""A loss is not final: it can be undone."""

WITHHELD_NOTE: Final = gettext(
    "Withheld: you haven't finished this deal yourself, or you are racing on it."
)
"""In place of what a list would tell of a game."""

_WITHHELD: Final = gettext(
    "You haven't finished this deal yourself, or you are racing on it. You can see this game once you have"
    " finished the deal or it is closed for everyone."
)


class ConflictOfInterestError(ForbiddenError):
    """A staff member asked to see cards that they still play themselves."""

    title = gettext("You are still playing these cards")


class GameWithheldError(ConflictOfInterestError):
    """A staff member asked to see a game of a deal that they may still play, or of a race that they are in."""

    title = gettext("You can't see this game yet")


class Reader(NamedTuple):
    """A staff member who reads today, UTC."""

    player_id: str
    today: date


def withheld_games(
    reader: Reader,
    attempt: ColumnElement[bool] | None = None,
    seat: ColumnElement[bool] | None = None,
) -> CompoundSelect[tuple[str]]:
    """The ids of the games that a staff member may not see yet, with more conditions on both kinds if given."""
    own, own_seat = daily_attempts.alias("own_attempt"), race_seats.alias("own_seat")
    a, s = daily_attempts.c, race_seats.c
    has_finished = exists().where(
        own.c.player_id == reader.player_id,
        own.c.day == a.day,
        own.c.ruleset == a.ruleset,
        own.c.verdict != AttemptVerdict.OPEN,
    )
    takes_part = exists().where(own_seat.c.code == s.code, own_seat.c.player_id == reader.player_id)
    return union_all(
        select(a.game_id)
        .select_from(daily_attempts.join(daily_deals))
        .where(
            daily_deals.c.closed_ms.is_(None),
            # Nobody plays older days; yesterday's games may still have to be finished and verified.
            a.day >= (reader.today - timedelta(days=1)).isoformat(),
            ~has_finished,
            true() if attempt is None else attempt,
        ),
        select(s.game_id)
        .select_from(race_seats.join(races))
        .where(
            races.c.ended_ms.is_(None),
            s.game_id.is_not(None),
            takes_part,
            true() if seat is None else seat,
        ),
    )


def list_withheld(
    connection: Connection, reader: Reader | None, game_ids: Collection[str]
) -> set[str]:
    """Those of some games that are withheld from a staff member; none on the command line."""
    if reader is None or not game_ids:
        return set()
    query = withheld_games(
        reader, daily_attempts.c.game_id.in_(game_ids), race_seats.c.game_id.in_(game_ids)
    )
    return set(connection.scalars(query))


def check_not_withheld(connection: Connection, reader: Reader, game_id: str) -> None:
    """Raise ``GameWithheldError`` for a game that is withheld from a staff member."""
    if list_withheld(connection, reader, [game_id]):
        raise GameWithheldError(_WITHHELD)


def is_in_progress(connection: Connection, game_id: str) -> bool:
    """Whether a game is still being played, or others still play its secret deal."""
    status = connection.scalar(select(games.c.status).where(games.c.id == game_id))
    return status == Status.PLAYING or is_deal_secret(connection, game_id)


def has_conflict_of_interest(connection: Connection, player_id: str, game_id: str) -> bool:
    """Whether a player still plays these cards: this game, alone or shared, or another game of the same deal."""
    own, other = games.alias("mine"), games.alias("other")
    is_seated = select(table_seats.c.game_id).where(
        table_seats.c.player_id == player_id,
        table_seats.c.game_id == game_id,
        table_seats.c.state == "seated",
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
