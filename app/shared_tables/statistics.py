"""What shared tables add to a player's results: counted apart, one for everybody who made a move there."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, func, select, true

from app.db.schema import games, seats
from app.games.model import Status


class Together(NamedTuple):
    """How the finished games at shared tables went in which somebody had a part, by one rule set."""

    ruleset: str
    played: int
    won: int


def together(connection: Connection, player_id: str) -> list[Together]:
    """Somebody's results at shared tables, wherever they sit by now."""
    won = func.count().filter(games.c.status == Status.WON)
    query = (
        select(games.c.ruleset, func.count(), won)
        .join_from(seats, games, seats.c.game_id == games.c.id)
        .where(
            seats.c.player_id == player_id,
            seats.c.moved == true(),
            games.c.status != Status.PLAYING,
        )
        .group_by(games.c.ruleset)
        .order_by(games.c.ruleset)
    )
    return [Together(*row) for row in connection.execute(query)]
