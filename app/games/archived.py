"""Games whose moves are not in the database, because the month in which they began was archived.

See `app.cli.archive`. A game without any stored move may be one of them: ask here before it is taken for empty.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, or_, select, true

from app.clock import day_begins_ms, first_day_of
from app.db.event_partitions import list_detached
from app.db.schema import games
from app.errors import GameNotFoundError
from app.text import gettext

_ARCHIVED: Final = gettext(
    "The moves of this game are in the site's archive. Ask the operator for them."
)


class ArchivedError(GameNotFoundError):
    """The moves of a game, or of a whole day, are in the archive of their month."""

    def __init__(self) -> None:
        super().__init__(_ARCHIVED)


def has_log(connection: Connection) -> ColumnElement[bool]:
    """The condition that the month of a game is in the database."""
    began = games.c.started_ms
    months = sorted(list_detached(connection))
    outside = (
        or_(
            began < day_begins_ms(first_day_of(month)),
            began >= day_begins_ms(first_day_of(month + 1)),
        )
        for month in months
    )
    return and_(true(), *outside)


def list_archived(connection: Connection, game_ids: Collection[str]) -> set[str]:
    """Which of some games have moves that are in an archive."""
    if not game_ids or not list_detached(connection):
        return set()
    query = select(games.c.id).where(
        games.c.id.in_(game_ids), games.c.version > 0, ~has_log(connection)
    )
    return set(connection.scalars(query))
