"""Sharing as pages: deals with previews and QR codes, replays, forks, and text records."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Form, Query, Request, Response
from starlette.datastructures import UploadFile
from starlette.responses import HTMLResponse, RedirectResponse

from app.deals.difficulty import DifficultyService
from app.deals.service import DealStock
from app.errors import DealNotFoundError, NotFoundError, RulesetNotFoundError
from app.games.catalog import EXAMPLE
from app.games.lookup import chosen_game, get_ruleset
from app.games.model import Game
from app.games.moments import GameEvent
from app.games.replay import Hindsight
from app.games.site_games import find_site_game
from app.games.solver_line import IsSolverLine
from app.http.dependencies import is_htmx, origin_of, service_of, sharing_of_links
from app.http.qr import qr_response
from app.http.rate_limits import ImportLimit, NewGameLimit, client_address
from app.http.templates import NO_STORE, page, see_other
from app.identity.dependencies import ActingPlayer, CurrentPlayer, ViewerId
from app.identity.model import Player
from app.networks import network_of
from app.rulesets import FIRST_RULESET
from app.sharing.model import BadRecordError
from app.sharing.preview import PreviewCache
from app.sharing.replay_views import ReplayView, replay_view
from app.sharing.service import SharingService
from app.sharing.site_replay import site_replay_view
from app.sharing.views import FindDealView, ImportView, deal_view
from app.text import gettext

router = APIRouter(include_in_schema=False)

IMPORT_PATHS: Final = ("/import", "/api/v1/records")
"""The addresses for records, which may be longer than any other request."""

_LONGEST: Final = 400  # of what is typed into a field
_LONGEST_CODE: Final = 40  # that its field takes

# A code always deals the same cards; only our drawing of them may change with a release.
_DAY_SECONDS: Final = 86400
_FOR_A_DAY: Final = {"Cache-Control": f"public, max-age={_DAY_SECONDS}"}
FindNotes = Callable[
    [Request, Player | None, Game, Sequence[GameEvent]], Awaitable[Hindsight | None]
]
"""Called with the viewer, an ended game, and its log."""


@dataclass(frozen=True, slots=True)
class ReplayNotes:
    """The callback that finds the analysis of an ended game."""

    find: FindNotes


@router.get("/deal")
async def find_deal(
    request: Request,
    _player: CurrentPlayer,
    ruleset: Annotated[str, Query(max_length=_LONGEST)] = "",
    code: Annotated[str, Query(max_length=_LONGEST)] = "",
) -> Response:
    """The page of the deal with a code that a visitor has typed in, in any spelling; without one, the form for it."""
    ruleset, code = ruleset.strip(), code.strip()
    if not (ruleset and code):
        return _find_deal_page(request, ruleset, code)
    try:
        return see_other(_sharing(request).deal(chosen_game(ruleset, code), code).path)
    except NotFoundError as error:
        return _find_deal_page(request, ruleset, code, error)


@router.get("/deal/{ruleset}")
async def find_deal_of_game(request: Request, ruleset: str, _player: CurrentPlayer) -> Response:
    """A link that lost its code: the form for it, also if no game has this name."""
    try:
        return _find_deal_page(request, get_ruleset(ruleset).id, "")
    except NotFoundError as error:
        return _find_deal_page(request, ruleset, "", error)


@router.get("/deal/{ruleset}/{code}")
async def show_deal(request: Request, ruleset: str, code: str, player: CurrentPlayer) -> Response:
    """A deal behind a link."""
    sharing = _sharing(request)
    try:
        deal = sharing.deal(ruleset, code)
    except NotFoundError as error:
        return _find_deal_page(request, ruleset, code, error)
    if (ruleset, code) != (deal.rules.id, deal.code):
        return RedirectResponse(deal.path, HTTPStatus.PERMANENT_REDIRECT)
    player_id = player.id if player else None
    results = await sharing.results(deal, player_id)
    open_game = await sharing.open_game(deal, player_id)
    grades = service_of(request, DifficultyService)
    # Only players start the search for an unknown difficulty, robots do not.
    found = await grades.of_code(deal.rules, deal.code, wanted=player is not None)
    if open_game and not await service_of(request, DealStock).is_proven_code(deal.rules, deal.code):
        found = None  # it would tell whether that game can be won
    view = deal_view(
        deal, origin_of(request), results, player_id, open_game=open_game, difficulty=found
    )
    return page(request, "sharing/deal.html", view, headers=NO_STORE)


@router.get("/deal/{ruleset}/{code}/picture.png")
async def preview(request: Request, ruleset: str, code: str) -> Response:
    """The visible opening as a PNG, for link previews."""
    deal = _sharing(request).deal(ruleset, code)
    network = network_of(client_address(request))
    return _picture(await service_of(request, PreviewCache).preview(deal.rules, deal.code, network))


@router.get("/preview.png")
async def site_preview(request: Request) -> Response:
    """The picture that other sites show beside a link to the home page."""
    return _picture(await service_of(request, PreviewCache).site())


@router.get("/preview/{ruleset}.png")
async def game_preview(request: Request, ruleset: str) -> Response:
    """An opening of a game, for links whose own cards are secret or will have changed."""
    deal = _sharing(request).deal(ruleset, EXAMPLE)
    return _picture(await service_of(request, PreviewCache).game(deal.rules, deal.code))


@router.get("/deal/{ruleset}/{code}/qr.svg")
async def qr_code(request: Request, ruleset: str, code: str) -> Response:
    """The link of a deal as a QR code."""
    deal = _sharing(request).deal(ruleset, code)
    caching = {"Cache-Control": f"{sharing_of_links(request)}, max-age={_DAY_SECONDS}"}
    return qr_response(origin_of(request) + deal.path, caching)


@router.get("/games/{game_id}/replay")
async def show_replay(
    request: Request,
    game_id: str,
    player: CurrentPlayer,
    is_solver: IsSolverLine,
    at: Annotated[int, Query()] = 0,
) -> HTMLResponse:
    """A finished game at a step; only the table if the page's script asks.

    With ``is_solver``, the solver's line to a win from the last winnable step.
    """
    viewer_id = player.id if player else None
    finished = await _sharing(request).finished_game(game_id, viewer_id)
    hindsight = await service_of(request, ReplayNotes).find(
        request, player, finished.replay.end, [moment.event for moment in finished.replay.moments]
    )
    view = replay_view(
        *(finished, origin_of(request), at, hindsight),
        viewer_id=viewer_id,
        is_solver=is_solver,
    )
    return _replay_page(request, view)


@router.get("/watch/{ruleset}")
async def show_site_game(
    request: Request, ruleset: str, _player: CurrentPlayer, at: Annotated[int, Query()] = 0
) -> HTMLResponse:
    """A game that the site played, at a step."""
    found = find_site_game(ruleset)
    if found is None:
        raise NotFoundError(gettext("We can't find that game. Check the link."))
    view = site_replay_view(found, origin_of(request), at)
    return _replay_page(request, view)


@router.post("/games/{game_id}/replay/fork", dependencies=[NewGameLimit])
async def fork(
    request: Request, game_id: str, player: ActingPlayer, at: Annotated[int, Form()]
) -> Response:
    """Start a new game from a step of a finished one."""
    game = await _sharing(request).fork(player.id, game_id, at)
    return see_other(f"/games/{game.id}")


@router.get("/games/{game_id}/record.txt")
async def record(request: Request, game_id: str, viewer_id: ViewerId) -> Response:
    """A game as a text record."""
    text = await _sharing(request).record(game_id, viewer_id)
    return Response(text, headers=NO_STORE, media_type="text/plain; charset=utf-8")


@router.get("/import")
async def show_import(request: Request, _viewer_id: ViewerId) -> HTMLResponse:
    """The form to import a record."""
    return page(request, "sharing/import.html", ImportView("/import", "", ""))


@router.post("/import", dependencies=[NewGameLimit, ImportLimit])
async def import_record(request: Request, player: ActingPlayer) -> Response:
    """Import a record, pasted or as a file; a bad one comes back with the error."""
    text = await _read_form(request)
    try:
        game = await _sharing(request).import_record(player.id, text)
    except BadRecordError as error:
        view = ImportView("/import", text, error.detail)
        return page(request, "sharing/import.html", view, HTTPStatus.UNPROCESSABLE_ENTITY)
    ending = "/replay" if game.is_over else ""
    return see_other(f"/games/{game.id}{ending}")


def _find_deal_page(
    request: Request, ruleset: str, code: str, error: NotFoundError | None = None
) -> HTMLResponse:
    view = FindDealView(
        title=error.title if error else gettext("Open a deal"),
        code=code[:_LONGEST_CODE],
        ruleset=error.nearest if isinstance(error, RulesetNotFoundError) else ruleset,
        fault=error.detail if error else "",
        is_wrong_code=isinstance(error, DealNotFoundError),
        example=_sharing(request).deal(FIRST_RULESET.id, EXAMPLE).path,
    )
    return page(request, "sharing/find_deal.html", view, headers=NO_STORE, error=error)


def _replay_page(request: Request, view: ReplayView) -> HTMLResponse:
    template = "sharing/_step.html" if is_htmx(request) else "sharing/replay.html"
    return page(request, template, view, headers={**NO_STORE, "Vary": "HX-Request"})


def _picture(png: bytes) -> Response:
    headers = {**_FOR_A_DAY, "Cross-Origin-Resource-Policy": "cross-origin"}
    return Response(png, headers=headers, media_type="image/png")


async def _read_form(request: Request) -> str:
    """The file of the form if there is one, or the text."""
    async with request.form(max_files=1, max_fields=2) as form:
        file, text = form.get("file"), form.get("text")
        if isinstance(file, UploadFile) and file.size:
            return (await file.read()).decode(errors="replace")
        return text if isinstance(text, str) else ""


def _sharing(request: Request) -> SharingService:
    return service_of(request, SharingService)
