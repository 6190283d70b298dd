"""The JSON face of challenges, under ``/api/v1``."""

from __future__ import annotations

import json

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from app.challenges.service import Challenge, ChallengeService
from app.games.json_state import State, state_of
from app.http.dependencies import service_of
from app.http.rate_limits import NewGameLimit
from app.identity.dependencies import ActingPlayer, CurrentPlayer

router = APIRouter(prefix="/api/v1", tags=["ghosts"])


class StandingBody(BaseModel):
    """A run on the board: won first, then whole seconds and actions; else cards home, and how soon."""

    place: int | None = Field(description="Null for who is still playing.")
    player: str
    name: str
    status: str
    home: int
    actions: int
    seconds: int
    is_ghost: bool
    assisted: bool = Field(description="Its player asked about hidden cards.")
    curve: list[tuple[int, int]] = Field(description="Milliseconds, and cards home from then on.")
    game: str | None = Field(description="For its replay; null until that may be seen.")


class ChallengeBody(BaseModel):
    """A challenge. There is no board before one's own first move."""

    token: str
    ruleset: str
    player: str
    name: str
    until_ms: int
    tries: int
    mine: str | None = Field(description="One's own game that counts.")
    practice: bool = Field(description="Whether a game begun now would be practice.")
    board: list[StandingBody] | None


@router.post("/games/{game_id}/ghost", status_code=201, dependencies=[NewGameLimit])
async def make(request: Request, game_id: str, player: ActingPlayer) -> ChallengeBody:
    """Make a finished run a challenge, for thirty days. A deal that is still secret is 403, a fork 409."""
    ghost = await _ghosts(request).make(game_id, player.id)
    return _body(await _ghosts(request).challenge(ghost.token, player.id))


@router.get("/ghosts/{token}")
async def challenge(request: Request, token: str, player: CurrentPlayer) -> ChallengeBody:
    """What the caller may know of a challenge."""
    return _body(await _ghosts(request).challenge(token, player.id if player else None))


@router.post(
    "/ghosts/{token}",
    status_code=201,
    responses={201: {"model": State}},
    response_class=Response,
    dependencies=[NewGameLimit],
)
async def begin(request: Request, token: str, player: ActingPlayer) -> Response:
    """Deal the cards of a challenge to the caller; the first time counts. 409 ``challenge_over`` when it is."""
    game = await _ghosts(request).begin(token, player.id)
    text = json.dumps(state_of(game), separators=(",", ":"))
    headers = {"Location": f"/api/v1/games/{game.id}", "Cache-Control": "no-store"}
    return Response(text, 201, headers, media_type="application/json")


def _body(found: Challenge) -> ChallengeBody:
    board = None
    if found.board is not None:
        board = [
            StandingBody(
                place=one.place,
                player=one.player_id,
                name=one.player,
                status=one.run.status,
                home=one.run.home,
                actions=one.run.actions,
                seconds=one.run.seconds,
                is_ghost=one.is_ghost,
                assisted=one.is_assisted,
                curve=list(map(tuple, one.run.points)),
                game=one.game_id if found.is_done and one.is_over else None,
            )
            for one in found.board
        ]
    return ChallengeBody(
        token=found.ghost.token,
        ruleset=found.ruleset,
        player=found.ghost.player_id,
        name=found.ghost.player,
        until_ms=found.ghost.until_ms,
        tries=found.tries,
        mine=found.mine.game_id if found.mine else None,
        practice=found.is_practice,
        board=board,
    )


def _ghosts(request: Request) -> ChallengeService:
    return service_of(request, ChallengeService)
