"""Requests for seats in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, insert, literal, select, true, update

from app.db.schema import players, seat_requests
from app.shared_tables.model import SeatRequest

_r: Final = seat_requests.c


def list_all(connection: Connection, game_id: str) -> Sequence[SeatRequest]:
    """The requests at a table, the first first, with those that were declined."""
    rows = connection.execute(
        select(_r.player_id, players.c.name, _r.declined)
        .join_from(seat_requests, players)
        .where(_r.game_id == game_id)
        .order_by(_r.asked_ms, _r.player_id)
    )
    return [SeatRequest(row[0], row[1], bool(row[2])) for row in rows]


def is_asking(connection: Connection, game_id: str, player_id: str) -> bool:
    """Whether a player's request waits for an answer."""
    open_request = select(_r.asked_ms).where(_is_open(game_id, player_id))
    return connection.scalar(open_request) is not None


def add(
    connection: Connection, game_id: str, player_id: str, at_ms: int, *, is_declined: bool = False
) -> None:
    """Store that a player asks for a seat."""
    row = {"game_id": game_id, "player_id": player_id, "asked_ms": at_ms, "declined": is_declined}
    connection.execute(insert(seat_requests).values(row))


def decline(connection: Connection, game_id: str, player_id: str) -> bool:
    """Decline a request; ``False`` when there is none that waits for an answer."""
    its = _is_open(game_id, player_id)
    return connection.execute(update(seat_requests).where(its).values(declined=True)).rowcount == 1


def delete_open(connection: Connection, game_id: str, player_id: str) -> bool:
    """Forget a request; ``False`` when there is none that waits for an answer."""
    its = _is_open(game_id, player_id)
    return connection.execute(delete(seat_requests).where(its)).rowcount == 1


def delete_any(connection: Connection, game_id: str, player_id: str) -> None:
    """Forget that a player asked for a seat, even if they were declined."""
    connection.execute(
        delete(seat_requests).where(_r.game_id == game_id, _r.player_id == player_id)
    )


def copy_declined(connection: Connection, game_id: str, next_id: str) -> None:
    """Keep the players who were declined at a table declined at the next one."""
    columns = (_r.player_id, _r.asked_ms, _r.declined)
    declined = select(literal(next_id), *columns).where(
        _r.game_id == game_id, _r.declined == true()
    )
    connection.execute(insert(seat_requests).from_select([_r.game_id, *columns], declined))


def _is_open(game_id: str, player_id: str) -> ColumnElement[bool]:
    return (_r.game_id == game_id) & (_r.player_id == player_id) & ~_r.declined
