"""The table as pages and fragments: every click is a form, with or without a script in the page.

A request of htmx is answered with the piles that changed. A plain form is answered with a redirect
where something happened, so that reloading repeats nothing, and with the whole page otherwise.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Final, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request, Response
from pydantic import BaseModel, Field
from starlette.responses import HTMLResponse, RedirectResponse

from app.engine.position import Position
from app.engine.spec import PileId
from app.play import board, markup, words
from app.play.board import EMPTY_HANDED, Holding
from app.play.clicks import Grip, Nothing, Release, Select, parse_grip, read_click
from app.play.outcome import Outcome, Result
from app.play.service import PlayService
from app.play.standing import CONTROLS, Notice, TableView, TurnView, circling, closing, state_view
from app.play.table import WORDS, Table
from app.players.identity import CurrentPlayer, Seated
from app.players.service import Player
from app.web.errors import MalformedError
from app.web.htmx import is_htmx
from app.web.templating import environment, page, render

router = APIRouter(include_in_schema=False)
markup.install(environment())


class TurnForm(BaseModel):
    """What every form of a table posts: the version that the page shows, and what it holds."""

    version: Annotated[int, Field(ge=0, le=2**31)]
    held: Annotated[str, Field(max_length=12)] = ""


class ClickForm(TurnForm):
    """A click on a card or a place."""

    clicked: Annotated[str, Field(max_length=12)]


class MoveForm(TurnForm):
    """A move named in full."""

    move: Annotated[str, Field(max_length=16)]


_WATCHING: Final = "You are watching: only the player who sits at this table can play here."


@router.get("/games/{game_id}")
async def show_table(
    request: Request, game_id: str, player: CurrentPlayer, held: Annotated[str, Query()] = ""
) -> HTMLResponse:
    """The table. ``held`` is what a visitor without a script has taken hold of."""
    table = await _play(request).shown(game_id, player.id if player else None)
    is_watched = player is None or player.id != table.owner_id
    holding = EMPTY_HANDED if is_watched else _holding(table, held)
    notice = Notice(_WATCHING if is_watched else _waiting(table, holding) or circling(table))
    return _table_page(request, table, holding, notice, is_watched=is_watched)


@router.get("/games/{game_id}/board")
async def catch_up(
    request: Request, game_id: str, player: CurrentPlayer, since: Annotated[int, Query()] = -1
) -> Response:
    """The whole table as fragments, for a page that may have missed something; 204 if it has not."""
    table = await _play(request).shown(game_id, player.id if player else None)
    if table.version <= since:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    return _whole_table(request, table, Notice(), HTTPStatus.OK)


@router.post("/games/{game_id}/click")
async def click(
    request: Request, game_id: str, player: Seated, form: Annotated[ClickForm, Form()]
) -> Response:
    """A click on a card or a place, with or without something in the hand."""
    play = _play(request)
    table = await play.seen(game_id, form.version)
    if table.owner_id != player.id:
        table = await play.load(game_id)  # it may have changed hands
    if table.version != form.version or table.is_over or table.owner_id != player.id:
        # Nothing to read from this click; acting says so in the right words.
        return _outcome(
            request, table, await play.act(game_id, player.id, form.version, "deal"), "deal"
        )
    grip = _read_grip(table, form.clicked)
    before = _holding(table, form.held)
    match read_click(table.spec, table.position, grip, before.grip):
        case Select(taken, because):
            after = board.hold(table.spec, table.position, taken)
            return _selection(request, table, before, after, because)
        case Release():
            return _selection(request, table, before, EMPTY_HANDED, "")
        case Nothing(because):
            return _unchanged(request, table, before, Notice(because, "why"), HTTPStatus.OK)
        case action:
            outcome = await play.act(game_id, player.id, form.version, str(action))
            return _outcome(request, table, outcome, str(action), before)


@router.post("/games/{game_id}/move")
async def move(
    request: Request, game_id: str, player: Seated, form: Annotated[MoveForm, Form()]
) -> Response:
    """A move that the page names in full: a card dragged, or chosen by key."""
    if form.move in WORDS:
        raise MalformedError(f"{form.move!r} is not a move: it has an address of its own.")
    return await _act(request, game_id, player, form, form.move)


@router.post("/games/{game_id}/{word}")
async def turn(
    request: Request,
    game_id: str,
    word: Literal["deal", "undo", "redo", "restart", "resign"],
    player: Seated,
    form: Annotated[TurnForm, Form()],
) -> Response:
    """The buttons beside the table."""
    return await _act(request, game_id, player, form, word)


async def _act(
    request: Request, game_id: str, player: Player, form: TurnForm, action: str
) -> Response:
    play = _play(request)
    table = await play.seen(game_id, form.version)
    outcome = await play.act(game_id, player.id, form.version, action)
    return _outcome(request, table, outcome, action, _holding(table, form.held))


# --- answers


def _outcome(
    request: Request,
    seen: Table,
    outcome: Outcome,
    action: str,
    holding: Holding = EMPTY_HANDED,
) -> Response:
    """What became of ``action``, which was aimed at the table ``seen``."""
    table = outcome.table
    match outcome.result:
        case Result.ACCEPTED:
            return _accepted(request, seen.position, outcome, action, holding)
        case Result.REFUSED | Result.IMPOSSIBLE:
            status = HTTPStatus.UNPROCESSABLE_ENTITY
            return _unchanged(request, table, holding, Notice(outcome.sentence, "why"), status)
        case Result.STALE | Result.OVER:
            return _whole_table(request, table, Notice(outcome.sentence), HTTPStatus.CONFLICT)


def _accepted(
    request: Request, before: Position, outcome: Outcome, action: str, holding: Holding
) -> Response:
    table = outcome.table
    if not is_htmx(request):
        return RedirectResponse(f"/games/{table.id}", HTTPStatus.SEE_OTHER)
    going_round = circling(table)
    said = words.done(action) or _played(table, before)
    notice = (
        Notice(going_round) if going_round else Notice(f"{said} {closing(table)}".rstrip(), "quiet")
    )
    piles = board.redrawn(table.spec, before, outcome.touched, table.position, holding)
    return _fragments(table, EMPTY_HANDED, piles, notice)


def _selection(
    request: Request, table: Table, before: Holding, after: Holding, because: str
) -> Response:
    if not is_htmx(request):
        query = f"?{urlencode({'held': str(after.grip)})}" if after.grip else ""
        return RedirectResponse(f"/games/{table.id}{query}", HTTPStatus.SEE_OTHER)
    piles = before.piles | after.piles
    said = Notice(_waiting(table, after) or "Let go.", "quiet")
    return _fragments(table, after, piles, Notice(because) if because else said)


def _unchanged(
    request: Request, table: Table, holding: Holding, notice: Notice, status: HTTPStatus
) -> Response:
    if is_htmx(request):
        return _fragments(table, holding, (), notice, status=status)
    return _table_page(request, table, holding, notice, status=status)


def _whole_table(request: Request, table: Table, notice: Notice, status: HTTPStatus) -> Response:
    if is_htmx(request):
        every = table.spec.layout.ids
        return _fragments(table, EMPTY_HANDED, every, notice, status=status)
    return _table_page(request, table, EMPTY_HANDED, notice, status=status)


def _fragments(
    table: Table,
    holding: Holding,
    piles: frozenset[PileId] | set[PileId] | tuple[PileId, ...],
    notice: Notice,
    *,
    status: HTTPStatus = HTTPStatus.OK,
) -> HTMLResponse:
    view = TurnView(
        piles=board.some_piles(table.spec, table.position, piles, holding),
        state=state_view(table, holding),
        notice=notice,
    )
    return HTMLResponse(render("play/turn.html", view=view), status)


def _table_page(
    request: Request,
    table: Table,
    holding: Holding,
    notice: Notice,
    *,
    is_watched: bool = False,
    status: HTTPStatus = HTTPStatus.OK,
) -> HTMLResponse:
    spec = table.spec
    zones = board.zones(spec, table.position, holding)
    view = TableView(
        path=f"/games/{table.id}",
        game_id=table.id,
        title=spec.title,
        ruleset=spec.id,
        code=table.code,
        kind=board.kind(spec),
        zones=[(name, piles) for name, piles in zones._asdict().items() if piles],
        state=state_view(table, holding),
        notice=notice,
        controls=CONTROLS,
        is_watched=is_watched,
    )
    return page(request, "play/table.html", view, status, {"Cache-Control": "no-store"})


# --- words and readings


def _played(table: Table, before: Position) -> str:
    action = table.line.last_action
    return words.played(table.spec, before, action, table.position) if action else ""


def _holding(table: Table, held: str) -> Holding:
    """What the page holds; anything that cannot be held is nothing."""
    if not held:
        return EMPTY_HANDED
    return board.hold(table.spec, table.position, _read_grip(table, held))


def _read_grip(table: Table, text: str) -> Grip:
    try:
        return parse_grip(table.spec.layout, text)
    except ValueError as error:
        raise MalformedError(str(error)) from error


def _waiting(table: Table, holding: Holding) -> str:
    if holding.grip is None:
        return ""
    return words.held(table.spec, table.position, holding.grip, holding.targets)


def _play(request: Request) -> PlayService:
    service: PlayService = request.app.state.play
    return service
