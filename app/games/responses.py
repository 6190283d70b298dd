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
from app.games.model import Game
from app.games.outcome import Outcome, Result
from app.games.preferences import wishes_of
from app.games.view_models import (
    GamePageExtensions,
    GamePageView,
    Notice,
    TurnView,
    circling,
    closing,
    controls,
    state_view,
)
from app.http.dependencies import service_of
from app.http.headers import is_htmx
from app.http.templates import macro, page


async def tell(
    request: Request,
    seen: Game,
    outcome: Outcome,
    action: str,
    holding: Holding = EMPTY_HANDED,
    *,
    last: Game | None = None,
) -> Response:
    """What became of ``action``, aimed at the table ``seen``, and of what followed it up to ``last``."""
    game = outcome.game
    match outcome.result:
        case Result.ACCEPTED:
            last = last or game
            said = descriptions.done(action) or _played(game, seen.position)
            also = descriptions.went_home(last.version - game.version)
            return _accepted(request, seen.position, last, f"{said} {also}".rstrip(), holding)
        case Result.REFUSED | Result.IMPOSSIBLE:
            status = HTTPStatus.UNPROCESSABLE_ENTITY
            if (
                game.version != seen.version
            ):  # judged on the table as it is, not as the page shows it
                return await whole_table(request, game, Notice(outcome.sentence, "why"), status)
            return await unchanged(request, game, holding, Notice(outcome.sentence, "why"), status)
        case Result.ASKED:
            if not is_htmx(request):
                return RedirectResponse(f"/games/{game.id}", HTTPStatus.SEE_OTHER)
            return await whole_table(request, game, Notice(outcome.sentence), HTTPStatus.OK)
        case Result.STALE | Result.OVER:
            return await whole_table(request, game, Notice(outcome.sentence), HTTPStatus.CONFLICT)


def _accepted(
    request: Request, before: Position, game: Game, said: str, holding: Holding
) -> Response:
    if not is_htmx(request):
        return RedirectResponse(f"/games/{game.id}", HTTPStatus.SEE_OTHER)
    going_round = circling(game)
    notice = (
        Notice(going_round) if going_round else Notice(f"{said} {closing(game)}".rstrip(), "quiet")
    )
    touched = changed_piles(game.rules, before, game.position)
    piles = board.redrawn(game.rules, before, touched, game.position, holding)
    return fragments(game, EMPTY_HANDED, piles, notice)


def _played(game: Game, before: Position) -> str:
    action = game.history.last_action
    return descriptions.played(game.rules, before, action, game.position) if action else ""


def told(game: Game, who: str, action: str) -> str:
    """What somebody else did last: the ``action`` that led to the table."""
    said = descriptions.done(action) if who else ""
    if who and not said and game.history.can_undo:
        said = _played(game, game.history.undo().position)
    return f"{who}: {said}" if said else ""


async def selection(
    request: Request, game: Game, before: Holding, after: Holding, because: str
) -> Response:
    """Something else is held than ``before``; nothing was played."""
    if not is_htmx(request):
        query = f"?{urlencode({'held': str(after.grip)})}" if after.grip else ""
        return RedirectResponse(f"/games/{game.id}{query}", HTTPStatus.SEE_OTHER)
    piles = before.piles | after.piles
    said = Notice(waiting(game, after) or "Let go.", "quiet")
    return fragments(game, after, piles, Notice(because) if because else said)


async def unchanged(
    request: Request, game: Game, holding: Holding, notice: Notice, status: HTTPStatus
) -> Response:
    """The table as it was, and a line about why."""
    if is_htmx(request):
        return fragments(game, holding, (), notice, status=status)
    return await table_page(request, game, holding, notice, status=status)


async def whole_table(request: Request, game: Game, notice: Notice, status: HTTPStatus) -> Response:
    """Every pile: whoever asked has not seen this table before."""
    if is_htmx(request):
        every = game.rules.layout.ids
        return fragments(game, EMPTY_HANDED, every, notice, status=status)
    return await table_page(request, game, EMPTY_HANDED, notice, status=status)


def fragments(
    game: Game,
    holding: Holding,
    piles: Collection[PileId],
    notice: Notice,
    *,
    film: str = "",
    status: HTTPStatus = HTTPStatus.OK,
) -> HTMLResponse:
    """The piles that changed, the state and the line below the table."""
    view = TurnView(
        piles=board.some_piles(game.rules, game.position, piles, holding),
        state=state_view(game, holding, film),
        notice=notice,
    )
    return HTMLResponse(macro("games/turn.html", "turn")(view), status)


async def table_page(
    request: Request,
    game: Game,
    holding: Holding,
    notice: Notice,
    *,
    is_watched: bool = False,
    status: HTTPStatus = HTTPStatus.OK,
) -> HTMLResponse:
    """The whole page of a table."""
    rules = game.rules
    zones = board.zones(rules, game.position, holding)
    view = GamePageView(
        path=f"/games/{game.id}",
        game_id=game.id,
        title=rules.title,
        ruleset=rules.id,
        code=game.told_code,
        kind=board.kind(rules),
        zones=[(name, piles) for name, piles in zones._asdict().items() if piles],
        state=state_view(game, holding),
        notice=notice,
        controls=controls(game),
        wishes=wishes_of(request),
        has_help=not game.kind.has_rank,
        is_watched=is_watched,
        sides=[
            await panel(request, game) for panel in service_of(request, GamePageExtensions).panels
        ],
    )
    return page(request, "games/table.html", view, status, {"Cache-Control": "no-store"})


# --- readings


def held(game: Game, text: str) -> Holding:
    """What the page holds; anything that cannot be held is nothing."""
    if not text:
        return EMPTY_HANDED
    return board.hold(game.rules, game.position, read_grip(game, text))


def read_grip(game: Game, text: str) -> Grip:
    """A place on the table as a form names it; raises ``MalformedError``."""
    try:
        return parse_grip(game.rules.layout, text)
    except ValueError as error:
        raise MalformedError(str(error)) from error


def waiting(game: Game, holding: Holding) -> str:
    """What is held and where it may go; nothing when nothing is held."""
    if holding.grip is None:
        return ""
    return descriptions.held(game.rules, game.position, holding.grip, holding.targets)
