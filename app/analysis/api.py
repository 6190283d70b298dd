"""Help and analysis in the JSON API, under ``/api/v1``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from app.analysis.hints import HelpService
from app.analysis.model import Review, Winnable, replay_steps
from app.analysis.service import REVIEW, WINNABLE, AnalysisRequest, AnalysisService
from app.games.json_state import STATE_RESPONSE, Turn
from app.games.responses import respond_json
from app.games.service import GameService
from app.http.dependencies import service_of
from app.identity.dependencies import ActingPlayer, CurrentPlayer, ViewerId

router = APIRouter(prefix="/api/v1", tags=["coach"])


class HintInfo(BaseModel):
    """A hint, from the visible cards."""

    version: int = Field(description="The version of the game that the hint is for.")
    move: str | None = Field(description="Null when there is no further hint.")
    why: str
    next: int | None = Field(description="Pass this as `after` to get the next hint.")


AskedState = Literal["unasked", "looking", "answered"]


class WinnableInfo(BaseModel):
    """Whether a game can still be won from `version` on."""

    version: int
    state: AskedState
    share: float = Field(description="Progress of the search, from 0 to 1.")
    answer: Literal["yes", "no", "unknown"] | None
    assisted: bool = Field(description="Whether the game is marked as assisted.")


class ReviewInfo(BaseModel):
    """Where a game slipped away, in steps of its replay."""

    state: AskedState
    share: float = Field(description="Progress of the search, from 0 to 1.")
    winnable: int | None = Field(
        None, description="The last step from which the game could be won."
    )
    unwinnable: int | None = Field(None, description="The first step from which it could not.")
    line: list[str] = Field([], description="Moves that win from `winnable` on.")


@router.get("/games/{game_id}/hint")
async def hint(
    request: Request,
    game_id: str,
    viewer_id: ViewerId,
    after: Annotated[int, Query(ge=0, le=1000)] = 0,
) -> HintInfo:
    """A good move, the best first. Ranked games have no hints: 403 ``no_help``."""
    game, found = await _help(request).hint(game_id, viewer_id, after)
    return HintInfo(
        version=game.version,
        move=str(found.action) if found.action else None,
        why=found.why,
        next=found.number if found.has_next else None,
    )


@router.post("/games/{game_id}/finish", responses=STATE_RESPONSE, response_class=Response)
async def finish(
    request: Request, game_id: str, player: ActingPlayer, turn: Annotated[Turn, Body()]
) -> Response:
    """Finish a game where ``can_finish`` is true. Each card is a move, so the version rises by as many."""
    return respond_json((await _help(request).finish(game_id, player.id, turn.version)).outcome)


@router.get("/games/{game_id}/winnable")
async def winnable(request: Request, game_id: str, player: CurrentPlayer) -> WinnableInfo:
    """Whether the game can still be won, once its player has asked. Only for its player."""
    analysis = _analysis(request)
    found = await analysis.winnable(game_id, player.id if player else "")
    return await _winnable(analysis, found)


@router.post("/games/{game_id}/winnable", status_code=202)
async def ask_winnable(
    request: Request, game_id: str, player: ActingPlayer, turn: Annotated[Turn, Body()]
) -> WinnableInfo:
    """Ask whether the game can still be won. This searches all cards and marks the game as assisted for good."""
    analysis = _analysis(request)
    found = await analysis.ask_winnable(game_id, player.id, turn.version)
    return await _winnable(analysis, found)


@router.get("/games/{game_id}/review")
async def review(request: Request, game_id: str, player: CurrentPlayer) -> ReviewInfo:
    """Where a lost or resigned game slipped away, once its player has asked."""
    return await _review(
        request, await _analysis(request).review(game_id, player.id if player else "")
    )


@router.post("/games/{game_id}/review", status_code=202)
async def ask_review(request: Request, game_id: str, player: ActingPlayer) -> ReviewInfo:
    """Ask for a review. A lost game that goes on by undo after that is marked as assisted."""
    return await _review(request, await _analysis(request).ask_review(game_id, player.id))


@router.delete("/games/{game_id}/winnable", status_code=204)
async def stop_winnable(request: Request, game_id: str, player: ActingPlayer) -> None:
    """Stop the search."""
    await _analysis(request).cancel(game_id, player.id, WINNABLE)


@router.delete("/games/{game_id}/review", status_code=204)
async def stop_review(request: Request, game_id: str, player: ActingPlayer) -> None:
    """Stop the search."""
    await _analysis(request).cancel(game_id, player.id, REVIEW)


async def _winnable(analysis: AnalysisService, found: AnalysisRequest) -> WinnableInfo:
    return WinnableInfo(
        version=found.game.version,
        state=_state(found),
        share=found.share,
        answer=_ANSWERS[found.answer] if found.answer is not None else None,
        assisted=await analysis.is_assisted(found.game),
    )


async def _review(request: Request, found: AnalysisRequest) -> ReviewInfo:
    if found.answer is None:
        return ReviewInfo(state=_state(found), share=found.share)
    events = await service_of(request, GameService).events(found.game.id)
    review = Review.parse(found.answer)
    steps = replay_steps([event.action for event in events])
    return ReviewInfo(
        state=_state(found),
        share=found.share,
        winnable=None if review.winnable is None else steps[review.winnable],
        unwinnable=None if review.unwinnable is None else steps[review.unwinnable],
        line=list(review.line),
    )


_ANSWERS: Final[Mapping[str, Literal["yes", "no", "unknown"]]] = {
    Winnable.YES: "yes",
    Winnable.NO: "no",
    Winnable.UNKNOWN: "unknown",
}


def _state(found: AnalysisRequest) -> AskedState:
    if not found.is_asked:
        return "unasked"
    return "looking" if found.answer is None else "answered"


def _analysis(request: Request) -> AnalysisService:
    return service_of(request, AnalysisService)


def _help(request: Request) -> HelpService:
    return service_of(request, HelpService)
