"""New games from the site: by deal code, with a winnable deal or with a random one."""

from __future__ import annotations

from enum import StrEnum
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Form, Request, Response
from pydantic import BaseModel, Field

from app.engine.shuffle import Code
from app.games.callbacks import Dealer, DealPending
from app.games.model import get_ruleset
from app.games.service import GameService
from app.http.cookies import YEAR_SECONDS, read_cookie, set_cookie
from app.http.dependencies import is_htmx, service_of
from app.http.rate_limits import NewGameLimit
from app.http.templates import see_other
from app.identity.dependencies import ActingPlayer

router = APIRouter(include_in_schema=False)

_COOKIE: Final = "fd_deals"


class Choice(StrEnum):
    """Which new deals a visitor wants."""

    WINNABLE = "winnable"
    ANY = "any"


class NewGameForm(BaseModel):
    """What to deal: a code, or a new deal of a kind that is remembered, except with ``once``."""

    ruleset: str = Field(max_length=60)
    code: str = Field("", max_length=40)
    deal: Choice | None = None
    once: bool = False


def choice_of(request: Request) -> Choice:
    """The visitor's last choice; winnable deals by default."""
    return Choice.ANY if read_cookie(request, _COOKIE) == Choice.ANY else Choice.WINNABLE


def dealer_of(request: Request) -> Dealer:
    """Where this site gets its winnable deals from."""
    return service_of(request, Dealer)


async def draw_deal(
    request: Request, player_id: str, ruleset: str, choice: Choice
) -> Code | DealPending | None:
    """A deal of the chosen kind; ``None`` for a random one, ``DealPending`` while a winnable one is being found."""
    rules = get_ruleset(ruleset)
    return await dealer_of(request).draw(player_id, rules) if choice is Choice.WINNABLE else None


@router.post("/play", dependencies=[NewGameLimit])
async def new_game(
    request: Request, player: ActingPlayer, form: Annotated[NewGameForm, Form()]
) -> Response:
    """Start a game and go to it, or to the page that waits for a winnable deal."""
    chosen = None if form.once else form.deal
    code: str | None = form.code.strip() or None
    if code is None:
        choice = form.deal or choice_of(request)
        drawn = await draw_deal(request, player.id, form.ruleset, choice)
        if isinstance(drawn, DealPending):
            return _redirect(request, drawn.address, chosen)
        code = drawn
    games = service_of(request, GameService)
    game = await games.start(player.id, form.ruleset, code)
    return _redirect(request, f"/games/{game.id}", chosen)


@router.post("/new-deals")
async def choose(request: Request, deal: Annotated[Choice, Form()]) -> Response:
    """Remember which deals the visitor wants."""
    return _redirect(request, "/#games", deal)


def _redirect(request: Request, address: str, chosen: Choice | None) -> Response:
    if is_htmx(request):  # it would follow a redirect and put a whole page into this one
        answer: Response = Response(
            status_code=HTTPStatus.NO_CONTENT, headers={"HX-Redirect": address}
        )
    else:
        answer = see_other(address)
    if chosen:
        set_cookie(request, _COOKIE, chosen, YEAR_SECONDS)
    return answer
