"""The JSON face of the daily deal, under ``/api/v1/daily``."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response
from starlette.responses import StreamingResponse

from app.clock import day_of
from app.daily import boards, schemas
from app.daily.days import parse_day
from app.daily.dependencies import browser_token_hash, daily_of, results_of, wake_if_due
from app.daily.record import document
from app.daily.service import NO_DEAL
from app.db.engine import Database
from app.errors import ConflictError, DealNotFoundError, MalformedError
from app.games.json_state import State, state_of
from app.games.model import Game
from app.http.dependencies import service_of
from app.http.rate_limits import NewGameLimit
from app.identity.dependencies import ActingPlayer, CurrentPlayer
from app.identity.model import Player

router = APIRouter(prefix="/api/v1/daily", tags=["daily"], dependencies=[Depends(wake_if_due)])

_MOST_DAYS = 62

After = Annotated[str | None, Query(description="`next` of the page before.")]
Most = Annotated[int, Query(ge=1, le=200)]
_STATE: dict[int | str, dict[str, Any]] = {200: {"model": State}, 201: {"model": State}}
_RECORD: dict[int | str, dict[str, Any]] = {200: {"content": {"application/json": {}}}}


def _read_day(request: Request, text: str) -> date:
    if text == "today":
        return day_of(daily_of(request).now_ms)
    try:
        return parse_day(text)
    except ValueError as error:
        raise DealNotFoundError(str(error)) from error


def _place(request: Request, day: str, ruleset: str) -> tuple[date, str]:
    return _read_day(request, day), ruleset


Place = Annotated[tuple[date, str], Depends(_place)]


@router.get("", summary="Today's deals")
async def today(request: Request, player: CurrentPlayer) -> schemas.TodayBody:
    """All games, your attempts, your streak, and how long the day lasts. A day is UTC."""
    service = daily_of(request)
    return schemas.today_body(await service.today(_id(player)), service.now_ms)


@router.get("/promises", summary="Commitments for the coming days")
async def promises(request: Request) -> list[schemas.PromiseBody]:
    """SHA-256 of each coming deal's secret seed, so that nobody can change it after seeing somebody play."""
    return [schemas.promise_body(deal) for deal in await daily_of(request).promises()]


@router.get("/days", summary="Deals between two days")
async def days(
    request: Request, player: CurrentPlayer, first: str, last: str
) -> list[schemas.DealBody]:
    """The deals of at most 62 days and your attempts at them; days that have not come are left out."""
    begins, ends = _read_day(request, first), _read_day(request, last)
    if ends - begins >= timedelta(days=_MOST_DAYS):
        raise MalformedError(f"At most {_MOST_DAYS} days at once.")
    player_deals = await daily_of(request).between(_id(player), begins, ends)
    return [schemas.deal_body(player_deal) for player_deal in player_deals]


@router.get("/{day}", summary="The deals of a day")
async def of_day(request: Request, day: str, player: CurrentPlayer) -> list[schemas.DealBody]:
    """Write the day like `2026-11-21`, or `today`. A day that has not come is not found."""
    player_deals = await daily_of(request).of_day(_id(player), _read_day(request, day))
    return [schemas.deal_body(player_deal) for player_deal in player_deals]


@router.get("/{day}/{ruleset}", summary="A deal, and where you stand")
async def deal(request: Request, place: Place, player: CurrentPlayer) -> schemas.DealForViewerBody:
    """Your standing is there once your attempt has ended; seed and deck once the deal is closed."""
    results = results_of(request)
    return schemas.deal_for_viewer_body(await results.look(_id(player), *place))


@router.post(
    "/{day}/{ruleset}/attempt",
    status_code=201,
    responses=_STATE,
    response_class=Response,
    dependencies=[NewGameLimit],
    summary="Begin your attempt at today's deal",
)
async def begin(request: Request, place: Place, player: ActingPlayer) -> Response:
    """The clock starts now and does not stop. Asked again, answers 200 and the same game as it is."""
    service = daily_of(request)
    (wanted, ruleset), now = place, day_of(service.now_ms)
    if wanted > now:
        raise DealNotFoundError(NO_DEAL)
    if wanted < now:
        raise ConflictError("That day is over. Its cards can be played for practice.")
    game, is_new = await service.start(player.id, ruleset, browser_token_hash(request))
    return _state(game, 201 if is_new else 200)


@router.post(
    "/{day}/{ruleset}/practice",
    status_code=201,
    responses={201: {"model": State}},
    response_class=Response,
    dependencies=[NewGameLimit],
    summary="Play the cards of a closed day",
)
async def practise(request: Request, place: Place, player: ActingPlayer) -> Response:
    """An open game without a rank, as often as you like."""
    service = daily_of(request)
    return _state(await service.practise(player.id, *place), 201)


@router.get("/{day}/{ruleset}/board", summary="The ranked board")
async def board(
    request: Request,
    place: Place,
    player: CurrentPlayer,
    after: After = None,
    limit: Most = 50,
) -> schemas.BoardBody:
    """Fewest actions, then whole seconds, then a shared rank.

    Open to you when you have finished the deal, and to everybody when it is closed.
    """
    page = await results_of(request).solved(_id(player), *place, boards.solved_after(after), limit)
    full = len(page.rows) == limit
    return schemas.board_body(*page, boards.after_solved(page.rows[-1].attempt) if full else None)


@router.get("/{day}/{ruleset}/unsolved", summary="Attempts that did not solve the deal")
async def unsolved(
    request: Request,
    place: Place,
    player: CurrentPlayer,
    after: After = None,
    limit: Most = 50,
) -> schemas.BoardBody:
    """Most cards home first, without ranks. For the same eyes as the board."""
    page = await results_of(request).unsolved(
        _id(player), *place, boards.unsolved_after(after), limit
    )
    full = len(page.rows) == limit
    return schemas.board_body(*page, boards.after_unsolved(page.rows[-1].attempt) if full else None)


@router.get("/{day}/{ruleset}/removed", summary="Runs that did not stand up to being replayed")
async def removed(
    request: Request,
    place: Place,
    player: CurrentPlayer,
    after: After = None,
    limit: Most = 50,
) -> schemas.BoardBody:
    """Each with the reason. For the same eyes as the board."""
    page = await results_of(request).removed(
        _id(player), *place, boards.removed_after(after), limit
    )
    full = len(page.rows) == limit
    return schemas.board_body(*page, page.rows[-1].attempt.game_id if full else None)


@router.get(
    "/{day}/{ruleset}/record.json",
    responses=_RECORD,
    response_class=StreamingResponse,
    summary="Everything about a closed deal",
)
async def record(request: Request, place: Place) -> StreamingResponse:
    """Seed, deck and every run with its moves and the server's times, to be checked by anybody."""
    closed = await daily_of(request).closed_deal(*place)
    database = service_of(request, Database)
    name = f"fairdeal-{closed.ruleset}-{closed.day.isoformat()}.json"
    return StreamingResponse(
        document(database, closed),
        media_type="application/json",
        headers={
            "Cache-Control": "public, max-age=3600",
            "Content-Disposition": f'attachment; filename="{name}"',
        },
    )


def _id(player: Player | None) -> str | None:
    return player.id if player else None


def _state(game: Game, status: int) -> Response:
    headers = {"Cache-Control": "no-store", "Location": f"/api/v1/games/{game.id}"}
    text = json.dumps(state_of(game), separators=(",", ":"))
    return Response(text, status, headers, media_type="application/json")
