"""The pages of the daily deal: today, past days and their deals, the archive, and how to verify it all."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial
from itertools import groupby
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse, Response

from app.daily import descriptions, views
from app.daily.deal_page_view import Afterwards, commitment_view, deal_page_view
from app.daily.dependencies import (
    Daily,
    Results,
    browser_token_hash,
    client_network,
    daily_of,
    positions_of,
    read_day,
    read_week,
    wake_if_due,
)
from app.daily.leaderboard import ResultList
from app.daily.leaderboard_views import ResultListView, result_list_view, with_unlisted
from app.daily.model import PlayerDeal, Today, deal_path
from app.daily.months import read_month
from app.daily.next_deals import next_deals
from app.daily.own_comparison import compare_with_own, tomorrows_deal
from app.daily.own_results import list_own_results
from app.daily.results import DailyResults
from app.daily.sections import DailySections
from app.daily.shown_deals import shown_deals
from app.db.engine import Database
from app.deals.difficulty import DifficultyService
from app.engine.position import Position
from app.engine.shuffle import deck_of_seed
from app.games.attempt_verdicts import AttemptVerdict
from app.games.dependencies import games_of
from app.games.event_log import EventLog
from app.http.dependencies import now_ms_of, origin_of, service_of
from app.http.rate_limits import NewGameLimit
from app.http.templates import NO_STORE, page, render_markup, see_other
from app.i18n.formats import long_date
from app.identity.dependencies import ActingPlayer, CurrentPlayer, ViewerId
from app.identity.model import Player
from app.solver.difficulty import Difficulty
from app.text import sentences

router = APIRouter(prefix="/daily", include_in_schema=False, dependencies=[Depends(wake_if_due)])

_WITH_A_TABLE: Final = frozenset({AttemptVerdict.OPEN, AttemptVerdict.UNSOLVED})
_PAGE_SIZE: Final = 50
_FIRST_PAGE_SIZE: Final = 20  # of the lists below the leaderboard


async def _read_place(day: str, ruleset: str) -> tuple[date, str]:
    return read_day(day), ruleset


Place = Annotated[tuple[date, str], Depends(_read_place)]


@router.get("")
async def today(request: Request, daily: Daily, player: CurrentPlayer) -> HTMLResponse:
    """Today's deals and the viewer's attempts."""
    sections = service_of(request, DailySections)
    found = await daily.today(player.id if player else None)
    played = await sections.list_played(request, player)
    view = views.today_view(
        found,
        shown_deals(found, played),
        now_ms_of(request),
        await read_week(request, player, found.day),
        company=[await section(request, player) for section in sections.company],
        positions=await positions_of(request, found.player_deals),
    )
    return page(request, "daily/today.html", view, headers=NO_STORE)


@router.get("/check")
async def check(request: Request, daily: Daily, _viewer_id: ViewerId) -> HTMLResponse:
    """How to verify the daily deal, with the commitments to the next deals."""
    deals = await daily.list_committed_deals()
    days = [
        (long_date(day), [commitment_view(deal) for deal in of_day])
        for day, of_day in groupby(deals, key=lambda deal: deal.day)
    ]
    return page(request, "daily/check.html", {"path": "/daily/check", "days": days})


@router.get("/archive")
async def archive(
    request: Request, daily: Daily, viewer_id: ViewerId, month: str = ""
) -> HTMLResponse:
    """A month of past days."""
    today = daily.day
    oldest = await daily.first_day()
    first = read_month(month, oldest, today)
    deals = await daily.list_deals(viewer_id, first, first + timedelta(days=30))
    in_month = [each for each in deals if each.deal.day.month == first.month]
    view = views.archive_view(first, today, oldest, in_month, now_ms_of(request))
    return page(request, "daily/archive.html", view, headers=NO_STORE)


@router.get("/of/{game_id}")
async def of_game(request: Request, daily: Daily, game_id: str, viewer_id: ViewerId) -> Response:
    """From a game to the page of its deal."""
    await games_of(request).load_visible(game_id, viewer_id)
    attempt = await daily.find_attempt(game_id)
    return see_other(deal_path(attempt.day, attempt.ruleset))


@router.get("/{ruleset}/play")
async def redirect_to_deals() -> Response:
    """The address of a form leads to today's deals: the one above it would be a day."""
    return see_other("/daily")


@router.post("/{ruleset}/play", dependencies=[NewGameLimit])
async def start(request: Request, daily: Daily, ruleset: str, player: ActingPlayer) -> Response:
    """Start or continue today's attempt."""
    game, _ = await daily.start(
        player.id, ruleset, browser_token_hash(request), client_network(request)
    )
    return see_other(f"/games/{game.id}")


@router.get("/{day}")
async def past_day(request: Request, daily: Daily, viewer_id: ViewerId, day: str) -> Response:
    """The deals of a past day. Today redirects to its own page."""
    asked, today = read_day(day), daily.day
    if asked == today:
        return see_other("/daily")
    deals = await daily.deals_of_day(viewer_id, asked)
    view = views.day_view(
        asked, today, await daily.first_day(), deals, await daily.count_results(asked)
    )
    return page(request, "daily/day.html", view, headers=NO_STORE)


@router.get("/{day}/{ruleset}")
async def deal(
    request: Request,
    *,
    daily: Daily,
    results: Results,
    player: CurrentPlayer,
    place: Place,
    which: Annotated[Literal["", "solved", "unsolved", "removed"], Query(alias="list")] = "",
    after: str = "",
) -> HTMLResponse:
    """A deal with the viewer's result, and the results of all players if the viewer may see them."""
    viewer_id = player.id if player else None
    found = await results.find_deal(viewer_id, *place)
    player_deal = found.player_deal
    lists = {}
    if not found.are_results_hidden:
        shown = [ResultList(which)] if which else list(ResultList)
        lists = await _read_lists(results, player, player_deal, shown, after if which else "")
    difficulty = None
    if player_deal.deal.is_closed:  # before that, who has finished could tell others
        difficulty = await _find_difficulty(request, player_deal)
    view = deal_page_view(
        found,
        daily.day,
        now_ms_of(request),
        url=origin_of(request) + request.url.path,
        difficulty=difficulty,
        lists=lists,
        bars=await results.find_distribution(found),
        afterwards=await _afterwards(request, player_deal, viewer_id),
        is_guest=player is None or not player.is_named,
    )
    return page(request, "daily/deal.html", view, headers=NO_STORE)


async def _read_lists(
    results: DailyResults,
    player: Player | None,
    player_deal: PlayerDeal,
    shown: list[ResultList],
    after: str,
) -> dict[str, ResultListView]:
    """A page of each of these lists of results, from the cursor ``after`` on."""
    viewer_id = player.id if player else None
    lists: dict[str, ResultListView] = {}
    for each in shown:
        is_full = after or each is ResultList.SOLVED
        limit = _PAGE_SIZE if is_full else _FIRST_PAGE_SIZE
        found = await results.list_results(player_deal, each, after=after, limit=limit)
        lists[each] = result_list_view(found, viewer_id)
    own = player_deal.unlisted_win
    if player and own and "solved" in lists and not after:
        lists["solved"] = with_unlisted(lists["solved"], own, player.name)
    return lists


async def _afterwards(
    request: Request, player_deal: PlayerDeal, viewer_id: str | None
) -> Afterwards:
    if not player_deal.has_ended:
        return Afterwards(left=await _find_table(request, player_deal))
    today = await daily_of(request).today(viewer_id)
    if today.day != player_deal.deal.day:
        return Afterwards(today.streak)
    left = next_deals(today, now_ms_of(request), player_deal.rules.id)
    return Afterwards(
        streak=today.streak,
        next_deal=left.first,
        following=render_markup("daily/_next.html", view=left),
        own=await _own(request, player_deal, today),
        left=await _find_table(request, player_deal),
    )


async def _own(request: Request, player_deal: PlayerDeal, today: Today) -> str:
    """An attempt of today beside its player's earlier ones, their streak, and what comes tomorrow."""
    attempt = player_deal.attempt
    if attempt is None:
        return ""
    read = partial(list_own_results, player_id=attempt.player_id)
    results = await service_of(request, Database).read(read)
    compared = compare_with_own(results, attempt.game_id, player_deal.rules)
    return sentences(
        "" if attempt.resigned else compared,
        descriptions.streak_today(today),
        tomorrows_deal(today.day),
    )


async def _find_table(request: Request, player_deal: PlayerDeal) -> Position | None:
    """How the cards of an attempt lie that is in progress or was not won; ``None`` for others."""
    attempt = player_deal.attempt
    if attempt is None or attempt.verdict not in _WITH_A_TABLE:
        return None
    return (await service_of(request, EventLog).load(attempt.game_id)).position


@router.post("/{day}/{ruleset}/practice", dependencies=[NewGameLimit])
async def start_practice(daily: Daily, place: Place, player: ActingPlayer) -> Response:
    """Play a closed deal without a rank."""
    game = await daily.start_practice(player.id, *place)
    return see_other(f"/games/{game.id}")


async def _find_difficulty(request: Request, player_deal: PlayerDeal) -> Difficulty | None:
    service = service_of(request, DifficultyService)
    deck = deck_of_seed(player_deal.deal.seed, player_deal.rules.decks)
    return await service.of_deck(player_deal.rules, deck)
