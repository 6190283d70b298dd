"""Help and analysis in the JSON API, under ``/api/v1``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from http import HTTPStatus
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Body, Depends, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from app.analysis.automatic_moves import AutomaticMoves
from app.analysis.hints import HintService
from app.analysis.judged_view import own_moves
from app.analysis.judgement import JudgedMove, MoveClass
from app.analysis.model import FullReview, WinnabilityVerdict, Winnable, replay_steps
from app.analysis.repository import REVIEW, WINNABLE
from app.analysis.service import AnalysisService, QuestionState
from app.games.json_responses import respond_json
from app.games.json_state import STATE_RESPONSE, Turn
from app.games.model import Game
from app.http.dependencies import service_of
from app.http.middleware.security import require_same_site
from app.http.rate_limits import RateLimits, client_address
from app.identity.dependencies import ActingPlayer, CurrentPlayer, ViewerId
from app.text import gettext

router = APIRouter(prefix="/api/v1", tags=["coach"])


class HintBody(BaseModel):
    """A hint, from the visible cards."""

    version: int = Field(description="The version of the game that the hint is for.")
    move: str | None = Field(description="Null when there is no further hint.")
    why: str
    next: int | None = Field(description="Pass this as `after` to get the next hint.")
    chance: float | None = Field(
        description="The chance to win after it, from 0 to 1, judged from the cards in sight."
        " Null if it was not known within some 300 ms: then the hint is the move that looks best."
    )
    deviation: float | None = Field(description="The standard deviation of `chance`.")
    next_best: float | None = Field(description="The chance with the next best other choice.")
    rough: bool = Field(description="Whether asking again with `refine` takes a closer look.")


AskedState = Literal["unasked", "looking", "answered"]


class WinnableBody(BaseModel):
    """Whether a game can still be won from `version` on."""

    version: int
    state: AskedState
    share: float = Field(description="Progress of the search, from 0 to 1.")
    answer: Literal["yes", "no", "unknown"] | None
    assisted: bool = Field(description="Whether the game is marked as assisted.")
    last_winnable: int | None = Field(
        description="With the answer `no`: the last version, of those that were not undone, from which it could"
        " be won, as far as is known. Null if there is none."
    )


class JudgedMoveBody(BaseModel):
    """A move of the game, without those that were undone. Chances are from 0 to 1, from the cards in sight."""

    version: int = Field(description="The version of the game that the move was played from.")
    action: str
    chance_before: float = Field(description="The chance to win with the best action.")
    chance_after: float = Field(description="The chance to win expected after this action.")
    luck: float | None = Field(description="What turned cards added to it. Null: none was turned.")
    move_class: MoveClass = Field(alias="class")
    best: str | None = Field(description="The best action; null where it was not looked for.")
    hint: bool = Field(
        description="Whether a hint was given at this version: then the move counts for no figure."
    )


class ReviewBody(BaseModel):
    """How well a game was played, and where it slipped away, in steps of its replay."""

    state: Literal["unasked", "working", "ready"] = Field(
        description="`unasked` until its player asks for it; reading it starts nothing."
    )
    progress: float = Field(1.0, description="Of the computation, from 0 to 1.")
    accuracy: float | None = Field(
        None,
        description="The average share of the chance kept by moves without a hint, from 0 to 1. Null if unknown.",
    )
    choices: int = Field(
        0, description="How many moves the accuracy is an average of. Of few moves it tells little."
    )
    luck: float | None = Field(None, description="What turned cards gave or took, from -1 to 1.")
    moves: list[JudgedMoveBody] = []
    winnable: int | None = Field(
        None, description="The last step from which the game could be won."
    )
    unwinnable: int | None = Field(None, description="The first step from which it could not.")
    line: list[str] = Field([], description="Moves that win from `winnable` on.")


@router.get(
    "/games/{game_id}/hint", dependencies=[Depends(require_same_site)], summary="Get a hint"
)
async def hint(
    request: Request,
    game_id: str,
    viewer_id: ViewerId,
    after: Annotated[int, Query(ge=0, le=1000)] = 0,
    *,
    refine: Annotated[
        bool, Query(description="Search longer: about one second, at most eight.")
    ] = False,
) -> HintBody:
    """The next hint: the best move first, then others with `after`. Ranked games have no hints: 403 `no_help`.

    Each version counts as one hint for the players. The result shows how many they used. Nobody else gets any: 403
    `not_your_game`.
    """
    service_of(request, RateLimits).hint(viewer_id, client_address(request))
    game, found = await _hints(request).hint(game_id, viewer_id, after, refine=refine)
    if found.action:
        await _analysis(request).note_hint(game)
    return HintBody(
        version=game.version,
        move=str(found.action) if found.action else None,
        why=found.why,
        next=found.number if found.has_next else None,
        chance=found.chance,
        deviation=found.deviation,
        next_best=found.next_best,
        rough=found.is_rough,
    )


@router.post(
    "/games/{game_id}/finish",
    responses=STATE_RESPONSE,
    response_class=Response,
    summary="Finish a decided game",
)
async def finish(
    request: Request, game_id: str, player: ActingPlayer, turn: Annotated[Turn, Body()]
) -> Response:
    """Finish a game where `can_finish` is true. Each card is a move, and each deal; the version rises by as many."""
    return respond_json(
        (await service_of(request, AutomaticMoves).finish(game_id, player.id, turn.version)).outcome
    )


@router.get("/games/{game_id}/winnable", summary="Get whether a game can still be won")
async def winnable(request: Request, game_id: str, player: CurrentPlayer) -> WinnableBody:
    """Whether the game can still be won, once its player has asked. Only for its player."""
    analysis = _analysis(request)
    found = await analysis.winnable(game_id, player.id if player else "")
    return await _winnable(analysis, found)


@router.post(
    "/games/{game_id}/winnable", status_code=202, summary="Ask whether a game can still be won"
)
async def ask_winnable(
    request: Request, game_id: str, player: ActingPlayer, turn: Annotated[Turn, Body()]
) -> WinnableBody:
    """Ask whether the game can still be won. This searches all cards and marks the game as assisted for good."""
    analysis = _analysis(request)
    found = await analysis.ask_winnable(game_id, player.id, turn.version)
    return await _winnable(analysis, found)


@router.get(
    "/games/{game_id}/review",
    response_model_exclude_unset=True,
    responses={202: {"model": ReviewBody, "description": "Still working."}},
    summary="Get a review",
)
async def review(
    request: Request, response: Response, game_id: str, player: CurrentPlayer
) -> ReviewBody:
    """How well an ended game was played, once its player has asked: for all who may see its replay.

    200 with the state `ready` or, as long as nobody has asked for it, `unasked`; 202 with `working` while it is made.
    Ranked games have no review before their deal is published: 403 `no_help`.
    """
    analysis = _analysis(request)
    shown = await analysis.find_shown_review(game_id, player.id if player else None)
    if shown:
        return await _review_body(analysis, *shown)
    found = await analysis.review(game_id, player.id if player else "")
    return await _respond(analysis, response, found)


@router.post(
    "/games/{game_id}/review",
    status_code=202,
    response_model_exclude_unset=True,
    responses={200: {"model": ReviewBody, "description": gettext("There is a review already.")}},
    summary="Ask for a review",
)
async def ask_review(
    request: Request, response: Response, game_id: str, player: ActingPlayer
) -> ReviewBody:
    """Ask for a review. A lost game that goes on by undo after that is marked as assisted."""
    analysis = _analysis(request)
    return await _respond(analysis, response, await analysis.ask_review(game_id, player.id))


@router.delete(
    "/games/{game_id}/winnable", status_code=204, summary="Stop asking whether a game can be won"
)
async def stop_winnable(request: Request, game_id: str, player: ActingPlayer) -> None:
    """Stop the search. An answer `no` that was found stays, without `last_winnable`."""
    await _analysis(request).cancel(game_id, player.id, WINNABLE)


@router.delete("/games/{game_id}/review", status_code=204, summary="Stop a review")
async def stop_review(request: Request, game_id: str, player: ActingPlayer) -> None:
    """Stop the search."""
    await _analysis(request).cancel(game_id, player.id, REVIEW)


async def _winnable(analysis: AnalysisService, found: QuestionState) -> WinnableBody:
    verdict = WinnabilityVerdict.parse(found.answer) if found.answer is not None else None
    last = verdict.last if verdict else None
    steps = replay_steps(found.game.logged_actions())
    return WinnableBody(
        version=found.game.version,
        state=_state(found),
        share=found.share,
        answer=_ANSWERS[verdict.winnable] if verdict else None,
        assisted=await analysis.is_assisted(found.game),
        last_winnable=None if last is None else steps[last],
    )


async def _respond(
    analysis: AnalysisService, response: Response, found: QuestionState
) -> ReviewBody:
    response.status_code = HTTPStatus.OK
    if found.answer is not None:
        return await _review_body(analysis, found.game, found.answer)
    if not found.is_asked:
        return ReviewBody(state="unasked")
    response.status_code = HTTPStatus.ACCEPTED
    return ReviewBody(state="working", progress=found.share)


async def _review_body(analysis: AnalysisService, game: Game, text: str) -> ReviewBody:
    review = FullReview.parse(text)
    judged, turning_point = review.judged, review.turning_point
    steps = replay_steps(game.logged_actions())
    winnable = turning_point.winnable if turning_point else None
    unwinnable = turning_point.unwinnable if turning_point else None
    hinted = (await analysis.hints_given(game)).versions
    own = own_moves(game, judged, hinted) if judged else None
    accuracy = own.shown_accuracy if own else None
    return ReviewBody(
        state="ready",
        progress=1.0,
        accuracy=None if accuracy is None else round(accuracy, 4),
        choices=own.choices if own else 0,
        luck=round(judged.luck, 4) if judged else None,
        moves=[_move_body(move, hinted) for move in judged.moves] if judged else [],
        winnable=None if winnable is None else steps[winnable],
        unwinnable=None if unwinnable is None else steps[unwinnable],
        line=list(turning_point.line) if turning_point else [],
    )


def _move_body(move: JudgedMove, hinted: Collection[int]) -> JudgedMoveBody:
    return JudgedMoveBody.model_validate(
        {
            "version": move.version,
            "action": move.action,
            "chance_before": move.before,
            "chance_after": move.after,
            "luck": move.luck,
            "class": move.move_class,
            "best": move.best,
            "hint": move.version in hinted,
        }
    )


_ANSWERS: Final[Mapping[Winnable, Literal["yes", "no", "unknown"]]] = {
    Winnable.YES: "yes",
    Winnable.NO: "no",
    Winnable.UNKNOWN: "unknown",
}


def _state(found: QuestionState) -> AskedState:
    if not found.is_asked:
        return "unasked"
    return "looking" if found.answer is None else "answered"


def _analysis(request: Request) -> AnalysisService:
    return service_of(request, AnalysisService)


def _hints(request: Request) -> HintService:
    return service_of(request, HintService)
