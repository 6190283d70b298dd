"""The chance to win, for those who watch a game, and its owner's choice to show it."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse

from app.analysis.live_chances import AT_ONCE, LiveChance, LiveChances
from app.games.chance_bar import ChanceBar, chance_bar
from app.games.dependencies import games_of
from app.games.extensions import Panel
from app.games.model import Game
from app.http.dependencies import service_of
from app.http.templates import NO_STORE, page, render_markup, see_other
from app.identity.dependencies import ActingPlayer, ViewerId, player_of

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class LiveChanceView:
    """The bar at a version of a game. ``is_known`` unless it is still being computed."""

    game_id: str
    address: str
    version: int
    bar: ChanceBar
    is_known: bool


@router.get("/games/{game_id}/watch/chance")
async def show_chance(request: Request, game_id: str, viewer_id: ViewerId) -> HTMLResponse:
    """The bar, for a page that shows it already."""
    found = await _chances(request).find(game_id, viewer_id)
    view = _view(game_id, found)
    return page(request, "analysis/_live_chance.html", view, headers=NO_STORE)


@router.post("/games/{game_id}/watch/chance")
async def choose(request: Request, game_id: str, player: ActingPlayer) -> Response:
    """Let spectators see the chance to win."""
    game = await _chances(request).show(game_id, player.id)
    return see_other(f"/games/{game.id}#live-chance")


async def game_panel(request: Request, game: Game) -> Panel:
    """The bar for those who watch; for players, whether it is shown, and the choice while there is one."""
    chances = _chances(request)
    player = player_of(request)
    viewer_id = player.id if player else None
    may_play = await games_of(request).may_play(game, viewer_id)
    is_shown = await chances.is_shown(game)
    if may_play:
        can_choose = not is_shown and viewer_id == game.owner_id and chances.can_be_shown(game)
        if not (is_shown or can_choose):
            return Panel()
        choice = render_markup("analysis/_live_choice.html", game_id=game.id, is_shown=is_shown)
        return Panel(help=choice)
    if not is_shown:
        return Panel()
    view = _view(game.id, await chances.of(game, AT_ONCE))
    return Panel(
        head=render_markup("analysis/_live_head.html"),
        strip=render_markup("analysis/_live_chance.html", view=view),
    )


def _view(game_id: str, found: LiveChance) -> LiveChanceView:
    return LiveChanceView(
        game_id=game_id,
        address=f"/games/{game_id}/watch/chance",
        version=found.version,
        bar=chance_bar(found.chance),
        is_known=found.chance is not None,
    )


def _chances(request: Request) -> LiveChances:
    return service_of(request, LiveChances)
