"""The pages of the daily deal: today, a board for each game and day, the archive, and how to check it all."""

from __future__ import annotations

import re
from datetime import date, timedelta
from http import HTTPStatus
from itertools import groupby
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.clock import day_of
from app.daily import boards, descriptions, views
from app.daily.days import parse_day, settled_ms
from app.daily.dependencies import browser_token_hash, daily_of, results_of, wake_if_due
from app.daily.model import PlayerDeal
from app.daily.results import DealForViewer
from app.daily.service import NO_DEAL
from app.deals.difficulty import DifficultyService
from app.engine.shuffle import deck_of_seed
from app.errors import DealNotFoundError
from app.games.model import stored_rules
from app.http.dependencies import service_of
from app.http.formats import long_date
from app.http.rate_limits import NewGameLimit
from app.http.templates import page, render
from app.identity.dependencies import ActingPlayer, CurrentPlayer
from app.identity.model import Player

router = APIRouter(prefix="/daily", include_in_schema=False, dependencies=[Depends(wake_if_due)])

_ROWS = 50
_ROWS_BELOW = 20  # of what stands below the ranks on the first page
_FRESH = {"Cache-Control": "no-store"}
_MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])", re.ASCII)


def _place(day: str, ruleset: str) -> tuple[date, str]:
    return _read_day(day), ruleset


Place = Annotated[tuple[date, str], Depends(_place)]


@router.get("")
async def today(request: Request, player: CurrentPlayer) -> HTMLResponse:
    """All games, and what the visitor has made of each."""
    found = await daily_of(request).today(_id(player))
    return page(request, "daily/today.html", views.today_view(found), headers=_FRESH)


async def strip(request: Request, player: Player | None) -> str:
    """Today in a few lines, for the front page."""
    found = await daily_of(request).today(_id(player))
    return render("daily/_strip.html", view=views.today_view(found))


@router.get("/check")
async def check(request: Request, _player: CurrentPlayer) -> HTMLResponse:
    """How the site keeps its promises, what it has promised, and how to check."""
    deals = await daily_of(request).promises()
    days = [
        (
            long_date(day),
            [
                views.promise_view(deal, stored_rules(deal.ruleset, deal.revision).title)
                for deal in of_day
            ],
        )
        for day, of_day in groupby(deals, key=lambda deal: deal.day)
    ]
    return page(request, "daily/check.html", {"path": "/daily/check", "days": days})


@router.get("/archive")
async def archive(request: Request, player: CurrentPlayer, month: str = "") -> HTMLResponse:
    """A month of days that have opened."""
    service = daily_of(request)
    now = day_of(service.now_ms)
    asked = _MONTH.fullmatch(month or f"{now:%Y-%m}")
    if asked is None or int(asked[1]) < 1:
        raise DealNotFoundError("A month is written like 2026-11.")
    first = date(int(asked[1]), int(asked[2]), 1)
    oldest = await service.oldest()
    if not oldest.replace(day=1) <= first <= now:
        raise DealNotFoundError("There are no deals of that month here, or not yet.")
    player_deals = await service.between(_id(player), first, first + timedelta(days=30))
    in_month = [
        player_deal for player_deal in player_deals if player_deal.deal.day.month == first.month
    ]
    view = views.month_view(first, now, oldest, in_month)
    return page(request, "daily/archive.html", view, headers=_FRESH)


@router.get("/of/{game_id}")
async def of_game(request: Request, game_id: str) -> Response:
    """From a table to the board that it is played for."""
    attempt = await daily_of(request).attempt_of_game(game_id)
    address = f"/daily/{attempt.day.isoformat()}/{attempt.ruleset}"
    return RedirectResponse(address, HTTPStatus.SEE_OTHER)


@router.post("/{ruleset}/play", dependencies=[NewGameLimit])
async def begin(request: Request, ruleset: str, player: ActingPlayer) -> Response:
    """Begin today's attempt, or go on with it."""
    table, _ = await daily_of(request).start(player.id, ruleset, browser_token_hash(request))
    return RedirectResponse(f"/games/{table.id}", HTTPStatus.SEE_OTHER)


@router.get("/{day}")
async def of_day(request: Request, day: str, player: CurrentPlayer) -> Response:
    """The deals of a day that is over; today has a page of its own."""
    service = daily_of(request)
    asked, now = _read_day(day), day_of(service.now_ms)
    if asked == now:
        return RedirectResponse("/daily", HTTPStatus.SEE_OTHER)
    view = views.day_view(asked, now, await service.of_day(_id(player), asked))
    return page(request, "daily/day.html", view, headers=_FRESH)


@router.get("/{day}/{ruleset}")
async def board(
    request: Request,
    place: Place,
    player: CurrentPlayer,
    which: Annotated[Literal["", "solved", "unsolved", "removed"], Query(alias="list")] = "",
    after: str = "",
) -> HTMLResponse:
    """A deal: how the visitor did, and how everybody did as far as the visitor may know."""
    look = await results_of(request).look(_id(player), *place)
    tables: dict[str, views.BoardTable] = {}
    for name in ("solved", "unsolved", "removed"):
        if not look.is_board_hidden and which in {"", name}:
            tables[name] = await _table(request, look, player, name, after if which else "")
    view = await _board_view(request, look, player, tables)
    return page(request, "daily/board.html", view, headers=_FRESH)


@router.post("/{day}/{ruleset}/practice", dependencies=[NewGameLimit])
async def practise(request: Request, place: Place, player: ActingPlayer) -> Response:
    """Play the cards of a closed day, for no rank."""
    table = await daily_of(request).practise(player.id, *place)
    return RedirectResponse(f"/games/{table.id}", HTTPStatus.SEE_OTHER)


async def _table(
    request: Request, look: DealForViewer, player: Player | None, name: str, after: str
) -> views.BoardTable:
    results, deal = results_of(request), look.player_deal.deal
    most = _ROWS if after or name == "solved" else _ROWS_BELOW
    asked = (_id(player), deal.day, deal.ruleset)
    match name:
        case "solved":
            found = await results.solved(*asked, boards.solved_after(after), most)
        case "unsolved":
            found = await results.unsolved(*asked, boards.unsolved_after(after), most)
        case _:
            found = await results.removed(*asked, boards.removed_after(after), most)
    following = ""
    if len(found.rows) == most:
        last = found.rows[-1].attempt
        following = {
            "solved": boards.after_solved(last),
            "unsolved": boards.after_unsolved(last),
        }.get(name, last.game_id)
    return views.table(found.rows, _id(player), following)


async def _board_view(
    request: Request,
    look: DealForViewer,
    player: Player | None,
    tables: dict[str, views.BoardTable],
) -> views.BoardView:
    service, player_deal = daily_of(request), look.player_deal
    attempt, deal = player_deal.attempt, player_deal.deal
    ended = attempt is not None and attempt.has_ended
    share_text = (
        descriptions.share_text(player_deal, (await service.today(_id(player))).streak)
        if ended
        else ""
    )
    path = f"/daily/{deal.day.isoformat()}/{deal.ruleset}"
    line = views.line(player_deal)
    return views.BoardView(
        path=path,
        line=line,
        result_sentence=descriptions.result_sentence(player_deal, look.standing, look.ranked or 0),
        share_text=f"{share_text} {request.url.replace(query='', fragment='')}"
        if share_text
        else "",
        could_be_listed=look.could_be_listed,
        is_board_hidden=look.is_board_hidden,
        grade="" if look.is_board_hidden else await _grade(request, player_deal),
        is_today=deal.day == day_of(service.now_ms),
        opens=views.Timestamp.of(settled_ms(deal.day)),
        commitment=deal.commitment,
        promised=views.promise_view(deal, line.title).promised,
        ranked=look.ranked or 0,
        solved=tables.get("solved"),
        unsolved=tables.get("unsolved"),
        removed=tables.get("removed"),
        secrets=views.secrets_of(player_deal),
    )


async def _grade(request: Request, player_deal: PlayerDeal) -> str:
    grades = service_of(request, DifficultyService)
    found = await grades.of_deck(
        player_deal.rules, deck_of_seed(player_deal.deal.seed, player_deal.rules.decks)
    )
    return found.grade if found else ""


def _read_day(text: str) -> date:
    try:
        return parse_day(text)
    except ValueError as error:
        raise DealNotFoundError(NO_DEAL) from error


def _id(player: Player | None) -> str | None:
    return player.id if player else None
