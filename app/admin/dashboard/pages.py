"""The overview page: how the site is doing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Final, NamedTuple

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.admin.auth.dependencies import PREFIX, Staff
from app.admin.dashboard.daily_counts import DayCounts
from app.admin.dashboard.repository import (
    ACTIVE_MINUTES,
    HOUR_MS,
    Asked,
    Hour,
    Overview,
    read_overview,
)
from app.clock import DAY_MS, Clock, day_of
from app.db.engine import Database
from app.http.charts import BarChart, Series, bar_chart
from app.http.dependencies import service_of
from app.http.templates import page
from app.rulesets import RULESETS

SPANS: Final = (30, 90, 365)
"""Days that the overview can show."""

_ONE: Final = timedelta(days=1)


class Fact(NamedTuple):
    """A number that matters now."""

    name: str
    value: str


class WinsLine(NamedTuple):
    """How often a game was won; ``share`` of a hundred, as drawn and as said."""

    title: str
    ended: str
    won: str
    share: float
    said: str


class RouteLine(NamedTuple):
    """What was asked of a route."""

    route: str
    requests: str
    mean: str
    slowest: str
    slowest_id: str
    faults: str
    fault_id: str


@dataclass(frozen=True, slots=True)
class OverviewView:
    """The overview over some days."""

    days: int
    spans: tuple[int, ...]
    facts: list[Fact]
    day_charts: list[BarChart]
    wins: list[WinsLine]
    hour_charts: list[BarChart]
    slowest: list[RouteLine]
    faulty: list[RouteLine]


def overview_view(found: Overview, today: date, days: int, now_ms: int) -> OverviewView:
    """The overview over so many days up to today's."""
    names = [(today - back * _ONE).isoformat() for back in reversed(range(days))]
    counted = [found.games.get(name, {}) for name in names]
    whole = [day.get("", DayCounts()) for day in counted]
    asked = [found.asked.get(name, Asked()) for name in names]
    return OverviewView(
        days=days,
        spans=SPANS,
        facts=_facts(found, whole[-1], asked[-1]),
        day_charts=_day_charts(names, whole, asked),
        wins=_wins(counted),
        hour_charts=_hour_charts(found.hours, now_ms),
        slowest=_lines(found, slow=True),
        faulty=_lines(found, slow=False),
    )


def _facts(found: Overview, today: DayCounts, asked: Asked) -> list[Fact]:
    return [
        Fact(f"Games touched in the last {ACTIVE_MINUTES} minutes", f"{found.active.games:,}"),
        Fact("Players at them", f"{found.active.players:,}"),
        Fact("Games begun today", f"{today.begun:,}"),
        Fact("Won today", f"{today.won:,}"),
        Fact("Moves refused today", f"{_refused(asked):.1f} %"),
        Fact("Errors today", f"{asked.faults:,}"),
    ]


def _day_charts(names: list[str], whole: list[DayCounts], asked: list[Asked]) -> list[BarChart]:
    return [
        bar_chart("games", "Games begun", names, [Series("games", [day.begun for day in whole])]),
        bar_chart(
            "ended",
            "Games ended",
            names,
            [
                Series("won", [day.won for day in whole]),
                Series("not won", [day.ended - day.won for day in whole]),
            ],
        ),
        bar_chart(
            "players",
            "Players",
            names,
            [Series("players", [day.players for day in whole])],
            about="Who began or ended a game that day.",
        ),
        bar_chart(
            "refused",
            "Moves refused",
            names,
            [Series("of all moves", [_refused(day) for day in asked])],
            about="Moves against the rules, of all that were judged.",
            unit=" %",
        ),
        bar_chart(
            "requests", "Requests", names, [Series("requests", [day.requests for day in asked])]
        ),
        bar_chart("errors", "Errors", names, [Series("errors", [day.faults for day in asked])]),
    ]


def _hour_charts(hours: Mapping[int, Hour], now_ms: int) -> list[BarChart]:
    last = now_ms // HOUR_MS * HOUR_MS
    begins = range(last - DAY_MS + HOUR_MS, last + 1, HOUR_MS)
    names = [datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%d %b %H:00") for at_ms in begins]
    found = [hours.get(at_ms, Hour()) for at_ms in begins]
    return [
        bar_chart(
            "hourly", "Requests", names, [Series("requests", [hour.requests for hour in found])]
        ),
        bar_chart("faults", "Errors", names, [Series("errors", [hour.faults for hour in found])]),
    ]


def _wins(counted: Sequence[Mapping[str, DayCounts]]) -> list[WinsLine]:
    lines = []
    for rules in RULESETS:
        days = [day[rules.id] for day in counted if rules.id in day]
        ended, won = sum(day.ended for day in days), sum(day.won for day in days)
        share = 100 * won / ended if ended else 0.0
        said = f"{share:.1f} %" if ended else "–"
        lines.append(WinsLine(rules.title, f"{ended:,}", f"{won:,}", round(share, 1), said))
    return lines


def _lines(found: Overview, *, slow: bool) -> list[RouteLine]:
    return [
        RouteLine(
            route=one.route,
            requests=f"{one.requests:,}",
            mean=f"{one.mean_ms:,.1f}",
            slowest=f"{one.slowest_ms:,.0f}",
            slowest_id=one.slowest_id,
            faults=f"{one.faults:,}",
            fault_id=one.fault_id,
        )
        for one in (found.slowest if slow else found.faulty)
    ]


def _refused(day: Asked) -> float:
    judged = day.accepted + day.refused
    return 100 * day.refused / judged if judged else 0.0


router = APIRouter(prefix=PREFIX, include_in_schema=False)


@router.get("/overview")
async def overview(request: Request, _officer: Staff, days: int = SPANS[0]) -> Response:
    """The last days, and the last day and night hour by hour."""
    shown = days if days in SPANS else SPANS[0]
    now_ms = service_of(request, Clock)()
    database = service_of(request, Database)
    today = day_of(now_ms)
    first = today - timedelta(days=shown - 1)
    found = await database.read(partial(read_overview, first=first, now_ms=now_ms))
    return page(request, "admin/overview.html", overview_view(found, today, shown, now_ms))
