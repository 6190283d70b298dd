"""What a table answers to a form: fragments for a page with a script, a page or a redirect without one."""

from __future__ import annotations

from collections.abc import Collection
from http import HTTPStatus
from urllib.parse import urlencode

from fastapi import Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from app.engine.position import Position
from app.engine.ruleset import PileId
from app.engine.transition import changed_piles
from app.errors import MalformedError
from app.games import board, descriptions
from app.games.board import EMPTY_HANDED, Holding
from app.games.clicks import Grip, parse_grip
from app.games.model import Table
from app.games.outcome import Outcome, Result
from app.games.preferences import wishes_of
from app.games.view_models import (
    Notice,
    TableView,
    TurnView,
    circling,
    closing,
    controls,
    state_view,
)
from app.http.htmx import is_htmx
from app.http.templates import macro, page


async def tell(
    request: Request,
    seen: Table,
    outcome: Outcome,
    action: str,
    holding: Holding = EMPTY_HANDED,
    *,
    last: Table | None = None,
) -> Response:
    """What became of ``action``, aimed at the table ``seen``, and of what followed it up to ``last``."""
    table = outcome.table
    match outcome.result:
        case Result.ACCEPTED:
            last = last or table
            said = descriptions.done(action) or _played(table, seen.position)
            also = descriptions.went_home(last.version - table.version)
            return _accepted(request, seen.position, last, f"{said} {also}".rstrip(), holding)
        case Result.REFUSED | Result.IMPOSSIBLE:
            status = HTTPStatus.UNPROCESSABLE_ENTITY
            if (
                table.version != seen.version
            ):  # judged on the table as it is, not as the page shows it
                return await whole_table(request, table, Notice(outcome.sentence, "why"), status)
            return await unchanged(request, table, holding, Notice(outcome.sentence, "why"), status)
        case Result.ASKED:
            if not is_htmx(request):
                return RedirectResponse(f"/games/{table.id}", HTTPStatus.SEE_OTHER)
            return await whole_table(request, table, Notice(outcome.sentence), HTTPStatus.OK)
        case Result.STALE | Result.OVER:
            return await whole_table(request, table, Notice(outcome.sentence), HTTPStatus.CONFLICT)


def _accepted(
    request: Request, before: Position, table: Table, said: str, holding: Holding
) -> Response:
    if not is_htmx(request):
        return RedirectResponse(f"/games/{table.id}", HTTPStatus.SEE_OTHER)
    going_round = circling(table)
    notice = (
        Notice(going_round) if going_round else Notice(f"{said} {closing(table)}".rstrip(), "quiet")
    )
    touched = changed_piles(table.spec, before, table.position)
    piles = board.redrawn(table.spec, before, touched, table.position, holding)
    return fragments(table, EMPTY_HANDED, piles, notice)


def _played(table: Table, before: Position) -> str:
    action = table.line.last_action
    return descriptions.played(table.spec, before, action, table.position) if action else ""


def told(table: Table, who: str, action: str) -> str:
    """What somebody else did last: the ``action`` that led to the table."""
    said = descriptions.done(action) if who else ""
    if who and not said and table.line.can_undo:
        said = _played(table, table.line.undo().position)
    return f"{who}: {said}" if said else ""


async def selection(
    request: Request, table: Table, before: Holding, after: Holding, because: str
) -> Response:
    """Something else is held than ``before``; nothing was played."""
    if not is_htmx(request):
        query = f"?{urlencode({'held': str(after.grip)})}" if after.grip else ""
        return RedirectResponse(f"/games/{table.id}{query}", HTTPStatus.SEE_OTHER)
    piles = before.piles | after.piles
    said = Notice(waiting(table, after) or "Let go.", "quiet")
    return fragments(table, after, piles, Notice(because) if because else said)


async def unchanged(
    request: Request, table: Table, holding: Holding, notice: Notice, status: HTTPStatus
) -> Response:
    """The table as it was, and a line about why."""
    if is_htmx(request):
        return fragments(table, holding, (), notice, status=status)
    return await table_page(request, table, holding, notice, status=status)


async def whole_table(
    request: Request, table: Table, notice: Notice, status: HTTPStatus
) -> Response:
    """Every pile: whoever asked has not seen this table before."""
    if is_htmx(request):
        every = table.spec.layout.ids
        return fragments(table, EMPTY_HANDED, every, notice, status=status)
    return await table_page(request, table, EMPTY_HANDED, notice, status=status)


def fragments(
    table: Table,
    holding: Holding,
    piles: Collection[PileId],
    notice: Notice,
    *,
    film: str = "",
    status: HTTPStatus = HTTPStatus.OK,
) -> HTMLResponse:
    """The piles that changed, the state and the line below the table."""
    view = TurnView(
        piles=board.some_piles(table.spec, table.position, piles, holding),
        state=state_view(table, holding, film),
        notice=notice,
    )
    return HTMLResponse(macro("games/turn.html", "turn")(view), status)


async def table_page(
    request: Request,
    table: Table,
    holding: Holding,
    notice: Notice,
    *,
    is_watched: bool = False,
    status: HTTPStatus = HTTPStatus.OK,
) -> HTMLResponse:
    """The whole page of a table."""
    spec = table.spec
    zones = board.zones(spec, table.position, holding)
    view = TableView(
        path=f"/games/{table.id}",
        game_id=table.id,
        title=spec.title,
        ruleset=spec.id,
        code=table.told_code,
        kind=board.kind(spec),
        zones=[(name, piles) for name, piles in zones._asdict().items() if piles],
        state=state_view(table, holding),
        notice=notice,
        controls=controls(table),
        wishes=wishes_of(request),
        has_help=not table.kind.has_rank,
        is_watched=is_watched,
        sides=[await side(request, table) for side in request.app.state.table_sides],
    )
    return page(request, "games/table.html", view, status, {"Cache-Control": "no-store"})


# --- readings


def held(table: Table, text: str) -> Holding:
    """What the page holds; anything that cannot be held is nothing."""
    if not text:
        return EMPTY_HANDED
    return board.hold(table.spec, table.position, read_grip(table, text))


def read_grip(table: Table, text: str) -> Grip:
    """A place on the table as a form names it; raises ``MalformedError``."""
    try:
        return parse_grip(table.spec.layout, text)
    except ValueError as error:
        raise MalformedError(str(error)) from error


def waiting(table: Table, holding: Holding) -> str:
    """What is held and where it may go; nothing when nothing is held."""
    if holding.grip is None:
        return ""
    return descriptions.held(table.spec, table.position, holding.grip, holding.targets)
