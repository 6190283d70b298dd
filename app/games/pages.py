"""The table as pages and fragments: every click is a form, with or without a script in the page.

A request of htmx is answered with the piles that changed. A plain form is answered with a redirect
where something happened, so that reloading repeats nothing, and with the whole page otherwise.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import HTMLResponse

from app.errors import MalformedError, NotFoundError
from app.games import board, card_html
from app.games import responses as answers
from app.games.board import EMPTY_HANDED, Holding
from app.games.clicks import Nothing, Release, Select, read_click
from app.games.forms import ClickForm, MoveForm, TurnForm, posted
from app.games.model import WORDS, Game, Kind
from app.games.outcome import Outcome, Result
from app.games.service import GameService
from app.games.view_models import GamePageExtensions, Notice, circling
from app.http.dependencies import service_of
from app.http.middleware.access_log import KnownRoute
from app.http.templates import environment
from app.identity.dependencies import CurrentPlayer, acting_player
from app.identity.model import Player

router = APIRouter(include_in_schema=False)
card_html.install(environment())

_BUTTONS: Final = WORDS | {"deal"}
_WATCHING: Final = "You are watching: only who sits at this table can play here."


@router.get("/games/{game_id}")
async def show_table(
    request: Request, game_id: str, player: CurrentPlayer, held: Annotated[str, Query()] = ""
) -> HTMLResponse:
    """The table. ``held`` is what a visitor without a script has taken hold of."""
    viewer_id = player.id if player else None
    game = await _play(request).shown(game_id, viewer_id)
    is_watched = not await _play(request).may_play(game, viewer_id)
    holding = EMPTY_HANDED if is_watched else answers.held(game, held)
    said = _WATCHING if is_watched else answers.waiting(game, holding) or circling(game)
    notice = Notice(said or await _told(request, game, viewer_id))
    return await answers.table_page(request, game, holding, notice, is_watched=is_watched)


@router.get("/games/{game_id}/board")
async def catch_up(
    request: Request, game_id: str, player: CurrentPlayer, since: Annotated[int, Query()] = -1
) -> Response:
    """The whole table as fragments, for a page that may have missed something; 204 if it has not."""
    viewer_id = player.id if player else None
    game = await _play(request).shown(game_id, viewer_id)
    if game.version <= since:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    notice = Notice(await _told(request, game, viewer_id))
    return await answers.whole_table(request, game, notice, HTTPStatus.OK)


async def click(request: Request) -> Response:
    """A click on a card or a place, with or without something in the hand."""
    player, form = await acting_player(request), await posted(request, ClickForm)
    game_id: str = request.path_params["game_id"]
    play = _play(request)
    game = await play.seen(game_id, form.version)
    may_play = await play.may_play(game, player.id)
    if not may_play:
        game = await play.load(game_id)  # it may have changed hands
        may_play = await play.may_play(game, player.id)
    if game.version != form.version or game.is_over or not may_play:
        # Nothing to read from this click; acting says so in the right words.
        return await _act(request, player, form, game, "deal")
    grip = answers.read_grip(game, form.clicked)
    before = answers.held(game, form.held)
    match read_click(game.rules, game.position, grip, before.grip):
        case Select(taken, because):
            after = board.hold(game.rules, game.position, taken)
            return await answers.selection(request, game, before, after, because)
        case Release():
            return await answers.selection(request, game, before, EMPTY_HANDED, "")
        case Nothing(because):
            return await answers.unchanged(
                request, game, before, Notice(because, "why"), HTTPStatus.OK
            )
        case action:
            return await _act(request, player, form, game, str(action), before)


async def move(request: Request) -> Response:
    """A move that the page names in full: a card dragged, or chosen by key."""
    player, form = await acting_player(request), await posted(request, MoveForm)
    if form.move in WORDS:
        raise MalformedError(f"{form.move!r} is not a move: it has an address of its own.")
    return await _turn(request, player, form, form.move)


async def turn(request: Request) -> Response:
    """The buttons beside the table."""
    word: str = request.path_params["word"]
    if word not in _BUTTONS:
        raise NotFoundError("Nothing is known under this address.")
    player, form = await acting_player(request), await posted(request, TurnForm)
    return await _turn(request, player, form, word)


# Plain routes, found at once, and without the framework's reading of parameters, which took a tenth of the time from
# a click to its answer.
TURNS: Final = [
    KnownRoute("/games/{game_id}/click", click, methods=["POST"]),
    KnownRoute("/games/{game_id}/move", move, methods=["POST"]),
    KnownRoute("/games/{game_id}/{word}", turn, methods=["POST"]),
]
"""To be tried before all others."""


async def _turn(request: Request, player: Player, form: TurnForm, action: str) -> Response:
    seen = await _play(request).seen(request.path_params["game_id"], form.version)
    return await _act(request, player, form, seen, action, answers.held(seen, form.held))


async def _act(  # noqa: PLR0917 - all that there is to know of a turn
    request: Request,
    player: Player,
    form: TurnForm,
    seen: Game,
    action: str,
    holding: Holding = EMPTY_HANDED,
) -> Response:
    outcome = await _play(request).act(seen.id, player.id, form.version, action)
    last = await _followed(request, player, seen, outcome, action)
    return await answers.tell(request, seen, outcome, action, holding, last=last)


# --- afterwards and around


async def _followed(
    request: Request, player: Player, before: Game, outcome: Outcome, action: str
) -> Game:
    """The table after all that its player wishes to follow a move by itself."""
    if outcome.result is not Result.ACCEPTED or action in WORDS:
        return outcome.game
    after_move = service_of(request, GamePageExtensions).after_move
    return await after_move(request, player, before, outcome.game)


async def _told(request: Request, game: Game, viewer_id: str | None) -> str:
    """What somebody else at a shared table did last, for who comes to see it."""
    if game.kind is not Kind.SHARED:
        return ""
    return answers.told(game, *await _play(request).shared.last(game, viewer_id))


def _play(request: Request) -> GameService:
    return service_of(request, GameService)
