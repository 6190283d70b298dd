"""The JSON API of races, under ``/api/v1/races``."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field, StrictBool, StrictInt, StrictStr

from app.db.engine import Database
from app.games.json_state import STATE_RESPONSE
from app.games.lookup import stored_rules
from app.games.responses import state_response
from app.http.dependencies import service_of
from app.http.rate_limits import NewGameLimit
from app.http.sse import EventStream, StreamOptions
from app.identity.dependencies import ActingPlayer, ViewerId
from app.races.dependencies import Races, RequestedRoom
from app.races.events import Ending
from app.races.listing import Cursor
from app.races.rematch import rematch
from app.races.room import MAX_SEATS, Phase, room_topic
from app.races.side_by_side import deck_of, race_record
from app.races.snapshot import Activity, RoomSnapshot, Standing, standings

router = APIRouter(prefix="/api/v1/races", tags=["races"])

_RECORD: dict[int | str, dict[str, Any]] = {200: {"content": {"application/json": {}}}}


class Options(BaseModel):
    """A game, and the time limit in minutes."""

    ruleset: StrictStr
    minutes: StrictInt = Field(default=10, ge=1, le=60)


class NewRace(Options):
    """A room to open."""

    name: StrictStr = Field(default="", description="The name that a guest chooses for this race.")
    listed: StrictBool = Field(
        default=False,
        description="Whether anyone may find it on the list of open races; else only with its link.",
    )


class Joining(BaseModel):
    name: StrictStr = Field(default="", description="The name that a guest chooses for this race.")


class Readiness(BaseModel):
    ready: StrictBool = True


class Door(BaseModel):
    open: StrictBool


class Listing(BaseModel):
    listed: StrictBool


class Seat(BaseModel):
    seat: StrictInt


class RaceSeatBody(BaseModel):
    """A player in the room, as far as you may see."""

    seat: int = Field(description="The number of the seat; it never changes.")
    player: str
    named: bool = Field(description="Whether the name belongs to an account.")
    host: bool
    you: bool
    state: Activity
    cards_home: int | None = Field(
        description="In steps of four until your own run is over. Null for players who do not race."
    )
    actions: int | None
    ending: Ending | None
    seconds: int | None = Field(description="From the start to the end of the run.")
    rank: int | None = Field(
        description="After the race. Ties share a rank; null if nobody got a card home."
    )
    game: str | None = Field(description="Your own game; everyone's after the race.")


class RaceBody(BaseModel):
    """A race room. All times are server times, in milliseconds since 1970."""

    code: str
    version: int
    state: Phase
    ruleset: str
    title: str
    revision: int
    minutes: int = Field(description="The time limit.")
    frozen: bool = Field(description="Whether game and time limit can no longer change.")
    open: bool = Field(description="Whether others may join before the start.")
    listed: bool = Field(description="Whether it is on the list of open races.")
    commitment: str = Field(description="SHA-256 of game, code and secret seed.")
    proven: bool = Field(description="Whether the deal is proven winnable; else it is random.")
    now_ms: int
    start_at_ms: int | None
    ends_at_ms: int | None = Field(description="When the time limit ends the race.")
    ended_at_ms: int | None
    void: str | None = Field(description="Why the race is void.")
    seats: list[RaceSeatBody]
    seat: int | None = Field(description="Your own seat.")
    game: str | None = Field(description="Your own game, from the start: /api/v1/games/{game}.")
    seed: str | None = Field(description="After the race.")
    deck: list[str] | None
    previous: str | None
    rematch: str | None


class OpenRaceBody(BaseModel):
    """A race that anyone may join. Nothing of its deal is known."""

    code: str
    ruleset: str
    title: str
    minutes: int = Field(description="The time limit.")
    host: str
    named: bool = Field(description="Whether the name belongs to an account.")
    players: int
    places: int = Field(description="How many players there can be.")
    listed_at_ms: int


class OpenRacesBody(BaseModel):
    """A page of open races, the longest listed first."""

    races: list[OpenRaceBody]
    next: str | None = Field(
        description="The value of `after` for the next page; null on the last page."
    )


@router.get("", summary="List open races")
async def list_open_races(
    races: Races, after: Annotated[str, Query(max_length=80)] = ""
) -> OpenRacesBody:
    """Races that anyone may join: not begun, with a free place, and with a host who is there. 20 a page."""
    found = await races.lookup.list_open_races(Cursor.parse(after))
    return OpenRacesBody(
        races=[_open_race_body(room) for room in found.rooms],
        next=str(found.after) if found.after else None,
    )


@router.post("", status_code=201, dependencies=[NewGameLimit], summary="Open a room")
async def open_room(
    response: Response, player: ActingPlayer, races: Races, new: Annotated[NewRace, Body()]
) -> RaceBody:
    """You are the host. Draws a sealed deal, proven if one is found in time; the response contains its commitment."""
    room = await races.open(player.id, new.ruleset, new.minutes, new.name, is_listed=new.listed)
    response.headers["Location"] = f"/api/v1/races/{room.code}"
    return await _race_after(races, room.code, player.id)


@router.get("/{code}", summary="Get a room")
async def get_room(room: RequestedRoom, viewer_id: ViewerId) -> RaceBody:
    """For anyone with the code. The response changes at most once a second."""
    return _race_body(room, viewer_id)


@router.post("/{code}/options", dependencies=[NewGameLimit], summary="Change game or time limit")
async def change_options(
    room: RequestedRoom, player: ActingPlayer, races: Races, wanted: Annotated[Options, Body()]
) -> RaceBody:
    """For the host, until another player joins. Another game means another deal and another commitment.

    409 `too_many_changes` after a handful of games.
    """
    await races.change_options(room.code, player.id, wanted.ruleset, wanted.minutes)
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
    in two other listed races that have not started; `too_many_changes` when the room has changed too often. 429
    `rate_limited` when you are a guest, and four other guests from your network have joined this listed race.
    """
    await races.join(room.code, player.id, joining.name if joining else "")
    return await _race_after(races, room.code, player.id)


@router.post("/{code}/leave", summary="Leave a race")
async def leave(room: RequestedRoom, player: ActingPlayer, races: Races) -> RaceBody:
    """Resign a run in progress first. When the host leaves, another player becomes the host."""
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
    """Ends your run. Your cards home count if nobody wins."""
    await races.resign(room.code, player.id)
    return await _race_after(races, room.code, player.id)


@router.post("/{code}/rematch", dependencies=[NewGameLimit], summary="Open or join the rematch")
async def open_rematch(room: RequestedRoom, player: ActingPlayer, races: Races) -> RaceBody:
    """The one room that follows a finished race: everyone who asks gets the same room."""
    next_room = await rematch(races, room.code, player.id)
    return await _race_after(races, next_room.code, player.id)


@router.get(
    "/{code}/record.json", responses=_RECORD, response_class=Response, summary="Get a finished race"
)
async def get_record(request: Request, room: RequestedRoom) -> Response:
    """Seed, deck and every run with its moves and the server's times, for anyone to verify."""
    name = f"fairdeal-race-{room.code}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    document = json.dumps(await race_record(service_of(request, Database), room), indent=1)
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
    return _race_body(await races.snapshot(code), viewer_id)


def _race_body(snapshot: RoomSnapshot, viewer_id: str | None) -> RaceBody:
    room = snapshot.room
    rules = stored_rules(room.ruleset, room.revision)
    rows = standings(snapshot, viewer_id)
    mine = next((row for row in rows if row.is_you), None)
    return RaceBody(
        code=room.code,
        version=room.version,
        state=room.phase,
        ruleset=room.ruleset,
        title=rules.title,
        revision=room.revision,
        minutes=room.minutes,
        frozen=room.is_frozen,
        open=not room.is_locked,
        listed=room.is_listed,
        commitment=room.commitment,
        proven=room.is_proven,
        now_ms=snapshot.at_ms,
        start_at_ms=room.start_ms,
        ends_at_ms=room.latest_end_ms,
        ended_at_ms=room.end.at_ms if room.end else None,
        void=room.void.reason if room.void else None,
        seats=[_seat_body(row) for row in rows],
        seat=mine.number if mine else None,
        game=mine.game_id if mine else None,
        seed=snapshot.seed.hex() if snapshot.is_revealed else None,
        deck=deck_of(snapshot) if snapshot.is_revealed else None,
        previous=snapshot.previous,
        rematch=snapshot.rematch,
    )


def _open_race_body(snapshot: RoomSnapshot) -> OpenRaceBody:
    room, host = snapshot.room, snapshot.public_host_name
    return OpenRaceBody(
        code=room.code,
        ruleset=room.ruleset,
        title=stored_rules(room.ruleset, room.revision).title,
        minutes=room.minutes,
        host=host.text,
        named=host.is_named,
        players=len(room.present),
        places=MAX_SEATS,
        listed_at_ms=room.listed_ms or 0,
    )


def _seat_body(standing: Standing) -> RaceSeatBody:
    return RaceSeatBody(
        seat=standing.number,
        player=standing.name.text,
        named=standing.name.is_named,
        host=standing.is_host,
        you=standing.is_you,
        state=standing.activity,
        cards_home=standing.home,
        actions=standing.actions,
        ending=standing.ending,
        seconds=standing.seconds,
        rank=standing.rank,
        game=standing.game_id,
    )
