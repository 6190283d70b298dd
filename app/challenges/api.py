"""Challenges in the JSON API, under ``/api/v1``."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from app.challenges.dependencies import KnownToken, challenges_of
from app.challenges.service import ChallengeState
from app.games.json_responses import new_game_response
from app.games.json_state import NEW_GAME_RESPONSE
from app.http.rate_limits import NewGameLimit
from app.identity.dependencies import ActingPlayer, ViewerId

router = APIRouter(prefix="/api/v1", tags=["ghosts"])


class ChallengeStandingBody(BaseModel):
    """A game on the leaderboard: a win without help, a win, then time, then moves; else cards home, then how soon."""

    place: int | None = Field(description="Null while the player is still playing.")
    player: str
    name: str
    status: str
    home: int
    actions: int
    moves: int
    seconds: int
    is_ghost: bool
    assisted: bool = Field(description="Whether the player had help from hidden cards.")
    hints: int = Field(description="How many hints the player was given.")
    curve: list[tuple[int, int]] = Field(
        description="Pairs of milliseconds and the cards home from then on."
    )
    game: str | None = Field(description="The game to replay; null until you may see it.")


class ChallengeBody(BaseModel):
    """A challenge. `board`, the leaderboard, is null before your first move."""

    token: str
    ruleset: str
    player: str
    name: str
    until_ms: int
    tries: int
    mine: str | None = Field(description="Your game that counts.")
    practice: bool = Field(description="Whether a new game would be practice.")
    board: list[ChallengeStandingBody] | None


@router.post(
    "/games/{game_id}/ghost",
    status_code=201,
    dependencies=[NewGameLimit],
    summary="Create a challenge",
)
async def create(request: Request, game_id: str, player: ActingPlayer) -> ChallengeBody:
    """Make a finished game a challenge for 30 days. 403 if its deal is still secret, 409 if it is a fork."""
    challenge = await challenges_of(request).create(game_id, player.id)
    return _body(await challenges_of(request).get_state(challenge.token, player.id))


@router.get("/ghosts/{token}", summary="Get a challenge")
async def read(request: Request, token: str, viewer_id: ViewerId) -> ChallengeBody:
    """A challenge as you may see it."""
    return _body(await challenges_of(request).get_state(token, viewer_id))


@router.post(
    "/ghosts/{token}",
    status_code=201,
    responses=NEW_GAME_RESPONSE,
    response_class=Response,
    dependencies=[NewGameLimit],
    summary="Start an attempt at a challenge",
)
async def start_attempt(request: Request, token: KnownToken, player: ActingPlayer) -> Response:
    """Start an attempt; the first one counts. 409 `challenge_over` if the challenge is over."""
    game = await challenges_of(request).start_attempt(token, player.id)
    return new_game_response(game)


def _body(found: ChallengeState) -> ChallengeBody:
    board = None
    if found.board is not None:
        board = [
            ChallengeStandingBody(
                place=one.rank,
                player=one.player_id,
                name=one.player,
                status=one.game.status,
                home=one.game.home,
                actions=one.game.actions,
                moves=one.game.moves,
                seconds=one.game.seconds,
                is_ghost=one.is_target,
                assisted=one.help.is_assisted,
                hints=one.help.hints,
                curve=list(map(tuple, one.game.points)),
                game=one.game_id if one.game_id in found.replayable else None,
            )
            for one in found.board
        ]
    return ChallengeBody(
        token=found.challenge.token,
        ruleset=found.ruleset,
        player=found.challenge.player_id,
        name=found.challenge.player,
        until_ms=found.challenge.until_ms,
        tries=found.attempts,
        mine=found.mine.game_id if found.mine else None,
        practice=found.is_practice,
        board=board,
    )
