"""Playing together as pages: the invitation, who sits at the table, and what its owner may do."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Form, Request, Response
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse

from app.games.catalog import find_offer, list_offers
from app.games.model import Game, Kind
from app.games.service import GameService
from app.games.stream import MayWatch, game_topic
from app.games.view_models import Panel
from app.http.dependencies import service_of
from app.http.headers import is_htmx
from app.http.rate_limits import NewGameLimit
from app.http.sse import EventStream, StreamOptions
from app.http.templates import PLAYER, page, render
from app.identity.dependencies import ActingPlayer, CurrentPlayer
from app.identity.model import Player
from app.shared_tables.dependencies import look_around, services_of
from app.shared_tables.repository import MOST_SEATS, State
from app.shared_tables.service import SharedTableService, company_topic
from app.shared_tables.views import (
    CompanyView,
    InvitationView,
    company_view,
    table_line,
    title_of,
)

router = APIRouter(include_in_schema=False)

_SHOWN_TABLES: Final = 6
_PERSONAL: Final = {"Cache-Control": "no-store"}

Person = Annotated[str, Form(max_length=100)]


async def side(request: Request, table: Game) -> Panel:
    """What a table page says about company: an offer while it is played alone, else who sits there."""
    player: Player | None = request.scope.get(PLAYER)
    if table.kind is Kind.OPEN and player and player.id == table.owner_id and not table.is_over:
        return Panel(menu=_markup("shared_tables/_offer.html", game_id=table.id))
    if table.kind is not Kind.SHARED:
        return Panel()
    view = await _view(request, table.id, player)
    return Panel(
        head=_markup("shared_tables/_head.html"),
        menu=_markup("shared_tables/_menu.html", view=view),
        strip=_markup("shared_tables/_strip.html", view=view),
        again=f"/games/{table.id}/together/next",
        stream=f"/games/{table.id}/together/stream",
    )


async def strip(request: Request, player: Player | None) -> str:
    """Tables that wait for the visitor, and a new one, for the front page."""
    waiting = await _company(request).waiting(player.id, _SHOWN_TABLES) if player else ()
    lines = [table_line(one) for one in waiting]
    return render("shared_tables/_lobby.html", lines=lines, games=list_offers())


async def profile_strip(request: Request, player_id: str) -> Markup:
    """How somebody's shared games went, for their page; nothing when there were none."""
    results = await _company(request).results(player_id)
    if not results:
        return Markup()
    lines = [
        {"title": title_of(one.ruleset), "played": one.played, "won": one.won} for one in results
    ]
    return _markup("shared_tables/_profile.html", lines=lines)


@router.get("/games/{game_id}/together/people")
async def people(request: Request, game_id: str, player: CurrentPlayer) -> HTMLResponse:
    """Who sits at a table, for its page to look again."""
    await _play(request).load_visible(game_id, player.id if player else None)
    view = await _view(request, game_id, player)
    return HTMLResponse(render("shared_tables/_people.html", view=view), headers=_PERSONAL)


@router.get("/games/{game_id}/together/stream", response_class=EventStream)
async def stream(request: Request, game_id: str, player: CurrentPlayer) -> EventStream:
    """News of the cards and of the company in one stream."""
    await _play(request).load_visible(game_id, player.id if player else None)
    company = await _company(request).company(game_id)
    topics = [game_topic(game_id), company_topic(game_id)]
    # A page says every few seconds that it lives; a stream alone may hang in a tunnel.
    if player and company.is_seated(player.id):
        options = StreamOptions(player_id=player.id, players_at=topics, needs_heartbeat=True)
    else:
        options = StreamOptions(
            player_id=player.id if player else None,
            viewers_at=topics,
            guard=MayWatch(_play(request), game_id),
        )
    return EventStream(request, topics, options)


@router.post("/together", dependencies=[NewGameLimit])
async def open_table(
    request: Request, player: ActingPlayer, ruleset: Annotated[str, Form(max_length=60)]
) -> Response:
    """Deal a game that is to be shared."""
    table = await _play(request).start(player.id, ruleset, None)
    await _company(request).share(table.id, player.id)
    return _to_table(table.id)


@router.get("/together/{token}")
async def show_invitation(request: Request, token: str, player: CurrentPlayer) -> Response:
    """What somebody invited is shown; who sits there already is led to the table."""
    company = await _company(request).invitation(token)
    table = await _play(request).load(company.table.game_id)
    mine = company.seat_of(player.id if player else None)
    if mine and mine.state is State.SEATED:
        return _to_table(table.id)
    host = company.seat_of(company.table.owner_id)
    view = InvitationView(
        path=f"/together/{token}",
        title=table.rules.title,
        ruleset=table.rules.id,
        game_path=f"/games/{table.id}",
        host=host.name if host else "",
        names=[seat.name for seat in company.seated],
        is_full=len(company.seated) >= MOST_SEATS,
        opening=find_offer(table.rules.id).opening,
        is_removed=mine is not None and mine.state is State.REMOVED,
    )
    return page(request, "shared_tables/invitation.html", view, headers=_PERSONAL)


@router.post("/together/{token}")
async def sit(request: Request, token: str, player: ActingPlayer) -> Response:
    """Take a seat."""
    return _to_table(await _company(request).sit(token, player.id))


@router.post("/games/{game_id}/together/share")
async def share(request: Request, game_id: str, player: ActingPlayer) -> Response:
    """Let others sit down at one's table."""
    await _company(request).share(game_id, player.id)
    return _to_table(game_id)


@router.post("/games/{game_id}/together/next", dependencies=[NewGameLimit])
async def go_on(request: Request, game_id: str, player: ActingPlayer) -> Response:
    """The next deal, for everybody who sits here, when those who are there agree."""
    return _to_table(await services_of(request).proposals.next(_play(request), game_id, player.id))


@router.post("/games/{game_id}/together/answer")
async def answer(
    request: Request,
    game_id: str,
    player: ActingPlayer,
    number: Annotated[int, Form(ge=0, le=2**31)],
    agrees: Annotated[bool, Form()],
) -> Response:
    """Say yes or no to what somebody asks."""
    asking = services_of(request).proposals
    await asking.answer(game_id, player.id, number, agrees=agrees)
    await asking.settle(_play(request), game_id)
    return await _after_sign(request, game_id, player)


@router.post("/games/{game_id}/together/point")
async def point(
    request: Request, game_id: str, player: ActingPlayer, place: Annotated[str, Form(max_length=12)]
) -> Response:
    """Point at a card."""
    table = await _play(request).load(game_id)
    await services_of(request).signals.point(table, player.id, place)
    return await _after_sign(request, game_id, player)


@router.post("/games/{game_id}/together/say")
async def say(
    request: Request,
    game_id: str,
    player: ActingPlayer,
    saying: Annotated[str, Form(max_length=12)],
) -> Response:
    """Say one of a handful of things."""
    table = await _play(request).load(game_id)
    await services_of(request).signals.say(table, player.id, saying)
    return await _after_sign(request, game_id, player)


@router.post("/games/{game_id}/together/leave")
async def leave(request: Request, game_id: str, player: ActingPlayer) -> Response:
    """Get up."""
    await _company(request).get_up(game_id, player.id)
    return _to_table(game_id)


@router.post("/games/{game_id}/together/unseat")
async def unseat(request: Request, game_id: str, player: ActingPlayer, person: Person) -> Response:
    """Take a seat back."""
    await _company(request).unseat(game_id, player.id, person)
    return _to_table(game_id)


@router.post("/games/{game_id}/together/seat")
async def seat_again(
    request: Request, game_id: str, player: ActingPlayer, person: Person
) -> Response:
    """Give somebody their seat again."""
    await _company(request).seat_again(game_id, player.id, person)
    return _to_table(game_id)


@router.post("/games/{game_id}/together/owner")
async def hand_over(
    request: Request, game_id: str, player: ActingPlayer, person: Person
) -> Response:
    """Let the table be somebody else's."""
    await _company(request).hand_over(game_id, player.id, person)
    return _to_table(game_id)


async def _view(request: Request, game_id: str, player: Player | None) -> CompanyView:
    viewer_id = player.id if player else None
    moment = await look_around(services_of(request), _play(request), game_id, viewer_id)
    return company_view(moment, viewer_id, f"{request.url.scheme}://{request.url.netloc}")


async def _after_sign(request: Request, game_id: str, player: Player) -> Response:
    if is_htmx(request):
        return await people(request, game_id, player)
    return _to_table(game_id)


def _markup(template: str, **context: object) -> Markup:
    return Markup(render(template, **context))  # noqa: S704 - rendered templates


def _to_table(game_id: str) -> RedirectResponse:
    return RedirectResponse(f"/games/{game_id}", HTTPStatus.SEE_OTHER)


def _play(request: Request) -> GameService:
    return service_of(request, GameService)


def _company(request: Request) -> SharedTableService:
    return services_of(request).tables
