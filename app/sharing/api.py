"""The JSON face of sharing: deals and their results, replays, forks and records, under ``/api/v1``."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Request
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel, Field, StrictInt, StrictStr

from app.engine.deal import opening
from app.engine.shuffle import deck_of_code
from app.errors import MalformedError
from app.games.json_state import JsonObject, PileState, State, piles_of, state_of
from app.games.model import Game
from app.http.dependencies import service_of
from app.http.rate_limits import NewGameLimit
from app.identity.dependencies import ActingPlayer, CurrentPlayer
from app.sharing.replay import canonical
from app.sharing.repository import DealResult
from app.sharing.service import SharingService, Story
from app.sharing.views import deal_path

router = APIRouter(prefix="/api/v1", tags=["sharing"])

_RECORD: dict[int | str, dict[str, Any]] = {200: {"content": {"text/plain": {}}}}
_STATE: dict[int | str, dict[str, Any]] = {201: {"model": State}}


class DealInfo(BaseModel):
    """A deal as everybody may see it."""

    ruleset: str
    revision: int
    title: str
    code: str
    path: str = Field(description="The page of the deal.")
    picture: str = Field(description="A PNG of the visible opening.")
    piles: dict[str, PileState]
    finished: bool = Field(description="Whether the caller has, and so may ask for the results.")


class Result(BaseModel):
    """A player's best game on a deal. Places count from 1, the best first, and are shared by equals."""

    place: int
    player: str
    status: Literal["won", "lost", "resigned"]
    actions: int
    seconds: int
    assisted: bool = Field(description="The player asked about hidden cards.")
    game: str
    is_you: bool


class ReplayStep(BaseModel):
    """One accepted action, which made version ``step`` ``after_ms`` after the start."""

    step: int
    action: str
    after_ms: int


class ForkedFrom(BaseModel):
    """Where a game was played on from."""

    game: str
    step: int


class ReplayInfo(BaseModel):
    """A finished game. Its table after each step is at ``/games/{id}/replay/{step}``."""

    id: str
    ruleset: str
    revision: int
    code: str | None
    player: str
    status: Literal["won", "lost", "resigned"]
    actions: int
    elapsed_ms: int
    assisted: bool = Field(description="The player asked about hidden cards while it was open.")
    forked_from: ForkedFrom | None
    steps: list[ReplayStep]


class NewFork(BaseModel):
    """The step to play on from; 0 is the opening."""

    at: StrictInt


class NewRecord(BaseModel):
    """A record as plain text."""

    record: StrictStr


@router.get("/deals/{ruleset}/{code}")
async def deal_info(request: Request, ruleset: str, code: str, player: CurrentPlayer) -> DealInfo:
    """A deal by its code, and what can be seen of its opening."""
    sharing = _sharing(request)
    deal = sharing.deal(ruleset, code)
    results = await sharing.results(deal, player.id if player else None)
    position = opening(deal.rules, deck_of_code(deal.code, deal.rules.decks))
    path = deal_path(deal)
    return DealInfo(
        ruleset=deal.rules.id,
        revision=deal.rules.revision,
        title=deal.rules.title,
        code=deal.code,
        path=path,
        picture=f"{path}/picture.png",
        piles=piles_of(deal.rules, position, reveal=False),
        finished=results is not None,
    )


@router.get("/deals/{ruleset}/{code}/results")
async def deal_results(
    request: Request, ruleset: str, code: str, player: CurrentPlayer
) -> list[Result]:
    """How players fared on a deal: for those who have finished it, 403 before."""
    sharing = _sharing(request)
    viewer_id = player.id if player else None
    results = await sharing.results_of_finished(sharing.deal(ruleset, code), viewer_id)
    return [_result(result, viewer_id) for result in results]


@router.get("/games/{game_id}/replay")
async def replay_info(request: Request, game_id: str, player: CurrentPlayer) -> ReplayInfo:
    """A finished game's actions; 409 while it is being played."""
    return _replay(await _sharing(request).story(game_id, player.id if player else None))


@router.get(
    "/games/{game_id}/replay/{step}",
    responses={200: {"model": State}},
    response_class=Response,
)
async def replay_state(
    request: Request, game_id: str, step: int, player: CurrentPlayer
) -> Response:
    """The table as it was after a step of a finished game; what lay face down then still does."""
    story = await _sharing(request).story(game_id, player.id if player else None)
    if not 0 <= step <= story.replay.last:
        raise MalformedError(f"This game has the steps 0 to {story.replay.last}.")
    return _json(state_of(story.replay.tables[step]))


@router.post(
    "/games/{game_id}/fork",
    status_code=201,
    responses=_STATE,
    response_class=Response,
    dependencies=[NewGameLimit],
)
async def fork(
    request: Request, game_id: str, player: ActingPlayer, new: Annotated[NewFork, Body()]
) -> Response:
    """Play on from a step of a finished game, in a new one of the caller's. It is never ranked."""
    return _created(await _sharing(request).fork(player.id, game_id, new.at))


@router.get("/games/{game_id}/record", responses=_RECORD, response_class=PlainTextResponse)
async def record(request: Request, game_id: str, player: CurrentPlayer) -> PlainTextResponse:
    """A game as plain text: headers, then numbered actions."""
    text = await _sharing(request).record(game_id, player.id if player else None)
    return PlainTextResponse(text, headers={"Cache-Control": "no-store"})


@router.post(
    "/records",
    status_code=201,
    responses=_STATE,
    response_class=Response,
    dependencies=[NewGameLimit],
)
async def bring_record(
    request: Request, player: ActingPlayer, new: Annotated[NewRecord, Body()]
) -> Response:
    """A record as a game of the caller's, never ranked. A bad one is ``malformed``, with its ``line``."""
    return _created(await _sharing(request).bring(player.id, new.record))


def _sharing(request: Request) -> SharingService:
    return service_of(request, SharingService)


def _result(result: DealResult, viewer_id: str | None) -> Result:
    return Result.model_validate(
        {
            "place": result.place,
            "player": result.player,
            "status": result.status.value,
            "actions": result.actions,
            "seconds": result.seconds,
            "assisted": result.is_assisted,
            "game": result.game_id,
            "is_you": result.player_id == viewer_id,
        }
    )


def _replay(story: Story) -> ReplayInfo:
    end, background = story.replay.end, story.background
    fork_of = background.forked_from
    return ReplayInfo.model_validate(
        {
            "id": end.id,
            "ruleset": end.rules.id,
            "revision": end.rules.revision,
            "code": end.public_code,
            "player": background.player,
            "status": end.status.value,
            "actions": end.actions,
            "elapsed_ms": end.elapsed_ms,
            "assisted": background.is_assisted,
            "forked_from": {"game": fork_of.game_id, "step": fork_of.version} if fork_of else None,
            "steps": [
                {
                    "step": step,
                    "action": canonical(end, entry.action),
                    "after_ms": entry.at_ms - end.started_ms,
                }
                for step, entry in enumerate(story.replay.entries, start=1)
            ],
        }
    )


def _created(game: Game) -> Response:
    answer = _json(state_of(game), 201)
    answer.headers["Location"] = f"/api/v1/games/{game.id}"
    return answer


def _json(content: JsonObject, status: int = 200) -> Response:
    text = json.dumps(content, separators=(",", ":"))
    headers = {"Cache-Control": "no-store"}
    return Response(text, status, headers, media_type="application/json")
