"""Challenges as pages: the link, the leaderboard, and the strip beside an attempt."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse

from app.challenges.dependencies import KnownToken, challenges_of
from app.challenges.model import ChallengeNotFoundError
from app.challenges.views import StripView, challenge_view, made_lines, strip_view
from app.clock import Clock
from app.errors import NotYourGameError
from app.games.challenge_wish import forget_wish, has_wish
from app.games.dependencies import games_of
from app.games.extensions import Panel
from app.games.model import Game
from app.http.dependencies import origin_of, service_of
from app.http.qr import qr_response
from app.http.rate_limits import NewGameLimit
from app.http.templates import NO_STORE, page, render, render_markup, see_other
from app.identity.dependencies import ActingPlayer, ViewerId, player_of
from app.identity.model import Player
from app.text import gettext

router = APIRouter(include_in_schema=False)


async def game_panel(request: Request, game: Game) -> Panel:
    """The strip beside an attempt; beside other games, the button that makes a challenge when they have ended."""
    if game.kind.is_challenge_attempt:
        view = await _strip(request, game)
        if view is None:
            return Panel()
        return Panel(
            head=render_markup("challenges/_head.html"),
            strip=render_markup("challenges/_strip.html", view=view),
        )
    if not await challenges_of(request).can_be_challenge(game):
        return Panel()
    if game.kind.is_ranked:
        try:
            await games_of(request).load_visible(game.id, None)
        except NotYourGameError:  # its deal is still secret
            return Panel()
    wish = ""
    if has_wish(request, game) and not game.version:
        wish = gettext("Play this deal. When you finish, you get the link for your friend.")
    return Panel(company=render_markup("challenges/_offer.html", game_id=game.id), welcome=wish)


async def home_section(request: Request, player: Player | None) -> Markup:
    """A section for the page of ways to play together: the player's challenges, and the way to another."""
    challenges = challenges_of(request)
    made = await challenges.list_made(player.id) if player else []
    return render_markup("challenges/_home_section.html", lines=made_lines(made))


@router.post("/games/{game_id}/ghost/make", dependencies=[NewGameLimit])
async def create(request: Request, game_id: str, player: ActingPlayer) -> Response:
    """Make a finished game a challenge."""
    challenge = await challenges_of(request).create(game_id, player.id)
    forget_wish(request)
    return see_other(f"/challenge/{challenge.token}")


@router.get("/games/{game_id}/ghost/line")
async def strip(request: Request, game_id: str, viewer_id: ViewerId) -> HTMLResponse:
    """The strip beside an attempt, for its page to refresh it."""
    game = await games_of(request).load_visible(game_id, viewer_id)
    view = await _strip(request, game)
    text = render("challenges/_lines.html", view=view) if view else ""
    return HTMLResponse(text, headers=NO_STORE)


@router.get("/challenge/of/{game_id}")
async def redirect_from_attempt(request: Request, game_id: str, viewer_id: ViewerId) -> Response:
    """From an attempt to its challenge."""
    game = await games_of(request).load_visible(game_id, viewer_id)
    found = await challenges_of(request).find_matchup(game)
    if found is None:
        raise ChallengeNotFoundError(gettext("This game isn't part of a challenge."))
    challenge, matchup = found
    wanted = "" if matchup.counts else f"?practice={game.id}"
    return see_other(f"/challenge/{challenge.token}{wanted}")


@router.get("/challenge/{token}")
async def show(
    request: Request,
    token: str,
    viewer_id: ViewerId,
    practice: Annotated[str, Query(max_length=100)] = "",
) -> HTMLResponse:
    """A challenge. ``practice`` is the practice game to compare with the result to beat."""
    state = await challenges_of(request).get_state(token, viewer_id, practice)
    view = challenge_view(state, viewer_id, origin_of(request))
    return page(request, "challenges/challenge.html", view, headers=NO_STORE)


@router.get("/challenge/{token}/qr.svg")
async def show_qr_code(request: Request, token: str) -> Response:
    """The link to a challenge as a QR code."""
    challenge = await challenges_of(request).find(token)
    return qr_response(f"{origin_of(request)}/challenge/{challenge.token}")


@router.post("/challenge/{token}", dependencies=[NewGameLimit])
async def start_attempt(request: Request, token: KnownToken, player: ActingPlayer) -> Response:
    """Start an attempt; the first one counts."""
    game = await challenges_of(request).start_attempt(token, player.id)
    return see_other(f"/games/{game.id}")


@router.api_route("/ghost/{rest:path}", methods=["GET", "POST"])
async def redirect_from_old_address(request: Request, rest: str) -> Response:
    """Where challenges were before: links that friends were sent, and pages that were open, keep working."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/challenge/{quote(rest)}{query}", HTTPStatus.PERMANENT_REDIRECT)


async def _strip(request: Request, game: Game) -> StripView | None:
    found = await challenges_of(request).find_matchup(game)
    if found is None:
        return None
    challenge, matchup = found
    player = player_of(request)
    clock = service_of(request, Clock)
    now_ms = game.elapsed_ms if game.has_ended else clock() - game.started_ms
    viewer_id = player.id if player else None
    return strip_view(f"/challenge/{challenge.token}", matchup, now_ms, viewer_id)
