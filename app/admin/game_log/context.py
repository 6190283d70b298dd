"""The context of a game: everything known about it besides its event log."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, select

from app.admin import audit_log
from app.admin.audit_log import AuditAction, AuditEntry
from app.admin.game_log.service import GameLog
from app.admin.integrity.access_records import (
    AccessRecord,
    list_access_records,
    list_same_device_racers,
)
from app.admin.integrity.refused_actions import RefusedAction, list_refused_actions
from app.admin.integrity.scanner import find_signals
from app.admin.integrity.signals import Finding
from app.admin.moderation.repository import DailyResult, find_result
from app.admin.words import ROOM_EVENTS, word
from app.db.schema import (
    former_guests,
    games,
    origins,
    players,
    race_events,
    race_seats,
    sessions,
    table_seats,
)
from app.games.model import Status
from app.i18n.formats import date_time, exact_duration, exact_time
from app.identity.device_labels import shown_label
from app.text import gettext, listing, ngettext, ngettext_noop, pgettext

STEPS_PER_PAGE: Final = 100
"""Steps on one page of the timeline."""

_PROGRESS: Final[Mapping[str, tuple[str, str]]] = {
    Status.PLAYING: ngettext_noop(
        "playing after %(n)s move, %(time)s", "playing after %(n)s moves, %(time)s"
    ),
    Status.WON: ngettext_noop("won after %(n)s move, %(time)s", "won after %(n)s moves, %(time)s"),
    Status.LOST: ngettext_noop(
        "lost after %(n)s move, %(time)s", "lost after %(n)s moves, %(time)s"
    ),
    Status.RESIGNED: ngettext_noop(
        "resigned after %(n)s move, %(time)s", "resigned after %(n)s moves, %(time)s"
    ),
}
_MAX_RECORDS: Final = 500
_MAX_REVEALS: Final = 20
_MAX_DEVICES: Final = 5


class Mover(NamedTuple):
    """The player behind an id in a log: a guest who has signed in since is that account's player."""

    player_id: str
    name: str


class SharedSeat(NamedTuple):
    """A current or former player of a shared table; ``state`` is one of `app.shared_tables.model.SeatState`."""

    player_id: str
    name: str
    state: str
    has_moved: bool


class RacerGame(NamedTuple):
    """The game of one racer."""

    game_id: str
    player: str
    text: str


class RoomEvent(NamedTuple):
    """An event of a race room: when, what and who, without its data."""

    when: str
    what: str
    player: str


class Race(NamedTuple):
    """The race that a game belongs to."""

    code: str
    games: list[RacerGame]
    same_device: Sequence[str]
    """Signals: racers who may be one person."""
    events: list[RoomEvent]


class GameContext(NamedTuple):
    """What is known about a game besides its log."""

    devices: Sequence[str]
    origin: str
    refused: Sequence[RefusedAction]
    access_records: Sequence[AccessRecord]
    findings: Sequence[Finding]
    result: DailyResult | None
    reveals: Sequence[AuditEntry]
    movers: Mapping[str, Mover]
    seats: Sequence[SharedSeat]
    race: Race | None


def steps_on_page(step: int) -> tuple[int, int]:
    """The first and the last step on the page of the timeline that shows ``step``."""
    first = max(step - 1, 0) // STEPS_PER_PAGE * STEPS_PER_PAGE
    return first, first + STEPS_PER_PAGE


def load_context(connection: Connection, log: GameLog, step: int) -> GameContext:
    """The context of a game, for the page of the timeline that shows ``step``."""
    game_id = log.summary.id
    first, last = steps_on_page(step)
    # An action refused at the last step of a page belongs to that page, not to the beginning of the next.
    first_refused = first + 1 if first else 0
    reveals = audit_log.list_entries(
        connection, None, _MAX_REVEALS, subject=game_id, action=AuditAction.REVEAL
    )
    records = list_access_records(connection, game_id, _MAX_RECORDS)
    actor_ids = {event.actor_id for event in log.events} | {one.player_id for one in records}
    return GameContext(
        devices=_list_devices(connection, log.summary.owner_id),
        origin=_describe_origin(connection, game_id),
        refused=list_refused_actions(connection, game_id, first_refused, last, _MAX_RECORDS),
        access_records=records,
        findings=find_signals(connection, game_id),
        result=find_result(connection, game_id),
        reveals=reveals,
        movers=_find_movers(connection, {one for one in actor_ids if one}),
        seats=_list_seats(connection, game_id),
        race=_find_race(connection, game_id),
    )


def _list_devices(connection: Connection, player_id: str) -> list[str]:
    s = sessions.c
    query = select(s.label, s.seen_ms).where(s.player_id == player_id).order_by(s.seen_ms.desc())
    return [
        gettext(
            "%(device)s, last seen %(time)s",
            device=shown_label(row.label) if row.label else pgettext("device", "unknown"),
            time=date_time(row.seen_ms),
        )
        for row in connection.execute(query.limit(_MAX_DEVICES))
    ]


def _describe_origin(connection: Connection, game_id: str) -> str:
    o = origins.c
    query = select(o.forked_from, o.forked_at).where(o.game_id == game_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        return ""
    if row.forked_from is None:
        return gettext("imported record")
    return gettext(
        "continued from step %(step)s of %(game)s", step=row.forked_at, game=row.forked_from
    )


def _find_movers(connection: Connection, ids: Collection[str]) -> dict[str, Mover]:
    f = former_guests.c
    merged = select(f.guest_id, f.player_id).where(f.guest_id.in_(ids))
    accounts = {row.guest_id: row.player_id for row in connection.execute(merged)}
    player_ids = {accounts.get(one, one) for one in ids}
    query = select(players.c.id, players.c.name).where(players.c.id.in_(player_ids))
    names = {row.id: row.name for row in connection.execute(query)}
    return {
        one: Mover(accounts.get(one, one), names.get(accounts.get(one, one), "")) for one in ids
    }


def _list_seats(connection: Connection, game_id: str) -> list[SharedSeat]:
    """All current and former players of a shared table, the first to join first; none for other games."""
    s = table_seats.c
    query = (
        select(s.player_id, players.c.name, s.state, s.moved)
        .join_from(table_seats, players, players.c.id == s.player_id)
        .where(s.game_id == game_id)
        .order_by(s.since_ms, s.player_id)
    )
    return [SharedSeat(row[0], row[1], row[2], bool(row[3])) for row in connection.execute(query)]


def _find_race(connection: Connection, game_id: str) -> Race | None:
    code = connection.scalar(select(race_seats.c.code).where(race_seats.c.game_id == game_id))
    if code is None:
        return None
    same_device = [
        gettext(
            "Same kind of browser, same network, same day: %(players)s.",
            players=listing(names, "comma"),
        )
        for names in list_same_device_racers(connection, code)
    ]
    return Race(
        code, _list_racer_games(connection, code), same_device, _list_room_events(connection, code)
    )


def _list_racer_games(connection: Connection, code: str) -> list[RacerGame]:
    g = games.c
    query = (
        select(g.id, players.c.name, g.status, g.moves, g.started_ms, g.updated_ms)
        .select_from(
            race_seats.join(games, g.id == race_seats.c.game_id).join(
                players, players.c.id == g.owner_id
            )
        )
        .where(race_seats.c.code == code)
        .order_by(players.c.name, g.id)
    )
    return [
        RacerGame(
            row.id,
            row.name,
            describe_progress(row.status, row.moves, row.started_ms, row.updated_ms),
        )
        for row in connection.execute(query)
    ]


def describe_progress(status: str, moves: int, started_ms: int, updated_ms: int) -> str:
    """``won after 77 moves, 2:57``."""
    template = _PROGRESS.get(status, _PROGRESS[Status.PLAYING])
    time = exact_duration(max(updated_ms - started_ms, 0))
    return ngettext(*template, moves, time=time)


def _list_room_events(connection: Connection, code: str) -> list[RoomEvent]:
    e = race_events.c
    query = (
        select(e.at_ms, e.word, players.c.name)
        .select_from(race_events.outerjoin(players, players.c.id == e.player_id))
        .where(e.code == code)
        .order_by(e.seq)
    )
    return [
        RoomEvent(exact_time(row.at_ms), word(ROOM_EVENTS, row.word), row.name or "")
        for row in connection.execute(query)
    ]
