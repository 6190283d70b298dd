"""A player's own calendar of daily deals: a month of results, the streak, and how often each game was solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from statistics import median

from fastapi import APIRouter, Depends
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.daily.dependencies import Daily, daily_of
from app.daily.months import Month, month_of, read_month
from app.daily.own_results import (
    DayState,
    OwnResult,
    list_own_results,
    state_by_day,
    streak_of,
)
from app.db.engine import Database
from app.http.dependencies import never_stored, service_of
from app.http.templates import page, render_markup
from app.i18n.formats import clock_duration, long_date
from app.identity.dependencies import CurrentPlayer
from app.identity.model import Player
from app.rulesets import RULESETS, ruleset_title

router = APIRouter(include_in_schema=False, dependencies=[Depends(never_stored)])


@dataclass(frozen=True, slots=True)
class DealMark:
    """One game of a day, with the player's result."""

    title: str
    state: DayState


@dataclass(frozen=True, slots=True)
class OwnDayView:
    """The player's results of a day."""

    state: DayState
    deals: Sequence[DealMark]

    @property
    def won(self) -> int:
        """How many of the deals were won."""
        return sum(deal.state is DayState.SOLVED for deal in self.deals)

    @property
    def finished(self) -> int:
        """How many of the attempts have ended."""
        return sum(deal.state is not DayState.BEGUN for deal in self.deals)


@dataclass(frozen=True, slots=True)
class SolvedLine:
    """How often a game of the day was solved, and in what time."""

    title: str
    finished: int
    is_begun: bool
    """Whether another attempt is in progress."""
    solved: int
    share: int
    """Per cent."""
    best: str
    typical: str


@dataclass(frozen=True, slots=True)
class CalendarView:
    """The whole page."""

    path: str
    month: Month[OwnDayView]
    streak: int
    best_streak: int
    is_waiting: bool
    frozen: str
    days: int
    """On how many days a deal was solved."""
    lines: list[SolvedLine]


@router.get("/me/calendar")
async def own_calendar(
    request: Request, daily: Daily, player: CurrentPlayer, month: str = ""
) -> HTMLResponse:
    """A month of the player's own daily results."""
    today = daily.day
    oldest = await daily.first_day()
    first = read_month(month, oldest, today)
    results = await _read_results(request, player) if player else ()
    return page(request, "daily/calendar.html", calendar_view(results, first, oldest, today))


async def own_section(request: Request, player: Player) -> Markup:
    """The section of a player's own page: the streak, and the current month."""
    daily = daily_of(request)
    results = await _read_results(request, player)
    view = calendar_view(results, daily.day.replace(day=1), await daily.first_day(), daily.day)
    return render_markup("daily/_own_section.html", view=view)


async def _read_results(request: Request, player: Player) -> Sequence[OwnResult]:
    read = partial(list_own_results, player_id=player.id)
    return await service_of(request, Database).read(read)


def calendar_view(
    results: Sequence[OwnResult], first: date, oldest: date, today: date
) -> CalendarView:
    """The month that begins with ``first``; the site's deals begin with ``oldest``."""
    streak = streak_of(results, today)
    states = state_by_day(results)
    by_day: dict[date, list[OwnResult]] = {}
    for result in results:
        by_day.setdefault(result.day, []).append(result)

    def own_day(day: date) -> tuple[str, OwnDayView]:
        path = f"/daily/{day.isoformat()}" if oldest <= day <= today else ""
        marks = [
            DealMark(ruleset_title(result.ruleset), result.state) for result in by_day.get(day, ())
        ]
        return path, OwnDayView(states.get(day, DayState.FRESH), marks)

    return CalendarView(
        path="/me/calendar",
        month=month_of("/me/calendar", first, oldest, today, own_day),
        streak=streak.days,
        best_streak=streak.best,
        is_waiting=streak.is_waiting and streak.days > 0,
        frozen=long_date(streak.frozen) if streak.frozen else "",
        days=sum(state is DayState.SOLVED for state in states.values()),
        lines=_lines(results),
    )


def _lines(results: Sequence[OwnResult]) -> list[SolvedLine]:
    lines = []
    for rules in RULESETS:
        mine = [result for result in results if result.ruleset == rules.id]
        times = [
            result.seconds
            for result in mine
            if result.state is DayState.SOLVED and result.seconds is not None
        ]
        if mine:
            solved = sum(result.state is DayState.SOLVED for result in mine)
            finished = sum(result.state is not DayState.BEGUN for result in mine)
            lines.append(
                SolvedLine(
                    title=rules.title,
                    finished=finished,
                    is_begun=finished < len(mine),
                    solved=solved,
                    share=100 * solved // max(finished, 1),
                    best=clock_duration(min(times)) if times else "–",
                    typical=clock_duration(round(median(times))) if times else "–",
                )
            )
    return lines
