"""A player's own record in every game, for the places where they choose one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection, case, exists, func, select

from app.db.schema import games, hints_of, was_assisted
from app.game_kinds import Status
from app.profiles.statistics import TIME_MS, counted_games


class OwnRecord(NamedTuple):
    """A player's finished games by one rule set; the bests are of wins without help, ``None`` before the first."""

    played: int
    won: int
    best_moves: int | None
    best_seconds: int | None


def records_of(connection: Connection, player_id: str) -> Mapping[str, OwnRecord]:
    """A player's record by rule set, in one query; a game that they have never finished is missing.

    It is for the player's own eyes: daily attempts count at once, and those without a rank, too.
    """
    g = games.c
    is_won = g.status == Status.WON
    is_own_work = is_won & (hints_of(g.id) == 0) & ~exists().where(was_assisted(g.id, g.version))
    query = (
        select(
            g.ruleset,
            func.count(),
            func.count(case((is_won, 1))),
            func.min(case((is_own_work, g.moves))),
            func.min(case((is_own_work, TIME_MS))),
        )
        .where(*counted_games(player_id))
        .group_by(g.ruleset)
    )
    return {
        ruleset: OwnRecord(played, won, moves, None if ms is None else ms // 1000)
        for ruleset, played, won, moves, ms in connection.execute(query)
    }
