"""The JSON face of help at open tables, under ``/api/v1``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from app.analysis.help import HelpService
from app.analysis.model import LookBack, Winnable
from app.analysis.question_pages import give_up
from app.analysis.replay_notes import steps_of
from app.analysis.service import AnalysisRequest, AnalysisService
from app.games.api import State, Turn, answer
from app.games.service import GameService
from app.http.dependencies import service_of
from app.identity.dependencies import ActingPlayer, CurrentPlayer

router = APIRouter(prefix="/api/v1", tags=["coach"])


class HintInfo(BaseModel):
    """A hint, from what lies in sight."""

    version: int = Field(description="Of the table that it is about.")
    move: str | None = Field(description="Null when nothing more is worth naming.")
    why: str
    next: int | None = Field(description="Ask with this as `after` for the next best one.")


AskedState = Literal["unasked", "looking", "answered"]


class WinnableInfo(BaseModel):
    """Whether a game can still be won from `version` on, as far as it is known."""

    version: int
    state: AskedState
    share: float = Field(description="How far the search is, from 0 to 1.")
    answer: Literal["yes", "no", "unknown"] | None
    assisted: bool = Field(description="Whether the game is marked for having been helped.")


class ReviewInfo(BaseModel):
    """Where a game slipped away, by the steps of its replay."""

    state: AskedState
    share: float = Field(description="How far the search is, from 0 to 1.")
    winnable: int | None = Field(None, description="The last step from which it could be won.")
    unwinnable: int | None = Field(None, description="From this step on it could not.")
    line: list[str] = Field([], description="A way to win from `winnable` on.")


@router.get("/games/{game_id}/hint")
async def hint(
    request: Request,
    game_id: str,
    player: CurrentPlayer,
    after: Annotated[int, Query(ge=0, le=1000)] = 0,
) -> HintInfo:
    """What might be good to play, the best first. There is none in ranked play: 403 ``no_help``."""
    game, advice = await _coach(request).hint(game_id, player.id if player else None, after)
    return HintInfo(
        version=game.version,
        move=str(advice.action) if advice.action else None,
        why=advice.why,
        next=advice.number if advice.has_next else None,
    )


@router.post("/games/{game_id}/finish", responses={200: {"model": State}}, response_class=Response)
async def finish(
    request: Request, game_id: str, player: ActingPlayer, turn: Annotated[Turn, Body()]
) -> Response:
    """Play all the rest home where ``can_finish`` holds: each card a move, so the version rises by as many."""
    return answer((await _coach(request).finish(game_id, player.id, turn.version)).outcome)


@router.get("/games/{game_id}/winnable")
async def winnable(request: Request, game_id: str, player: CurrentPlayer) -> WinnableInfo:
    """How the question stands whether the game can still be won from where it is now; its player's alone."""
    inquiries = _inquiries(request)
    found = await inquiries.winnable(game_id, player.id if player else "")
    return await _winnable(inquiries, found)


@router.post("/games/{game_id}/winnable", status_code=202)
async def ask_winnable(
    request: Request, game_id: str, player: ActingPlayer, turn: Annotated[Turn, Body()]
) -> WinnableInfo:
    """Ask it: all cards are looked at, and the game is marked as assisted for good."""
    inquiries = _inquiries(request)
    found = await inquiries.ask_winnable(game_id, player.id, turn.version)
    return await _winnable(inquiries, found)


@router.get("/games/{game_id}/review")
async def review(request: Request, game_id: str, player: CurrentPlayer) -> ReviewInfo:
    """Where a lost or resigned game slipped away, once its player has asked."""
    return await _review(
        request, await _inquiries(request).review(game_id, player.id if player else "")
    )


@router.post("/games/{game_id}/review", status_code=202)
async def ask_review(request: Request, game_id: str, player: ActingPlayer) -> ReviewInfo:
    """Ask it. A lost game that is taken up again by undo after that is marked as assisted."""
    return await _review(request, await _inquiries(request).ask_review(game_id, player.id))


@router.delete("/games/{game_id}/winnable", status_code=204)
async def stop_winnable(request: Request, game_id: str, player: ActingPlayer) -> None:
    """Give the search up."""
    await give_up(_inquiries(request), "winnable", game_id, player.id)


@router.delete("/games/{game_id}/review", status_code=204)
async def stop_review(request: Request, game_id: str, player: ActingPlayer) -> None:
    """Give the search up."""
    await give_up(_inquiries(request), "review", game_id, player.id)


async def _winnable(inquiries: AnalysisService, found: AnalysisRequest) -> WinnableInfo:
    return WinnableInfo(
        version=found.game.version,
        state=_state(found),
        share=found.share,
        answer=_ANSWERS[found.answer] if found.answer is not None else None,
        assisted=await inquiries.is_assisted(found.game),
    )


async def _review(request: Request, found: AnalysisRequest) -> ReviewInfo:
    if found.answer is None:
        return ReviewInfo(state=_state(found), share=found.share)
    play = service_of(request, GameService)
    kept = LookBack.parse(found.answer)
    steps = steps_of([entry.action for entry in await play.events(found.game.id)])
    return ReviewInfo(
        state=_state(found),
        share=found.share,
        winnable=None if kept.winnable is None else steps[kept.winnable],
        unwinnable=None if kept.unwinnable is None else steps[kept.unwinnable],
        line=list(kept.line),
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


def _inquiries(request: Request) -> AnalysisService:
    return service_of(request, AnalysisService)


def _coach(request: Request) -> HelpService:
    return service_of(request, HelpService)
