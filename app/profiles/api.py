"""Profiles and the data export as JSON."""

from __future__ import annotations

from datetime import date

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import StreamingResponse

from app.clock import day_of
from app.db.engine import Database
from app.http.dependencies import service_of
from app.identity.dependencies import CurrentPlayer, require_api_player
from app.profiles import export
from app.profiles.reader import ProfileReader
from app.profiles.statistics import CountedGame, Profile, RulesetRecord, weeks_of

router = APIRouter(prefix="/api/v1", tags=["players"])


class RecordBody(BaseModel):
    """The results by one rule set. `rate` is from 0 to 1; the bests are of wins without help, null before the first.

    `best_moves` is what the pages show, and `best_actions` counts what was undone, too.
    """

    ruleset: str
    played: int
    won: int
    rate: float
    streak: int
    best_streak: int
    best_actions: int | None
    best_moves: int | None
    best_seconds: int | None


class FinishedBody(BaseModel):
    """A finished game. `moves` is what the pages show, and `actions` counts what was undone, too."""

    id: str
    ruleset: str
    status: str
    actions: int
    moves: int
    seconds: int
    ended_ms: int
    assisted: bool
    unconfirmed: bool


class WeekBody(BaseModel):
    """The games that ended in the seven days from a Monday, UTC."""

    monday: date
    played: int
    won: int


class ProfileBody(BaseModel):
    """The public statistics of a player with a claimed name."""

    name: str
    claimed_ms: int
    games: list[RecordBody]
    weeks: list[WeekBody]
    recent: list[FinishedBody]


@router.get("/players/{name}", summary="A player's profile")
async def profile(request: Request, name: str) -> ProfileBody:
    """Finished games that were dealt by the site. Daily attempts are included once their day is closed."""
    return await service_of(request, ProfileReader).read(name, profile_body)


@router.get(
    "/me/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/json": {}}}},
    summary="Download your data",
)
async def export_all(request: Request, player: CurrentPlayer) -> StreamingResponse:
    """Your player, sessions, daily attempts, and games with every action."""
    return export.download(service_of(request, Database), require_api_player(player).id)


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


def _record(record: RulesetRecord) -> RecordBody:
    return RecordBody(
        ruleset=record.ruleset,
        played=record.played,
        won=record.won,
        rate=round(record.rate, 4),
        streak=record.streak,
        best_streak=record.best_streak,
        best_actions=record.best_actions,
        best_moves=record.best_moves,
        best_seconds=record.best_seconds,
    )


def _finished(game: CountedGame) -> FinishedBody:
    return FinishedBody(
        id=game.id,
        ruleset=game.ruleset,
        status=game.status,
        actions=game.actions,
        moves=game.moves,
        seconds=game.seconds,
        ended_ms=game.ended_ms,
        assisted=game.is_assisted,
        unconfirmed=game.is_unconfirmed,
    )
