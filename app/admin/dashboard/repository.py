"""Reading the counters and daily counts for the overview."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import Column, ColumnElement, Connection, func, select

from app.admin.dashboard.counters import DayCounts
from app.clock import DAY_MS, HOUR_MS, MINUTE_MS
from app.db.schema import game_days, games, site_days, traffic

ACTIVE_MINUTES: Final = 5

_MAX_ROUTES: Final = 15
_g, _t = games.c, traffic.c


class DayTraffic(NamedTuple):
    """The requests of a day, and what became of the actions; the fields are column names."""

    requests: int = 0
    faults: int = 0
    accepted: int = 0
    refused: int = 0
    late: int = 0


class HourTraffic(NamedTuple):
    requests: int = 0
    faults: int = 0


class RouteStats(NamedTuple):
    """The requests to one route; ``slowest_id`` and ``fault_id`` are request ids, as in the server log."""

    route: str
    requests: int
    mean_ms: float
    slowest_ms: float
    slowest_id: str
    faults: int
    fault_id: str


class ActiveNow(NamedTuple):
    """Current activity."""

    games: int
    players: int


@dataclass(frozen=True, slots=True)
class Overview:
    """All numbers, by day (``2026-11-21``), by rule set, and by hour (its first millisecond)."""

    games: Mapping[str, Mapping[str, DayCounts]]
    traffic: Mapping[str, DayTraffic]
    hours: Mapping[int, HourTraffic]
    slowest: list[RouteStats]
    failing: list[RouteStats]
    active: ActiveNow


def load_overview(connection: Connection, first: date, now_ms: int) -> Overview:
    """The counts since a day, and the requests of the last 24 hours."""
    routes = _list_routes(connection, now_ms)
    return Overview(
        games=_list_day_counts(connection, first.isoformat()),
        traffic=_list_traffic(connection, first.isoformat()),
        hours=_list_hours(connection, now_ms),
        slowest=sorted(routes, key=lambda one: one.slowest_ms, reverse=True)[:_MAX_ROUTES],
        failing=[one for one in routes if one.faults][:_MAX_ROUTES],
        active=_count_active(connection, now_ms),
    )


def _list_day_counts(connection: Connection, first: str) -> dict[str, dict[str, DayCounts]]:
    d = game_days.c
    query = select(d.day, d.ruleset, *(d[name] for name in DayCounts._fields)).where(d.day >= first)
    found: dict[str, dict[str, DayCounts]] = {}
    for row in connection.execute(query):
        found.setdefault(row.day, {})[row.ruleset] = DayCounts(*row[2:])
    return found


def _list_traffic(connection: Connection, first: str) -> dict[str, DayTraffic]:
    d = site_days.c
    query = select(d.day, *(d[name] for name in DayTraffic._fields)).where(d.day >= first)
    return {row[0]: DayTraffic(*row[1:]) for row in connection.execute(query)}


def _list_hours(connection: Connection, now_ms: int) -> dict[int, HourTraffic]:
    hour = (_t.minute_ms // HOUR_MS).label("hour")
    query = (
        select(hour, func.sum(_t.requests), func.sum(_t.faults))
        .where(_t.minute_ms > now_ms - DAY_MS)
        .group_by("hour")
    )
    return {
        int(row[0]) * HOUR_MS: HourTraffic(*map(int, row[1:])) for row in connection.execute(query)
    }


def _list_routes(connection: Connection, now_ms: int) -> list[RouteStats]:
    """The requests of the last 24 hours by route, the most errors first."""
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
    slowest = _find_request_ids(connection, recent, _t.slowest_id, _t.slowest_us)
    last_faults = (
        _find_request_ids(connection, recent & (_t.fault_id != ""), _t.fault_id, _t.minute_ms)
        if any(row[-1] for row in rows)
        else {}
    )
    return [
        RouteStats(
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


def _find_request_ids(
    connection: Connection, which: ColumnElement[bool], column: Column[str], highest: Column[int]
) -> dict[str, str]:
    """A request id for each route: that of the row with the highest value."""
    place = func.row_number().over(partition_by=_t.route, order_by=highest.desc()).label("place")
    placed = select(_t.route, column.label("id"), place).where(which).subquery()
    query = select(placed.c.route, placed.c.id).where(placed.c.place == 1)
    return {row[0]: row[1] for row in connection.execute(query)}


def _count_active(connection: Connection, now_ms: int) -> ActiveNow:
    """Games started in the last 24 hours with a move just now; older ones would need a scan of all games."""
    query = select(func.count(), func.count(_g.owner_id.distinct())).where(
        _g.started_ms > now_ms - DAY_MS, _g.updated_ms > now_ms - ACTIVE_MINUTES * MINUTE_MS
    )
    return ActiveNow(*connection.execute(query).one())
