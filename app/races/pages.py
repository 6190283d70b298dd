"""The pages of races: where one is arranged, its room, and how it went."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Form, Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.http.dependencies import service_of
from app.http.qr import qr_response
from app.http.rate_limits import NewGameLimit
from app.http.templates import page, render
from app.identity.dependencies import CurrentPlayer, Seated
from app.identity.service import Player
from app.races import new_room, views
from app.races.dependencies import Entered, races_of, scene_of
from app.races.lobby_view import read_code
from app.races.replays import RaceReplays
from app.races.room import Phase
from app.races.snapshot import Scene

router = APIRouter(prefix="/race", include_in_schema=False)

_FRESH: Final = {"Cache-Control": "no-store"}

Name = Annotated[str, Form(max_length=100)]


@router.get("")
async def arrange(request: Request, _player: CurrentPlayer, game: str = "") -> HTMLResponse:
    """Where a race is arranged, or found by its code."""
    return page(request, "races/new.html", new_room.new_view(game))


async def strip(request: Request, player: Player | None) -> str:
    """The way in, for the front page, and the way back to races that wait."""
    rooms = await races_of(request).looking.of_player(player.id) if player else []
    return render("races/_lobby.html", lines=new_room.lines(rooms))


@router.post("", dependencies=[NewGameLimit])
async def open_room(
    request: Request,
    player: Seated,
    ruleset: Annotated[str, Form(max_length=60)],
    minutes: Annotated[int, Form()] = new_room.USUAL_MINUTES,
    name: Name = "",
) -> Response:
    """Open a room and go there."""
    room = await races_of(request).open(player.id, ruleset, minutes, name)
    return _to(room.code)


@router.get("/find")
async def find(request: Request, code: Annotated[str, Query(max_length=40)] = "") -> Response:
    """From a code that somebody typed to its room."""
    scene = await scene_of(request, code)
    return _to(scene.room.code)


@router.get("/of/{game_id}")
async def of_game(request: Request, game_id: str) -> Response:
    """From a table to the race that it is part of."""
    return _to(await races_of(request).code_of_game(game_id))


@router.get("/{code}")
async def room(
    request: Request, scene: Entered, code: str, player: CurrentPlayer, at: int | None = None
) -> Response:
    """A room, at whatever point it is."""
    if code != scene.room.code:
        return _to(scene.room.code)
    scene = await _noted(request, scene, player)
    view = await _view(request, scene, player, at)
    return page(request, "races/room.html", view, headers=_FRESH)


@router.get("/{code}/room")
async def room_again(
    request: Request, scene: Entered, player: CurrentPlayer, since: str = ""
) -> Response:
    """The part of the page that changes, for a page that looks again and again."""
    scene = await _noted(request, scene, player)
    if scene.phase is Phase.ENDED and since == Phase.ENDED and not scene.rematch:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    view = await _view(request, scene, player)
    return page(request, "races/_room.html", view, headers=_FRESH)


@router.get("/{code}/replays")
async def replays(
    request: Request, scene: Entered, player: CurrentPlayer, at: int = 0
) -> HTMLResponse:
    """All runs at one moment, for a page that steps through them."""
    found = await service_of(request, RaceReplays).replays(scene)
    view = views.replays_view(scene, _id(player), found, at)
    return page(request, "races/_replays.html", view, headers=_FRESH)


@router.get("/{code}/play")
async def play(request: Request, scene: Entered, player: CurrentPlayer) -> Response:
    """To one's own table; 425 before the start."""
    game = await races_of(request).game(scene.room.code, _id(player))
    return RedirectResponse(f"/games/{game.id}", HTTPStatus.SEE_OTHER)


@router.post("/{code}/join", dependencies=[Depends(scene_of)])
async def join(request: Request, code: str, player: Seated, name: Name = "") -> Response:
    """Sit down."""
    return _to((await races_of(request).join(code, player.id, name)).code)


@router.post("/{code}/options", dependencies=[Depends(scene_of)])
async def options(
    request: Request,
    code: str,
    player: Seated,
    ruleset: Annotated[str, Form(max_length=60)],
    minutes: Annotated[int, Form()],
) -> Response:
    """Race at something else."""
    return _to((await races_of(request).change(code, player.id, ruleset, minutes)).code)


@router.post("/{code}/ready", dependencies=[Depends(scene_of)])
async def ready(
    request: Request, code: str, player: Seated, is_ready: Annotated[bool, Form()]
) -> Response:
    """Be ready, or not any more."""
    return _to((await races_of(request).ready(code, player.id, is_ready=is_ready)).code)


@router.post("/{code}/door", dependencies=[Depends(scene_of)])
async def door(
    request: Request, code: str, player: Seated, is_open: Annotated[bool, Form()]
) -> Response:
    """Let nobody else in, or again everybody."""
    return _to((await races_of(request).move_door(code, player.id, is_open=is_open)).code)


@router.post("/{code}/remove", dependencies=[Depends(scene_of)])
async def remove(
    request: Request, code: str, player: Seated, seat: Annotated[int, Form()]
) -> Response:
    """Send somebody away."""
    return _to((await races_of(request).remove(code, player.id, seat)).code)


@router.post("/{code}/start", dependencies=[Depends(scene_of)])
async def start(request: Request, code: str, player: Seated) -> Response:
    """Start the countdown."""
    return _to((await races_of(request).start(code, player.id)).code)


@router.post("/{code}/leave", dependencies=[Depends(scene_of)])
async def leave(request: Request, code: str, player: Seated) -> Response:
    """Go."""
    return _to((await races_of(request).leave(code, player.id)).code)


@router.post("/{code}/give-up", dependencies=[Depends(scene_of)])
async def give_up(request: Request, code: str, player: Seated) -> Response:
    """End one's own run."""
    return _to((await races_of(request).give_up(code, player.id)).code)


@router.post("/{code}/rematch", dependencies=[NewGameLimit, Depends(scene_of)])
async def rematch(request: Request, code: str, player: Seated) -> Response:
    """On to the next race, where everybody who asks lands."""
    return _to((await races_of(request).rematch(code, player.id)).code)


@router.get("/{code}/qr.svg")
async def qr_code(request: Request, scene: Entered) -> Response:
    """The link of a room for the camera of a phone."""
    return qr_response(f"{_site(request)}/race/{scene.room.code}")


@router.get("/{code}/{_word}")
async def lead_back(code: str, _word: str) -> Response:
    """Where a page told why a form was refused; who comes back to that address means the room."""
    return _to(read_code(code))


async def _noted(request: Request, scene: Scene, player: Player | None) -> Scene:
    """Whoever has a seat and looks is there."""
    if player and scene.room.seat_of(player.id) and scene.phase is not Phase.ENDED:
        await races_of(request).here(scene.room.code, player.id)
        return await races_of(request).look(scene.room.code)
    return scene


async def _view(
    request: Request, scene: Scene, player: Player | None, at: int | None = None
) -> views.RoomView:
    shown = None
    if scene.phase is Phase.ENDED and scene.room.racers:
        found = await service_of(request, RaceReplays).replays(scene)
        shown = views.replays_view(scene, _id(player), found, found.last if at is None else at)
    return views.room_view(scene, _id(player), _site(request), shown)


def _to(code: str) -> Response:
    return RedirectResponse(f"/race/{code}", HTTPStatus.SEE_OTHER)


def _site(request: Request) -> str:
    """The beginning of every address of this site, as the visitor reached it."""
    return f"{request.url.scheme}://{request.url.netloc}"


def _id(player: Player | None) -> str | None:
    return player.id if player else None
