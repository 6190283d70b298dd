"""A player's public page with its view model, and the download of a player's own data."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from app.clock import day_of
from app.db.engine import Database
from app.engine.ruleset import Ruleset
from app.http.charts import BarChart, BarSize, Series, bar_chart
from app.http.dependencies import service_of
from app.http.templates import page, see_other
from app.i18n.formats import clock_duration, help_words, long_date, moves_made, percent
from app.identity.dependencies import CurrentPlayer, require_player
from app.profiles import export
from app.profiles.reader import ProfileReader
from app.profiles.statistics import (
    CountedGame,
    Profile,
    RulesetRecord,
    WeekOfGames,
    weeks_of,
)
from app.rulesets import FIRST_RULESET, ruleset_title
from app.text import Text, date_text, gettext, listing, ngettext, number_text, pgettext

router = APIRouter(include_in_schema=False)

ProfileSection = Callable[[Request, str], Awaitable[Markup]]
"""Renders what another slice adds to the page of the player with this id."""


@dataclass(frozen=True, slots=True)
class ProfileSections:
    """What other slices add to a player's public page."""

    sections: Sequence[ProfileSection]


@router.get("/players/{name}")
async def profile(request: Request, name: str, _player: CurrentPlayer) -> Response:
    """The public page of a player with a claimed name."""
    player_id, view = await service_of(request, ProfileReader).read(name, _show)
    if view.name != name:
        return see_other(view.path)
    callbacks = service_of(request, ProfileSections).sections
    sections = [await render(request, player_id) for render in callbacks]
    return page(request, "profiles/profile.html", replace(view, sections=sections))


def _show(profile: Profile, now_ms: int) -> tuple[str, ProfileView]:
    return profile.player_id, profile_view(profile, now_ms)


@router.get("/me/export")
async def export_all(request: Request, player: CurrentPlayer) -> StreamingResponse:
    """Everything stored about the player, as a file."""
    return export.download(service_of(request, Database), require_player(player).id)


_NONE: Final = "–"
_ENDS: Final[Mapping[str, Text]] = {
    "won": pgettext("end", "won"),
    "lost": pgettext("end", "lost"),
    "resigned": pgettext("end", "resigned"),
}
_REVIEWS: Final = {True: gettext("Review ready"), False: gettext("Review in progress")}
CHARTED: Final = 5
"""Finished games from which on the chart of weeks is more than an empty frame."""
_DOUBTS: Final[Mapping[str, Text]] = {
    "guest": pgettext("end", "as a guest"),
}


@dataclass(frozen=True, slots=True)
class RecordLine:
    """The results by one rule set, as a row of a table."""

    title: str
    ruleset: str
    played: int
    won: int
    rate: str
    streak: int
    best_streak: int
    best_moves: str
    best_time: str


@dataclass(frozen=True, slots=True)
class GameLine:
    id: str
    title: str
    end: str
    moves: str
    time: str
    day: str
    spoken: str
    review: str = ""
    """What its review is doing; empty if there is none."""


@dataclass(frozen=True, slots=True)
class ProfileView:
    """A player's public page."""

    path: str
    name: str
    since: str
    records: Sequence[RecordLine]
    recent: Sequence[GameLine]
    weeks: Sequence[WeekOfGames]
    chart: BarChart
    has_chart: bool
    """Whether there are enough games for it."""
    summary: str
    sections: Sequence[Markup] = ()
    """What other slices add."""
    first: Ruleset = FIRST_RULESET
    """What is offered to its player before the first finished game."""


def profile_view(profile: Profile, now_ms: int) -> ProfileView:
    """A profile as a view model."""
    played, won = len(profile.finished), sum(game.is_won for game in profile.finished)
    weeks = weeks_of(profile.finished, day_of(now_ms))
    return ProfileView(
        path=f"/players/{quote(profile.name)}",
        name=profile.name,
        since=long_date(day_of(profile.claimed_ms)),
        records=[_record_line(record) for record in profile.records],
        recent=[game_line(game, profile.automatic.get(game.id, 0)) for game in profile.recent],
        weeks=weeks,
        chart=weeks_chart(weeks),
        has_chart=played >= CHARTED,
        summary=summary_of(played, won),
    )


def weeks_chart(weeks: Sequence[WeekOfGames]) -> BarChart:
    """The games of each week, the won ones at the foot."""
    return bar_chart(
        "weeks",
        gettext("Games finished"),
        [date_text(week.monday, "short_month") for week in weeks],
        [
            Series(pgettext("games", "won"), [week.won for week in weeks]),
            Series(pgettext("games", "not won"), [week.played - week.won for week in weeks]),
        ],
        size=BarSize(height=96, step=20, bar=14),
    )


def _record_line(record: RulesetRecord) -> RecordLine:
    return RecordLine(
        title=ruleset_title(record.ruleset),
        ruleset=record.ruleset,
        played=record.played,
        won=record.won,
        rate=percent(record.rate),
        streak=record.streak,
        best_streak=record.best_streak,
        best_moves=count_text(record.best_moves),
        best_time=time_text(record.best_seconds),
    )


def summary_of(played: int, won: int) -> str:
    """How many games a player has finished and won."""
    return ngettext(
        "%(n)s game finished, %(won)s won.", "%(n)s games finished, %(won)s won.", played, won=won
    )


def count_text(count: int | None) -> str:
    """A count, or a dash."""
    return _NONE if count is None else number_text(count)


def time_text(seconds: int | None) -> str:
    """A time, or a dash."""
    return _NONE if seconds is None else clock_duration(seconds)


def game_line(game: CountedGame, automatic: int, *, is_reviewed: bool | None = None) -> GameLine:
    """A finished game in a list, with its automatic moves.

    ``is_reviewed`` is false while its review is being made, ``None`` without one.
    """
    day = day_of(game.ended_ms)
    return GameLine(
        id=game.id,
        title=ruleset_title(game.ruleset),
        end=_end(game),
        moves=moves_made(game.moves, automatic),
        time=clock_duration(game.seconds),
        day=day.isoformat(),
        spoken=long_date(day),
        review="" if is_reviewed is None else _REVIEWS[is_reviewed],
    )


def _end(game: CountedGame) -> str:
    words = [_ENDS.get(game.status, game.status)]
    words += help_words(is_assisted=game.is_assisted, hints=game.hints)
    if game.doubt == "new_name":
        words.append(pgettext("end", "ranked from the next day on"))
    elif game.doubt:
        words += [_DOUBTS[game.doubt]] if game.doubt in _DOUBTS else []
        words.append(pgettext("end", "not ranked"))
    return listing(words, "comma")
