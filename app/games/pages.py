"""The pages of a game: every click is a form, with or without a script in the page.

A request by htmx is answered with the piles that changed. A plain form is answered with a redirect
if something happened, so that reloading repeats nothing, and with the whole page otherwise.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import HTMLResponse

from app.engine.actions import Action
from app.errors import AppError, MalformedError, NotFoundError
from app.games import board, forms, responses
from app.games.board import EMPTY_HANDED, Holding
from app.games.clicks import Nothing, Release, Select, read_click
from app.games.dependencies import games_of
from app.games.extensions import GamePageExtensions
from app.games.game_actions import WORDS
from app.games.model import Game, Kind
from app.games.outcome import ActionOutcome, ActionResult
from app.games.service import GameService
from app.games.view_models import NoticeLine
from app.games.warnings import before_next_move
from app.http.dependencies import is_htmx, service_of
from app.http.middleware.access_log import LoggedRoute
from app.http.preferences import play_preferences_of
from app.identity.dependencies import ViewerId, current_player, player_or_guest
from app.identity.model import Player
from app.text import gettext

router = APIRouter(include_in_schema=False)

_BUTTONS: Final = WORDS | {"deal"}


@router.get("/games/{game_id}")
async def show_game(
    request: Request,
    game_id: str,
    viewer_id: ViewerId,
    held: Annotated[str, Query()] = "",
    left: Annotated[str, Query(max_length=40)] = "",
) -> HTMLResponse:
    """The page of a game. ``held`` is what a visitor without a script has picked up, ``left`` the game they left."""
    games = games_of(request)
    game = await games.load_visible(game_id, viewer_id)
    is_watched = not await games.may_play(game, viewer_id)
    holding = EMPTY_HANDED if is_watched else forms.read_holding(game, held)
    if is_watched:
        return await responses.render_page(request, game, holding, None, is_watched=True)
    held_text = responses.describe_holding(game, holding)
    notice = NoticeLine(held_text) if held_text else before_next_move(game)
    if left and not notice.text and not game.version:
        notice = NoticeLine(await _saved_game_note(games, left, viewer_id))
    is_arrival = not notice.text
    if is_arrival:
        notice = await _describe_last_action(request, game, viewer_id)
    return await responses.render_page(request, game, holding, notice, is_arrival=is_arrival)


async def _saved_game_note(games: GameService, game_id: str, viewer_id: str | None) -> str:
    """A note that the game which its player left for this one can be continued; empty if it can not."""
    try:
        game = await games.load_visible(game_id, viewer_id)
    except AppError:
        return ""
    if game.owner_id != viewer_id or game.is_over or not game.moves:
        return ""
    return gettext("Your game of %(title)s is saved on the home page.", title=game.rules.title)


@router.get("/games/{game_id}/board")
async def catch_up(
    request: Request, game_id: str, viewer_id: ViewerId, since: Annotated[int, Query()] = -1
) -> Response:
    """All piles as fragments, for a page that may have missed something; 204 if it has not."""
    game = await games_of(request).load_visible(game_id, viewer_id)
    if game.version <= since:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    notice = await _describe_last_action(request, game, viewer_id)
    return await responses.respond_whole(request, game, notice, HTTPStatus.OK)


async def click(request: Request) -> Response:
    """A click on a card or a pile, with or without something held."""
    known, form = await current_player(request), await forms.read_form(request, forms.ClickForm)
    games = games_of(request)
    game_id: str = request.path_params["game_id"]
    game = await games.log.load_seen(game_id, form.version)
    player = await player_or_guest(request, known)
    may_play = await games.may_play(game, player.id)
    if not may_play:
        game = await games.log.load(game_id)  # the owner may have changed
        may_play = await games.may_play(game, player.id)
    # Before it is noted: it may be any text. Without a click, what is held is put down.
    grip = forms.read_grip(game, form.clicked or form.held)
    if game.version != form.version or game.is_over or not may_play:
        return await _refuse_click(request, player, form)
    held = forms.read_holding(game, form.held)
    if not form.clicked:
        return await responses.respond_selection(request, game, held, EMPTY_HANDED, "")
    kind, legal = game.kind, game.legal_actions
    is_compared = kind.has_ranked_rules or kind.is_challenge_attempt
    match read_click(game.rules, game.position, grip, held.grip, legal, is_compared=is_compared):
        case Select(taken, because):
            now_held = board.hold(game.rules, game.position, taken, game.legal_actions)
            return await responses.respond_selection(request, game, held, now_held, because)
        case Release():
            return await responses.respond_selection(request, game, held, EMPTY_HANDED, "")
        case Nothing(because):
            why = NoticeLine(because, "why")
            return await responses.respond_unchanged(request, game, held, why, HTTPStatus.OK)
        case action:
            return await _act(request, player, form, action, held)


async def move(request: Request) -> Response:
    """A move that the page writes out: a card was dragged, or chosen by key."""
    known, form = await current_player(request), await forms.read_form(request, forms.MoveForm)
    if form.move in WORDS:
        raise MalformedError(
            gettext("%(text)s is not a move. Send it to its own address.", text=repr(form.move))
        )
    return await _act_by_name(request, known, form, form.move)


async def turn(request: Request) -> Response:
    """The buttons beside the cards."""
    word: str = request.path_params["word"]
    if word not in _BUTTONS:
        raise NotFoundError(gettext("There's no page at this address."))
    known, form = await current_player(request), await forms.read_form(request, forms.TurnForm)
    return await _act_by_name(request, known, form, word)


# Plain routes, found at once, and without the framework's reading of parameters, which took a tenth of the time from
# a click to its answer.
TURNS: Final = [
    LoggedRoute("/games/{game_id}/click", click, methods=["POST"]),
    LoggedRoute("/games/{game_id}/move", move, methods=["POST"]),
    LoggedRoute("/games/{game_id}/{word}", turn, methods=["POST"]),
]
"""Tried before all other routes."""


async def _refuse_click(request: Request, player: Player, form: forms.ClickForm) -> Response:
    """Say why a click of any kind has no meaning now."""
    game_id: str = request.path_params["game_id"]
    clicked = f"click {form.clicked}"
    outcome = await games_of(request).refuse(game_id, player.id, form.version, clicked)
    return await responses.respond(request, outcome, form.version, clicked)


async def _act_by_name(
    request: Request, known: Player | None, form: forms.TurnForm, action: str
) -> Response:
    seen = await games_of(request).log.load_seen(request.path_params["game_id"], form.version)
    player = await player_or_guest(request, known)
    return await _act(request, player, form, action, forms.read_holding(seen, form.held))


async def _act(
    request: Request,
    player: Player,
    form: forms.TurnForm,
    action: Action | str,
    held: Holding = EMPTY_HANDED,
) -> Response:
    game_id: str = request.path_params["game_id"]
    early = responses.EarlyResponse(action, held)
    outcome = await games_of(request).act(
        game_id,
        player.id,
        form.version,
        action,
        meanwhile=early.render if is_htmx(request) else None,
    )
    last, move_sequence = await _auto_move(request, player, outcome, action)
    return early.of(last) or await responses.respond(
        request, outcome, form.version, action, held, last=last, move_sequence=move_sequence
    )


async def _auto_move(
    request: Request, player: Player, outcome: ActionOutcome, action: Action | str
) -> tuple[Game, str]:
    """The game after the automatic moves that the player's preferences ask for; those of a finish, to be shown."""
    game = outcome.game
    is_move = outcome.result is ActionResult.ACCEPTED and action not in WORDS
    if not is_move or outcome.before is None:
        return game, ""
    wishes, extensions = play_preferences_of(request), service_of(request, GamePageExtensions)
    if wishes.safe_home or wishes.runs_home:
        game = await extensions.auto_move(
            player.id, outcome.before, game, cards=wishes.safe_home, runs=wishes.runs_home
        )
    if wishes.finish and game.kind is Kind.OPEN:  # at a shared table it concerns the others, too
        return await extensions.auto_finish(player.id, outcome.game, game)
    return game, ""


async def _describe_last_action(request: Request, game: Game, viewer_id: str | None) -> NoticeLine:
    """What another player of a shared game did last."""
    if game.kind is not Kind.SHARED:
        return NoticeLine()
    name, action = await games_of(request).shared_tables.last(game, viewer_id)
    return responses.describe_last_action(game, name, action)
