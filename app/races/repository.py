"""Race rooms in the database. Every function runs in its caller's transaction.

Writers lock the rows of games first, then the row of the room, always in this order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import (
    CTE,
    ColumnElement,
    Connection,
    Select,
    exists,
    insert,
    literal,
    select,
    update,
)

from app.db.engine import insert_into
from app.db.schema import accounts, games, players, race_events, race_seats, races
from app.games.game_row import GameRow
from app.games.repository import find_game
from app.races.course import next_due_ms
from app.races.events import AccountMerged, Dealt, Event, event_facts, event_word, parse_event
from app.races.room import Phase, Room

_r, _e, _s = races.c, race_events.c, race_seats.c


class Heartbeat(NamedTuple):
    """A player's last heartbeat, and the newest of their browser tabs."""

    seen_ms: int
    tab: str


class Name(NamedTuple):
    """A player's name; ``is_named`` when it belongs to an account."""

    text: str
    is_named: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRoom:
    """A room with what is stored beside its log. The secret seed is left out of its ``repr``."""

    room: Room
    seed: bytes = field(repr=False)
    previous: str | None
    due_ms: int | None


def add_race(
    connection: Connection, code: str, seed: bytes, previous: str | None, event: Event
) -> None:
    """Store a new room; ``IntegrityError`` when its code is taken or ``previous`` has a successor already."""
    connection.execute(
        insert(races).values(
            code=code, seed=seed, previous=previous, opened_ms=event.at_ms, version=0
        )
    )
    _write(connection, code, 0, [event])
    advance(connection, Room.replay(code, [event]), None)


def find_race(connection: Connection, code: str, *, lock: bool = False) -> StoredRoom | None:
    """Replay a room from its log. ``lock`` keeps other writers out until the transaction ends."""
    query = select(_r.seed, _r.previous, _r.due_ms).where(_r.code == code)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        return None
    log = select(_e.word, _e.at_ms, _e.player_id, _e.facts).where(_e.code == code)
    rows = connection.execute(log.order_by(_e.seq))
    room = Room.replay(code, (parse_event(*row) for row in rows))
    return StoredRoom(room=room, seed=bytes(row.seed), previous=row.previous, due_ms=row.due_ms)


def append(connection: Connection, stored: StoredRoom, events: Sequence[Event]) -> Room:
    """Append to the log of a locked room; the room after that."""
    room = stored.room
    _write(connection, room.code, room.version, events)
    for event in events:
        before, room = room, room.after(event)
        match event:
            case Dealt(player_id=str(player_id), game_id=game_id):
                _upsert_seat(connection, room.code, player_id, event.at_ms, {"game_id": game_id})
            case AccountMerged():
                _move_seat(connection, before, room, event)
            case _:
                pass
    advance(connection, room, stored.due_ms)
    return room


def advance(connection: Connection, room: Room, due_ms: int | None) -> None:
    """Store what is derived from the log; ``due_ms`` is the stored value before."""
    connection.execute(
        update(races)
        .where(_r.code == room.code)
        .values(
            version=room.version,
            ended_ms=room.end.at_ms if room.end else None,
            void_ms=room.void.at_ms if room.void else None,
            due_ms=_next_due_ms(room, due_ms),
            listed_by=room.host_id if room.is_listed else None,
            listed_ms=room.listed_ms if room.is_listed and room.has_place else None,
        )
    )


def postpone(connection: Connection, code: str, now_ms: int, due_ms: int) -> None:
    """Set when a race is due next, unless an event since ``now_ms`` has done so."""
    connection.execute(
        update(races).where(_r.code == code, _r.due_ms <= now_ms).values(due_ms=due_ms)
    )


def set_seed(connection: Connection, code: str, seed: bytes) -> None:
    """Give a room another deal, while the host is alone."""
    connection.execute(update(races).where(_r.code == code).values(seed=seed))


def list_due(connection: Connection, now_ms: int, most: int) -> list[str]:
    """The rooms that elapsed time may have changed."""
    query = select(_r.code).where(_r.due_ms <= now_ms).order_by(_r.due_ms).limit(most)
    return list(connection.scalars(query))


def list_versions(connection: Connection, codes: Sequence[str]) -> dict[str, int]:
    """The versions of some rooms."""
    query = select(_r.code, _r.version).where(_r.code.in_(codes))
    return {row.code: row.version for row in connection.execute(query)}


def code_of_game(connection: Connection, game_id: str) -> str | None:
    """The room whose race a game belongs to."""
    return connection.scalar(select(_s.code).where(_s.game_id == game_id))


def find_successor(connection: Connection, code: str) -> str | None:
    """The rematch of a room."""
    return connection.scalar(select(_r.code).where(_r.previous == code))


def find_last_deserted(connection: Connection, code: str) -> str:
    """Of a room that was deserted and those that follow it, up to the first that was not: the last one deserted."""
    chain = _from(code)
    following = select(_r.code, chain.c.steps + 1).where(_r.previous == chain.c.code)
    chain = chain.union_all(following.where(_r.ended_ms.is_not(None), ~_was_dealt(_r.code)))
    return _end_of(connection, chain)


def find_last_dealt(connection: Connection, code: str) -> str:
    """Of a room and those that it follows: the last one whose cards were dealt, or else the first of all."""
    chain, room = _from(code), races.alias().c
    before = select(room.previous, chain.c.steps + 1).where(room.code == chain.c.code)
    chain = chain.union_all(before.where(room.previous.is_not(None), ~_was_dealt(room.code)))
    return _end_of(connection, chain)


def list_followed(connection: Connection, player_id: str, most: int) -> list[str]:
    """The races that a player was dealt cards in and that a rematch follows which is not over, without the player.

    The last rematch to be opened comes first.
    """
    following = races.alias()
    seat = race_seats.alias()
    is_there = exists().where(seat.c.code == following.c.code, seat.c.player_id == player_id)
    query = (
        select(_s.code)
        .join_from(race_seats, following, following.c.previous == _s.code)
        .where(_s.player_id == player_id, _s.game_id.is_not(None))
        .where(following.c.ended_ms.is_(None), ~is_there)
        .order_by(following.c.opened_ms.desc(), _s.code)
    )
    return list(connection.scalars(query.limit(most)))


def list_current_rooms(connection: Connection, player_id: str) -> list[str]:
    """The rooms that have not ended and in which a player has a seat, in the order of locking."""
    return sorted(connection.scalars(_rooms_of(player_id)))


def list_visited_rooms(connection: Connection, player_id: str, most: int) -> list[str]:
    """The same, where the player was last comes first."""
    query = _rooms_of(player_id).order_by(_s.seen_ms.desc(), _s.code)
    return list(connection.scalars(query.limit(most)))


def is_private(connection: Connection, game_id: str) -> bool:
    """Whether a game belongs to a race that has not ended: then only its player may see it."""
    query = select(literal(1)).select_from(race_seats.join(races))
    found = connection.scalar(query.where(_s.game_id == game_id, _r.ended_ms.is_(None)))
    return found is not None


def note_presence(
    connection: Connection, code: str, player_id: str, seen_ms: int, tab: str = ""
) -> None:
    """Store a player's heartbeat. They play in the newest of their browser tabs."""
    presence = list_presences(connection, code).get(player_id, Heartbeat(0, ""))
    values: dict[str, object] = {"seen_ms": max(seen_ms, presence.seen_ms)}
    if tab > presence.tab:
        values["tab"] = tab
    _upsert_seat(connection, code, player_id, seen_ms, values)


def list_presences(connection: Connection, code: str) -> dict[str, Heartbeat]:
    """The last heartbeats of all players."""
    rows = connection.execute(select(_s.player_id, _s.seen_ms, _s.tab).where(_s.code == code))
    return {row.player_id: Heartbeat(row.seen_ms, row.tab) for row in rows}


def find_names(connection: Connection, player_ids: Iterable[str]) -> dict[str, Name]:
    """The names of players."""
    p = players.c
    query = select(p.id, p.name, accounts.c.player_id.is_not(None)).select_from(
        players.outerjoin(accounts, accounts.c.player_id == p.id)
    )
    rows = connection.execute(query.where(p.id.in_(list(player_ids))))
    return {row[0]: Name(row[1], bool(row[2])) for row in rows}


def game_of_seat(connection: Connection, game_id: str) -> GameRow:
    """A game that has a seat in a race, so it is there."""
    row = find_game(connection, game_id)
    assert row is not None  # noqa: S101 - it has a seat
    return row


def change_owner(connection: Connection, game_ids: Iterable[str], player_id: str) -> None:
    """Give games to another player."""
    connection.execute(
        update(games).where(games.c.id.in_(list(game_ids))).values(owner_id=player_id)
    )


def _rooms_of(player_id: str) -> Select[tuple[str]]:
    query = select(_s.code).select_from(race_seats.join(races))
    return query.where(_s.player_id == player_id, _r.ended_ms.is_(None))


def _was_dealt(code: ColumnElement[str]) -> ColumnElement[bool]:
    seat = race_seats.alias().c
    return exists().where(seat.code == code, seat.game_id.is_not(None))


def _from(code: str) -> CTE:
    """The beginning of a chain of rooms, to be continued by a recursive query."""
    start = select(_r.code, literal(0).label("steps")).where(_r.code == code)
    return start.cte("chain", recursive=True)


def _end_of(connection: Connection, chain: CTE) -> str:
    last = select(chain.c.code).order_by(chain.c.steps.desc()).limit(1)
    return str(connection.execute(last).scalar_one())


def _write(connection: Connection, code: str, version: int, events: Sequence[Event]) -> None:
    rows = [
        {
            "code": code,
            "seq": seq,
            "word": event_word(event),
            "player_id": event.player_id,
            "at_ms": event.at_ms,
            "facts": event_facts(event),
        }
        for seq, event in enumerate(events, version + 1)
    ]
    connection.execute(insert(race_events), rows)


def _next_due_ms(room: Room, before: int | None) -> int | None:
    """At the latest when elapsed time next changes a room: who has been seen and acted since is not known here."""
    due_ms = next_due_ms(room, {}, {})
    return max(before or 0, due_ms) if due_ms and room.phase is Phase.RACING else due_ms


def _upsert_seat(
    connection: Connection, code: str, player_id: str, seen_ms: int, values: Mapping[str, object]
) -> None:
    row = {"code": code, "player_id": player_id, "seen_ms": seen_ms, **values}
    connection.execute(
        insert_into(connection, race_seats)
        .values(row)
        .on_conflict_do_update(index_elements=["code", "player_id"], set_=dict(values))
    )


def _move_seat(connection: Connection, before: Room, after: Room, event: AccountMerged) -> None:
    """Move the stored seat of a guest to the account that took it over."""
    old, new = before.seat_of(event.player_id), after.seat_of(event.new_id)
    if old is None or new is None or old.number != new.number:
        return
    stale = race_seats.delete().where(_s.code == before.code, _s.player_id == event.new_id)
    connection.execute(stale)
    connection.execute(
        update(race_seats)
        .where(_s.code == before.code, _s.player_id == event.player_id)
        .values(player_id=event.new_id)
    )
