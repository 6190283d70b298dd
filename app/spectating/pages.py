"""The page of live games, and who may watch in the menu of a game."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Form, Query, Request, Response
from markupsafe import Markup

from app.game_kinds import Audience
from app.games.dependencies import games_of
from app.games.event_log import EventLog
from app.games.extensions import Panel
from app.games.model import Game, Kind
from app.http.dependencies import is_htmx, now_ms_of, origin_of, service_of
from app.http.templates import NO_STORE, page, render_markup, see_other
from app.identity.dependencies import ActingPlayer, CurrentPlayer, player_of
from app.identity.model import Player
from app.spectating.repository import parse_cursor
from app.spectating.service import SpectatingService
from app.spectating.site_show import show_at
from app.spectating.views import (
    LiveGamesView,
    LiveList,
    audience_view,
    finished_row,
    live_row,
    site_tiles,
    tag_of,
)

router = APIRouter(include_in_schema=False)

_FEW: Final = 4  # live games, below which the site's own are shown as well


@router.post("/games/{game_id}/watch/audience")
async def choose(
    request: Request, game_id: str, player: ActingPlayer, audience: Annotated[Audience, Form()]
) -> Response:
    """Choose who may watch your game. A page with a script gets the choice as it is now."""
    await _spectating(request).choose_audience(game_id, player.id, audience)
    if not is_htmx(request):
        return see_other(f"/games/{game_id}#audience")  # which opens the menu
    game = await service_of(request, EventLog).load(game_id)
    choice = await _spectating(request).find_choice(game)
    view = audience_view(game, choice, origin_of(request), just_made=audience)
    return page(request, "spectating/_audience.html", view, headers=NO_STORE)


@router.get("/watch")
async def show_live_games(
    request: Request,
    _player: CurrentPlayer,
    after: Annotated[str, Query(max_length=80)] = "",
    seen: Annotated[str, Query(max_length=80)] = "",
) -> Response:
    """The games that are played in public; for a page with a script, the list alone, or 204 while it is as ``seen``."""
    spectating = _spectating(request)
    found = await spectating.list_live_games(parse_cursor(after))
    now_ms = now_ms_of(request)
    tag = tag_of(found.games, now_ms)
    if is_htmx(request) and seen == tag:
        return Response(status_code=HTTPStatus.NO_CONTENT, headers=NO_STORE)
    games = await service_of(request, EventLog).load_all([live.game.row for live in found.games])
    rows = [live_row(live, game, now_ms) for live, game in zip(found.games, games, strict=True)]
    live_list = LiveList(after, tag, rows)
    if is_htmx(request):
        return page(request, "spectating/_live.html", live_list, headers=NO_STORE)
    finished = [] if after else await spectating.list_finished_games()
    is_quiet = not after and len(found.games) < _FEW
    win = None if after or found.games else await spectating.find_latest_win()
    show = None if after or found.games else show_at(now_ms)
    view = LiveGamesView(
        path="/watch",
        live=live_list,
        # The win is offered above them, once.
        finished=[finished_row(each, now_ms) for each in finished if each != win],
        win=finished_row(win, now_ms) if win else None,
        show=show,
        site_games=site_tiles(show) if is_quiet else [],
        next=str(found.after) if found.after else "",
        is_first=not after,
    )
    return page(request, "spectating/live_games.html", view, headers=NO_STORE)


async def game_panel(request: Request, game: Game) -> Panel:
    """For the page of a game: the number of viewers and, for its owner, who may watch."""
    spectating = _spectating(request)
    games = games_of(request)
    player = player_of(request)
    viewer_id = player.id if player else None
    viewers = render_markup(
        "spectating/_viewers.html", viewers=await spectating.count_viewers(game.id)
    )
    share = mark = Markup()
    if game.owner_id == viewer_id:
        is_forced = game.kind.is_ranked
        view = audience_view(game, await spectating.find_choice(game), origin_of(request))
        share = render_markup("spectating/_menu.html", view=view, is_forced=is_forced)
        if not is_forced:
            mark = render_markup("spectating/_badge.html", view=view)
    is_viewer = not await games.may_play(game, viewer_id)
    if is_viewer and game.kind is not Kind.SHARED:
        name = await spectating.find_player_name(game)
        mark = render_markup("spectating/_player.html", name=name)
    since = f"/api/v1/games/{game.id}/stream?since={game.version}"
    return Panel(
        head=render_markup("spectating/_head.html"),
        share=share,
        mark=mark,
        players=viewers,
        stream=since if is_viewer else "",
    )


async def home_section(request: Request, _player: Player | None) -> Markup:
    """A line on the home page while a game is played in public."""
    if not (await _spectating(request).list_live_games(None, 1)).games:
        return Markup()
    return render_markup("spectating/_home.html")


def _spectating(request: Request) -> SpectatingService:
    return service_of(request, SpectatingService)
