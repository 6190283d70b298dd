"""A profile as JSON."""

from __future__ import annotations

from datetime import date

from pydantic import BaseModel

from app.clock import day_of
from app.profiles.charts import weeks_of
from app.profiles.statistics import Finished, Profile, Record


class RecordBody(BaseModel):
    """How the games by one rule set went. `rate` is from 0 to 1; what is best is null before the first win."""

    ruleset: str
    played: int
    won: int
    rate: float
    streak: int
    best_streak: int
    best_actions: int | None
    best_seconds: int | None


class FinishedBody(BaseModel):
    """A finished game."""

    id: str
    ruleset: str
    status: str
    actions: int
    seconds: int
    ended_ms: int
    assisted: bool


class WeekBody(BaseModel):
    """What ended in the seven days from a Monday, UTC."""

    monday: date
    played: int
    won: int


class ProfileBody(BaseModel):
    """What everybody may know of a player with a name."""

    name: str
    claimed_ms: int
    games: list[RecordBody]
    weeks: list[WeekBody]
    recent: list[FinishedBody]


def profile_body(profile: Profile, now_ms: int) -> ProfileBody:
    """A profile as JSON; the last 26 weeks."""
    today = day_of(now_ms)
    return ProfileBody(
        name=profile.name,
        claimed_ms=profile.claimed_ms,
        games=[_record(record) for record in profile.records],
        weeks=[WeekBody(**week._asdict()) for week in weeks_of(profile.finished, today)],
        recent=[_finished(game) for game in profile.recent],
    )


def _record(record: Record) -> RecordBody:
    return RecordBody(
        ruleset=record.ruleset,
        played=record.played,
        won=record.won,
        rate=round(record.rate, 4),
        streak=record.streak,
        best_streak=record.best_streak,
        best_actions=record.best_actions,
        best_seconds=record.best_seconds,
    )


def _finished(game: Finished) -> FinishedBody:
    return FinishedBody(
        id=game.id,
        ruleset=game.ruleset,
        status=game.status,
        actions=game.actions,
        seconds=game.seconds,
        ended_ms=game.ended_ms,
        assisted=game.is_assisted,
    )
