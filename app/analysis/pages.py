"""Questions that need every card, as pages: can this game still be won, and its review."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Form, Query, Request, Response
from pydantic import BaseModel, Field
from starlette.responses import HTMLResponse

from app.analysis.model import FullReview
from app.analysis.review_page import NOT_JUDGED, board_view, review_view, waiting_view
from app.analysis.service import AnalysisService
from app.analysis.views import (
    QuestionView,
    answer_view,
    hindsight,
    proven_view,
    review_path,
    review_question_view,
    winnable_view,
)
from app.deals.difficulty import DifficultyService
from app.deals.service import DealStock
from app.engine.shuffle import Code
from app.errors import NotYourGameError
from app.games.extensions import Panel
from app.games.model import Game, Kind
from app.games.moments import GameEvent
from app.games.replay import Hindsight
from app.games.solver_line import IsSolverLine
from app.http.dependencies import is_htmx, service_of
from app.http.templates import NO_STORE, page, render_markup, see_other
from app.identity.dependencies import ActingPlayer, CurrentPlayer, player_of
from app.identity.model import Player
from app.text import gettext

router = APIRouter(include_in_schema=False)

_VARYING: Final = {**NO_STORE, "Vary": "HX-Request"}


class VersionForm(BaseModel):
    """The version that the player saw when asking, and whether they want the last winnable position."""

    version: Annotated[int, Field(ge=0, le=2**31 - 1)]
    last: bool = False


@router.get("/games/{game_id}/help/winnable")
async def winnable(
    request: Request, game_id: str, player: CurrentPlayer, *, last: bool = False
) -> HTMLResponse:
    """The question whether a game can still be won: what asking means, the progress, or the answer.

    The page is called as what led to it: with ``last``, that was a dead end.
    """
    found = await _analysis(request).winnable(game_id, _id_of(player))
    if not found.is_asked and await _is_proven_opening(request, found.game):
        return _page(request, proven_view(found))
    return _page(request, winnable_view(found, is_last=last))


async def _is_proven_opening(request: Request, game: Game) -> bool:
    """Whether nothing has been moved in a deal from the stock: its proof is the answer."""
    return not game.history.depth and await _is_proven_deal(request, game)


async def _is_proven_deal(request: Request, game: Game) -> bool:
    """Whether a game began with a deal from the stock, all of which can be won."""
    if not game.public_code:
        return False
    return await service_of(request, DealStock).is_proven_code(game.rules, Code(game.public_code))


@router.post("/games/{game_id}/help/winnable")
async def ask_winnable(
    request: Request, game_id: str, player: ActingPlayer, form: Annotated[VersionForm, Form()]
) -> Response:
    """Start the search, which marks the game as assisted."""
    await _analysis(request).ask_winnable(game_id, player.id, form.version)
    return see_other(f"/games/{game_id}/help/winnable" + ("?last=true" if form.last else ""))


@router.get("/games/{game_id}/help/review")
async def review(
    request: Request,
    game_id: str,
    player: CurrentPlayer,
    is_solver: IsSolverLine,
    at: Annotated[int | None, Query(ge=0, le=2**31 - 1)] = None,
) -> Response:
    """The review of a game, for all who may see its replay. Before there is one, its player can ask for it.

    Opening the page of a game that can't go on asks for it: a review then reveals nothing that could be of use.
    The board shows step ``at`` of the replay; without it, the worst move. With ``is_solver``, it shows the
    solver's line to a win. A script asks for the board alone.
    """
    analysis = _analysis(request)
    player_id = player.id if player else None
    if shown := await analysis.find_shown_review(game_id, player_id):
        game, text = shown
        is_own = player_id == game.owner_id
        return await _show_review(
            request, game, FullReview.parse(text), at, is_solver=is_solver, is_own=is_own
        )
    found = await analysis.review(game_id, _id_of(player))
    if found.answer is not None:  # found in between
        return await review(request, game_id, player, is_solver, at)
    if not found.is_asked and found.game.has_ended and player and not is_htmx(request):
        found = await analysis.ask_review(game_id, player.id)
    if found.is_asked and at is not None and is_htmx(request):
        there = board_view(found.game, NOT_JUDGED, at, is_solver=is_solver)
        return page(request, "analysis/_moment.html", there, headers=_VARYING)
    if found.is_asked and not is_htmx(request):
        hints = await analysis.hints_given(found.game)
        view = waiting_view(found, at, is_solver=is_solver, hints=hints)
        return page(request, "analysis/review.html", view, headers=_VARYING)
    question = review_question_view(found)
    if found.is_asked:
        return page(request, "analysis/_judging.html", question, headers=_VARYING)
    return _page(request, question)


async def _show_review(
    request: Request,
    game: Game,
    full: FullReview,
    at: int | None,
    *,
    is_solver: bool,
    is_own: bool,
) -> Response:
    """The page of a review, or what a script asks for: the board alone, or that the page load again."""
    if is_htmx(request) and at is None:
        # The page that waited for the answer: loaded anew it keeps its position and is scrolled as before.
        return Response(status_code=HTTPStatus.NO_CONTENT, headers={"HX-Refresh": "true"})
    hints = await _analysis(request).hints_given(game)
    is_proven = await _is_proven_deal(request, game)
    if is_htmx(request) and at is not None:
        there = board_view(game, full, at, is_solver=is_solver, is_proven=is_proven, hints=hints)
        return page(request, "analysis/_moment.html", there, headers=_VARYING)
    grades, code = service_of(request, DifficultyService), game.public_code
    view = review_view(
        game,
        full,
        at,
        is_solver=is_solver,
        may_ask=full.is_old and is_own,
        is_own=is_own,
        is_proven=is_proven,
        grade=await grades.of_code(game.rules, Code(code), wanted=False) if code else None,
        hints=hints,
    )
    return page(request, "analysis/review.html", view, headers=_VARYING)


@router.post("/games/{game_id}/help/review")
async def ask_review(request: Request, game_id: str, player: ActingPlayer) -> Response:
    """Start a review."""
    await _analysis(request).ask_review(game_id, player.id)
    return see_other(f"/games/{game_id}/help/review")


@router.post("/games/{game_id}/help/{topic}/stop")
async def stop(
    request: Request, game_id: str, topic: Literal["winnable", "review"], player: ActingPlayer
) -> Response:
    """Stop a search. The page of a review would begin it again."""
    await _analysis(request).cancel(game_id, player.id, topic)
    return see_other(f"/games/{game_id}/" + ("replay" if topic == "review" else "help/winnable"))


async def game_panel(request: Request, game: Game) -> Panel:
    """The mark of an assisted game, and for the one who plays it what was found about it last."""
    analysis = _analysis(request)
    if game.kind.has_ranked_rules or not await analysis.is_assisted(game):
        return Panel()
    mark = render_markup("analysis/_assisted.html")
    player = player_of(request)
    if game.kind is not Kind.OPEN or game.is_over or not player or player.id != game.owner_id:
        return Panel(mark=mark)
    known = answer_view(await analysis.find_last_answer(game))
    if known is None:
        return Panel(mark=mark)
    return Panel(
        head=render_markup("analysis/_answer_head.html"),
        mark=mark + render_markup("analysis/_answer.html", known=known),
    )


async def hindsight_of(
    request: Request, player: Player | None, end: Game, log: Sequence[GameEvent]
) -> Hindsight | None:
    """The review beside a replay. Before there is one, a link to ask for it, for the player of the game."""
    if not await _analysis(request).can_be_reviewed(end, player.id if player else None):
        return None
    text = await _analysis(request).find_review(end)
    if text is None:
        is_mine = player is not None and player.id == end.owner_id
        return Hindsight(review_path(end), "", None, (), is_asked=False) if is_mine else None
    return hindsight(end, log, text)


def _page(request: Request, view: QuestionView) -> HTMLResponse:
    template = "analysis/_question.html" if is_htmx(request) else "analysis/question.html"
    return page(request, template, view, headers=_VARYING)


def _id_of(player: Player | None) -> str:
    if player is None:
        raise NotYourGameError(gettext("Only the player of this game can ask that."))
    return player.id


def _analysis(request: Request) -> AnalysisService:
    return service_of(request, AnalysisService)
