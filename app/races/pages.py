"""The pages of races: the form for a new room, the room itself, and the replays of its games."""

from __future__ import annotations

from contextlib import suppress
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from app.games.archived import ArchivedError
from app.games.dependencies import games_of
from app.http.dependencies import is_navigation, origin_of, service_of
from app.http.qr import qr_response
from app.http.rate_limits import NewGameLimit
from app.http.templates import NO_STORE, page, render_markup, see_other
from app.identity.dependencies import ActingPlayer, ViewerId
from app.identity.model import Player
from app.races import lobby_view, replay_views, views
from app.races.dependencies import Races, RequestedRoom, find_room, races_of
from app.races.errors import RoomClosedError
from app.races.ranking import WhyUnranked, why_unranked
from app.races.rematch import (
    find_following,
    find_invitation,
    list_invitations,
    list_invited,
    may_open,
    may_race_again,
    rematch,
)
from app.races.room import Phase
from app.races.service import RaceService
from app.races.side_by_side import RaceReplays
from app.races.snapshot import RoomSnapshot

router = APIRouter(prefix="/race", include_in_schema=False)


Name = Annotated[str, Form(max_length=100)]
RulesetId = Annotated[str, Form(max_length=60)]


@router.get("")
async def show_new_race(
    request: Request, _viewer_id: ViewerId, game: str = "", *, listed: bool = False
) -> HTMLResponse:
    """The form for a new room, and a field for the code of an existing one."""
    return page(request, "races/new.html", lobby_view.new_race_view(game, is_listed=listed))


async def home_section(request: Request, player: Player | None) -> Markup:
    """The races section of the home page, with the races that the player is in."""
    races, player_id = races_of(request), player.id if player else ""
    rooms = await races.lookup.list_rooms(player_id) if player else []
    invitations = await list_invitations(races, player_id) if player else []
    open_races = await races.lookup.count_open_races(player_id or None)
    return render_markup(
        "races/_home_section.html",
        lines=[
            *lobby_view.invitation_lines(invitations),
            *lobby_view.current_races(
                [await races.snapshot(room.code) for room in rooms], player_id
            ),
        ],
        others_wait=open_races > 0,
    )


@router.post("", dependencies=[NewGameLimit])
async def open_room(
    player: ActingPlayer,
    races: Races,
    ruleset: RulesetId,
    *,
    minutes: Annotated[int, Form()] = lobby_view.DEFAULT_MINUTES,
    name: Name = "",
    is_listed: Annotated[bool, Form()] = False,
) -> Response:
    """Open a room."""
    room = await races.setup.open(player.id, ruleset, minutes, name, is_listed=is_listed)
    return _to_room(room.code)


@router.get("/find")
async def go_to_code(request: Request, code: Annotated[str, Query(max_length=40)] = "") -> Response:
    """Redirect from a typed code to its room."""
    return _to_room((await find_room(request, code)).code)


@router.get("/of/{game_id}")
async def go_to_race_of_game(
    request: Request, game_id: str, viewer_id: ViewerId, races: Races
) -> Response:
    """Redirect from a game to the race that it belongs to, whose code is an invitation."""
    await games_of(request).load_visible(game_id, viewer_id)
    return _to_room(await races.code_of_game(game_id))


@router.post("/of/{game_id}/rematch", dependencies=[NewGameLimit])
async def go_to_rematch_of_game(
    request: Request, game_id: str, player: ActingPlayer, races: Races
) -> Response:
    """Redirect from the end of a player's own game to the rematch of its race."""
    await games_of(request).load_visible(game_id, player.id)
    code = await races.code_of_game(game_id)
    races.lookup.forget(code)  # the game may have ended within this second
    return _to_room((await rematch(races, code, player.id)).code)


@router.get("/{code}")
async def show_room(
    request: Request,
    room: RequestedRoom,
    code: str,
    viewer_id: ViewerId,
    races: Races,
    *,
    at: int | None = None,
) -> Response:
    """The page of a room, in every phase."""
    if code != room.code:
        return _to_room(room.code)
    room = await _with_heartbeat(races, room, viewer_id)
    view = await _room_view(request, room, viewer_id, at)
    return page(request, "races/room.html", view, headers=NO_STORE)


@router.get("/{code}/room")
async def show_room_fragment(
    request: Request, room: RequestedRoom, viewer_id: ViewerId, races: Races, since: str = ""
) -> Response:
    """The part of the room's page that is polled."""
    room = await _with_heartbeat(races, room, viewer_id)
    if room.phase is Phase.ENDED and since == Phase.ENDED and not room.rematch:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    view = await _room_view(request, room, viewer_id)
    return page(request, "races/_room.html", view, headers=NO_STORE)


@router.get("/{code}/replays")
async def show_replays(
    request: Request, room: RequestedRoom, viewer_id: ViewerId, at: int = 0
) -> Response:
    """All games at one moment, for a page that steps through them; opened by itself, it leads to that page."""
    if is_navigation(request):
        return see_other(f"/race/{room.code}?at={at}#replays-title")
    replays = await service_of(request, RaceReplays).replays(room)
    view = replay_views.replays_view(room, viewer_id, replays, at)
    return page(request, "races/_replays.html", view, headers=NO_STORE)


@router.get("/{code}/play")
async def go_to_game(room: RequestedRoom, viewer_id: ViewerId, races: Races) -> Response:
    """Redirect to the player's own game; 425 before the start."""
    game = await races.game(room.code, viewer_id)
    return see_other(f"/games/{game.id}")


@router.post("/{code}/join")
async def join(
    room: RequestedRoom, player: ActingPlayer, races: Races, name: Name = ""
) -> Response:
    """Take a seat, ready to race. A player who comes too late finds the reason in the room, and may watch."""
    with suppress(RoomClosedError):
        await races.join(room.code, player.id, name)
    return _to_room(room.code)


@router.post("/{code}/options", dependencies=[NewGameLimit])
async def change_options(
    room: RequestedRoom,
    player: ActingPlayer,
    races: Races,
    ruleset: RulesetId,
    minutes: Annotated[int, Form()],
) -> Response:
    """Change game or time limit."""
    return _to_room((await races.setup.change_options(room.code, player.id, ruleset, minutes)).code)


@router.post("/{code}/ready")
async def set_ready(
    room: RequestedRoom, player: ActingPlayer, races: Races, is_ready: Annotated[bool, Form()]
) -> Response:
    """Be ready, or not."""
    return _to_room((await races.ready(room.code, player.id, is_ready=is_ready)).code)


@router.post("/{code}/door")
async def set_locked(
    room: RequestedRoom, player: ActingPlayer, races: Races, is_locked: Annotated[bool, Form()]
) -> Response:
    """Lock or unlock the room."""
    return _to_room((await races.set_locked(room.code, player.id, is_locked=is_locked)).code)


@router.post("/{code}/listing")
async def set_listed(
    room: RequestedRoom, player: ActingPlayer, races: Races, is_listed: Annotated[bool, Form()]
) -> Response:
    """Put the race on the list of open races, or take it off."""
    return _to_room((await races.set_listed(room.code, player.id, is_listed=is_listed)).code)


@router.post("/{code}/remove")
async def remove_player(
    room: RequestedRoom, player: ActingPlayer, races: Races, seat: Annotated[int, Form()]
) -> Response:
    """Remove a player."""
    return _to_room((await races.remove(room.code, player.id, seat)).code)


@router.post("/{code}/start")
async def start(room: RequestedRoom, player: ActingPlayer, races: Races) -> Response:
    """Start the countdown."""
    return _to_room((await races.start(room.code, player.id)).code)


@router.post("/{code}/leave")
async def leave(room: RequestedRoom, player: ActingPlayer, races: Races) -> Response:
    """Leave the room."""
    return _to_room((await races.leave(room.code, player.id)).code)


@router.post("/{code}/give-up")  # from a page of an earlier release
@router.post("/{code}/resign")
async def resign(room: RequestedRoom, player: ActingPlayer, races: Races) -> Response:
    """End the player's own game."""
    return _to_room((await races.resign(room.code, player.id)).code)


@router.post("/{code}/rematch", dependencies=[NewGameLimit])
async def go_to_rematch(room: RequestedRoom, player: ActingPlayer, races: Races) -> Response:
    """Redirect to the rematch, which is opened by the first player who asks."""
    return _to_room((await rematch(races, room.code, player.id)).code)


@router.get("/{code}/qr.svg")
async def show_qr_code(request: Request, room: RequestedRoom) -> Response:
    """The link to a room as a QR code."""
    return qr_response(f"{origin_of(request)}/race/{room.code}")


async def _with_heartbeat(
    races: RaceService, room: RoomSnapshot, viewer_id: str | None
) -> RoomSnapshot:
    """The room, after noting that its player is here."""
    if viewer_id and room.room.seat_of(viewer_id) and room.phase is not Phase.ENDED:
        return await races.heartbeat(room.code, viewer_id)
    return room


async def _room_view(
    request: Request, room: RoomSnapshot, viewer_id: str | None, at: int | None = None
) -> views.RoomView:
    shown = None
    if room.is_revealed and why_unranked(room.room) is not WhyUnranked.UNPLAYED:
        with suppress(ArchivedError):  # the results are still here
            replays = await service_of(request, RaceReplays).replays(room)
            at = replays.last if at is None else at
            shown = replay_views.replays_view(room, viewer_id, replays, at)
    races = races_of(request)
    following = await find_following(races, room)
    next_race = views.NextRace(
        following,
        await find_invitation(races, room, viewer_id),
        await list_invited(races, room) if room.phase is Phase.LOBBY else (),
        following is None
        and may_race_again(room.room, viewer_id)
        and await may_open(races, room, viewer_id),
    )
    return views.room_view(room, viewer_id, origin_of(request), shown, next_race)


def _to_room(code: str) -> Response:
    return see_other(f"/race/{code}")
