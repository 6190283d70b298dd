"""The JSON API of races, under ``/api/v1/races``."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import Response

from app.db.engine import Database
from app.games.json_responses import state_response
from app.games.json_state import STATE_RESPONSE
from app.http.dependencies import service_of
from app.http.rate_limits import NewGameLimit
from app.http.sse import EventStream, StreamOptions
from app.identity.dependencies import ActingPlayer, ViewerId
from app.races.dependencies import Races, RequestedRoom
from app.races.listing import parse_cursor
from app.races.rematch import rematch
from app.races.room import room_topic
from app.races.schemas import (
    Door,
    Joining,
    Listing,
    NewRace,
    OpenRacesBody,
    Options,
    RaceBody,
    Readiness,
    Seat,
    open_race_body,
    race_body,
)
from app.races.side_by_side import race_record, record_tag

router = APIRouter(prefix="/api/v1/races", tags=["races"])

_RECORD: dict[int | str, dict[str, Any]] = {200: {"content": {"application/json": {}}}}


@router.get("", summary="List open races")
async def list_open_races(
    races: Races, after: Annotated[str, Query(max_length=80)] = ""
) -> OpenRacesBody:
    """Races that anyone may join: not begun, with a free place, and with a host who is there. 20 a page."""
    found = await races.lookup.list_open_races(parse_cursor(after))
    return OpenRacesBody(
        races=[open_race_body(room) for room in found.rooms],
        next=str(found.after) if found.after else None,
    )


@router.post("", status_code=201, dependencies=[NewGameLimit], summary="Open a room")
async def open_room(
    response: Response, player: ActingPlayer, races: Races, new: Annotated[NewRace, Body()]
) -> RaceBody:
    """You are the host. Draws a sealed deal, proven if one is found in time; the response contains its commitment.

    409 `too_many_races` when you are in twenty races that have not ended.
    """
    room = await races.setup.open(
        player.id, new.ruleset, new.minutes, new.name, is_listed=new.listed
    )
    response.headers["Location"] = f"/api/v1/races/{room.code}"
    return await _race_after(races, room.code, player.id)


@router.get("/{code}", summary="Get a room")
async def get_room(room: RequestedRoom, viewer_id: ViewerId) -> RaceBody:
    """For anyone with the code. The response changes at most once a second."""
    return race_body(room, viewer_id)


@router.post("/{code}/options", dependencies=[NewGameLimit], summary="Change game or time limit")
async def change_options(
    room: RequestedRoom, player: ActingPlayer, races: Races, wanted: Annotated[Options, Body()]
) -> RaceBody:
    """For the host, until another player joins. Another game means another deal and another commitment.

    409 `too_many_changes` after a handful of games.
    """
    await races.setup.change_options(room.code, player.id, wanted.ruleset, wanted.minutes)
    return await _race_after(races, room.code, player.id)


@router.post("/{code}/join", summary="Join a race")
async def join(
    room: RequestedRoom,
    player: ActingPlayer,
    races: Races,
    joining: Annotated[Joining | None, Body()] = None,
) -> RaceBody:
    """You are ready as soon as you join. Joining again changes nothing.

    409 `room_closed` when the room is full or locked, or the race has started; `waiting_elsewhere` when you have seats
    in two other listed races that have not started; `too_many_races` when you are in twenty that have not ended;
    `too_many_changes` when the room has changed too often. 429
    `rate_limited` when you are a guest, and four other guests from your network have joined this listed race.
    """
    await races.join(room.code, player.id, joining.name if joining else "")
    return await _race_after(races, room.code, player.id)


@router.post("/{code}/leave", summary="Leave a race")
async def leave(room: RequestedRoom, player: ActingPlayer, races: Races) -> RaceBody:
    """Resign a game in progress first. When the host leaves, another player becomes the host."""
    await races.leave(room.code, player.id)
    return await _race_after(races, room.code, player.id)


@router.post("/{code}/ready", summary="Be ready, or not")
async def set_ready(
    room: RequestedRoom,
    player: ActingPlayer,
    races: Races,
    said: Annotated[Readiness | None, Body()] = None,
) -> RaceBody:
    """Players who are not ready at the start watch the race.

    409 `too_many_changes` when the room has changed too often.
    """
    await races.ready(room.code, player.id, is_ready=said.ready if said else True)
    return await _race_after(races, room.code, player.id)


@router.post("/{code}/remove", summary="Remove a player")
async def remove_player(
    room: RequestedRoom, player: ActingPlayer, races: Races, seat: Annotated[Seat, Body()]
) -> RaceBody:
    """For the host, before the start."""
    await races.remove(room.code, player.id, seat.seat)
    return await _race_after(races, room.code, player.id)


@router.post("/{code}/door", summary="Lock or unlock the room")
async def set_locked(
    room: RequestedRoom, player: ActingPlayer, races: Races, wanted: Annotated[Door, Body()]
) -> RaceBody:
    """For the host, before the start."""
    await races.set_locked(room.code, player.id, is_locked=not wanted.open)
    return await _race_after(races, room.code, player.id)


@router.post("/{code}/listing", summary="List the race, or take it off the list")
async def set_listed(
    room: RequestedRoom, player: ActingPlayer, races: Races, wanted: Annotated[Listing, Body()]
) -> RaceBody:
    """For the host, before the start. It unlocks the room, and takes another race of yours off the list.

    The list shows it for half an hour, as long as you are there.
    """
    await races.set_listed(room.code, player.id, is_listed=wanted.listed)
    return await _race_after(races, room.code, player.id)


@router.post("/{code}/start", summary="Start the countdown")
async def start(room: RequestedRoom, player: ActingPlayer, races: Races) -> RaceBody:
    """For the host, who is ready by starting, when another player is. Starting again changes nothing.

    409 `too_few_ready` while no other player is ready. A race that is or was listed starts ten seconds after the last
    player joined or was removed, at the earliest: 409 `too_soon`.
    """
    await races.start(room.code, player.id)
    return await _race_after(races, room.code, player.id)


@router.get(
    "/{code}/game", responses=STATE_RESPONSE, response_class=Response, summary="Get your own game"
)
async def get_game(room: RequestedRoom, viewer_id: ViewerId, races: Races) -> Response:
    """425 `not_started` before the start. Play it under /api/v1/games/{id}, like any other game."""
    game = await races.game(room.code, viewer_id)
    response = state_response(game)
    response.headers["Content-Location"] = f"/api/v1/games/{game.id}"
    return response


@router.post("/{code}/give-up", summary="Resign")
async def resign(room: RequestedRoom, player: ActingPlayer, races: Races) -> RaceBody:
    """Ends your game. Your cards home count if nobody wins."""
    await races.resign(room.code, player.id)
    return await _race_after(races, room.code, player.id)


@router.post("/{code}/rematch", dependencies=[NewGameLimit], summary="Open or join the rematch")
async def open_rematch(room: RequestedRoom, player: ActingPlayer, races: Races) -> RaceBody:
    """The one room that follows a finished race: everyone who asks gets the same room.

    Only those with a seat in the race can open it: 403 `not_in_race` for others until then.
    """
    next_room = await rematch(races, room.code, player.id)
    return await _race_after(races, next_room.code, player.id)


@router.get(
    "/{code}/record.json", responses=_RECORD, response_class=Response, summary="Get a finished race"
)
async def get_record(request: Request, room: RequestedRoom) -> Response:
    """Seed, deck and every game with its moves and the server's times, for anyone to verify."""
    etag = f'"{record_tag(room)}"'
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"ETag": etag})
    name = f"fairdeal-race-{room.code}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "ETag": etag}
    document = await race_record(service_of(request, Database), room)
    return Response(document, headers=headers, media_type="application/json")


@router.get(
    "/{code}/stream",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {}}}},
    summary="Subscribe to a room",
)
async def stream(request: Request, room: RequestedRoom, viewer_id: ViewerId) -> EventStream:
    """Server-sent events with the version of the room. When it rises, get the room again."""
    options = StreamOptions(player_id=viewer_id)
    return EventStream(request, [room_topic(room.code)], options)


async def _race_after(races: Races, code: str, viewer_id: str) -> RaceBody:
    return race_body(await races.snapshot(code), viewer_id)
