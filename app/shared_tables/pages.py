"""The pages of shared tables: the invitation, the panel on the page of the game, and the forms of its players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse

from app.games.extensions import Panel
from app.games.model import Game, Kind
from app.games.topics import game_topic
from app.games.visibility import Part
from app.games.watch_guard import WatchGuard
from app.http.dependencies import is_htmx, origin_of
from app.http.qr import qr_response
from app.http.rate_limits import NewGameLimit
from app.http.sse import EventStream, StreamOptions
from app.http.templates import NO_STORE, page, render, render_markup, see_other
from app.identity.dependencies import ActingPlayer, ViewerId, player_of, session_guard
from app.identity.model import Player
from app.shared_tables import views
from app.shared_tables.dependencies import Invitation, TableServicesDep, load_overview, services_of
from app.shared_tables.model import OpenTable, TableResults
from app.shared_tables.service import shared_table_topic

router = APIRouter(include_in_schema=False)

PlayerId = Annotated[str, Form(max_length=100)]
ShortText = Annotated[str, Form(max_length=12)]


async def game_panel(request: Request, game: Game) -> Panel:
    """The panel on the page of a game: the players of a shared table, or a button that shares the game."""
    player = player_of(request)
    if game.kind is Kind.OPEN and player and player.id == game.owner_id and not game.is_over:
        return Panel(company=render_markup("shared_tables/_offer.html", game_id=game.id))
    if game.kind is not Kind.SHARED:
        return Panel()
    view = await _view(request, game.id, player.id if player else None)
    return Panel(
        head=render_markup("shared_tables/_head.html"),
        company=render_markup("shared_tables/_menu.html", view=view),
        players=render_markup("shared_tables/_panel.html", view=view),
        again=f"/games/{game.id}/together/next",
        stream=f"/games/{game.id}/together/stream",
        watching=view.how_to_join,
        welcome=view.welcome,
        join=render_markup("shared_tables/_ask.html", view=view),
    )


async def home_section(request: Request, player: Player | None) -> Markup:
    """The section of the home page: the player's open tables, and a form for a new one."""
    tables = services_of(request).tables
    open_tables = await tables.list_open_tables(player.id) if player else ()
    lines = [views.table_line(table) for table in open_tables]
    return render_markup("shared_tables/_home_section.html", lines=lines)


async def profile_section(request: Request, player_id: str) -> Markup:
    """The section of a player's page: their results at shared tables, if any."""
    return _profile_section((), await services_of(request).tables.count_results(player_id))


async def own_section(request: Request, player: Player) -> Markup:
    """The section of a player's own page: their open tables and their results, if any."""
    tables = services_of(request).tables
    open_tables = await tables.list_open_tables(player.id)
    return _profile_section(open_tables, await tables.count_results(player.id))


@router.get("/games/{game_id}/together/people")
async def show_people(
    request: Request, game_id: str, viewer_id: ViewerId, services: TableServicesDep
) -> HTMLResponse:
    """The players of a table, for its page to poll."""
    await services.games.load_visible(game_id, viewer_id)
    view = await _view(request, game_id, viewer_id)
    return HTMLResponse(render("shared_tables/_people.html", view=view), headers=NO_STORE)


@router.get("/games/{game_id}/together/stream", response_class=EventStream)
async def stream(
    request: Request, game_id: str, viewer_id: ViewerId, services: TableServicesDep
) -> EventStream:
    """Changes of the cards and of the table in one stream."""
    await services.games.load_visible(game_id, viewer_id)
    table = await services.tables.load(game_id)
    topics = [game_topic(game_id), shared_table_topic(game_id)]
    # The page of a player polls, which is its heartbeat. An open stream proves nothing: a proxy may hold it.
    if viewer_id and table.is_seated(viewer_id):
        options = StreamOptions(
            player_id=viewer_id,
            players_at=topics,
            guard=WatchGuard(services.games, game_id, viewer_id, session_guard(request, viewer_id)),
            needs_heartbeat=True,
        )
    else:
        options = StreamOptions(
            player_id=viewer_id,
            viewers_at=topics,
            guard=WatchGuard(services.games, game_id),
        )
    return EventStream(request, topics, options)


@router.post("/together", dependencies=[NewGameLimit])
async def open_table(
    player: ActingPlayer, services: TableServicesDep, ruleset: Annotated[str, Form(max_length=60)]
) -> Response:
    """Deal a new game and share it."""
    return _to_game(await services.tables.open_table(services.games, player.id, ruleset))


@router.get("/together/{token}")
async def show_invitation(
    request: Request, token: str, viewer_id: ViewerId, services: TableServicesDep
) -> Response:
    """The page of an invitation. Players of the table are redirected to it."""
    table = await services.tables.find_invited(token)
    if table.is_seated(viewer_id):
        return _to_game(table.game_id)
    game = await services.games.log.load(table.game_id)
    access = await services.games.visibility.access(game, viewer_id)
    view = views.invitation_view(
        token, table, game, viewer_id, may_watch=access.may_see(Part.CARDS)
    )
    return page(request, "shared_tables/invitation.html", view, headers=NO_STORE)


@router.get("/together/{token}/qr.svg")
async def show_qr_code(request: Request, token: str, services: TableServicesDep) -> Response:
    """The link of an invitation as a QR code."""
    await services.tables.find_invited(token)
    return qr_response(f"{origin_of(request)}/together/{token}", NO_STORE)


@router.post("/together/{token}")
async def join(token: Invitation, player: ActingPlayer, services: TableServicesDep) -> Response:
    """Take a seat."""
    return _to_game(await services.tables.join(token, player.id))


@router.post("/games/{game_id}/together/share")
async def share(game_id: str, player: ActingPlayer, services: TableServicesDep) -> Response:
    """Share the player's own game."""
    await services.tables.share(game_id, player.id)
    return _to_game(game_id)


@router.post("/games/{game_id}/together/alone")
async def play_alone(game_id: str, player: ActingPlayer, services: TableServicesDep) -> Response:
    """Make a shared game the player's own again."""
    await services.tables.unshare(game_id, player.id)
    return _to_game(game_id)


@router.post("/games/{game_id}/together/next", dependencies=[NewGameLimit])
async def deal_next(game_id: str, player: ActingPlayer, services: TableServicesDep) -> Response:
    """Deal the next game, or ask the others whether they agree."""
    return _to_game(await services.proposals.propose_next(services.games, game_id, player.id))


@router.post("/games/{game_id}/together/answer")
async def answer(
    request: Request,
    game_id: str,
    player: ActingPlayer,
    services: TableServicesDep,
    *,
    number: Annotated[int, Form(ge=0, le=2**31 - 1)],
    agrees: Annotated[bool, Form()],
) -> Response:
    """Answer a proposal."""
    await services.proposals.answer(services.games, game_id, player.id, number, agrees=agrees)
    return await _people_or_game(request, game_id, player, services)


@router.post("/games/{game_id}/together/answer/withdraw")
async def withdraw_proposal(
    request: Request,
    game_id: str,
    player: ActingPlayer,
    services: TableServicesDep,
    number: Annotated[int, Form(ge=0, le=2**31 - 1)],
) -> Response:
    """Ask the others no longer."""
    await services.proposals.withdraw(game_id, player.id, number)
    return await _people_or_game(request, game_id, player, services)


@router.post("/games/{game_id}/together/point")
async def point(
    request: Request,
    game_id: str,
    player: ActingPlayer,
    services: TableServicesDep,
    place: ShortText,
) -> Response:
    """Point at a card."""
    await services.gestures.point(await services.games.log.load(game_id), player.id, place)
    return await _people_or_game(request, game_id, player, services)


@router.post("/games/{game_id}/together/say")
async def say(
    request: Request,
    game_id: str,
    player: ActingPlayer,
    services: TableServicesDep,
    saying: ShortText,
) -> Response:
    """Say one of a few fixed phrases."""
    await services.gestures.say(await services.games.log.load(game_id), player.id, saying)
    return await _people_or_game(request, game_id, player, services)


@router.post("/games/{game_id}/together/requests")
async def ask_for_seat(game_id: str, player: ActingPlayer, services: TableServicesDep) -> Response:
    """Ask for a seat, without the invitation."""
    await services.games.load_visible(game_id, player.id)
    await services.requests.ask(game_id, player.id)
    return _to_game(game_id)


@router.post("/games/{game_id}/together/requests/withdraw")
async def withdraw_request(
    game_id: str, player: ActingPlayer, services: TableServicesDep
) -> Response:
    """Ask for a seat no longer."""
    await services.games.load_visible(game_id, player.id)
    await services.requests.withdraw(game_id, player.id)
    return _to_game(game_id)


@router.post("/games/{game_id}/together/requests/answer")
async def answer_request(
    request: Request,
    game_id: str,
    player: ActingPlayer,
    services: TableServicesDep,
    *,
    person: PlayerId,
    admits: Annotated[bool, Form()],
) -> Response:
    """Let in someone who asked for a seat, or decline."""
    await services.requests.answer(game_id, player.id, person, admits=admits)
    return await _people_or_game(request, game_id, player, services)


@router.post("/games/{game_id}/together/leave")
async def leave(game_id: str, player: ActingPlayer, services: TableServicesDep) -> Response:
    """Free the player's own seat."""
    await services.tables.leave(game_id, player.id)
    return _to_game(game_id)


@router.post("/games/{game_id}/together/unseat")
async def remove(
    game_id: str, player: ActingPlayer, services: TableServicesDep, person: PlayerId
) -> Response:
    """Remove a player."""
    await services.tables.remove(game_id, player.id, person)
    return _to_game(game_id)


@router.post("/games/{game_id}/together/seat")
async def restore_seat(
    game_id: str, player: ActingPlayer, services: TableServicesDep, person: PlayerId
) -> Response:
    """Give a player their seat again."""
    await services.tables.restore_seat(game_id, player.id, person)
    return _to_game(game_id)


@router.post("/games/{game_id}/together/owner")
async def transfer(
    game_id: str, player: ActingPlayer, services: TableServicesDep, person: PlayerId
) -> Response:
    """Make another player the owner."""
    await services.tables.transfer(game_id, player.id, person)
    return _to_game(game_id)


async def _view(request: Request, game_id: str, viewer_id: str | None) -> views.SharedTableView:
    overview = await load_overview(services_of(request), game_id, viewer_id)
    return views.shared_table_view(overview, viewer_id, origin_of(request))


async def _people_or_game(
    request: Request, game_id: str, player: Player, services: TableServicesDep
) -> Response:
    if is_htmx(request):
        return await show_people(request, game_id, player.id, services)
    return _to_game(game_id)


def _to_game(game_id: str) -> RedirectResponse:
    return see_other(f"/games/{game_id}")


def _profile_section(open_tables: Sequence[OpenTable], results: Sequence[TableResults]) -> Markup:
    if not open_tables and not results:
        return Markup()
    return render_markup(
        "shared_tables/_profile_section.html",
        open=[views.table_line(table) for table in open_tables],
        lines=[views.result_line(line) for line in results],
    )
