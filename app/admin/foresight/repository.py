"""Reads measured attempts; `app.analysis` measures them. Functions run in their caller's transaction."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, func, select

from app.db.schema import daily_attempts, daily_deals, foresights, players
from app.solver.foresight import Foresight, z_score

_a, _f, _p = daily_attempts.c, foresights.c, players.c


class MeasuredAttempt(NamedTuple):
    """An attempt at a closed daily deal. ``attempts`` and ``z_together`` are of all measured ones of its player."""

    game_id: str
    day: str
    ruleset: str
    player_id: str
    player: str
    z: float
    choices: int
    agreed: int
    expected: float
    attempts: int
    z_together: float


_OF_PLAYERS: Final = (
    select(
        _a.player_id,
        func.count(_f.z).label("attempts"),
        func.sum(_f.excess).label("excess"),
        func.sum(_f.variance).label("variance"),
    )
    .select_from(foresights.join(daily_attempts))
    .group_by(_a.player_id)
    .subquery()
)
_ATTEMPTS: Final = (
    select(
        *(_f.game_id, _a.day, _a.ruleset, _a.player_id, _p.name, _f.z, _f.choices),
        *(_OF_PLAYERS.c.attempts, _OF_PLAYERS.c.excess, _OF_PLAYERS.c.variance),
    )
    .select_from(
        foresights.join(daily_attempts)
        .join(daily_deals)
        .join(players, _p.id == _a.player_id)
        .join(_OF_PLAYERS, _OF_PLAYERS.c.player_id == _a.player_id)
    )
    .where(_f.z.is_not(None), daily_deals.c.closed_ms.is_not(None))
)


def list_highest(connection: Connection, limit: int) -> list[MeasuredAttempt]:
    """The attempts with the highest scores."""
    return [
        attempt
        for attempt, _ in _fetch(
            connection, _ATTEMPTS.order_by(_f.z.desc(), _f.game_id).limit(limit)
        )
    ]


def find_attempt(connection: Connection, game_id: str) -> tuple[MeasuredAttempt, Foresight] | None:
    """An attempt and its judged turns; ``None`` if it has not been measured."""
    return next(iter(_fetch(connection, _ATTEMPTS.where(_f.game_id == game_id))), None)


def _fetch(connection: Connection, query: Select[Any]) -> list[tuple[MeasuredAttempt, Foresight]]:
    found = []
    for row in connection.execute(query):
        foresight = Foresight.parse(row.choices)
        attempt = MeasuredAttempt(
            game_id=row.game_id,
            day=row.day,
            ruleset=row.ruleset,
            player_id=row.player_id,
            player=row.name,
            z=row.z,
            choices=len(foresight.choices),
            agreed=foresight.agreed,
            expected=foresight.expected,
            attempts=row.attempts,
            z_together=z_score(row.excess, row.variance),
        )
        found.append((attempt, foresight))
    return found
