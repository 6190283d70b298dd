"""The list of open races, for players who know nobody to race: on the page of ways to play together, and by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse

from app.games.event_log import EventLog
from app.games.lookup import stored_rules
from app.http.dependencies import is_htmx, now_ms_of, service_of
from app.http.templates import NO_STORE, page, render_markup
from app.i18n.formats import time_ago
from app.identity.dependencies import CurrentPlayer
from app.identity.model import Player
from app.races.dependencies import races_of
from app.races.limits import MAX_SEATS
from app.races.listing import parse_cursor
from app.races.lobby_view import DEFAULT_MINUTES
from app.races.snapshot import RoomSnapshot
from app.rulesets import FIRST_RULESET, WELL_KNOWN_RULESETS, find_ruleset

router = APIRouter(prefix="/race", include_in_schema=False)


@dataclass(frozen=True, slots=True)
class OpenRaceRow:
    """A race that anyone may join. ``is_own`` when the viewer is in it already."""

    code: str
    path: str
    ruleset: str
    title: str
    minutes: int
    host: str
    players: int
    places: int
    when: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class OpenRacesView:
    """A page of open races, and the game of the one that the viewer can start with one press."""

    path: str
    rows: list[OpenRaceRow]
    after: str
    next: str
    ruleset: str
    title: str
    minutes: int


@router.get("/open")
async def show_open_races(
    request: Request, player: CurrentPlayer, after: Annotated[str, Query(max_length=80)] = ""
) -> HTMLResponse:
    """The list on a page of its own; for a page with a script, the list alone."""
    template = "races/_open_races.html" if is_htmx(request) else "races/open_races.html"
    view = await _open_races_view(request, player, after)
    return page(request, template, view, headers=NO_STORE)


async def together_section(request: Request, player: Player | None) -> Markup:
    """The first page of the list, for the page of ways to play together."""
    view = await _open_races_view(request, player, "")
    return render_markup("races/_open_races.html", view=view)


async def _open_races_view(request: Request, player: Player | None, after: str) -> OpenRacesView:
    found = await races_of(request).lookup.list_open_races(parse_cursor(after))
    viewer_id, now_ms = player.id if player else None, now_ms_of(request)
    recent = await service_of(request, EventLog).list_recent(player.id, 1) if player else []
    last = find_ruleset(recent[0].ruleset) if recent else None
    # Strangers join a game that they know.
    rules = last if last in WELL_KNOWN_RULESETS else FIRST_RULESET
    return OpenRacesView(
        path="/race/open",
        rows=[
            _row(room, viewer_id, now_ms)
            for room in found.rooms
            if viewer_id not in room.room.removed_ids
        ],
        after=after,
        next=str(found.after) if found.after else "",
        ruleset=rules.id,
        title=rules.title,
        minutes=DEFAULT_MINUTES,
    )


def _row(snapshot: RoomSnapshot, viewer_id: str | None, now_ms: int) -> OpenRaceRow:
    room = snapshot.room
    seat = room.seat_of(viewer_id)
    return OpenRaceRow(
        code=room.code,
        path=f"/race/{room.code}",
        ruleset=room.ruleset,
        title=stored_rules(room.ruleset, room.revision).title,
        minutes=room.minutes,
        host=snapshot.public_host_name.text,
        players=len(room.present),
        places=MAX_SEATS,
        when=time_ago(now_ms - (room.listed_ms or 0)),
        is_own=seat is not None and not seat.is_gone,
    )
