"""Who moved in a game, by the names of today: at a shared table several, else its player and nobody else."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from sqlalchemy import Connection, select

from app.db.schema import former_guests, players, seats

_MOST_TABLES: Final = 500


class Mover(NamedTuple):
    """Who stands behind an id in a log: a guest who has logged in since is the player they turned out to be."""

    player_id: str
    name: str


class Seat(NamedTuple):
    """Somebody who sits at a shared table, or has sat there: ``state`` is one of app.shared_tables.repository.State."""

    player_id: str
    name: str
    state: str
    moved: bool


def movers(connection: Connection, ids: Collection[str]) -> dict[str, Mover]:
    """Who stands behind the ids in a log."""
    f = former_guests.c
    known = select(f.guest_id, f.player_id).where(f.guest_id.in_(ids))
    who = {row.guest_id: row.player_id for row in connection.execute(known)}
    meant = {who.get(one, one) for one in ids}
    named = select(players.c.id, players.c.name).where(players.c.id.in_(meant))
    names = {row.id: row.name for row in connection.execute(named)}
    return {one: Mover(who.get(one, one), names.get(who.get(one, one), "")) for one in ids}


def seats_at(connection: Connection, game_id: str) -> list[Seat]:
    """Everybody who ever sat at a table, the first to come first; nobody at a table of one."""
    s = seats.c
    query = (
        select(s.player_id, players.c.name, s.state, s.moved)
        .join_from(seats, players, players.c.id == s.player_id)
        .where(s.game_id == game_id)
        .order_by(s.since_ms, s.player_id)
    )
    return [Seat(row[0], row[1], row[2], bool(row[3])) for row in connection.execute(query)]


def tables_of(connection: Connection, players_meant: Collection[str]) -> list[str]:
    """The games of others in which somebody made a move."""
    s = seats.c
    query = select(s.game_id).where(s.player_id.in_(players_meant), s.moved)
    return list(connection.scalars(query.order_by(s.since_ms.desc()).limit(_MOST_TABLES)))
