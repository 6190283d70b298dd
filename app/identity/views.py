"""What the pages of players show, in words and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.clock import day_of
from app.http.formats import clock_duration, long_date
from app.identity.repository import Session
from app.identity.service import Player, hash_of
from app.profiles.charts import Plot, plot_of, weeks_of
from app.profiles.statistics import Finished, Profile, Record
from app.rulesets import find_ruleset

_HOUR = 3600
_ENDS = {"won": "won", "lost": "stuck", "resigned": "given up"}


@dataclass(frozen=True, slots=True)
class Trouble:
    """What was wrong with a form: which one, and a sentence."""

    form: str
    sentence: str


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A session as its owner sees it."""

    id: str
    label: str
    seen: str
    since: str
    is_this: bool


@dataclass(frozen=True, slots=True)
class MeView:
    """Somebody's own page."""

    path: str
    player: Player | None
    sessions: Sequence[SessionLine]
    said: str
    trouble: Trouble | None
    notices: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class EntryView:
    """The forms to come in by: what was typed before, and where to go afterwards."""

    path: str
    guest: Player | None
    games: int
    name: str
    back: str
    trouble: str


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A row of statistics."""

    title: str
    ruleset: str
    played: int
    won: int
    rate: str
    streak: int
    best_streak: int
    best_actions: str
    best_time: str


@dataclass(frozen=True, slots=True)
class GameLine:
    """A finished game."""

    id: str
    title: str
    end: str
    actions: int
    time: str
    day: str
    spoken: str


@dataclass(frozen=True, slots=True)
class ProfileView:
    """Somebody's public page."""

    path: str
    name: str
    since: str
    records: Sequence[RecordLine]
    recent: Sequence[GameLine]
    plot: Plot
    told: str
    strips: Sequence[Markup] = ()
    """What other parts of the site have to say of them."""


def session_lines(sessions: Sequence[Session], token: str | None, now_ms: int) -> list[SessionLine]:
    """Sessions as their owner sees them, this one first."""
    this = hash_of(token) if token else b""
    lines = [
        SessionLine(
            id=session.id,
            label=session.label or "An unknown device",
            seen=_ago(session.seen_ms, now_ms),
            since=long_date(day_of(session.created_ms)),
            is_this=session.token_hash == this,
        )
        for session in sessions
    ]
    return sorted(lines, key=lambda line: not line.is_this)


def profile_view(
    profile: Profile, path: str, now_ms: int, strips: Sequence[Markup] = ()
) -> ProfileView:
    """A profile in words and figures."""
    played, won = len(profile.finished), sum(game.is_won for game in profile.finished)
    plot = plot_of(weeks_of(profile.finished, day_of(now_ms)))
    return ProfileView(
        path=path,
        name=profile.name,
        since=long_date(day_of(profile.claimed_ms)),
        records=[_record_line(record) for record in profile.records],
        recent=[_game_line(game) for game in profile.recent],
        plot=plot,
        told=f"{_games(played)} played to an end, {won} won.",
        strips=strips,
    )


def _record_line(record: Record) -> RecordLine:
    return RecordLine(
        title=_title(record.ruleset),
        ruleset=record.ruleset,
        played=record.played,
        won=record.won,
        rate=f"{record.rate:.0%}",
        streak=record.streak,
        best_streak=record.best_streak,
        best_actions="–" if record.best_actions is None else str(record.best_actions),
        best_time="–" if record.best_seconds is None else clock_duration(record.best_seconds),
    )


def _game_line(game: Finished) -> GameLine:
    day = day_of(game.ended_ms)
    return GameLine(
        id=game.id,
        title=_title(game.ruleset),
        end=_ENDS.get(game.status, game.status) + (", assisted" if game.is_assisted else ""),
        actions=game.actions,
        time=clock_duration(game.seconds),
        day=day.isoformat(),
        spoken=long_date(day),
    )


def _title(ruleset: str) -> str:
    rules = find_ruleset(ruleset)
    return rules.title if rules else ruleset


def _games(number: int) -> str:
    return "One game" if number == 1 else f"{number} games"


def _ago(at_ms: int, now_ms: int) -> str:
    """Sessions are noted once an hour, so that is as fine as it can be told."""
    today, day = day_of(now_ms), day_of(at_ms)
    if now_ms - at_ms <= 2 * _HOUR * 1000:
        return "within the last two hours"
    match (today - day).days:
        case 0:
            return "earlier today"
        case 1:
            return "yesterday"
        case _:
            return f"on {long_date(day)}"
