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
from app.games import responses as answers
from app.games.board import EMPTY_HANDED, HintMark, Holding
from app.games.clicks import Grip
from app.games.forms import TurnForm
from app.games.model import Game
from app.games.outcome import Result
from app.games.preferences import COOKIE, Wishes, wishes_of
from app.games.service import GameService
from app.games.view_models import Notice, Panel, closing
from app.http.cookies import YEAR_SECONDS, set_cookie
from app.http.dependencies import service_of
from app.http.headers import is_htmx
from app.http.preferences import local_path
from app.http.templates import render
from app.identity.dependencies import ActingPlayer
from app.identity.model import Player

router = APIRouter(include_in_schema=False)

_AGAIN: Final = " Ask again for another."
_MOVED_ON: Final = "The table has moved on. Here it is as it stands now."


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
        return await answers.whole_table(request, game, Notice(_MOVED_ON), HTTPStatus.CONFLICT)
    before = answers.held(game, form.held)
    holding = Holding(None, frozenset(), _mark(game, advice))
    notice = Notice(advice.why + (_AGAIN if advice.has_next else ""))
    if is_htmx(request):
        return answers.fragments(game, holding, before.piles | holding.piles, notice)
    is_watched = not await _coach(request).may_play(game, player.id)
    return await answers.table_page(request, game, holding, notice, is_watched=is_watched)


@router.post("/games/{game_id}/help/finish")
async def finish(
    request: Request, game_id: str, player: ActingPlayer, form: Annotated[TurnForm, Form()]
) -> Response:
    """Let the rest play itself home; the page shows one card after another."""
    before, outcome = await _coach(request).finish(game_id, player.id, form.version)
    after = outcome.game
    if outcome.result is not Result.ACCEPTED or not is_htmx(request):
        return await answers.tell(
            request, before, outcome, "finish", answers.held(before, form.held)
        )
    notice = Notice(closing(after), "quiet")
    film = film_of(before, after)
    return answers.fragments(after, EMPTY_HANDED, after.rules.layout.ids, notice, film=film)


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
    set_cookie(request, COOKIE, str(Wishes(safe_home=safe_home)), YEAR_SECONDS)
    return answer


async def side(request: Request, game: Game) -> Panel:
    """The mark of a game for which hidden cards were looked at."""
    inquiries = service_of(request, AnalysisService)
    if game.kind.has_rank or not await inquiries.is_assisted(game):
        return Panel()
    return Panel(mark=Markup(render("analysis/_mark.html")))  # noqa: S704 - a rendered template


async def follow(request: Request, player: Player, before: Game, after: Game) -> Game:
    """What follows a move by itself, where its player wishes that."""
    if not wishes_of(request).safe_home:
        return after
    return await _coach(request).play_safe_home(player.id, before, after)


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
