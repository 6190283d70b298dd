"""Pages where a player asks what only all the cards can tell: beforehand what that means, then the answer."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Form, Request, Response
from pydantic import BaseModel, Field
from starlette.responses import HTMLResponse, RedirectResponse

from app.coach.answers import Winnable
from app.coach.hindsight import hindsight, path_of
from app.coach.inquiries import REVIEW, WINNABLE, Inquiries, Inquiry
from app.play.service import PlayService
from app.play.table import Status
from app.players.identity import CurrentPlayer, Seated
from app.players.service import Player
from app.web.errors import NotYourGameError
from app.web.htmx import is_htmx
from app.web.templating import page

router = APIRouter(include_in_schema=False)

_TOLD: Final = {
    Winnable.YES: "Yes. From here the deal can still be won.",
    Winnable.NO: "No. However you play from here, it cannot be won any more.",
    Winnable.UNKNOWN: "Not known. The search found neither a way to win nor a proof that there is none.",
}
_NO_STORE: Final = {"Cache-Control": "no-store"}


class VersionForm(BaseModel):
    """The table as the player saw it when asking."""

    version: Annotated[int, Field(ge=0, le=2**31)]


@dataclass(frozen=True, slots=True)
class AskingView:
    """A question, and how it stands. Without ``answer`` and ``percent`` nobody asked yet."""

    path: str
    game_id: str
    title: str
    ruleset: str
    heading: str
    version: int
    marks: bool
    back: str
    back_words: str
    percent: int | None
    answer: str


@router.get("/games/{game_id}/help/winnable")
async def winnable(request: Request, game_id: str, player: CurrentPlayer) -> HTMLResponse:
    """Is it still winnable? What asking means, how far the search is, or what it found."""
    return _winnable(request, await _inquiries(request).winnable(game_id, _id_of(player)))


@router.post("/games/{game_id}/help/winnable")
async def ask_winnable(
    request: Request, game_id: str, player: Seated, form: Annotated[VersionForm, Form()]
) -> Response:
    """Look at all the cards. This marks the game, as the page said."""
    await _inquiries(request).ask_winnable(game_id, player.id, form.version)
    return RedirectResponse(f"/games/{game_id}/help/winnable", HTTPStatus.SEE_OTHER)


@router.get("/games/{game_id}/help/review")
async def review(request: Request, game_id: str, player: CurrentPlayer) -> Response:
    """Where did it slip away? The answer is shown by the replay."""
    found = await _inquiries(request).review(game_id, _id_of(player))
    back = f"/games/{found.table.id}/replay"
    if found.answer is not None:
        play: PlayService = request.app.state.play
        log = await play.log(found.table.id)
        known = hindsight(found.table, log, found.answer)
        back += f"?at={known.step or 0}"
        if not is_htmx(request):
            return RedirectResponse(back, HTTPStatus.SEE_OTHER)
    view = AskingView(
        path=path_of(found.table),
        game_id=found.table.id,
        title=found.table.spec.title,
        ruleset=found.table.spec.id,
        heading="Where did it slip away?",
        version=found.table.version,
        marks=found.table.status is Status.LOST,
        back=back,
        back_words="Back to the replay",
        percent=_percent(found),
        answer="Found. The replay shows it." if found.answer is not None else "",
    )
    return _page(request, view)


@router.post("/games/{game_id}/help/review")
async def ask_review(request: Request, game_id: str, player: Seated) -> Response:
    """Look back on a game with all the cards known."""
    await _inquiries(request).ask_review(game_id, player.id)
    return RedirectResponse(f"/games/{game_id}/help/review", HTTPStatus.SEE_OTHER)


@router.post("/games/{game_id}/help/{topic}/stop")
async def stop(
    request: Request, game_id: str, topic: Literal["winnable", "review"], player: Seated
) -> Response:
    """Give a search up."""
    await give_up(_inquiries(request), topic, game_id, player.id)
    return RedirectResponse(f"/games/{game_id}/help/{topic}", HTTPStatus.SEE_OTHER)


async def give_up(inquiries: Inquiries, topic: str, game_id: str, player_id: str) -> None:
    """Stop looking for an answer; one that is there stays."""
    looked_up = inquiries.winnable if topic == WINNABLE else inquiries.review
    found = await looked_up(game_id, player_id)
    if found.is_asked and found.answer is None:
        await inquiries.give_up(found.table, WINNABLE if topic == WINNABLE else REVIEW)


def _winnable(request: Request, found: Inquiry) -> HTMLResponse:
    table = found.table
    view = AskingView(
        path=f"/games/{table.id}/help/winnable",
        game_id=table.id,
        title=table.spec.title,
        ruleset=table.spec.id,
        heading="Is it still winnable?",
        version=table.version,
        marks=True,
        back=f"/games/{table.id}",
        back_words="Back to the table",
        percent=_percent(found),
        answer=_TOLD[Winnable(found.answer)] if found.answer is not None else "",
    )
    return _page(request, view)


def _page(request: Request, view: AskingView) -> HTMLResponse:
    template = "coach/_asked.html" if is_htmx(request) else "coach/asking.html"
    return page(request, template, view, headers={**_NO_STORE, "Vary": "HX-Request"})


def _percent(found: Inquiry) -> int | None:
    return int(found.share * 100) if found.is_asked and found.answer is None else None


def _id_of(player: Player | None) -> str:
    if player is None:
        raise NotYourGameError("Only who plays this game can ask that.")
    return player.id


def _inquiries(request: Request) -> Inquiries:
    inquiries: Inquiries = request.app.state.inquiries
    return inquiries
