"""The JSON API of the daily deal, under ``/api/v1/daily``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response
from starlette.responses import StreamingResponse

from app.daily import dependencies, schemas
from app.daily.dependencies import (
    Daily,
    Results,
    browser_token_hash,
    client_network,
    wake_if_due,
)
from app.daily.leaderboard import ResultList
from app.daily.published_record import require_moves, stream_record
from app.daily.results import ResultsPage
from app.db.engine import Database
from app.errors import MalformedError
from app.games.json_responses import new_game_response
from app.games.json_state import NEW_GAME_RESPONSE, STATE_RESPONSE
from app.http.dependencies import service_of
from app.http.rate_limits import NewGameLimit
from app.identity.dependencies import ActingPlayer, ViewerId
from app.text import gettext

router = APIRouter(prefix="/api/v1/daily", tags=["daily"], dependencies=[Depends(wake_if_due)])

_MAX_DAYS = 62

_RECORD: dict[int | str, dict[str, Any]] = {200: {"content": {"application/json": {}}}}


def _read_day(daily: Daily, text: str) -> date:
    return daily.day if text == "today" else dependencies.read_day(text)


async def _read_place(daily: Daily, day: str, ruleset: str) -> tuple[date, str]:
    return _read_day(daily, day), ruleset


Place = Annotated[tuple[date, str], Depends(_read_place)]


@router.get("", summary="Today's deals")
async def today(daily: Daily, viewer_id: ViewerId) -> schemas.TodayBody:
    """The deals of all games, your attempts, your streak and the end of the day. Days are UTC."""
    return schemas.today_body(await daily.today(viewer_id), daily.now_ms)


@router.get("/promises", summary="Commitments for the coming days")
async def promises(daily: Daily) -> list[schemas.CommitmentBody]:
    """The SHA-256 hash of each upcoming deal's secret seed, so that the seed can't be changed later."""
    return [schemas.commitment_body(deal) for deal in await daily.list_committed_deals()]


@router.get("/days", summary="Deals between two days")
async def days(daily: Daily, viewer_id: ViewerId, first: str, last: str) -> list[schemas.DealBody]:
    """The deals of up to 62 days, with your attempts. Future days are left out."""
    begins, ends = _read_day(daily, first), _read_day(daily, last)
    if ends - begins >= timedelta(days=_MAX_DAYS):
        raise MalformedError(gettext("Ask for %(max_days)s days or fewer.", max_days=_MAX_DAYS))
    return [schemas.deal_body(deal) for deal in await daily.list_deals(viewer_id, begins, ends)]


@router.get("/{day}", summary="The deals of a day")
async def of_day(daily: Daily, viewer_id: ViewerId, day: str) -> list[schemas.DealBody]:
    """The day is a date such as `2026-11-21`, or `today`. Future days are not found."""
    deals = await daily.deals_of_day(viewer_id, _read_day(daily, day))
    return [schemas.deal_body(deal) for deal in deals]


@router.get("/{day}/{ruleset}", summary="A deal with your standing")
async def deal(results: Results, viewer_id: ViewerId, place: Place) -> schemas.DealForViewerBody:
    """Includes your standing once your attempt has ended, and seed and deck once the deal is closed."""
    return schemas.deal_for_viewer_body(await results.find_deal(viewer_id, *place))


@router.post(
    "/{day}/{ruleset}/attempt",
    status_code=201,
    responses=STATE_RESPONSE | NEW_GAME_RESPONSE,
    response_class=Response,
    dependencies=[NewGameLimit],
    summary="Start your attempt at today's deal",
)
async def begin(request: Request, daily: Daily, place: Place, player: ActingPlayer) -> Response:
    """The clock starts now and does not stop. If you have already started, the response is 200 and your game."""
    day, ruleset = place
    daily.check_is_today(day)
    game, is_new = await daily.start(
        player.id, ruleset, browser_token_hash(request), client_network(request)
    )
    return new_game_response(game, 201 if is_new else 200)


@router.post(
    "/{day}/{ruleset}/practice",
    status_code=201,
    responses=NEW_GAME_RESPONSE,
    response_class=Response,
    dependencies=[NewGameLimit],
    summary="Practice a closed deal",
)
async def practice(daily: Daily, place: Place, player: ActingPlayer) -> Response:
    """An unranked game. You can play it as often as you like."""
    return new_game_response(await daily.start_practice(player.id, *place))


@dataclass(frozen=True, slots=True)
class ResultLists:
    """The lists of results of a deal, a page at a time."""

    list_results: Callable[[ResultList], Awaitable[ResultsPage]]

    async def page(self, which: ResultList) -> schemas.BoardBody:
        """A page of one list."""
        return schemas.board_body(await self.list_results(which))


async def _result_lists(
    results: Results,
    viewer_id: ViewerId,
    place: Place,
    after: Annotated[str | None, Query(description="`next` of the previous page.")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> ResultLists:
    return ResultLists(partial(results.find_results, viewer_id, *place, after=after, limit=limit))


Lists = Annotated[ResultLists, Depends(_result_lists)]


@router.get("/{day}/{ruleset}/board", summary="The leaderboard")
async def board(lists: Lists) -> schemas.BoardBody:
    """Ranked by moves, then by whole seconds; equal scores share a rank.

    Unconfirmed attempts are listed with the rank that they would have, and count for no other rank. You can see the
    leaderboard once you have finished the deal, but not if you resigned. Everyone can see it when the deal is closed.
    """
    return await lists.page(ResultList.SOLVED)


@router.get("/{day}/{ruleset}/unsolved", summary="Unsolved attempts")
async def unsolved(lists: Lists) -> schemas.BoardBody:
    """Most cards home first, without ranks. Visible to those who can see the leaderboard."""
    return await lists.page(ResultList.UNSOLVED)


@router.get("/{day}/{ruleset}/removed", summary="Attempts that failed verification")
async def removed(lists: Lists) -> schemas.BoardBody:
    """Each with the reason. Visible to those who can see the leaderboard."""
    return await lists.page(ResultList.REMOVED)


@router.get(
    "/{day}/{ruleset}/record.json",
    responses=_RECORD,
    response_class=StreamingResponse,
    summary="The record of a closed deal",
)
async def record(request: Request, daily: Daily, place: Place) -> StreamingResponse:
    """Seed, deck and every attempt with its moves and the server's times, for anyone to verify."""
    closed = await daily.find_closed_deal(*place)
    database = service_of(request, Database)
    await database.read(partial(require_moves, deal=closed))  # before the answer begins
    name = f"fairdeal-{closed.ruleset}-{closed.day.isoformat()}.json"
    return StreamingResponse(
        stream_record(database, closed),
        media_type="application/json",
        headers={
            "Cache-Control": "public, max-age=3600",
            "Content-Disposition": f'attachment; filename="{name}"',
        },
    )
