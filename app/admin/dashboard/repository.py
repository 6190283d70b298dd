"""How the site does: what was counted, read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import Column, ColumnElement, Connection, func, select

from app.admin.dashboard.daily_counts import DayCounts
from app.clock import DAY_MS
from app.db.schema import game_days, games, site_days, traffic

ACTIVE_MINUTES: Final = 5
HOUR_MS: Final = 3_600_000

_MOST_ROUTES: Final = 15
_g, _t = games.c, traffic.c


class Asked(NamedTuple):
    """What was asked of the site on a day, and what became of the actions in its games."""

    requests: int = 0
    faults: int = 0
    accepted: int = 0
    refused: int = 0
    late: int = 0


class Hour(NamedTuple):
    """What was asked of the site within an hour."""

    requests: int = 0
    faults: int = 0


class RouteSum(NamedTuple):
    """What was asked of one route; ``slowest_id`` and ``fault_id`` are the ids of requests, as the log has them."""

    route: str
    requests: int
    mean_ms: float
    slowest_ms: float
    slowest_id: str
    faults: int
    fault_id: str


class Active(NamedTuple):
    """What goes on at this moment."""

    games: int
    players: int


@dataclass(frozen=True, slots=True)
class Overview:
    """Everything, by day (``2026-11-21``), by rule set, and by hour (its first millisecond)."""

    games: Mapping[str, Mapping[str, DayCounts]]
    asked: Mapping[str, Asked]
    hours: Mapping[int, Hour]
    slowest: list[RouteSum]
    faulty: list[RouteSum]
    active: Active


def read_overview(connection: Connection, first: date, now_ms: int) -> Overview:
    """What was counted from a day on, and what was asked in the last day and night."""
    routes = _routes(connection, now_ms)
    return Overview(
        games=_games(connection, first.isoformat()),
        asked=_asked(connection, first.isoformat()),
        hours=_hours(connection, now_ms),
        slowest=sorted(routes, key=lambda one: one.slowest_ms, reverse=True)[:_MOST_ROUTES],
        faulty=[one for one in routes if one.faults][:_MOST_ROUTES],
        active=_active(connection, now_ms),
    )


def _games(connection: Connection, first: str) -> dict[str, dict[str, DayCounts]]:
    d = game_days.c
    query = select(d.day, d.ruleset, *(d[name] for name in DayCounts._fields)).where(d.day >= first)
    found: dict[str, dict[str, DayCounts]] = {}
    for row in connection.execute(query):
        found.setdefault(row.day, {})[row.ruleset] = DayCounts(*row[2:])
    return found


def _asked(connection: Connection, first: str) -> dict[str, Asked]:
    d = site_days.c
    query = select(d.day, *(d[name] for name in Asked._fields)).where(d.day >= first)
    return {row[0]: Asked(*row[1:]) for row in connection.execute(query)}


def _hours(connection: Connection, now_ms: int) -> dict[int, Hour]:
    hour = (_t.minute_ms // HOUR_MS).label("hour")
    query = (
        select(hour, func.sum(_t.requests), func.sum(_t.faults))
        .where(_t.minute_ms > now_ms - DAY_MS)
        .group_by("hour")
    )
    return {int(row[0]) * HOUR_MS: Hour(*map(int, row[1:])) for row in connection.execute(query)}


def _routes(connection: Connection, now_ms: int) -> list[RouteSum]:
    """What was asked in the last day and night, route by route, the most faults first."""
    recent = _t.minute_ms > now_ms - DAY_MS
    faults = func.sum(_t.faults)
    query = (
        select(
            *(_t.route, func.sum(_t.requests), func.sum(_t.timed), func.sum(_t.took_us)),
            *(func.max(_t.slowest_us), faults),
        )
        .where(recent)
        .group_by(_t.route)
        .order_by(faults.desc(), _t.route)
    )
    rows = connection.execute(query).all()
    slowest = _ids(connection, recent, _t.slowest_id, _t.slowest_us)
    last_faults = (
        _ids(connection, recent & (_t.fault_id != ""), _t.fault_id, _t.minute_ms)
        if any(row[-1] for row in rows)
        else {}
    )
    return [
        RouteSum(
            route=route,
            requests=int(requests),
            mean_ms=float(took_us) / int(timed) / 1000 if timed else 0.0,
            slowest_ms=slowest_us / 1000,
            slowest_id=slowest.get(route, ""),
            faults=int(count),
            fault_id=last_faults.get(route, ""),
        )
        for route, requests, timed, took_us, slowest_us, count in rows
    ]


def _ids(
    connection: Connection, which: ColumnElement[bool], column: Column[str], highest: Column[int]
) -> dict[str, str]:
    """An id for each route: that of the minute with the highest value."""
    place = func.row_number().over(partition_by=_t.route, order_by=highest.desc()).label("place")
    placed = select(_t.route, column.label("id"), place).where(which).subquery()
    query = select(placed.c.route, placed.c.id).where(placed.c.place == 1)
    return {row[0]: row[1] for row in connection.execute(query)}


def _active(connection: Connection, now_ms: int) -> Active:
    """Games begun within a day that somebody has touched just now: older ones would take a look at every game."""
    query = select(func.count(), func.count(_g.owner_id.distinct())).where(
        _g.started_ms > now_ms - DAY_MS, _g.updated_ms > now_ms - ACTIVE_MINUTES * 60_000
    )
    return Active(*connection.execute(query).one())
