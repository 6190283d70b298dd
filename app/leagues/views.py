"""View models of the pages of leagues; see `board_views` for the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from app.games.catalog import find_offer
from app.i18n.formats import count_of, long_date
from app.leagues.board_views import DayHead, RowView, WeekBoardView, board_view
from app.leagues.model import MAX_MEMBERS, Member, Week
from app.leagues.service import LeagueState
from app.rulesets import DAILY_RULESETS
from app.text import date_text, gettext, joined, listing, ngettext, pgettext

_SOME_DAY: Final = date(2026, 1, 5)  # of the week in the example
_DRAWN: Final = 8  # members of a league in the list
SCORING: Final = gettext(
    "You get 3 points for each deal you win. The three best winners of a deal in the league get"
    " 3, 2 and 1 extra points. Fewest moves rank first, then shortest time."
)


class MemberView(NamedTuple):
    """A member, or a player whom the owner removed."""

    id: str
    name: str
    has_profile: bool
    is_you: bool
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
    board: WeekBoardView | None


class LeagueLine(NamedTuple):
    """A league in a list."""

    path: str
    title: str
    note: str
    names: Sequence[str]
    """Its members, at most so many as are drawn."""


@dataclass(frozen=True, slots=True)
class LeagueListView:
    """The viewer's leagues."""

    path: str
    lines: Sequence[LeagueLine]
    scoring: str
    example_days: Sequence[DayHead]
    example_rows: Sequence[RowView]
    """What a league will look like, for who has none."""


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
        board=board_view(state, state.board, path, day) if state.board else None,
    )


def list_view(states: Sequence[LeagueState]) -> LeagueListView:
    """The viewer's leagues."""
    return LeagueListView(
        "/leagues", [_line(state) for state in states], SCORING, _example_days(), _example_rows()
    )


def new_view(name: str, games: Sequence[str], error: str = "") -> NewLeagueView:
    """The form of a new league."""
    chosen = [(rules.id, rules.title, rules.id in games) for rules in DAILY_RULESETS]
    return NewLeagueView("/league/new", name, chosen, SCORING, error)


def _example_days() -> list[DayHead]:
    week = Week.of(_SOME_DAY)
    states = ("closed",) * 4 + ("today", "to-come", "to-come")
    return [
        DayHead(date_text(day, "weekday_short"), "", "", is_shown=False, state=state)
        for day, state in zip(week.days, states, strict=True)
    ]


def _example_rows() -> list[RowView]:
    names = (("Ada", 34), ("Grace", 31), (gettext("you"), 28))
    return [
        RowView(
            str(rank), name, has_profile=False, is_you=rank == len(names), cells=(), total=points
        )
        for rank, (name, points) in enumerate(names, 1)
    ]


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
    names = [member.name for member in state.roster.members[:_DRAWN]]
    return LeagueLine(f"/league/{state.league.link}", state.league.name, note, names)


def _member(member: Member, state: LeagueState) -> MemberView:
    return MemberView(
        id=member.player_id,
        name=member.name,
        has_profile=member.is_named,
        is_you=member.player_id == state.viewer_id,
        is_owner=state.roster.is_owner(member.player_id),
        since=long_date(member.since),
    )


def _games_text(games: Sequence[str]) -> str:
    """``all games``, or their titles."""
    if len(games) == len(DAILY_RULESETS):
        return pgettext("league", "all games")
    return listing([find_offer(game).title for game in games], "and")
