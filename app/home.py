"""The pages around a table: the lobby, the rules of a game, a new game, and how it all looks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Form, Request, Response
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse

from app.engine.describe import Section, describe
from app.games.catalog import GameOffer, list_offers, offer_of
from app.games.model import Kind, Status, get_ruleset, stored_rules
from app.games.new_game import choice_of, dealer_of
from app.games.repository import GameRow
from app.games.service import GameService
from app.http.cookies import YEAR_SECONDS, set_cookie
from app.http.dependencies import service_of
from app.http.preferences import COOKIE, Appearance, Hand, Suits, Theme, local_path
from app.http.templates import page
from app.identity.dependencies import CurrentPlayer
from app.identity.model import Player

router = APIRouter(include_in_schema=False)

_SHOWN_GAMES: Final = 6


Strip = Callable[[Request, Player | None], Awaitable[str]]
"""Another part of the site's lines on the front page, as markup."""


@dataclass(frozen=True, slots=True)
class HomeSections:
    """What other rooms add to the home page."""

    today: Strip
    together: Sequence[Strip]


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game that waits for its player."""

    id: str
    title: str
    note: str


@dataclass(frozen=True, slots=True)
class LobbyView:
    """The front page."""

    path: str
    games: tuple[GameOffer, ...]
    choice: str
    """Which deals the visitor wants; empty where there is no choice."""
    open_games: list[OpenGame]
    today: Markup
    """The deals of the day."""
    together: list[Markup]
    """The ways to play with others."""


@dataclass(frozen=True, slots=True)
class RulesView:
    """The rules of a game."""

    path: str
    game: GameOffer
    aliases: tuple[str, ...]
    sections: tuple[Section, ...]


@router.get("/")
async def lobby(request: Request, player: CurrentPlayer) -> HTMLResponse:
    """The games, and the visitor's open ones."""
    rows = await _play(request).list_recent(player.id, _SHOWN_GAMES) if player else ()
    sections = service_of(request, HomeSections)
    view = LobbyView(
        path="/",
        games=list_offers(),
        choice=choice_of(request) if dealer_of(request).proves else "",
        open_games=_open(rows),
        today=Markup(await sections.today(request, player)),  # noqa: S704 - a rendered template
        together=[Markup(await strip(request, player)) for strip in sections.together],  # noqa: S704 - the same
    )
    return page(request, "home.html", view, headers={"Cache-Control": "no-store"})


@router.get("/rules/{ruleset}")
async def rules(request: Request, ruleset: str, _player: CurrentPlayer) -> Response:
    """The rules of a game, written from its data."""
    rules = get_ruleset(ruleset)
    if ruleset != rules.id:
        return RedirectResponse(f"/rules/{rules.id}", HTTPStatus.SEE_OTHER)
    view = RulesView(
        path=f"/rules/{rules.id}",
        game=offer_of(rules),
        aliases=tuple(alias.title() for alias in rules.aliases),
        sections=describe(rules),
    )
    return page(request, "rules/rules.html", view)


@router.get("/games/{game_id}/click")
@router.get("/games/{game_id}/move")
@router.get("/games/{game_id}/deal")
@router.get("/games/{game_id}/undo")
@router.get("/games/{game_id}/redo")
@router.get("/games/{game_id}/restart")
@router.get("/games/{game_id}/resign")
async def lead_back(request: Request, game_id: str) -> RedirectResponse:
    """Where a page told why a form was refused; who comes back to that address means the table."""
    table = await _play(request).load(game_id)
    return RedirectResponse(f"/games/{table.id}", HTTPStatus.SEE_OTHER)


@router.post("/look")
async def keep_look(
    request: Request,
    theme: Annotated[Theme, Form()],
    suits: Annotated[Suits, Form()],
    hand: Annotated[Hand, Form()],
    back: Annotated[str, Form(max_length=200)] = "/",
) -> Response:
    """Remember how the visitor wants the site to look."""
    answer = RedirectResponse(local_path(back), HTTPStatus.SEE_OTHER)
    set_cookie(request, COOKIE, str(Appearance(theme, suits, hand)), YEAR_SECONDS)
    return answer


def _open(rows: Sequence[GameRow]) -> list[OpenGame]:
    waiting = {Status.PLAYING: "", Status.LOST: "no moves left, but undo is"}
    return [
        OpenGame(
            id=row.id,
            title=stored_rules(row.ruleset, row.revision).title,
            note=waiting[Status(row.status)] or _actions(row.version),
        )
        for row in rows
        if row.status in waiting and row.kind != Kind.SHARED
    ]


def _actions(count: int) -> str:
    if not count:
        return "just dealt"
    return "one action so far" if count == 1 else f"{count} actions so far"


def _play(request: Request) -> GameService:
    return service_of(request, GameService)
