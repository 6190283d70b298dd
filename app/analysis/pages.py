"""Help and analysis as pages and forms: hints, automatic finish, and questions that need every card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Form, Query, Request, Response
from pydantic import BaseModel, Field
from starlette.responses import HTMLResponse

from app.analysis.automatic_moves import AutomaticMoves, move_sequence
from app.analysis.hints import HintService
from app.analysis.model import FullReview
from app.analysis.numbered_hints import NumberedHint
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
from app.games import forms, responses
from app.games.board import EMPTY_HANDED, HintMark, Holding, hint_mark
from app.games.endings import closing
from app.games.extensions import Panel
from app.games.forms import TurnForm
from app.games.model import Game, Kind
from app.games.moments import GameEvent
from app.games.outcome import ActionResult
from app.games.replay import Hindsight
from app.games.service import GameService
from app.games.solver_line import IsSolverLine
from app.games.view_models import NoticeLine
from app.games.warnings import ask_path
from app.http.cookies import YEAR_SECONDS, set_cookie
from app.http.dependencies import is_htmx, service_of
from app.http.preferences import PLAY_COOKIE, local_path, play_preferences_of
from app.http.templates import NO_STORE, page, render_markup, see_other
from app.identity.dependencies import ActingPlayer, CurrentPlayer, player_of
from app.identity.model import Player
from app.text import gettext, ngettext, sentences

router = APIRouter(include_in_schema=False)

_ONLY: Final = gettext("No better move is known.")
_SOLE: Final = gettext("It is the only move.")
_FINISH: Final = gettext("The rest can go home. Press Finish.")
_CLOSER: Final = gettext("Press Hint again for a closer look.")
_CHANGED: Final = gettext("The game has changed. Here it is now.")


_SEVERAL: Final = 2
_VARYING: Final = {**NO_STORE, "Vary": "HX-Request"}


class VersionForm(BaseModel):
    """The version that the player saw when asking, and whether they want the last winnable position."""

    version: Annotated[int, Field(ge=0, le=2**31 - 1)]
    last: bool = False


class HintForm(TurnForm):
    """The number of hints that the page has shown since the last action, and whether the last one can be refined."""

    hint: Annotated[int, Field(ge=0, le=1000)] = 0
    rough: bool = False


@router.post("/games/{game_id}/help/hint")
async def hint(
    request: Request, game_id: str, player: ActingPlayer, form: Annotated[HintForm, Form()]
) -> Response:
    """Highlight the next good move, or refine the last hint. The game does not change, so there is no redirect."""
    game = await service_of(request, GameService).load_visible(game_id, player.id)
    is_plain = game.can_finish and not game.kind.has_ranked_rules
    if is_plain and game.version == form.version:  # nothing has to be judged
        mark = HintMark(1, None, None, is_finish=True)
        return await _show_hint(request, player, game, form, mark=mark, notice=NoticeLine(_FINISH))
    is_again = form.rough and form.hint > 0
    given = form.hint - 1 if is_again else form.hint
    game, found = await _hints(request).hint(game_id, player.id, given, refine=form.hint > 0)
    is_only = False
    if given and found.action is None:  # after the last one the first one comes again
        game, found = await _hints(request).hint(game_id, player.id, 0, refine=True)
        is_only = found.total == 1
    if game.version != form.version:
        return await responses.respond_whole(
            request, game, NoticeLine(_CHANGED), HTTPStatus.CONFLICT
        )
    if found.action:
        await _analysis(request).note_hint(game, player.id)
    mark = hint_mark(game.rules, found.number, found.action, is_rough=found.is_rough)
    place = _ONLY if is_only else _place(found)  # so that asking again and again has an end
    if found.action and len(game.legal_actions) == 1:
        place = _SOLE
    notice = _hint_notice(found, place, is_refined_by_itself=found.is_rough and is_htmx(request))
    is_dead_end = found.action is None and game.may_be_searched
    if is_dead_end and await service_of(request, GameService).may_play(game, player.id):
        # Before the first move, that position is one of another deal.
        is_new = not game.history.depth and game.kind is Kind.OPEN
        notice = notice._replace(offers_deal=is_new, ask="" if is_new else ask_path(game))
    return await _show_hint(request, player, game, form, mark=mark, notice=notice)


async def _show_hint(
    request: Request,
    player: Player,
    game: Game,
    form: HintForm,
    *,
    mark: HintMark,
    notice: NoticeLine,
) -> Response:
    """The table with a hint on it, in place of what was highlighted."""
    before = forms.read_holding(game, form.held)
    holding = Holding(None, frozenset(), mark)
    if is_htmx(request):
        piles = before.piles | holding.piles
        ended = await responses.find_player_outcome(request, game)
        return responses.render_fragments(game, holding, piles, notice, player_outcome=ended)
    is_watched = not await service_of(request, GameService).may_play(game, player.id)
    return await responses.render_page(request, game, holding, notice, is_watched=is_watched)


def _hint_notice(found: NumberedHint, place: str, *, is_refined_by_itself: bool) -> NoticeLine:
    """A hint in words, and how to ask for more; ``place`` says how it stands among other moves."""
    again = _CLOSER if found.is_rough and not is_refined_by_itself else ""
    odds = sentences(place, found.odds, found.limit)
    if not found.besides:  # "Why?" would only say it in other words
        return NoticeLine(found.said, second=sentences(odds, again))
    return NoticeLine(found.said, second=odds, more=sentences(found.besides, again))


def _place(found: NumberedHint) -> str:
    """Which of several good moves it is; a closer look may find fewer than a rough one.

    If more are good than there are hints, these are the best of them.
    """
    if found.total < _SEVERAL or found.is_rough:
        return ""
    if found.has_unnamed:
        return ngettext(
            "%(number)s of the %(n)s best move.",
            "%(number)s of the %(n)s best moves.",
            found.total,
            number=found.number,
        )
    return ngettext(
        "%(number)s of %(n)s good move.",
        "%(number)s of %(n)s good moves.",
        found.total,
        number=found.number,
    )


@router.post("/games/{game_id}/help/finish")
async def finish(
    request: Request, game_id: str, player: ActingPlayer, form: Annotated[TurnForm, Form()]
) -> Response:
    """Finish the game automatically; the page shows one card after another."""
    before, outcome = await service_of(request, AutomaticMoves).finish(
        game_id, player.id, form.version
    )
    after = outcome.game
    if outcome.result is not ActionResult.ACCEPTED or not is_htmx(request):
        return await responses.respond(
            request, outcome, before.version, "finish", forms.read_holding(before, form.held)
        )
    notice = NoticeLine(closing(after), "sr-only")
    return responses.render_fragments(
        after,
        EMPTY_HANDED,
        after.rules.layout.ids,
        notice,
        moves=move_sequence(before, after),
        player_outcome=await responses.find_player_outcome(request, after),
    )


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
    if game.history.depth or not game.public_code:
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
    if is_htmx(request) and at is not None:
        there = board_view(game, full, at, is_solver=is_solver, hints=hints)
        return page(request, "analysis/_moment.html", there, headers=_VARYING)
    grades, code = service_of(request, DifficultyService), game.public_code
    view = review_view(
        game,
        full,
        at,
        is_solver=is_solver,
        may_ask=full.is_old and is_own,
        is_own=is_own,
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


@router.post("/wishes")
async def save_play_preferences(
    request: Request,
    safe_home: Annotated[bool, Form()],
    back: Annotated[str, Form(max_length=200)] = "/",
) -> Response:
    """Store what the visitor wants done automatically."""
    wishes = replace(play_preferences_of(request), safe_home=safe_home)
    set_cookie(request, PLAY_COOKIE, str(wishes), YEAR_SECONDS)
    return see_other(local_path(back))


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


def _hints(request: Request) -> HintService:
    return service_of(request, HintService)


def _analysis(request: Request) -> AnalysisService:
    return service_of(request, AnalysisService)
