"""The home page, the rules pages, and saving the appearance settings."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Form, Request, Response
from markupsafe import Markup
from starlette.responses import HTMLResponse, RedirectResponse

from app.engine.rules_page import Section, describe
from app.games.catalog import GameOffer, list_offers, offer_of
from app.games.model import Kind, Status, get_ruleset, stored_rules
from app.games.new_game import choice_of, dealer_of
from app.games.repository import GameRow
from app.games.service import GameService
from app.http.cookies import YEAR_SECONDS, set_cookie
from app.http.dependencies import service_of
from app.http.preferences import COOKIE, Appearance, Hand, Suits, Theme, local_path
from app.http.templates import NO_STORE, page, see_other
from app.identity.dependencies import CurrentPlayer
from app.identity.model import Player

router = APIRouter(include_in_schema=False)

_SHOWN_GAMES: Final = 6


HomeSection = Callable[[Request, Player | None], Awaitable[Markup]]
"""Renders what another part of the site shows on the home page."""


@dataclass(frozen=True, slots=True)
class HomeSections:
    """What other rooms add to the home page."""

    today: HomeSection
    together: Sequence[HomeSection]


@dataclass(frozen=True, slots=True)
class OpenGame:
    """An unfinished game of the visitor."""

    id: str
    title: str
    note: str


@dataclass(frozen=True, slots=True)
class HomeView:
    """The home page."""

    path: str
    games: tuple[GameOffer, ...]
    choice: str
    """Which deals the visitor wants; empty if there is no choice."""
    open_games: list[OpenGame]
    today: Markup
    """The daily deals."""
    together: list[Markup]
    """Ways to play with others."""


@dataclass(frozen=True, slots=True)
class RulesView:
    """The rules of a game."""

    path: str
    game: GameOffer
    aliases: tuple[str, ...]
    sections: tuple[Section, ...]


@router.get("/")
async def home(request: Request, player: CurrentPlayer) -> HTMLResponse:
    """The games, and the visitor's unfinished ones."""
    rows = await _games(request).list_recent(player.id, _SHOWN_GAMES) if player else ()
    sections = service_of(request, HomeSections)
    view = HomeView(
        path="/",
        games=list_offers(),
        choice=choice_of(request) if dealer_of(request).can_prove else "",
        open_games=_open_games(rows),
        today=await sections.today(request, player),
        together=[await section(request, player) for section in sections.together],
    )
    return page(request, "home.html", view, headers=NO_STORE)


@router.get("/rules/{ruleset}")
async def rules(request: Request, ruleset: str, _player: CurrentPlayer) -> Response:
    """The rules of a game, generated from its rule set."""
    rules = get_ruleset(ruleset)
    if ruleset != rules.id:
        return see_other(f"/rules/{rules.id}")
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
async def redirect_to_game(request: Request, game_id: str) -> RedirectResponse:
    """Redirect from the address of a form, where a page may have shown an error, to the game."""
    game = await _games(request).load(game_id)
    return see_other(f"/games/{game.id}")


@router.post("/look")
async def save_appearance(
    request: Request,
    theme: Annotated[Theme, Form()],
    suits: Annotated[Suits, Form()],
    hand: Annotated[Hand, Form()],
    back: Annotated[str, Form(max_length=200)] = "/",
) -> Response:
    """Save the appearance settings."""
    answer = see_other(local_path(back))
    set_cookie(request, COOKIE, str(Appearance(theme, suits, hand)), YEAR_SECONDS)
    return answer


def _open_games(rows: Sequence[GameRow]) -> list[OpenGame]:
    waiting = {Status.PLAYING: "", Status.LOST: "no moves left; you can undo"}
    return [
        OpenGame(
            id=row.id,
            title=stored_rules(row.ruleset, row.revision).title,
            note=waiting[Status(row.status)] or _moves(row.version),
        )
        for row in rows
        if row.status in waiting and row.kind != Kind.SHARED
    ]


def _moves(count: int) -> str:
    if not count:
        return "just dealt"
    return "1 move so far" if count == 1 else f"{count:,} moves so far"


def _games(request: Request) -> GameService:
    return service_of(request, GameService)
