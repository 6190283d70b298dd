"""View models of the league pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from app.daily.model import Attempt, PlayerDeal, Verdict, settled_ms
from app.daily.views import DealView, deal_view
from app.games.catalog import find_offer
from app.http.local_times import LocalTime
from app.i18n.formats import clock_duration, count_of, long_date
from app.leagues.model import MAX_MEMBERS, Member, Week, WeekNotFoundError
from app.leagues.scoring import Board, DayScore, Result, Row
from app.leagues.service import LeagueState
from app.rulesets import DAILY_RULESETS
from app.text import date_text, gettext, joined, listing, ngettext, pgettext

SCORING: Final = gettext(
    "You get 3 points for each deal you win. The best three in the league who win it get 3, 2 and 1 more: "
    "fewest moves first, then shortest time."
)


class DayHead(NamedTuple):
    """A column of the board. ``path`` is set for closed days: it leads to the results of the day."""

    short: str
    long: str
    path: str
    is_shown: bool
    """Whether its results are on the page."""


class Cell(NamedTuple):
    """What a member has from a day, in a few characters and in words."""

    text: str
    words: str


class RowView(NamedTuple):
    """A member's week."""

    rank: str
    name: str
    is_named: bool
    is_me: bool
    cells: Sequence[Cell]
    total: int


class ResultView(NamedTuple):
    """A member's result at a closed deal."""

    rank: str
    name: str
    is_me: bool
    is_confirmed: bool
    outcome: str
    points: int
    replay: str


class DealResults(NamedTuple):
    """The results of one closed deal."""

    title: str
    path: str
    results: Sequence[ResultView]


class DayResults(NamedTuple):
    """The results of a closed day; a deal that no member has played has none."""

    date: str
    deals: Sequence[DealResults]


class OpenDay(NamedTuple):
    """A day that is still open: when its results appear, and the viewer's own."""

    title: str
    path: str
    opens: LocalTime
    deals: Sequence[DealView]
    is_today: bool


@dataclass(frozen=True, slots=True)
class BoardView:
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


class MemberView(NamedTuple):
    """A member, or a player whom the owner removed."""

    id: str
    name: str
    is_named: bool
    is_me: bool
    is_owner: bool
    since: str


@dataclass(frozen=True, slots=True)
class LeagueView:
    """The page of a league. ``board`` is for members."""

    path: str
    url: str
    name: str
    owner: str
    games: str
    has_all_games: bool
    sentence: str
    scoring: str
    members: Sequence[MemberView]
    removed: Sequence[MemberView]
    most: int
    is_member: bool
    is_owner: bool
    is_removed: bool
    is_full: bool
    is_guest: bool
    board: BoardView | None


class LeagueLine(NamedTuple):
    """A league in a list."""

    path: str
    title: str
    note: str


@dataclass(frozen=True, slots=True)
class LeagueListView:
    """The viewer's leagues."""

    path: str
    lines: Sequence[LeagueLine]


@dataclass(frozen=True, slots=True)
class NewLeagueView:
    """The form of a new league, with what was typed and what was wrong with it."""

    path: str
    name: str
    games: Sequence[tuple[str, str, bool]]
    """Id and title of each game, and whether it is chosen."""
    scoring: str
    error: str


def league_view(state: LeagueState, site: str, day: date | None, *, is_guest: bool) -> LeagueView:
    """The page of a league, with the results of a closed ``day``; ``site`` is the start of its full address.

    Raises ``WeekNotFoundError`` for a day that is not closed.
    """
    league, roster = state.league, state.roster
    path = f"/league/{league.link}"
    shown = () if state.is_removed else roster.members
    return LeagueView(
        path=path,
        url=site + path,
        name=league.name,
        owner=roster.owner.name,
        games=_games_text(league.games),
        has_all_games=len(league.games) == len(DAILY_RULESETS),
        sentence=gettext(
            "Join %(name)s, a league for the daily deals at Fair Deal.", name=league.name
        ),
        scoring=SCORING,
        members=[_member(one, state) for one in shown],
        removed=[_member(one, state) for one in roster.removed] if state.is_owner else [],
        most=MAX_MEMBERS,
        is_member=state.is_member,
        is_owner=state.is_owner,
        is_removed=state.is_removed,
        is_full=state.is_full,
        is_guest=is_guest,
        board=_board(state, state.board, path, day) if state.board else None,
    )


def list_view(states: Sequence[LeagueState]) -> LeagueListView:
    """The viewer's leagues."""
    return LeagueListView("/leagues", [_line(state) for state in states])


def new_view(name: str, games: Sequence[str], error: str = "") -> NewLeagueView:
    """The form of a new league."""
    chosen = [(rules.id, rules.title, rules.id in games) for rules in DAILY_RULESETS]
    return NewLeagueView("/league/new", name, chosen, SCORING, error)


def _line(state: LeagueState) -> LeagueLine:
    count = len(state.roster.members)
    members = gettext("only you") if count == 1 else count_of(count, "member")
    games = _games_text(state.league.games)
    note = joined(" · ", members, games)
    if state.to_play:
        to_play = ngettext(
            "%(n)s deal left for you today", "%(n)s deals left for you today", state.to_play
        )
        note = joined(" · ", note, to_play)
    return LeagueLine(f"/league/{state.league.link}", state.league.name, note)


def _board(state: LeagueState, board: Board, path: str, day: date | None) -> BoardView:
    week, this_week = board.week, board.week.of(state.today)
    if day is not None and day not in board.closed:
        raise WeekNotFoundError(gettext("The results of this day aren't out yet."))
    base = f"{path}?week={week}"
    scores = [score for row in board.rows for score in row.days.values()]
    return BoardView(
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
            )
            for each in week.days
        ],
        rows=[_row(row, board, state) for row in board.rows],
        has_results=any(score.has_played for score in scores),
        has_unconfirmed=any(not score.is_confirmed for score in scores),
        day=_day_results(state, board, day) if day else None,
        open_days=_open_days(state, board),
    )


def _row(row: Row, board: Board, state: LeagueState) -> RowView:
    return RowView(
        rank=str(row.rank) if row.total else "–",
        name=row.member.name,
        is_named=row.member.is_named,
        is_me=row.member.player_id == state.viewer_id,
        cells=[_cell(row.days.get(day), day, state.today) for day in board.week.days],
        total=row.total,
    )


def _cell(score: DayScore | None, day: date, today: date) -> Cell:
    if score is None:
        return Cell("", gettext("to come") if day > today else gettext("no result shown"))
    if not score.has_played:
        return Cell("–", gettext("not played"))
    return Cell(f"{score.points}{'' if score.is_confirmed else '*'}", "")


def _day_results(state: LeagueState, board: Board, day: date) -> DayResults:
    found = board.results[day]
    return DayResults(
        date_text(day, "full"),
        [
            DealResults(
                find_offer(game).title,
                f"/daily/{day.isoformat()}/{game}",
                [_result(one, state.viewer_id) for one in found.get(game, ())],
            )
            for game in state.league.games
        ],
    )


def _result(result: Result, viewer_id: str | None) -> ResultView:
    attempt = result.attempt
    outcomes = {
        Verdict.SOLVED: _solved(attempt),
        Verdict.REMOVED: pgettext("result", "removed"),
        Verdict.SET_ASIDE: pgettext("result", "still to be judged"),
    }
    unsolved = ngettext(
        "not won, %(n)s card home", "not won, %(n)s cards home", attempt.cards_home or 0
    )
    can_replay = attempt.verdict in {Verdict.SOLVED, Verdict.UNSOLVED}
    return ResultView(
        rank=str(result.rank or "–"),
        name=result.member.name,
        is_me=result.member.player_id == viewer_id,
        is_confirmed=attempt.unconfirmed is None,
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


def _open_days(state: LeagueState, board: Board) -> list[OpenDay]:
    by_day: dict[date, list[PlayerDeal]] = {}
    for each in state.own_deals:
        by_day.setdefault(each.deal.day, []).append(each)
    days = [day for day in board.week.days if day in by_day or day == state.today]
    return [
        OpenDay(
            title=gettext("Today") if day == state.today else date_text(day, "weekday"),
            path="/daily" if day == state.today else f"/daily/{day.isoformat()}",
            opens=LocalTime.of(settled_ms(day)),
            deals=[deal_view(each) for each in by_day.get(day, ())],
            is_today=day == state.today,
        )
        for day in reversed(days)
    ]


def _member(member: Member, state: LeagueState) -> MemberView:
    return MemberView(
        id=member.player_id,
        name=member.name,
        is_named=member.is_named,
        is_me=member.player_id == state.viewer_id,
        is_owner=state.roster.is_owner(member.player_id),
        since=long_date(member.since),
    )


def _games_text(games: Sequence[str]) -> str:
    """``all games``, or their titles."""
    if len(games) == len(DAILY_RULESETS):
        return pgettext("league", "all games")
    return listing([find_offer(game).title for game in games], "and")


def _title(week: Week) -> str:
    first, last = date_text(week.days[0], "day_long_month"), long_date(week.days[-1])
    return pgettext("week", "%(first)s to %(last)s", first=first, last=last)
