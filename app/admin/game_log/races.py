"""The race that a game was a run of: who else ran, and what happened in the room."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, select

from app.db.schema import games, players, race_events, race_seats
from app.http.formats import exact_moment, span


class Run(NamedTuple):
    """The game of one racer."""

    game_id: str
    player: str
    told: str


class RoomEvent(NamedTuple):
    """Something that happened in the room: of what the room's log says, no more than what, who and when."""

    when: str
    what: str
    player: str


class Race(NamedTuple):
    """A race, for whoever looks at one of its games."""

    code: str
    runs: list[Run]
    events: list[RoomEvent]


def find_race(connection: Connection, game_id: str) -> Race | None:
    """The race of a game; ``None`` for a game that is no run of one."""
    code = connection.scalar(select(race_seats.c.code).where(race_seats.c.game_id == game_id))
    if code is None:
        return None
    return Race(code, _runs(connection, code), _events(connection, code))


def _runs(connection: Connection, code: str) -> list[Run]:
    g = games.c
    query = (
        select(g.id, players.c.name, g.status, g.version, g.started_ms, g.updated_ms)
        .select_from(
            race_seats.join(games, g.id == race_seats.c.game_id).join(
                players, players.c.id == g.owner_id
            )
        )
        .where(race_seats.c.code == code)
        .order_by(players.c.name, g.id)
    )
    return [
        Run(
            row.id,
            row.name,
            f"{row.status} after {row.version} actions, {span(max(row.updated_ms - row.started_ms, 0))}",
        )
        for row in connection.execute(query)
    ]


def _events(connection: Connection, code: str) -> list[RoomEvent]:
    e = race_events.c
    query = (
        select(e.at_ms, e.word, players.c.name)
        .select_from(race_events.outerjoin(players, players.c.id == e.player_id))
        .where(e.code == code)
        .order_by(e.seq)
    )
    return [
        RoomEvent(exact_moment(row.at_ms), row.word.replace("_", " "), row.name or "")
        for row in connection.execute(query)
    ]
