"""Sharing in the JSON API: deals and results, replays, forks and text records, under ``/api/v1``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Request
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel, Field, StrictInt, StrictStr

from app.engine.deal import opening
from app.engine.shuffle import deck_of_code
from app.games.json_responses import json_response, new_game_response, state_response
from app.games.json_state import (
    ACTIONS,
    MOVES,
    NEW_GAME_RESPONSE,
    STATE_RESPONSE,
    JsonObject,
    PileState,
    piles_of,
)
from app.http.dependencies import service_of
from app.http.rate_limits import ImportLimit, NewGameLimit
from app.http.templates import NO_STORE
from app.identity.dependencies import ActingPlayer, ViewerId
from app.sharing.model import DealResult, FinishedGame
from app.sharing.replay_steps import canonical
from app.sharing.service import SharingService

router = APIRouter(prefix="/api/v1", tags=["sharing"])

_RECORD: dict[int | str, dict[str, Any]] = {200: {"content": {"text/plain": {}}}}


class SharedDealBody(BaseModel):
    """A deal as everyone may see it."""

    ruleset: str
    revision: int
    title: str
    code: str
    path: str = Field(description="The page of the deal.")
    picture: str = Field(description="A PNG of the visible opening.")
    piles: dict[str, PileState]
    finished: bool = Field(
        description="Whether you have finished it, so that you may read the results."
    )


class Result(BaseModel):
    """A player's best game on a deal, by moves, then seconds. Places count from 1; equal results share a place."""

    place: int
    player: str
    status: Literal["won", "lost", "resigned"]
    actions: int = Field(description=ACTIONS)
    moves: int = Field(description=MOVES)
    seconds: int
    assisted: bool = Field(description="Whether the player had help from hidden cards.")
    game: str | None = Field(description="The game to replay; null if you may not see it.")
    is_you: bool


class ReplayStep(BaseModel):
    """An accepted action: it made version ``step``, ``after_ms`` after the start."""

    step: int
    action: str
    after_ms: int


class ForkedFrom(BaseModel):
    """The game and step that a fork began with."""

    game: str
    step: int


class ReplayBody(BaseModel):
    """A finished game. Its state after each step is at ``/games/{id}/replay/{step}``."""

    id: str
    ruleset: str
    revision: int
    code: str | None
    player: str
    status: Literal["won", "lost", "resigned"]
    actions: int = Field(description=ACTIONS)
    moves: int = Field(description=MOVES)
    automatic_moves: int = Field(description="How many of these moves the site made by itself.")
    elapsed_ms: int
    assisted: bool = Field(
        description="Whether the player had help from hidden cards during the game."
    )
    forked_from: ForkedFrom | None
    steps: list[ReplayStep]


class NewFork(BaseModel):
    """The step to start from; 0 is the opening."""

    at: StrictInt


class NewRecord(BaseModel):
    """A text record."""

    record: StrictStr


@router.get("/deals/{ruleset}/{code}", summary="Get a deal")
async def deal_info(
    request: Request, ruleset: str, code: str, viewer_id: ViewerId
) -> SharedDealBody:
    """A deal by its code, with the visible cards of its opening."""
    sharing = _sharing(request)
    deal = sharing.deal(ruleset, code)
    results = await sharing.results(deal, viewer_id)
    position = opening(deal.rules, deck_of_code(deal.code, deal.rules.decks))
    path = deal.path
    return SharedDealBody(
        ruleset=deal.rules.id,
        revision=deal.rules.revision,
        title=deal.rules.title,
        code=deal.code,
        path=path,
        picture=f"{path}/picture.png",
        piles=piles_of(deal.rules, position, reveal=False),
        finished=results is not None,
    )


@router.get("/deals/{ruleset}/{code}/results", summary="List the results of a deal")
async def deal_results(
    request: Request, ruleset: str, code: str, viewer_id: ViewerId
) -> list[Result]:
    """The results of a deal; 403 until you have finished it."""
    sharing = _sharing(request)
    results = await sharing.results_of_finished(sharing.deal(ruleset, code), viewer_id)
    return [_result(result, viewer_id) for result in results]


@router.get(
    "/games/{game_id}/replay",
    responses={200: {"model": ReplayBody}},
    response_class=Response,
    summary="Get a replay",
)
async def replay_info(request: Request, game_id: str, viewer_id: ViewerId) -> Response:
    """The actions of a finished game; 409 until it has ended."""
    # Written without the model: checking thousands of steps would take longer than everything else.
    return json_response(_replay(await _sharing(request).finished_game(game_id, viewer_id)))


@router.get(
    "/games/{game_id}/replay/{step}",
    responses=STATE_RESPONSE,
    response_class=Response,
    summary="Get a step of a replay",
)
async def replay_state(request: Request, game_id: str, step: int, viewer_id: ViewerId) -> Response:
    """The state of a finished game after a step; cards that were face down then are hidden."""
    finished = await _sharing(request).finished_game(game_id, viewer_id)
    return state_response(finished.replay.game_at(step))


@router.post(
    "/games/{game_id}/fork",
    status_code=201,
    responses=NEW_GAME_RESPONSE,
    response_class=Response,
    dependencies=[NewGameLimit],
    summary="Go on from a step of a finished game",
)
async def fork(
    request: Request, game_id: str, player: ActingPlayer, new: Annotated[NewFork, Body()]
) -> Response:
    """Start a new game from a step of a finished one. It is never ranked."""
    return new_game_response(await _sharing(request).fork(player.id, game_id, new.at))


@router.get(
    "/games/{game_id}/record",
    responses=_RECORD,
    response_class=PlainTextResponse,
    summary="Get a game as a text record",
)
async def record(request: Request, game_id: str, viewer_id: ViewerId) -> PlainTextResponse:
    """A game as a text record: headers, then numbered actions."""
    text = await _sharing(request).record(game_id, viewer_id)
    return PlainTextResponse(text, headers=NO_STORE)


@router.post(
    "/records",
    status_code=201,
    responses=NEW_GAME_RESPONSE,
    response_class=Response,
    dependencies=[NewGameLimit, ImportLimit],
    summary="Import a text record",
)
async def import_record(
    request: Request, player: ActingPlayer, new: Annotated[NewRecord, Body()]
) -> Response:
    """Import a text record as a new, unranked game. `malformed` names the line with the fault."""
    return new_game_response(await _sharing(request).import_record(player.id, new.record))


def _sharing(request: Request) -> SharingService:
    return service_of(request, SharingService)


def _result(result: DealResult, viewer_id: str | None) -> Result:
    return Result.model_validate(
        {
            "place": result.place,
            "player": result.player,
            "status": result.status.value,
            "actions": result.actions,
            "moves": result.moves,
            "seconds": result.seconds,
            "assisted": result.is_assisted,
            "game": result.game_id,
            "is_you": result.player_id == viewer_id,
        }
    )


def _replay(finished: FinishedGame) -> JsonObject:
    end, details = finished.replay.end, finished.details
    fork_of = details.forked_from
    return {
        "id": end.id,
        "ruleset": end.rules.id,
        "revision": end.rules.revision,
        "code": end.public_code,
        "player": details.player,
        "status": end.status.value,
        "actions": end.actions,
        "moves": end.moves,
        "automatic_moves": end.automatic_moves,
        "elapsed_ms": end.elapsed_ms,
        "assisted": details.is_assisted,
        "forked_from": {"game": fork_of.game_id, "step": fork_of.version} if fork_of else None,
        "steps": [
            {
                "step": step,
                "action": canonical(end, moment.event.action),
                "after_ms": moment.event.at_ms - end.started_ms,
            }
            for step, moment in enumerate(finished.replay.moments, start=1)
        ],
    }
