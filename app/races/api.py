"""The JSON face of races, under ``/api/v1/races``."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field, StrictBool, StrictInt, StrictStr

from app.db.engine import Database
from app.games.api import State
from app.games.json_state import state_of
from app.http.dependencies import service_of
from app.http.rate_limits import NewGameLimit
from app.http.sse import EventStream, Listener
from app.identity.dependencies import CurrentPlayer, Seated
from app.identity.service import Player
from app.races.bodies import RaceBody, race_body
from app.races.dependencies import Entered, races_of, scene_of
from app.races.replays import record_of
from app.races.stream import room_topic

router = APIRouter(prefix="/api/v1/races", tags=["races"])

_STATE: dict[int | str, dict[str, Any]] = {200: {"model": State}}
_RECORD: dict[int | str, dict[str, Any]] = {200: {"content": {"application/json": {}}}}


class Options(BaseModel):
    """What to race at, and for how many minutes at most."""

    ruleset: StrictStr
    minutes: StrictInt = Field(default=10, ge=1, le=60)


class NewRace(Options):
    """A room to open."""

    name: StrictStr = Field(default="", description="What a guest wants to be called here.")


class Joining(BaseModel):
    name: StrictStr = Field(default="", description="What a guest wants to be called here.")


class Readiness(BaseModel):
    ready: StrictBool = True


class Door(BaseModel):
    open: StrictBool


class Seat(BaseModel):
    seat: StrictInt


@router.post("", status_code=201, dependencies=[NewGameLimit], summary="Open a room")
async def open_room(
    request: Request, response: Response, player: Seated, new: Annotated[NewRace, Body()]
) -> RaceBody:
    """A sealed deal is drawn that is proven winnable; its commitment is in the answer. You are the host."""
    room = await races_of(request).open(player.id, new.ruleset, new.minutes, new.name)
    response.headers["Location"] = f"/api/v1/races/{room.code}"
    return await _body(request, room.code, player)


@router.get("/{code}", summary="A room as it is")
async def room(scene: Entered, player: CurrentPlayer) -> RaceBody:
    """For anybody who has the code. Looked up at most once a second: asking more often tells no more."""
    return race_body(scene, player.id if player else None)


@router.post("/{code}/options", dependencies=[Depends(scene_of)], summary="Race at something else")
async def options(
    request: Request, code: str, player: Seated, wanted: Annotated[Options, Body()]
) -> RaceBody:
    """The host's, until the first guest joins. Another game means another deal, and another commitment."""
    await races_of(request).change(code, player.id, wanted.ruleset, wanted.minutes)
    return await _body(request, code, player)


@router.post("/{code}/join", dependencies=[Depends(scene_of)], summary="Sit down")
async def join(
    request: Request, code: str, player: Seated, joining: Annotated[Joining | None, Body()] = None
) -> RaceBody:
    """Asked again, changes nothing. 409 `room_closed` when the race takes nobody any more."""
    await races_of(request).join(code, player.id, joining.name if joining else "")
    return await _body(request, code, player)


@router.post("/{code}/leave", dependencies=[Depends(scene_of)], summary="Go")
async def leave(request: Request, code: str, player: Seated) -> RaceBody:
    """A run under way has to be given up first. The host's leaving passes the room on."""
    await races_of(request).leave(code, player.id)
    return await _body(request, code, player)


@router.post("/{code}/ready", dependencies=[Depends(scene_of)], summary="Be ready, or not any more")
async def ready(
    request: Request, code: str, player: Seated, said: Annotated[Readiness | None, Body()] = None
) -> RaceBody:
    """Whoever is not ready at the start watches."""
    await races_of(request).ready(code, player.id, is_ready=said.ready if said else True)
    return await _body(request, code, player)


@router.post("/{code}/remove", dependencies=[Depends(scene_of)], summary="Send somebody away")
async def remove(
    request: Request, code: str, player: Seated, seat: Annotated[Seat, Body()]
) -> RaceBody:
    """The host's, before the start."""
    await races_of(request).remove(code, player.id, seat.seat)
    return await _body(request, code, player)


@router.post("/{code}/door", dependencies=[Depends(scene_of)], summary="Let nobody else in")
async def door(
    request: Request, code: str, player: Seated, wanted: Annotated[Door, Body()]
) -> RaceBody:
    """The host's, before the start."""
    await races_of(request).move_door(code, player.id, is_open=wanted.open)
    return await _body(request, code, player)


@router.post("/{code}/start", dependencies=[Depends(scene_of)], summary="Start the countdown")
async def start(request: Request, code: str, player: Seated) -> RaceBody:
    """The host's, when at least two are ready. Pressed again, changes nothing."""
    await races_of(request).start(code, player.id)
    return await _body(request, code, player)


@router.get(
    "/{code}/game",
    dependencies=[Depends(scene_of)],
    responses=_STATE,
    response_class=Response,
    summary="Your own table",
)
async def game(request: Request, code: str, player: CurrentPlayer) -> Response:
    """425 `not_started` before the start. Then play it under /api/v1/games/{id}, like any other."""
    game = await races_of(request).game(code, player.id if player else None)
    text = json.dumps(state_of(game), separators=(",", ":"))
    headers = {"Cache-Control": "no-store", "Content-Location": f"/api/v1/games/{game.id}"}
    return Response(text, headers=headers, media_type="application/json")


@router.post("/{code}/give-up", dependencies=[Depends(scene_of)], summary="End your run")
async def give_up(request: Request, code: str, player: Seated) -> RaceBody:
    """What is home by then counts if nobody wins."""
    await races_of(request).give_up(code, player.id)
    return await _body(request, code, player)


@router.post("/{code}/rematch", dependencies=[NewGameLimit, Depends(scene_of)], summary="Once more")
async def rematch(request: Request, code: str, player: Seated) -> RaceBody:
    """The one room that goes on from a race that is over: everybody who asks lands there."""
    following = await races_of(request).rematch(code, player.id)
    return await _body(request, following.code, player)


@router.get(
    "/{code}/record.json", responses=_RECORD, response_class=Response, summary="A race that is over"
)
async def record(request: Request, scene: Entered) -> Response:
    """Seed, deck and every run with its moves and the server's times, to be checked by anybody."""
    name = f"fairdeal-race-{scene.room.code}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    document = json.dumps(await record_of(service_of(request, Database), scene), indent=1)
    return Response(document, headers=headers, media_type="application/json")


@router.get(
    "/{code}/stream",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {}}}},
    summary="Hear when a room changes",
)
async def stream(request: Request, scene: Entered, player: CurrentPlayer) -> EventStream:
    """Server-sent events: a doorbell that says which version the room's log is at. Then ask for the room."""
    listener = Listener(player_id=player.id if player else None)
    return EventStream(request, [room_topic(scene.room.code)], listener)


async def _body(request: Request, code: str, player: Player) -> RaceBody:
    return race_body(await races_of(request).look(code), player.id)
