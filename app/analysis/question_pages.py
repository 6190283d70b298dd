"""Pages where a player asks what only all the cards can tell: beforehand what that means, then the answer."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final, Literal, NamedTuple

from fastapi import APIRouter, Form, Request, Response
from pydantic import BaseModel, Field
from starlette.responses import HTMLResponse, RedirectResponse

from app.analysis.model import LookBack, Winnable
from app.analysis.replay_notes import path_of
from app.analysis.review import slip_view
from app.analysis.service import REVIEW, WINNABLE, AnalysisRequest, AnalysisService
from app.errors import NotYourGameError
from app.games import board
from app.games.board import PileView
from app.games.model import Status
from app.games.service import GameService
from app.http.dependencies import service_of
from app.http.headers import is_htmx
from app.http.templates import page
from app.identity.dependencies import ActingPlayer, CurrentPlayer
from app.identity.model import Player

router = APIRouter(include_in_schema=False)

_TOLD: Final = {
    Winnable.YES: "Yes. From here the deal can still be won.",
    Winnable.NO: "No. However you play from here, it cannot be won any more. "
    "Taking moves back may lead to where it can.",
    Winnable.UNKNOWN: "Not known. The search found neither a way to win nor a proof that there is none. "
    "Some moves later the answer may be easier.",
}
_NO_STORE: Final = {"Cache-Control": "no-store"}


class VersionForm(BaseModel):
    """The table as the player saw it when asking."""

    version: Annotated[int, Field(ge=0, le=2**31)]


class _Words(NamedTuple):
    """What is asked, and what asking means for the game: ``marks`` it, only once it is ``undone``, or nothing."""

    path: str
    heading: str
    marks: Literal["", "marks", "undone"]
    back: str
    back_words: str


@dataclass(frozen=True, slots=True)
class AskingView:
    """A question, and how it stands. Without ``answer`` and ``percent`` nobody asked yet.

    The table is shown beside it, as its player sees it.
    """

    words: _Words
    path: str
    title: str
    version: int
    percent: int | None
    answer: str
    told: str
    kind: str
    zones: list[tuple[str, tuple[PileView, ...]]]


@router.get("/games/{game_id}/help/winnable")
async def winnable(request: Request, game_id: str, player: CurrentPlayer) -> HTMLResponse:
    """Is it still winnable? What asking means, how far the search is, or what it found."""
    return _winnable(request, await _inquiries(request).winnable(game_id, _id_of(player)))


@router.post("/games/{game_id}/help/winnable")
async def ask_winnable(
    request: Request, game_id: str, player: ActingPlayer, form: Annotated[VersionForm, Form()]
) -> Response:
    """Look at all the cards. This marks the game, as the page said."""
    await _inquiries(request).ask_winnable(game_id, player.id, form.version)
    return RedirectResponse(f"/games/{game_id}/help/winnable", HTTPStatus.SEE_OTHER)


@router.get("/games/{game_id}/help/review")
async def review(request: Request, game_id: str, player: CurrentPlayer) -> Response:
    """Where did it slip away? What was found is for everybody who may see the replay; asking is not."""
    inquiries = _inquiries(request)
    if told := await inquiries.told(game_id):
        game, text = told
        if is_htmx(request):  # the page of somebody who waited
            return Response(
                status_code=HTTPStatus.NO_CONTENT, headers={"HX-Redirect": path_of(game)}
            )
        play = service_of(request, GameService)
        view = slip_view(game, await play.events(game.id), LookBack.parse(text))
        return page(request, "analysis/slip.html", view, headers=_NO_STORE)
    found = await inquiries.review(game_id, _id_of(player))
    if found.answer is not None:  # this very look found the work done
        return await review(request, game_id, player)
    may_undo = found.game.status is Status.LOST
    return _page(
        request,
        found,
        _Words(
            path=path_of(found.game),
            heading="Where did it slip away?",
            marks="undone" if may_undo else "",
            back=f"/games/{found.game.id}/replay",
            back_words="Back to the replay",
        ),
    )


@router.post("/games/{game_id}/help/review")
async def ask_review(request: Request, game_id: str, player: ActingPlayer) -> Response:
    """Look back on a game with all the cards known."""
    await _inquiries(request).ask_review(game_id, player.id)
    return RedirectResponse(f"/games/{game_id}/help/review", HTTPStatus.SEE_OTHER)


@router.post("/games/{game_id}/help/{topic}/stop")
async def stop(
    request: Request, game_id: str, topic: Literal["winnable", "review"], player: ActingPlayer
) -> Response:
    """Give a search up."""
    await give_up(_inquiries(request), topic, game_id, player.id)
    return RedirectResponse(f"/games/{game_id}/help/{topic}", HTTPStatus.SEE_OTHER)


async def give_up(inquiries: AnalysisService, topic: str, game_id: str, player_id: str) -> None:
    """Stop looking for an answer; one that is there stays."""
    looked_up = inquiries.winnable if topic == WINNABLE else inquiries.review
    found = await looked_up(game_id, player_id)
    if found.is_asked and found.answer is None:
        await inquiries.give_up(found.game, WINNABLE if topic == WINNABLE else REVIEW)


def _winnable(request: Request, found: AnalysisRequest) -> HTMLResponse:
    return _page(
        request,
        found,
        _Words(
            path=f"/games/{found.game.id}/help/winnable",
            heading="Is it still winnable?",
            marks="marks",
            back=f"/games/{found.game.id}",
            back_words="Back to the table",
        ),
    )


def _page(request: Request, found: AnalysisRequest, words: _Words) -> HTMLResponse:
    rules = found.game.rules
    view = AskingView(
        words=words,
        path=words.path,
        title=rules.title,
        version=found.game.version,
        percent=_percent(found),
        answer=found.answer or "",
        told=_TOLD[Winnable(found.answer)] if found.answer is not None else "",
        kind=board.kind(rules),
        zones=board.still_zones(rules, found.game.position),
    )
    template = "analysis/_asked.html" if is_htmx(request) else "analysis/asking.html"
    return page(request, template, view, headers={**_NO_STORE, "Vary": "HX-Request"})


def _percent(found: AnalysisRequest) -> int | None:
    return int(found.share * 100) if found.is_asked and found.answer is None else None


def _id_of(player: Player | None) -> str:
    if player is None:
        raise NotYourGameError("Only who plays this game can ask that.")
    return player.id


def _inquiries(request: Request) -> AnalysisService:
    return service_of(request, AnalysisService)
