"""Challenges as pages: the link, the board behind it, and the small picture beside a try."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse

from app.challenges.errors import NoGhostError
from app.challenges.service import ChallengeService
from app.challenges.views import RaceView, challenge_view, race_view
from app.clock import Clock
from app.errors import NotYourGameError
from app.games.model import Game
from app.games.service import GameService
from app.games.view_models import Panel
from app.http.dependencies import service_of
from app.http.rate_limits import NewGameLimit
from app.http.templates import PLAYER, page, render
from app.identity.dependencies import ActingPlayer, CurrentPlayer
from app.identity.model import Player

router = APIRouter(include_in_schema=False)

_PERSONAL: Final = {"Cache-Control": "no-store"}


async def side(request: Request, game: Game) -> Panel:
    """The strip beside a try; at any other table, what its end can become. Shown only once there is an end."""
    if game.kind.is_attempt:
        view = await _race(request, game)
        if view is None:
            return Panel()
        return Panel(
            head=_markup("challenges/_head.html"),
            strip=_markup("challenges/_strip.html", view=view),
        )
    if not await _ghosts(request).may_make(game):
        return Panel()
    if game.kind.is_ranked:
        try:
            await _play(request).load_visible(game.id, None)
        except NotYourGameError:  # its cards are a secret still
            return Panel()
    return Panel(menu=_markup("challenges/_offer.html", game_id=game.id))


@router.post("/games/{game_id}/ghost/make", dependencies=[NewGameLimit])
async def make(request: Request, game_id: str, player: ActingPlayer) -> Response:
    """Make a finished run a challenge."""
    ghost = await _ghosts(request).make(game_id, player.id)
    return RedirectResponse(f"/ghost/{ghost.token}", HTTPStatus.SEE_OTHER)


@router.get("/games/{game_id}/ghost/line")
async def line(request: Request, game_id: str, player: CurrentPlayer) -> HTMLResponse:
    """The picture beside a try, for its page to look again."""
    game = await _play(request).load_visible(game_id, player.id if player else None)
    view = await _race(request, game)
    text = render("challenges/_line.html", view=view) if view else ""
    return HTMLResponse(text, headers=_PERSONAL)


@router.get("/ghost/of/{game_id}")
async def of_game(request: Request, game_id: str, player: CurrentPlayer) -> Response:
    """From a try to where it is compared."""
    game = await _play(request).load_visible(game_id, player.id if player else None)
    found = await _ghosts(request).against(game)
    if found is None:
        raise NoGhostError("This game is no try at a challenge.")
    ghost, sides = found
    wanted = "" if sides.counts else f"?practice={game.id}"
    return RedirectResponse(f"/ghost/{ghost.token}{wanted}", HTTPStatus.SEE_OTHER)


@router.get("/ghost/{token}")
async def show(
    request: Request,
    token: str,
    player: CurrentPlayer,
    practice: Annotated[str, Query(max_length=100)] = "",
) -> HTMLResponse:
    """A challenge, with its board for those who have begun; a try of practice is compared when asked for."""
    viewer_id = player.id if player else None
    challenge = await _ghosts(request).challenge(token, viewer_id, practice)
    site = f"{request.url.scheme}://{request.url.netloc}"
    view = challenge_view(challenge, viewer_id, site)
    return page(request, "challenges/challenge.html", view, headers=_PERSONAL)


@router.post("/ghost/{token}", dependencies=[NewGameLimit])
async def begin(request: Request, token: str, player: ActingPlayer) -> Response:
    """Play the deal; the first time counts."""
    game = await _ghosts(request).begin(token, player.id)
    return RedirectResponse(f"/games/{game.id}", HTTPStatus.SEE_OTHER)


async def _race(request: Request, game: Game) -> RaceView | None:
    found = await _ghosts(request).against(game)
    if found is None:
        return None
    ghost, sides = found
    player: Player | None = request.scope.get(PLAYER)
    is_mine = player is not None and player.id == game.owner_id
    clock = service_of(request, Clock)
    now_ms = game.elapsed_ms if game.has_ended else clock() - game.started_ms
    return race_view(f"/ghost/{ghost.token}", sides, now_ms, is_mine=is_mine)


def _markup(template: str, **context: object) -> Markup:
    return Markup(render(template, **context))  # noqa: S704 - rendered templates


def _play(request: Request) -> GameService:
    return service_of(request, GameService)


def _ghosts(request: Request) -> ChallengeService:
    return service_of(request, ChallengeService)
