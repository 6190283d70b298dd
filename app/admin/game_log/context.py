"""What is known of a game besides its event log."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, select

from app.admin import audit_log
from app.admin.audit_log import AuditAction, AuditEntry
from app.admin.game_log.service import GameReplay
from app.admin.integrity.access_records import AccessRecord, list_access_records
from app.admin.integrity.refused_actions import RefusedAction, list_refused_actions
from app.admin.integrity.scanner import find_signals
from app.admin.integrity.signals import Finding
from app.admin.moderation.repository import DailyResult, find_result
from app.db.schema import (
    former_guests,
    games,
    origins,
    players,
    race_events,
    race_seats,
    seats,
    sessions,
)
from app.http.formats import date_time, exact_duration, exact_time

_MOST_REFUSED: Final = 500
_MOST_LOOKS: Final = 20
_MOST_DEVICES: Final = 5


AT_ONCE: Final = 100
"""So many steps of the timeline are on one page."""


class Around(NamedTuple):
    """What is known of a game besides its log."""

    devices: Sequence[str]
    origin: str
    refused: Sequence[RefusedAction]
    sightings: Sequence[AccessRecord]
    findings: Sequence[Finding]
    result: DailyResult | None
    looks: Sequence[AuditEntry]
    movers: Mapping[str, Mover]
    seats: Sequence[Seat]
    race: Race | None


def window_of(at: int) -> tuple[int, int]:
    """The first and the last step on the page of the timeline that step ``at`` is on."""
    first = max(at - 1, 0) // AT_ONCE * AT_ONCE
    return first, first + AT_ONCE


def read_around(connection: Connection, story: GameReplay, at: int) -> Around:
    """Everything that the page of a game tells at step ``at``, besides the log."""
    found = story.found
    first, last = window_of(at)
    # What was refused where a page of the timeline ends is on that page, not again at the beginning of the next.
    looked_from = first + 1 if first else 0
    lines = audit_log.list_entries(connection, None, _MOST_LOOKS, subject=found.id)
    seen = list_access_records(connection, found.id, _MOST_REFUSED)
    present = {entry.actor_id for entry in story.entries} | {s.player_id for s in seen}
    return Around(
        devices=_devices(connection, found.owner_id),
        origin=_origin(connection, found.id),
        refused=list_refused_actions(connection, found.id, looked_from, last, _MOST_REFUSED),
        sightings=seen,
        result=find_result(connection, found.id),
        findings=find_signals(connection, found.id),
        looks=[line for line in lines if line.action is AuditAction.REVEAL],
        movers=movers(connection, {one for one in present if one}),
        seats=seats_at(connection, found.id),
        race=find_race(connection, found.id),
    )


def _devices(connection: Connection, player_id: str) -> list[str]:
    s = sessions.c
    query = select(s.label, s.seen_ms).where(s.player_id == player_id).order_by(s.seen_ms.desc())
    return [
        f"{row.label or 'unknown'}, last seen {date_time(row.seen_ms)}"
        for row in connection.execute(query.limit(_MOST_DEVICES))
    ]


def _origin(connection: Connection, game_id: str) -> str:
    o = origins.c
    query = select(o.forked_from, o.forked_at).where(o.game_id == game_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        return ""
    if row.forked_from is None:
        return "brought along as a record"
    return f"played on from step {row.forked_at} of {row.forked_from}"


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
            f"{row.status} after {row.version} actions, {exact_duration(max(row.updated_ms - row.started_ms, 0))}",
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
        RoomEvent(exact_time(row.at_ms), row.word.replace("_", " "), row.name or "")
        for row in connection.execute(query)
    ]


class Mover(NamedTuple):
    """Who stands behind an id in a log: a guest who has logged in since is the player they turned out to be."""

    player_id: str
    name: str


class Seat(NamedTuple):
    """Somebody who sits at a shared table, or has sat there: ``state`` is one of app.shared_tables.model.SeatState."""

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
