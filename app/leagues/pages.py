"""The pages of leagues: the list of one's own, founding one, and a league with its board, members and forms."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Query, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from app.daily.dependencies import read_day, wake_if_due
from app.errors import MalformedError
from app.http.dependencies import origin_of
from app.http.qr import qr_response
from app.http.templates import NO_STORE, page, render_markup, see_other
from app.identity.dependencies import ActingPlayer, CurrentPlayer, ViewerId
from app.identity.model import Player
from app.leagues import views
from app.leagues.dependencies import KnownLink, Leagues, leagues_of
from app.rulesets import WELL_KNOWN_RULESETS

router = APIRouter(include_in_schema=False, dependencies=[Depends(wake_if_due)])


ChosenName = Annotated[str, Form(max_length=200)]
PlayerId = Annotated[str, Form(max_length=100)]


async def home_section(request: Request, player: Player | None) -> Markup:
    """A section for the pages of others: the player's leagues, and the way to a new one."""
    states = await leagues_of(request).list_leagues(player.id) if player else []
    return render_markup("leagues/_home_section.html", view=views.list_view(states))


@router.get("/leagues")
async def list_leagues(request: Request, leagues: Leagues, viewer_id: ViewerId) -> HTMLResponse:
    """The viewer's leagues."""
    states = await leagues.list_leagues(viewer_id) if viewer_id else []
    return page(request, "leagues/list.html", views.list_view(states), headers=NO_STORE)


@router.get("/league/new")
async def new(request: Request, _viewer_id: ViewerId) -> HTMLResponse:
    """The form of a new league."""
    view = views.new_view("", [rules.id for rules in WELL_KNOWN_RULESETS])
    return page(request, "leagues/new.html", view, headers=NO_STORE)


@router.post("/league/new")
async def found(
    request: Request,
    leagues: Leagues,
    player: ActingPlayer,
    name: ChosenName = "",
    games: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Found a league."""
    try:
        league = await leagues.found(player.id, name, games or [])
    except MalformedError as error:
        view = views.new_view(name, games or [], error.detail)
        return page(request, "leagues/new.html", view, error=error)
    return see_other(f"/league/{league.link}")


@router.get("/league/{link}")
async def show(
    request: Request,
    *,
    leagues: Leagues,
    player: CurrentPlayer,
    link: str,
    week: Annotated[str, Query(max_length=40)] = "",
    day: Annotated[str, Query(max_length=40)] = "",
) -> HTMLResponse:
    """A league. ``day`` is a closed day of the ``week``, whose results are shown below the board."""
    chosen: date | None = read_day(day) if day else None
    state = await leagues.get_state(link, player.id if player else None, week)
    is_guest = player is None or not player.is_named
    view = views.league_view(state, origin_of(request), chosen, is_guest=is_guest)
    return page(request, "leagues/league.html", view, headers=NO_STORE)


@router.get("/league/{link}/qr.svg")
async def qr(request: Request, leagues: Leagues, link: str) -> Response:
    """The link as a QR code."""
    league = await leagues.find(link)
    return qr_response(f"{origin_of(request)}/league/{league.link}", NO_STORE)


@router.post("/league/{link}")
async def join(leagues: Leagues, link: KnownLink, player: ActingPlayer) -> Response:
    """Join a league."""
    await leagues.join(link, player.id)
    return see_other(f"/league/{link}")


@router.post("/league/{link}/leave")
async def leave(leagues: Leagues, link: KnownLink, player: ActingPlayer) -> Response:
    """Leave a league."""
    await leagues.leave(link, player.id)
    return see_other("/leagues")


@router.post("/league/{link}/remove")
async def remove(
    leagues: Leagues, link: KnownLink, player: ActingPlayer, person: PlayerId
) -> Response:
    """Remove a member."""
    await leagues.remove(link, player.id, person)
    return see_other(f"/league/{link}#members")


@router.post("/league/{link}/readmit")
async def readmit(
    leagues: Leagues, link: KnownLink, player: ActingPlayer, person: PlayerId
) -> Response:
    """Let a removed player join again."""
    await leagues.readmit(link, player.id, person)
    return see_other(f"/league/{link}#members")


@router.post("/league/{link}/rename")
async def rename(
    leagues: Leagues, link: KnownLink, player: ActingPlayer, name: ChosenName
) -> Response:
    """Rename a league."""
    await leagues.rename(link, player.id, name)
    return see_other(f"/league/{link}")


@router.post("/league/{link}/renew")
async def renew(leagues: Leagues, link: KnownLink, player: ActingPlayer) -> Response:
    """Replace the link."""
    return see_other(f"/league/{await leagues.renew_link(link, player.id)}#invite")


@router.post("/league/{link}/close")
async def close(leagues: Leagues, link: KnownLink, player: ActingPlayer) -> Response:
    """Close a league."""
    await leagues.close(link, player.id)
    return see_other("/leagues")
