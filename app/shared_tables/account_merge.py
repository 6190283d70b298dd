"""Seats at an account merge: a guest who signs in keeps their seats; a deleted account leaves its tables."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select, update

from app.db.schema import former_guests, games, seat_requests, shared_tables, table_seats
from app.games.model import Kind
from app.shared_tables.model import SeatState
from app.shared_tables.repository import set_owner

_s = table_seats.c


def move_seats(connection: Connection, guest_id: str, player_id: str) -> None:
    """Move a guest's seats and tables to the account that they signed in to."""
    _move_requests(connection, guest_id, player_id)
    guest_seats = select(_s.game_id, _s.state, _s.moved).where(_s.player_id == guest_id)
    for seat in connection.execute(guest_seats.order_by(_s.game_id)).all():
        _lock(connection, seat.game_id)
    locked = connection.execute(guest_seats).all()  # read again now that nobody else changes them
    if not locked:
        return
    for game_id, state, moved in locked:
        own_seat = (_s.game_id == game_id) & (_s.player_id == player_id)
        own = connection.execute(select(_s.state, _s.moved).where(own_seat)).one_or_none()
        guest_seat = (_s.game_id == game_id) & (_s.player_id == guest_id)
        if own is None:
            connection.execute(update(table_seats).where(guest_seat).values(player_id=player_id))
            continue
        # Two seats become one. A player who was removed does not get back in as a guest.
        states = {SeatState(state), SeatState(own.state)}
        order = (SeatState.REMOVED, SeatState.SEATED, SeatState.LEFT)
        kept = next(state for state in order if state in states)
        connection.execute(
            update(table_seats).where(own_seat).values(state=kept, moved=bool(moved or own.moved))
        )
        connection.execute(delete(table_seats).where(guest_seat))
    connection.execute(
        update(games)
        .where(games.c.owner_id == guest_id, games.c.kind == Kind.SHARED)
        .values(owner_id=player_id)
    )
    connection.execute(insert(former_guests).values(guest_id=guest_id, player_id=player_id))


def _move_requests(connection: Connection, guest_id: str, player_id: str) -> None:
    """Move a guest's requests for seats, except where the account has asked too."""
    r = seat_requests.c
    own = select(r.game_id).where(r.player_id == player_id).scalar_subquery()
    connection.execute(
        update(seat_requests)
        .where(r.player_id == guest_id, r.game_id.not_in(own))
        .values(player_id=player_id)
    )
    connection.execute(delete(seat_requests).where(r.player_id == guest_id))


def leave_tables(connection: Connection, player_id: str) -> None:
    """Free the seats of a deleted account, and take its requests for seats back."""
    # First: an owner who answers one at this moment has the row, and then the seat is found below.
    connection.execute(delete(seat_requests).where(seat_requests.c.player_id == player_id))
    game_ids = connection.scalars(
        select(_s.game_id)
        .where(_s.player_id == player_id, _s.state == SeatState.SEATED)
        .order_by(_s.game_id)
    ).all()
    for game_id in game_ids:
        leave_table(connection, game_id, player_id)


def leave_table(connection: Connection, game_id: str, player_id: str) -> None:
    """Free one seat. If the player owned the table, the longest-seated player becomes its owner."""
    _lock(connection, game_id)
    connection.execute(
        update(table_seats)
        .where(_s.game_id == game_id, _s.player_id == player_id, _s.state == SeatState.SEATED)
        .values(state=SeatState.LEFT)
    )
    owner_id = connection.scalar(select(games.c.owner_id).where(games.c.id == game_id))
    if owner_id != player_id:
        return
    heir_id = connection.scalar(
        select(_s.player_id)
        .where(_s.game_id == game_id, _s.state == SeatState.SEATED)
        .order_by(_s.since_ms, _s.player_id)
        .limit(1)
    )
    if heir_id:
        set_owner(connection, game_id, heir_id)


def _lock(connection: Connection, game_id: str) -> None:
    """Raise the revision of a table before its seats change: concurrent changes wait here."""
    connection.execute(
        update(shared_tables)
        .where(shared_tables.c.game_id == game_id)
        .values(revision=shared_tables.c.revision + 1)
    )
