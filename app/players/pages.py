"""A guest's own page: their name, and the way out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from app.players.identity import CurrentPlayer, Seated, forget_cookie
from app.players.names import LONGEST
from app.players.service import PlayerService
from app.web.templating import page

router = APIRouter(include_in_schema=False)


@router.get("/me")
async def me(request: Request, player: CurrentPlayer) -> HTMLResponse:
    """Who you are, if anybody yet."""
    return page(request, "players/me.html", {"player": player, "longest": LONGEST})


@router.post("/me/name")
async def rename(
    request: Request, player: Seated, name: Annotated[str, Form(max_length=200)] = ""
) -> RedirectResponse:
    """Take a name; a visitor who is nobody yet becomes a guest with it."""
    players: PlayerService = request.app.state.players
    await players.rename(player, name)
    return RedirectResponse("/me", 303)


@router.post("/me/sign-out")
async def sign_out(request: Request, player: CurrentPlayer) -> RedirectResponse:
    """Forget the player in this browser and in every other."""
    if player is not None:
        players: PlayerService = request.app.state.players
        await players.sign_out_everywhere(player)
    forget_cookie(request)
    return RedirectResponse("/", 303)
