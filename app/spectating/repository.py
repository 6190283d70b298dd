"""Who may watch which table, in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sqlalchemy import Connection, literal, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite

from app.db.schema import audiences, games, players
from app.games.model import Game, Status

_IDLE_MS: Final = 30 * 60_000  # a table that rests longer is not live
_OLDEST_MS: Final = 24 * 3_600_000  # how long a table stays listed without being shown anew
_a = audiences.c


class Audience(StrEnum):
    """Who may look on at a table that somebody plays at."""

    NOBODY = "nobody"
    LINK = "link"
    PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class Listed:
    """A table that is played in public."""

    game_id: str
    ruleset: str
    player: str
    actions: int
    listed_ms: int


def audience_of(connection: Connection, game_id: str) -> Audience:
    """Who may watch; what was never chosen is: whoever has the link."""
    chosen = connection.scalar(select(_a.audience).where(_a.game_id == game_id))
    return Audience(chosen) if chosen else Audience.LINK


def is_closed(connection: Connection, game_id: str) -> bool:
    """Whether a table is kept from everybody but those who sit at it."""
    query = select(literal(1)).where(_a.game_id == game_id, _a.audience == Audience.NOBODY)
    return connection.scalar(query) is not None


def choose(connection: Connection, game_id: str, audience: Audience, listed_ms: int | None) -> None:
    """Store a choice; ``listed_ms`` for a table that is to be on the list from now on."""
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    values = {"audience": audience, "listed_ms": listed_ms}
    connection.execute(
        insert(audiences)
        .values(game_id=game_id, **values)
        .on_conflict_do_update(index_elements=["game_id"], set_=values)
    )


def follow_status(connection: Connection, game: Game) -> None:
    """Take a game off the list when it ends, and on again when its player leads back into it."""
    listed_ms = game.updated_ms if game.status is Status.PLAYING else None
    connection.execute(
        update(audiences)
        .where(_a.game_id == game.id, _a.audience == Audience.PUBLIC)
        .values(listed_ms=listed_ms)
    )


def listed(
    connection: Connection, now_ms: int, after: tuple[int, str] | None, most: int
) -> Sequence[Listed]:
    """Public tables that are played now, the last shown first."""
    query = (
        select(_a.game_id, games.c.ruleset, players.c.name, games.c.version, _a.listed_ms)
        .join_from(audiences, games, games.c.id == _a.game_id)
        .join(players, players.c.id == games.c.owner_id)
        .where(
            _a.listed_ms > now_ms - _OLDEST_MS,
            games.c.updated_ms > now_ms - _IDLE_MS,
            games.c.status == Status.PLAYING,
        )
        .order_by(_a.listed_ms.desc(), _a.game_id.desc())
        .limit(most)
    )
    if after is not None:
        query = query.where(tuple_(_a.listed_ms, _a.game_id) < tuple_(*map(literal, after)))
    return [Listed(*row) for row in connection.execute(query)]
