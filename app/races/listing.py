"""The list of open races: rooms that anyone may join, because their hosts have listed them. Part of the repository.

A race is on it while it has not begun, has a free place, and its host is there; the longest listed comes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, func, literal, select, tuple_

from app.db import cursors
from app.db.cursors import ListCursor
from app.db.schema import race_seats, races
from app.games.lookup import stored_rules
from app.identity.repository import lock_player
from app.races import repository
from app.races.errors import WaitingElsewhereError
from app.races.events import ListingChanged
from app.races.limits import ABSENT_HOST_MS, LISTED_MS
from app.races.room import Room
from app.text import gettext
from app.throttle import Counter, Limit, count_attempt, raise_if_limited

PAGE: int = 20
MOST_SEATS: Final = 2  # of one player, in listed races that have not begun
GUESTS_PER_NETWORK: Final = Limit("guests in an open race", 4, 30)  # the kind is a hash input
_MOST_COUNTED = 100
_r, _s = races.c, race_seats.c


def parse_cursor(text: str) -> ListCursor | None:
    """A position in the list of open races; ``None`` for an empty text. Raises ``MalformedError``."""
    return cursors.parse_cursor(
        text,
        gettext("The list of open races doesn't go that far. Start again from the first page."),
    )


def list_open_races(
    connection: Connection, now_ms: int, after: ListCursor | None, most: int
) -> list[ListCursor]:
    """The open races, by their places in the list."""
    query = select(_r.listed_ms, _r.code).join(race_seats, _host_is_there(now_ms))
    query = query.where(_r.listed_ms > now_ms - LISTED_MS).order_by(_r.listed_ms, _r.code)
    if after is not None:
        query = query.where(tuple_(_r.listed_ms, _r.code) > tuple_(*map(literal, after)))
    return [ListCursor(*row) for row in connection.execute(query.limit(most))]


def count_open_races(connection: Connection, now_ms: int, player_id: str | None) -> int:
    """How many open races a player may join, without those they are or were in; counted up to a hundred."""
    mine = select(_s.code).where(_s.player_id == player_id)
    found = select(literal(1)).select_from(races).join(race_seats, _host_is_there(now_ms))
    found = found.where(_r.listed_ms > now_ms - LISTED_MS, _r.code.not_in(mine))
    query = select(func.count()).select_from(found.limit(_MOST_COUNTED).subquery())
    return connection.scalar(query) or 0


def take_off_others(connection: Connection, player_id: str, code: str, now_ms: int) -> list[Room]:
    """Take the other race of a host off the list: each has one there at most. The rooms that have changed."""
    lock_player(connection, player_id)
    query = select(_r.code).where(_r.listed_by == player_id, _r.code != code)
    changed = []
    for other in list(connection.scalars(query)):
        stored = repository.find_race(connection, other, lock=True)
        if stored and stored.room.is_listed:
            event = ListingChanged(at_ms=now_ms, player_id=player_id, is_listed=False)
            changed.append(repository.append(connection, stored, (event,)))
    return changed


def check_seats(connection: Connection, player_id: str, code: str) -> None:
    """Raise ``WaitingElsewhereError`` for a player with seats in two listed races besides this one."""
    lock_player(connection, player_id)
    query = select(_r.code).join(race_seats, _s.code == _r.code)
    query = query.where(_s.player_id == player_id, _r.listed_by.is_not(None), _r.code != code)
    query = query.order_by(_r.code)
    waits = [
        room
        for other in connection.scalars(query)
        if (room := _room_of(connection, other, player_id))
    ]
    if len(waits) >= MOST_SEATS:
        raise WaitingElsewhereError(
            gettext("You have a seat in each. Leave one of them to join this race."),
            {room.code: _words(room) for room in waits},
        )


def count_guests(connection: Connection, guests: Sequence[Counter], now_ms: int) -> None:
    """Count a guest who joins a listed race; raises ``RateLimitedError`` when enough of their network have joined."""
    wait_ms = count_attempt(connection, guests, now_ms)
    raise_if_limited(wait_ms, gettext("Too many guests from your network have joined this race."))


def _room_of(connection: Connection, code: str, player_id: str) -> Room | None:
    """A listed race, if the player has a seat there."""
    stored = repository.find_race(connection, code)
    seat = stored.room.seat_of(player_id) if stored and stored.room.is_listed else None
    return stored.room if stored and seat and not seat.is_gone else None


def _words(room: Room) -> str:
    game = stored_rules(room.ruleset, room.revision).title
    return gettext("%(title)s race %(code)s", code=room.code, title=game)


def _host_is_there(now_ms: int) -> ColumnElement[bool]:
    return and_(
        _s.code == _r.code,
        _s.player_id == _r.listed_by,
        _s.seen_ms > now_ms - ABSENT_HOST_MS,
    )
