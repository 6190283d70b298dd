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
from app.admin.dashboard.counters import DayCounts
from app.admin.dashboard.repository import (
    ACTIVE_MINUTES,
    DayTraffic,
    HourTraffic,
    Overview,
    load_overview,
)
from app.clock import DAY_MS, HOUR_MS, Clock, day_of
from app.db.engine import Database
from app.http.charts import BarChart, Series, bar_chart
from app.http.dependencies import service_of
from app.http.templates import page
from app.i18n.formats import percent
from app.rulesets import RULESETS
from app.text import date_text, decimal_text, gettext, ngettext, number_text, pgettext

DAY_CHOICES: Final = (30, 90, 365)
"""How many days the overview can show."""

router = APIRouter(prefix=PREFIX, include_in_schema=False)

_ONE: Final = timedelta(days=1)


class DashboardNumber(NamedTuple):
    """A current number."""

    name: str
    value: str


class WinsRow(NamedTuple):
    """How often a game was won; ``share`` is a percentage."""

    title: str
    ended: str
    won: str
    share: float
    share_text: str


class RouteRow(NamedTuple):
    route: str
    requests: str
    mean: str
    slowest: str
    slowest_id: str
    faults: str
    fault_id: str


@dataclass(frozen=True, slots=True)
class OverviewView:
    """The overview of some days."""

    days: int
    day_choices: tuple[int, ...]
    facts: list[DashboardNumber]
    day_charts: list[BarChart]
    wins: list[WinsRow]
    hour_charts: list[BarChart]
    slowest: list[RouteRow]
    failing: list[RouteRow]


@router.get("/overview")
async def show_overview(request: Request, _staff: Staff, days: int = DAY_CHOICES[0]) -> Response:
    """The last days, and the last 24 hours hour by hour."""
    shown = days if days in DAY_CHOICES else DAY_CHOICES[0]
    now_ms = service_of(request, Clock)()
    database = service_of(request, Database)
    today = day_of(now_ms)
    first = today - timedelta(days=shown - 1)
    found = await database.read_elsewhere(partial(load_overview, first=first, now_ms=now_ms))
    return page(request, "admin/overview.html", build_overview(found, today, shown, now_ms))


def build_overview(found: Overview, today: date, days: int, now_ms: int) -> OverviewView:
    """The overview of the last days, up to today."""
    names = [(today - back * _ONE).isoformat() for back in reversed(range(days))]
    counts = [found.games.get(name, {}) for name in names]
    totals = [day.get("", DayCounts()) for day in counts]
    traffic = [found.traffic.get(name, DayTraffic()) for name in names]
    return OverviewView(
        days=days,
        day_choices=DAY_CHOICES,
        facts=_facts(found, totals[-1], traffic[-1]),
        day_charts=_day_charts(names, totals, traffic),
        wins=_win_rows(counts),
        hour_charts=_hour_charts(found.hours, now_ms),
        slowest=_route_rows(found, slow=True),
        failing=_route_rows(found, slow=False),
    )


def _facts(found: Overview, today: DayCounts, traffic: DayTraffic) -> list[DashboardNumber]:
    return [
        DashboardNumber(
            ngettext(
                "Active games (last minute)", "Active games (last %(n)s minutes)", ACTIVE_MINUTES
            ),
            number_text(found.active.games),
        ),
        DashboardNumber(gettext("Active players"), number_text(found.active.players)),
        DashboardNumber(gettext("Games started today"), number_text(today.begun)),
        DashboardNumber(gettext("Won today"), number_text(today.won)),
        DashboardNumber(
            gettext("Moves refused today"), percent(_refused_percent(traffic) / 100, 1)
        ),
        DashboardNumber(gettext("Errors today"), number_text(traffic.faults)),
    ]


def _day_charts(
    names: list[str], totals: list[DayCounts], traffic: list[DayTraffic]
) -> list[BarChart]:
    return [
        bar_chart(
            "games",
            gettext("Games started"),
            names,
            [Series(pgettext("chart", "games"), [day.begun for day in totals])],
        ),
        bar_chart(
            "ended",
            gettext("Games ended"),
            names,
            [
                Series(pgettext("chart", "won"), [day.won for day in totals]),
                Series(pgettext("chart", "not won"), [day.ended - day.won for day in totals]),
            ],
        ),
        bar_chart(
            "players",
            gettext("Players"),
            names,
            [Series(pgettext("chart", "players"), [day.players for day in totals])],
            about=gettext("Players who started or ended a game that day."),
        ),
        bar_chart(
            "refused",
            gettext("Moves refused"),
            names,
            [Series(pgettext("chart", "of all moves"), [_refused_percent(day) for day in traffic])],
            about=gettext("Moves that the rules don't allow, as a share of all moves."),
            is_percent=True,
        ),
        bar_chart(
            "requests",
            gettext("Requests"),
            names,
            [Series(pgettext("chart", "requests"), [day.requests for day in traffic])],
        ),
        bar_chart(
            "errors",
            gettext("Errors"),
            names,
            [Series(pgettext("chart", "errors"), [day.faults for day in traffic])],
        ),
    ]


def _hour_charts(hours: Mapping[int, HourTraffic], now_ms: int) -> list[BarChart]:
    last = now_ms // HOUR_MS * HOUR_MS
    begins = range(last - DAY_MS + HOUR_MS, last + 1, HOUR_MS)
    names = [_hour(datetime.fromtimestamp(at_ms / 1000, UTC)) for at_ms in begins]
    found = [hours.get(at_ms, HourTraffic()) for at_ms in begins]
    return [
        bar_chart(
            "hourly",
            gettext("Requests"),
            names,
            [Series(pgettext("chart", "requests"), [hour.requests for hour in found])],
        ),
        bar_chart(
            "faults",
            gettext("Errors"),
            names,
            [Series(pgettext("chart", "errors"), [hour.faults for hour in found])],
        ),
    ]


def _hour(at: datetime) -> str:
    return pgettext("hour", "%(day)s %(time)s", day=date_text(at, "day_month"), time=f"{at:%H}:00")


def _win_rows(counts: Sequence[Mapping[str, DayCounts]]) -> list[WinsRow]:
    lines = []
    for rules in RULESETS:
        days = [day[rules.id] for day in counts if rules.id in day]
        ended, won = sum(day.ended for day in days), sum(day.won for day in days)
        if not ended:
            continue
        share = won / ended
        lines.append(
            WinsRow(
                rules.title,
                number_text(ended),
                number_text(won),
                round(100 * share, 1),
                percent(share, 1),
            )
        )
    return lines


def _route_rows(found: Overview, *, slow: bool) -> list[RouteRow]:
    return [
        RouteRow(
            route=one.route,
            requests=number_text(one.requests),
            mean=decimal_text(one.mean_ms),
            slowest=decimal_text(one.slowest_ms, 0),
            slowest_id=one.slowest_id,
            faults=number_text(one.faults),
            fault_id=one.fault_id,
        )
        for one in (found.slowest if slow else found.failing)
    ]


def _refused_percent(day: DayTraffic) -> float:
    judged = day.accepted + day.refused
    return 100 * day.refused / judged if judged else 0.0
