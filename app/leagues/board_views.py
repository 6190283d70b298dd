"""View models of the board of a week: its rows, the results of a closed day, and the days that are open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from app.daily.listed_deal import ListedDeal
from app.daily.model import Attempt, PlayerDeal, deal_path, settled_ms
from app.games.attempt_verdicts import AttemptVerdict
from app.games.catalog import find_offer
from app.http.local_times import LocalTime
from app.i18n.formats import clock_duration, count_of, long_date
from app.leagues.model import Week, WeekNotFoundError
from app.leagues.scoring import DayScore, MemberResult, MemberWeek, WeekBoard
from app.leagues.service import LeagueState
from app.text import date_text, gettext, ngettext, pgettext


class DayHead(NamedTuple):
    """A column of the board. ``path`` is set for closed days: it leads to the results of the day."""

    short: str
    long: str
    path: str
    is_shown: bool
    """Whether its results are on the page."""
    state: str
    """``closed``, ``today``, ``open`` or ``to-come``: a class of its circle."""


class Cell(NamedTuple):
    """The points of a member for a day, in a few characters and in words."""

    text: str
    words: str


class RowView(NamedTuple):
    """A member's week."""

    rank: str
    name: str
    has_profile: bool
    is_you: bool
    cells: Sequence[Cell]
    total: int


class MemberResultView(NamedTuple):
    """A member's result at a closed deal."""

    rank: str
    name: str
    is_you: bool
    is_confirmed: bool
    outcome: str
    points: int
    replay: str


class DealResults(NamedTuple):
    """The results of one closed deal."""

    title: str
    path: str
    results: Sequence[MemberResultView]


class DayResults(NamedTuple):
    """The results of a closed day; a deal that no member has played has none."""

    date: str
    deals: Sequence[DealResults]


class OpenDay(NamedTuple):
    """A day that is still open: when its results appear, and the viewer's own."""

    title: str
    path: str
    opens: LocalTime
    deals: Sequence[ListedDeal]
    is_today: bool


@dataclass(frozen=True, slots=True)
class WeekBoardView:
    """The board of a week."""

    title: str
    is_this_week: bool
    previous: str
    following: str
    heads: Sequence[DayHead]
    rows: Sequence[RowView]
    has_results: bool
    has_unconfirmed: bool
    day: DayResults | None
    open_days: Sequence[OpenDay]
    """Most recent first."""


def board_view(state: LeagueState, board: WeekBoard, path: str, day: date | None) -> WeekBoardView:
    """The board of a week, with the results of a closed day; raises ``WeekNotFoundError`` for an open one."""
    week, this_week = board.week, board.week.of(state.today)
    if day is not None and day not in board.closed:
        raise WeekNotFoundError(gettext("The results of this day aren't out yet."))
    base = f"{path}?week={week}"
    scores = [score for row in board.rows for score in row.days.values()]
    return WeekBoardView(
        title=_title(week),
        is_this_week=week == this_week,
        previous=f"{path}?week={week.previous}" if week > state.first_week else "",
        following=f"{path}?week={week.following}" if week < this_week else "",
        heads=[
            DayHead(
                short=date_text(each, "weekday_short"),
                long=date_text(each, "weekday_day"),
                path=f"{base}&day={each.isoformat()}#day" if each in board.closed else "",
                is_shown=each == day,
                state=_state(each, board, state.today),
            )
            for each in week.days
        ],
        rows=[_row(row, board, state) for row in board.rows],
        has_results=any(score.has_played for score in scores),
        has_unconfirmed=any(not score.is_confirmed for score in scores),
        day=_day_results(state, board, day) if day else None,
        open_days=_open_days(state, board),
    )


def _state(day: date, board: WeekBoard, today: date) -> str:
    if day in board.closed:
        return "closed"
    if day == today:
        return "today"
    return "open" if day < today else "to-come"


def _row(row: MemberWeek, board: WeekBoard, state: LeagueState) -> RowView:
    return RowView(
        rank=str(row.rank) if row.total else "–",
        name=row.member.name,
        has_profile=row.member.is_named,
        is_you=row.member.player_id == state.viewer_id,
        cells=[_cell(row.days.get(day), day, state.today) for day in board.week.days],
        total=row.total,
    )


def _cell(score: DayScore | None, day: date, today: date) -> Cell:
    if score is None:
        return Cell("", gettext("to come") if day > today else gettext("no result shown"))
    if not score.has_played:
        return Cell("–", gettext("not played"))
    return Cell(f"{score.points}{'' if score.is_confirmed else '*'}", "")


def _day_results(state: LeagueState, board: WeekBoard, day: date) -> DayResults:
    found = board.results[day]
    return DayResults(
        date_text(day, "full"),
        [
            DealResults(
                find_offer(game).title,
                deal_path(day, game),
                [_result(one, state.viewer_id) for one in found.get(game, ())],
            )
            for game in state.league.games
        ],
    )


def _result(result: MemberResult, viewer_id: str | None) -> MemberResultView:
    attempt = result.attempt
    outcomes = {
        AttemptVerdict.SOLVED: _solved(attempt),
        AttemptVerdict.REMOVED: pgettext("result", "removed"),
        AttemptVerdict.SET_ASIDE: pgettext("result", "not checked yet"),
    }
    unsolved = ngettext(
        "not won, %(n)s card home", "not won, %(n)s cards home", attempt.cards_home or 0
    )
    can_replay = attempt.verdict in {AttemptVerdict.SOLVED, AttemptVerdict.UNSOLVED}
    return MemberResultView(
        rank=str(result.rank or "–"),
        name=result.member.name,
        is_you=result.member.player_id == viewer_id,
        is_confirmed=attempt.is_confirmed,
        outcome=outcomes.get(attempt.verdict, unsolved),
        points=result.points,
        replay=f"/games/{attempt.game_id}/replay" if can_replay else "",
    )


def _solved(attempt: Attempt) -> str:
    if attempt.score is None:
        return pgettext("result", "won")
    actions, seconds = attempt.score
    return pgettext(
        "result",
        "won, %(moves)s, %(time)s",
        moves=count_of(actions, "move"),
        time=clock_duration(seconds),
    )


def _open_days(state: LeagueState, board: WeekBoard) -> list[OpenDay]:
    by_day: dict[date, list[PlayerDeal]] = {}
    for each in state.own_deals:
        by_day.setdefault(each.deal.day, []).append(each)
    days = [day for day in board.week.days if day in by_day or day == state.today]
    return [
        OpenDay(
            title=gettext("Today") if day == state.today else date_text(day, "weekday"),
            path="/daily" if day == state.today else f"/daily/{day.isoformat()}",
            opens=LocalTime.of(settled_ms(day)),
            deals=[ListedDeal.of(each) for each in by_day.get(day, ())],
            is_today=day == state.today,
        )
        for day in reversed(days)
    ]


def _title(week: Week) -> str:
    first, last = date_text(week.days[0], "day_long_month"), long_date(week.days[-1])
    return pgettext("week", "%(first)s to %(last)s", first=first, last=last)
