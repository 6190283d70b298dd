"""What a race says at its tables: how the others are doing, how much time is left, and which tab is played in."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Form, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from app.games.model import Game, Kind
from app.games.view_models import Panel
from app.http.formats import clock_duration
from app.http.templates import PLAYER, render
from app.identity.dependencies import Seated
from app.identity.service import Player
from app.races.dependencies import races_of, scene_of
from app.races.room import Phase
from app.races.snapshot import Scene
from app.races.views import Row, rows

router = APIRouter(prefix="/race", include_in_schema=False)

_FRESH: Final = {"Cache-Control": "no-store"}


@dataclass(frozen=True, slots=True)
class StripView:
    """The race in one line. A later ``tab`` of the same player is the one to play in."""

    path: str
    tab: str
    rivals: list[Row]
    cards: int
    time_left: str
    is_over: bool
    is_done: bool
    is_elsewhere: bool


async def side(request: Request, game: Game) -> Panel:
    """The strip below the cards of a race, for whoever plays them."""
    player: Player | None = request.scope.get(PLAYER)
    if game.kind is not Kind.RACE or player is None or player.id != game.owner_id:
        return Panel()
    races = races_of(request)
    scene = await races.look(await races.code_of_game(game.id))
    # A later page of the same table sorts behind this one, whatever process made it.
    tab = f"{races.now_ms:015d}-{secrets.token_urlsafe(6)}"
    view = _strip_view(scene, player.id, game.rules.cards, tab, newest=tab)
    return Panel(head=_markup("races/_head.html"), strip=_markup("races/_strip.html", view=view))


@router.post("/{code}/here", dependencies=[Depends(scene_of)])
async def here(
    request: Request, code: str, player: Seated, tab: Annotated[str, Form(max_length=60)] = ""
) -> Response:
    """The strip as it is now. Asking for it also says that this player is there, in this tab."""
    races = races_of(request)
    newest = await races.here(code, player.id, tab)
    scene = await races.look(code)
    game = await races.game(code, player.id)
    view = _strip_view(scene, player.id, game.rules.cards, tab, newest=newest)
    return HTMLResponse(render("races/_strip.html", view=view), headers=_FRESH)


def _strip_view(scene: Scene, player_id: str, cards: int, tab: str, newest: str) -> StripView:
    room = scene.room
    seat = room.seat_of(player_id)
    left = max((room.last_call_ms or 0) - scene.at_ms, 0)
    return StripView(
        path=f"/race/{room.code}",
        tab=tab,
        rivals=[row for row in rows(scene, player_id) if row.look and not row.is_you],
        cards=cards,
        time_left=clock_duration(left // 1000),
        is_over=room.phase is Phase.ENDED,
        is_done=bool(seat and seat.run),
        is_elsewhere=newest > tab,
    )


def _markup(template: str, **context: object) -> Markup:
    return Markup(render(template, **context))  # noqa: S704 - a rendered template
