"""Players as JSON: become a guest with a token, see who you are, take a name."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request

from app.players.identity import CurrentPlayer, Seated, become_guest
from app.players.service import PlayerService
from app.web.errors import NotFoundError

router = APIRouter(prefix="/api/v1", tags=["players"])


class NameBody(BaseModel):
    """The name that a player wants."""

    name: str = Field(min_length=1, max_length=200)


class PlayerBody(BaseModel):
    """A player."""

    id: str
    name: str


class NewPlayerBody(PlayerBody):
    """A new player, and the token that only they will ever see."""

    token: str


@router.post("/players", status_code=201, summary="Become a new guest")
async def create(request: Request) -> NewPlayerBody:
    """For programs: the token goes into `Authorization: Bearer TOKEN`. Browsers are given a cookie by themselves."""
    player, token = await become_guest(request)
    return NewPlayerBody(id=player.id, name=player.name, token=token)


@router.get("/me", summary="Who you are")
async def me(player: CurrentPlayer) -> PlayerBody:
    """A `not_found` problem for whoever has done nothing yet and so is nobody."""
    if player is None:
        raise NotFoundError("You are nobody here yet: start a game, or POST to /api/v1/players.")
    return PlayerBody(id=player.id, name=player.name)


@router.patch("/me", summary="Take a name")
async def rename(request: Request, body: NameBody, player: Seated) -> PlayerBody:
    """Letters, digits and a little punctuation of any script, 24 characters at most."""
    players: PlayerService = request.app.state.players
    renamed = await players.rename(player, body.name)
    return PlayerBody(id=renamed.id, name=renamed.name)
