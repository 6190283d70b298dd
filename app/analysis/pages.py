"""Help at a table as forms: a hint, the plain end of a game, and what shall happen by itself."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Form, Request, Response
from markupsafe import Markup
from pydantic import Field
from starlette.responses import RedirectResponse

from app.analysis.help import HelpService
from app.analysis.hint import Advice
from app.analysis.move_sequence import film_of
from app.analysis.service import AnalysisService
from app.engine.actions import Deal, Move
from app.games import responses
from app.games.board import EMPTY_HANDED, HintMark, Holding
from app.games.clicks import Grip
from app.games.model import Game
from app.games.outcome import Result
from app.games.pages import TurnForm
from app.games.service import GameService
from app.games.view_models import Notice, Panel, closing
from app.http.cookies import YEAR_SECONDS, set_cookie
from app.http.dependencies import service_of
from app.http.headers import is_htmx
from app.http.preferences import PLAY_COOKIE, PlayPreferences, local_path
from app.http.templates import render
from app.identity.dependencies import ActingPlayer

router = APIRouter(include_in_schema=False)

_AGAIN: Final = " Ask again for another."
_MOVED_ON: Final = "The game has changed. This is how it stands now."


class HintForm(TurnForm):
    """How many hints the page has been given since the last action."""

    hint: Annotated[int, Field(ge=0, le=1000)] = 0


@router.post("/games/{game_id}/help/hint")
async def hint(
    request: Request, game_id: str, player: ActingPlayer, form: Annotated[HintForm, Form()]
) -> Response:
    """Light up the next good move. Nothing happens on the table, so nothing needs a redirect."""
    game, advice = await _coach(request).hint(game_id, player.id, form.hint)
    if game.version != form.version:
        return await responses.respond_whole(request, game, Notice(_MOVED_ON), HTTPStatus.CONFLICT)
    before = responses.read_holding(game, form.held)
    holding = Holding(None, frozenset(), _mark(game, advice))
    notice = Notice(advice.why + (_AGAIN if advice.has_next else ""))
    if is_htmx(request):
        return responses.render_fragments(game, holding, before.piles | holding.piles, notice)
    is_watched = not await _coach(request).may_play(game, player.id)
    return await responses.render_page(request, game, holding, notice, is_watched=is_watched)


@router.post("/games/{game_id}/help/finish")
async def finish(
    request: Request, game_id: str, player: ActingPlayer, form: Annotated[TurnForm, Form()]
) -> Response:
    """Let the rest play itself home; the page shows one card after another."""
    before, outcome = await _coach(request).finish(game_id, player.id, form.version)
    after = outcome.game
    if outcome.result is not Result.ACCEPTED or not is_htmx(request):
        return await responses.respond(
            request, outcome, before.version, "finish", responses.read_holding(before, form.held)
        )
    notice = Notice(closing(after), "quiet")
    film = film_of(before, after)
    return responses.render_fragments(
        after, EMPTY_HANDED, after.rules.layout.ids, notice, moves=film
    )


@router.get("/games/{game_id}/help/hint")
@router.get("/games/{game_id}/help/finish")
async def lead_back(request: Request, game_id: str) -> RedirectResponse:
    """Who comes back to the address of a form means the table."""
    play = service_of(request, GameService)
    game = await play.load(game_id)
    return RedirectResponse(f"/games/{game.id}", HTTPStatus.SEE_OTHER)


@router.post("/wishes")
async def keep_wishes(
    request: Request,
    safe_home: Annotated[bool, Form()],
    back: Annotated[str, Form(max_length=200)] = "/",
) -> Response:
    """Remember what the visitor wants done at their tables."""
    answer = RedirectResponse(local_path(back), HTTPStatus.SEE_OTHER)
    set_cookie(request, PLAY_COOKIE, str(PlayPreferences(safe_home=safe_home)), YEAR_SECONDS)
    return answer


async def side(request: Request, game: Game) -> Panel:
    """The mark of a game for which hidden cards were looked at."""
    inquiries = service_of(request, AnalysisService)
    if game.kind.has_rank or not await inquiries.is_assisted(game):
        return Panel()
    return Panel(mark=Markup(render("analysis/_mark.html")))  # noqa: S704 - a rendered template


def _mark(game: Game, advice: Advice) -> HintMark:
    match advice.action:
        case Move(source, target, count):
            return HintMark(advice.number, Grip(source, count), target)
        case Deal():
            return HintMark(advice.number, None, game.rules.layout.ids[game.rules.layout.stock])
        case None:
            return HintMark(0, None, None)


def _coach(request: Request) -> HelpService:
    return service_of(request, HelpService)
