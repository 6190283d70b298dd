"""Members whose accounts change: a guest who signs in stays a member; a deleted or expired player leaves."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from app.db.schema import league_members, leagues
from app.leagues.repository import delete_member

_m = league_members.c


def move_members(connection: Connection, guest_id: str, player_id: str) -> None:
    """Move a guest's places to the account that they signed in to.

    Where the account has a place of its own, the two become one, which began with the earlier. Whether the account is a
    member or was removed stays as it is: nobody gets back in as a guest.
    """
    for league_id in _lock_leagues(connection, guest_id):
        places = {
            row.player_id: row
            for row in connection.execute(
                select(_m.player_id, _m.since_ms, _m.number, _m.is_removed).where(
                    _m.league_id == league_id, _m.player_id.in_([guest_id, player_id])
                )
            )
        }
        guest, own = places.get(guest_id), places.get(player_id)
        if guest is None:
            continue
        if own is None:
            moved = update(league_members).where(
                _m.league_id == league_id, _m.player_id == guest_id
            )
            connection.execute(moved.values(player_id=player_id))
            continue
        if not (own.is_removed or guest.is_removed):
            connection.execute(
                update(league_members)
                .where(_m.league_id == league_id, _m.player_id == player_id)
                .values(
                    since_ms=min(own.since_ms, guest.since_ms),
                    number=min(own.number, guest.number),
                )
            )
        delete_member(connection, league_id, guest_id)


def leave_leagues(connection: Connection, player_id: str) -> None:
    """A deleted player leaves every league; those that nobody else is in are deleted."""
    for league_id in _lock_leagues(connection, player_id):
        delete_member(connection, league_id, player_id)


def _lock_leagues(connection: Connection, player_id: str) -> list[str]:
    """The leagues that know a player, locked in one order for everybody."""
    known = select(_m.league_id).where(_m.player_id == player_id)
    query = select(leagues.c.id).where(leagues.c.id.in_(known)).order_by(leagues.c.id)
    return list(connection.scalars(query.with_for_update()))
