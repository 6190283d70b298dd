"""Race rooms in the database. Every function runs in its caller's transaction.

Whoever writes to a room locks its row first, and the rows of games before that: always in this order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import Connection, insert, literal, select, update
from sqlalchemy.dialects import postgresql, sqlite

from app.db.schema import accounts, games, players, race_events, race_seats, races
from app.games.model import GameEvent
from app.games.repository import GameRow, read_log
from app.races.log import Became, Dealt, Event, facts_of, read_event, word_of
from app.races.room import DESERTED_MS, IDLE_MS, Phase, Room

_r, _e, _s = races.c, race_events.c, race_seats.c
_GAME_COLUMNS = [games.c[name] for name in GameRow.__slots__]


class Sight(NamedTuple):
    """When somebody last looked, and in which of their tabs."""

    seen_ms: int
    tab: str


class Name(NamedTuple):
    """What somebody is called; ``is_named`` when nobody else can be."""

    text: str
    is_named: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A room with everything that is kept beside its log. The seed prints nowhere by accident."""

    room: Room
    seed: bytes = field(repr=False)
    previous: str | None
    due_ms: int | None


def add_race(
    connection: Connection, code: str, seed: bytes, previous: str | None, event: Event
) -> None:
    """Store a room just opened; ``IntegrityError`` when its code or its predecessor is taken."""
    connection.execute(
        insert(races).values(
            code=code, seed=seed, previous=previous, opened_ms=event.at_ms, version=0
        )
    )
    _write(connection, code, 0, [event])
    advance(connection, Room.told(code, [event]), None)


def find_race(connection: Connection, code: str, *, lock: bool = False) -> Stored | None:
    """A room as its log tells it; a ``lock`` keeps others from writing until the transaction ends."""
    query = select(_r.seed, _r.previous, _r.due_ms).where(_r.code == code)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        return None
    log = select(_e.word, _e.at_ms, _e.player_id, _e.facts).where(_e.code == code)
    told = connection.execute(log.order_by(_e.seq))
    room = Room.told(code, (read_event(*entry) for entry in told))
    return Stored(room=room, seed=bytes(row.seed), previous=row.previous, due_ms=row.due_ms)


def append(connection: Connection, stored: Stored, events: Sequence[Event]) -> Room:
    """Add to the log of a room that is locked; the room as it is then."""
    room = stored.room
    _write(connection, room.code, room.version, events)
    for event in events:
        before, room = room, room.after(event)
        match event:
            case Dealt(player_id=str(player_id), game_id=game_id):
                _put_seat(connection, room.code, player_id, event.at_ms, {"game_id": game_id})
            case Became():
                _follow(connection, before, room, event)
            case _:
                pass
    advance(connection, room, stored.due_ms)
    return room


def advance(connection: Connection, room: Room, due_ms: int | None) -> None:
    """Keep what follows from the log beside it; ``due_ms`` is what was there before."""
    connection.execute(
        update(races)
        .where(_r.code == room.code)
        .values(
            version=room.version,
            ended_ms=room.end.at_ms if room.end else None,
            void_ms=room.void.at_ms if room.void else None,
            due_ms=_next_look(room, due_ms),
        )
    )


def set_due(connection: Connection, code: str, due_ms: int) -> None:
    """Say when a race is to be looked at again."""
    connection.execute(
        update(races).where(_r.code == code, _r.ended_ms.is_(None)).values(due_ms=due_ms)
    )


def set_seed(connection: Connection, code: str, seed: bytes) -> None:
    """Give a room another deal, before anybody has joined its host."""
    connection.execute(update(races).where(_r.code == code).values(seed=seed))


def find_due(connection: Connection, now_ms: int, most: int) -> list[str]:
    """Rooms in which time may have done something."""
    query = select(_r.code).where(_r.due_ms <= now_ms).order_by(_r.due_ms).limit(most)
    return list(connection.scalars(query))


def versions_of(connection: Connection, codes: Iterable[str]) -> dict[str, int]:
    """How far the logs of some rooms are."""
    query = select(_r.code, _r.version).where(_r.code.in_(list(codes)))
    return {row.code: row.version for row in connection.execute(query)}


def code_of_game(connection: Connection, game_id: str) -> str | None:
    """The room whose race a game is part of."""
    return connection.scalar(select(_s.code).where(_s.game_id == game_id))


def successor(connection: Connection, code: str) -> str | None:
    """The room that goes on from another one."""
    return connection.scalar(select(_r.code).where(_r.previous == code))


def rooms_of(connection: Connection, player_id: str) -> list[str]:
    """The rooms that somebody has a seat in and that have not ended, in the order of locking."""
    query = select(_s.code).select_from(race_seats.join(races))
    query = query.where(_s.player_id == player_id, _r.ended_ms.is_(None))
    return sorted(connection.scalars(query))


def is_veiled(connection: Connection, game_id: str) -> bool:
    """Whether a game is part of a race that goes on: then it is for its player alone."""
    query = select(literal(1)).select_from(race_seats.join(races))
    found = connection.scalar(query.where(_s.game_id == game_id, _r.ended_ms.is_(None)))
    return found is not None


def touch(connection: Connection, code: str, player_id: str, seen_ms: int, tab: str = "") -> None:
    """Note that somebody looks; the newest of their tabs is the one that they play in."""
    sight = sights(connection, code).get(player_id, Sight(0, ""))
    values: dict[str, object] = {"seen_ms": max(seen_ms, sight.seen_ms)}
    if tab > sight.tab:
        values["tab"] = tab
    _put_seat(connection, code, player_id, seen_ms, values)


def sights(connection: Connection, code: str) -> dict[str, Sight]:
    """When everybody last looked."""
    rows = connection.execute(select(_s.player_id, _s.seen_ms, _s.tab).where(_s.code == code))
    return {row.player_id: Sight(row.seen_ms, row.tab) for row in rows}


def names_of(connection: Connection, player_ids: Iterable[str]) -> dict[str, Name]:
    """What players are called."""
    p = players.c
    query = select(p.id, p.name, accounts.c.player_id.is_not(None)).select_from(
        players.outerjoin(accounts, accounts.c.player_id == p.id)
    )
    rows = connection.execute(query.where(p.id.in_(list(player_ids))))
    return {row[0]: Name(row[1], bool(row[2])) for row in rows}


def last_actions(connection: Connection, game_ids: Iterable[str]) -> dict[str, int]:
    """When each game saw its last accepted action."""
    query = select(games.c.id, games.c.updated_ms).where(games.c.id.in_(list(game_ids)))
    return {row.id: row.updated_ms for row in connection.execute(query)}


def game_with_log(connection: Connection, game_id: str) -> tuple[GameRow, Sequence[GameEvent]]:
    """A run with its whole log."""
    row = connection.execute(select(*_GAME_COLUMNS).where(games.c.id == game_id)).one()
    return GameRow(**row._asdict()), read_log(connection, game_id)


def hand_over(connection: Connection, game_ids: Iterable[str], player_id: str) -> None:
    """Let somebody play games from now on."""
    connection.execute(
        update(games).where(games.c.id.in_(list(game_ids))).values(owner_id=player_id)
    )


def games_of(connection: Connection, player_id: str) -> list[str]:
    """The games that somebody plays in races which have not ended."""
    query = select(_s.game_id).select_from(race_seats.join(races))
    found = connection.scalars(query.where(_s.player_id == player_id, _r.ended_ms.is_(None)))
    return [game_id for game_id in found if game_id]


def _write(connection: Connection, code: str, version: int, events: Sequence[Event]) -> None:
    rows = [
        {
            "code": code,
            "seq": seq,
            "word": word_of(event),
            "player_id": event.player_id,
            "at_ms": event.at_ms,
            "facts": facts_of(event),
        }
        for seq, event in enumerate(events, version + 1)
    ]
    connection.execute(insert(race_events), rows)


def _next_look(room: Room, before: int | None) -> int | None:
    match room.phase:
        case Phase.LOBBY:
            return room.last_ms + DESERTED_MS
        case Phase.COUNTDOWN:
            return room.start_ms
        case Phase.RACING:
            # Five idle minutes are the first thing that can happen; later looks say when to look again.
            first = (room.start_ms or 0) + min(IDLE_MS, room.cap_ms)
            return max(before or 0, first)
        case Phase.ENDED:
            return None


def _put_seat(
    connection: Connection, code: str, player_id: str, seen_ms: int, values: Mapping[str, object]
) -> None:
    postgres = connection.dialect.name == "postgresql"
    insertion = (postgresql.insert if postgres else sqlite.insert)(race_seats)
    row = {"code": code, "player_id": player_id, "seen_ms": seen_ms, **values}
    connection.execute(
        insertion.values(row).on_conflict_do_update(
            index_elements=["code", "player_id"], set_=dict(values)
        )
    )


def _follow(connection: Connection, before: Room, after: Room, event: Became) -> None:
    """Let what is kept of a seat go where the seat went."""
    old, new = before.seat_of(event.player_id), after.seat_of(event.new_id)
    if old is None or new is None or old.number != new.number:
        return
    mine = race_seats.delete().where(_s.code == before.code, _s.player_id == event.new_id)
    connection.execute(mine)
    connection.execute(
        update(race_seats)
        .where(_s.code == before.code, _s.player_id == event.player_id)
        .values(player_id=event.new_id)
    )
