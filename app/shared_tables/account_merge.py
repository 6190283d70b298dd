"""Seats follow their players: a guest who logs in keeps theirs, and who deletes their account gets up."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select, update

from app.db.schema import former_guests, games, seats, shared_tables
from app.games.model import Kind
from app.shared_tables.repository import State, hand_over

_s = seats.c


def follow(connection: Connection, guest_id: str, player_id: str) -> None:
    """Give a guest's seats, and their tables, to the player who the guest turns out to be."""
    mine = select(_s.game_id, _s.state, _s.moved).where(_s.player_id == guest_id)
    for seat in connection.execute(mine.order_by(_s.game_id)).all():
        _stir(connection, seat.game_id)
    held = connection.execute(mine).all()  # as it is while nobody else changes those tables
    if not held:
        return
    for game_id, state, moved in held:
        there = (_s.game_id == game_id) & (_s.player_id == player_id)
        other = connection.execute(select(_s.state, _s.moved).where(there)).one_or_none()
        guest = (_s.game_id == game_id) & (_s.player_id == guest_id)
        if other is None:
            connection.execute(update(seats).where(guest).values(player_id=player_id))
            continue
        # Both sat here: one person keeps one seat. Nobody slips back in under another name.
        states = {State(state), State(other.state)}
        kept = next(s for s in (State.REMOVED, State.SEATED, State.LEFT) if s in states)
        connection.execute(
            update(seats).where(there).values(state=kept, moved=bool(moved or other.moved))
        )
        connection.execute(delete(seats).where(guest))
    connection.execute(
        update(games)
        .where(games.c.owner_id == guest_id, games.c.kind == Kind.SHARED)
        .values(owner_id=player_id)
    )
    connection.execute(insert(former_guests).values(guest_id=guest_id, player_id=player_id))


def get_up(connection: Connection, player_id: str) -> None:
    """Free the seats of somebody who is forgotten; what was theirs goes to who has sat there longest."""
    tables = connection.scalars(
        select(_s.game_id)
        .where(_s.player_id == player_id, _s.state == State.SEATED)
        .order_by(_s.game_id)
    ).all()
    for game_id in tables:
        leave(connection, game_id, player_id)


def leave(connection: Connection, game_id: str, player_id: str) -> None:
    """Free one seat, and let the table be somebody else's if it was theirs and somebody is left."""
    _stir(connection, game_id)
    connection.execute(
        update(seats)
        .where(_s.game_id == game_id, _s.player_id == player_id, _s.state == State.SEATED)
        .values(state=State.LEFT)
    )
    owner = connection.scalar(select(games.c.owner_id).where(games.c.id == game_id))
    if owner != player_id:
        return
    heir = connection.scalar(
        select(_s.player_id)
        .where(_s.game_id == game_id, _s.state == State.SEATED)
        .order_by(_s.since_ms, _s.player_id)
        .limit(1)
    )
    if heir:
        hand_over(connection, game_id, heir)


def _stir(connection: Connection, game_id: str) -> None:
    """Note a change of a table before its seats are touched: whoever changes it as well waits here."""
    connection.execute(
        update(shared_tables)
        .where(shared_tables.c.game_id == game_id)
        .values(stir=shared_tables.c.stir + 1)
    )
