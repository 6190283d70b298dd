"""Pages for watching: who may, in the menu of a table; and the tables that are played in public."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Form, Query, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse

from app.games.model import Game
from app.games.service import GameService
from app.games.view_models import Panel
from app.http.dependencies import service_of
from app.http.templates import PLAYER, page, render
from app.identity.dependencies import ActingPlayer
from app.identity.model import Player
from app.rulesets import find_ruleset
from app.spectating.cursors import read_cursor, written
from app.spectating.repository import Audience
from app.spectating.service import LiveTable, SpectatingService

router = APIRouter(include_in_schema=False)

_CHOICES: Final = (
    (Audience.NOBODY, "No one"),
    (Audience.LINK, "Anyone with the link"),
    (Audience.PUBLIC, "Everyone: listed under live games"),
)


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the audiences."""

    value: str
    title: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A live table on the list."""

    game_id: str
    title: str
    player: str
    note: str


@dataclass(frozen=True, slots=True)
class WatchView:
    """A page of live tables."""

    path: str
    rows: tuple[Row, ...]
    next: str
    is_first: bool


@router.post("/games/{game_id}/watch/audience")
async def choose(
    request: Request, game_id: str, player: ActingPlayer, audience: Annotated[Audience, Form()]
) -> RedirectResponse:
    """Choose who may watch one's table."""
    await _watching(request).choose(game_id, player.id, audience)
    return RedirectResponse(f"/games/{game_id}", HTTPStatus.SEE_OTHER)


@router.get("/watch")
async def live_tables(
    request: Request, after: Annotated[str, Query(max_length=80)] = ""
) -> HTMLResponse:
    """The tables that are played in public."""
    found = await _watching(request).live_tables(read_cursor(after))
    view = WatchView(
        path="/watch",
        rows=tuple(_row(table) for table in found.tables),
        next=written(found.after) if found.after else "",
        is_first=not after,
    )
    return page(request, "spectating/tables.html", view, headers={"Cache-Control": "no-store"})


async def side(request: Request, table: Game) -> Panel:
    """What a table says of those who watch it: how many, and to whoever it belongs, who may."""
    watching = _watching(request)
    play = service_of(request, GameService)
    player: Player | None = request.scope.get(PLAYER)
    viewer_id = player.id if player else None
    viewers = render("spectating/_viewers.html", viewers=await watching.viewers(table.id))
    menu = ""
    if table.owner_id == viewer_id:
        chosen = await watching.audience(table)
        choices = [
            Choice(value, title, value is chosen)
            for value, title in _CHOICES
            if not (table.kind.is_attempt and value is Audience.PUBLIC)  # see WatchService.choose
        ]
        is_forced = table.kind.is_ranked
        menu = render(
            "spectating/_menu.html", game_id=table.id, choices=choices, is_forced=is_forced
        )
    is_viewer = not await play.may_play(table, viewer_id)
    since = f"/api/v1/games/{table.id}/stream?since={table.version}"
    return Panel(
        head=Markup(render("spectating/_head.html")),  # noqa: S704 - rendered templates
        menu=Markup(menu),  # noqa: S704
        strip=Markup(viewers),  # noqa: S704
        stream=since if is_viewer else "",
    )


async def strip(request: Request, _player: Player | None) -> str:
    """A line on the front page, while somebody plays in public."""
    if not (await _watching(request).live_tables(None, 1)).tables:
        return ""
    return render("spectating/_lobby.html")


def _row(table: LiveTable) -> Row:
    game = table.game
    rules = find_ruleset(game.ruleset)
    actions = "1 action" if game.actions == 1 else f"{game.actions} actions"
    watched = f", {table.viewers} watching" if table.viewers else ""
    return Row(
        game_id=game.game_id,
        title=rules.title if rules else game.ruleset,
        player=game.player,
        note=f"{actions}{watched}",
    )


def _watching(request: Request) -> SpectatingService:
    return service_of(request, SpectatingService)
