"""Waiting for a deal to be proven, and what a table tells of how hard its deal is."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from fastapi import APIRouter, Request, Response
from markupsafe import Markup
from starlette.responses import RedirectResponse

from app.deals.difficulty import DifficultyService
from app.deals.repository import Kind
from app.deals.service import DealStock, Hope
from app.engine.shuffle import Code
from app.games.model import Game, get_ruleset
from app.games.model import Kind as TableKind
from app.games.new_game import Choice, choice_of
from app.games.view_models import Panel
from app.http.dependencies import service_of
from app.http.templates import page, render
from app.identity.dependencies import CurrentPlayer
from app.jobs.job import TooManyJobsError

router = APIRouter(include_in_schema=False)

_FRESH: Final = {"Cache-Control": "no-store"}


@dataclass(frozen=True, slots=True)
class WaitingView:
    """Somebody waits for a winnable deal."""

    path: str
    ruleset: str
    title: str
    hope: str
    percent: int


@dataclass(frozen=True, slots=True)
class OtherView:
    """The kind of deal that is not dealt by itself."""

    ruleset: str
    other: str


@router.get("/new/{ruleset}")
async def wait(request: Request, ruleset: str, player: CurrentPlayer) -> Response:
    """How the search for a deal goes; once there is one, it can be dealt."""
    rules = get_ruleset(ruleset)
    pool = service_of(request, DealStock)
    if player is None or not pool.proves:  # nobody came here from the button
        return RedirectResponse("/", HTTPStatus.SEE_OTHER)
    try:
        hope = await pool.hope(player.id, Kind.OPEN, rules)
    except TooManyJobsError:
        hope = Hope.LOOKING  # other things come first for this player; the page asks again
    progress = await pool.progress(player.id, Kind.OPEN, rules)
    view = WaitingView(
        path=f"/new/{rules.id}",
        ruleset=rules.id,
        title=rules.title,
        hope=hope.name.lower(),
        percent=100 if hope is Hope.READY else round(100 * progress.share),
    )
    return page(request, "deals/waiting.html", view, headers=_FRESH)


async def side(request: Request, game: Game) -> Panel:
    """For the menu of a table: another kind of deal, and how hard this one is."""
    if game.kind is not TableKind.OPEN:
        return Panel()
    menu = other = Markup()
    grades = service_of(request, DifficultyService)
    found = await grades.of_code(game.rules, Code(game.code)) if game.code else None
    if found:
        menu = Markup(render("deals/_grade.html", view=found))  # noqa: S704 - a rendered template
    pool = service_of(request, DealStock)
    if pool.proves:
        kind = Choice.ANY if choice_of(request) is Choice.WINNABLE else Choice.WINNABLE
        view = OtherView(game.rules.id, kind)
        other = Markup(render("deals/_other.html", view=view))  # noqa: S704 - as above
    return Panel(menu=menu, deals=other)
