"""Bubbles that guide a first game: at the foundations, at a card that can move, at the stock and at the undo button.

They show in games of one's own until one has done what they say or has dismissed them. A cookie says which are done,
or that all are: it belongs to a browser, as the settings do, and costs no query. Nothing may advise a move in a daily
deal: there the first bubble is at the clock, and in a newcomer's first one a line says what to build where, until the
first action.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Form, Request, Response
from markupsafe import Markup

from app.daily.own_results import list_own_results
from app.db.engine import Database
from app.engine.actions import Move
from app.engine.ruleset import Ruleset
from app.engine.vocabulary import DealTo
from app.games import descriptions
from app.games.clicks import Grip, read_click
from app.games.extensions import Panel
from app.games.model import Game, Kind
from app.http.cookies import YEAR_SECONDS, read_cookie, set_cookie
from app.http.dependencies import service_of
from app.http.preferences import local_path
from app.http.templates import render_markup, see_other
from app.identity.dependencies import player_of
from app.text import gettext

router = APIRouter(include_in_schema=False)

COOKIE: Final = "fd_guided"
_ALL: Final = "yes"
_TOPICS: Final = ("goal", "clock", "move", "deal", "undo")
_MOVE: Final = (
    gettext("Click a card to move it. If it fits in two places, choose one."),
    gettext("Tap a card to move it. If it fits in two places, choose one."),
)
_FIRST: Final = (
    gettext("Click a card to start the foundations with it."),
    gettext("Tap a card to start the foundations with it."),
)
_DEAL: Final = (gettext("Click the stock to deal."), gettext("Tap the stock to deal."))
_DEAL_OR_PLAY: Final = (
    gettext("Click the stock: its card is played where it fits, or else dealt."),
    gettext("Tap the stock: its card is played where it fits, or else dealt."),
)
_PLAY_STOCK: Final = (
    gettext("Click the stock to play its card."),
    gettext("Tap the stock to play its card."),
)
_UNDO: Final = gettext("Undo takes back anything.")
_CLOCK: Final = gettext("This is your one attempt, and the clock is running.")
_RANKED_UNDO: Final = gettext("Undo counts as a move. A card that was turned up stays up.")


class CoachStep(NamedTuple):
    """A bubble: what it is about (``goal``, ``clock``, ``move``, ``deal``, ``undo``), what it says by mouse or touch.

    ``before`` is said first, whatever one plays with.
    """

    topic: str
    before: str
    by_mouse: str = ""
    by_touch: str = ""


class CoachView(NamedTuple):
    """The bubbles. ``card`` is the grip of a card that moves at one tap, or empty; ``back`` the page of the game."""

    steps: tuple[CoachStep, ...]
    card: str
    back: str


class GoalView(NamedTuple):
    """What to do first, or empty, and what to build where."""

    first: str
    goal: str


async def game_panel(request: Request, game: Game) -> Panel:
    """The bubbles, for the player of an open game in a browser that has not seen them to the end."""
    done = read_cookie(request, COOKIE)
    if game.is_over or done == _ALL:
        return Panel()
    player = player_of(request)
    if player is None or player.id != game.owner_id:
        return Panel()
    if game.kind not in {Kind.OPEN, Kind.DAILY}:
        return Panel()
    strip = await _goal(request, game) if game.kind is Kind.DAILY else Markup()
    view = _view(game, _read_topics(done or ""))
    if view.steps:
        strip += render_markup("games/_coach.html", view=view)
    return Panel(head=render_markup("games/_coach_head.html"), strip=strip)


async def _goal(request: Request, game: Game) -> Markup:
    """What is first, if that is special, and what to build where; empty but in a player's first daily deal."""
    if game.version:
        return Markup()
    read = partial(list_own_results, player_id=game.owner_id)
    if len(await service_of(request, Database).read(read)) > 1:
        return Markup()
    first = descriptions.first_move(game.rules, game.position)
    return render_markup("games/_goal.html", view=GoalView(first, descriptions.goal(game.rules)))


@router.post("/guided")
async def dismiss(
    request: Request,
    back: Annotated[str, Form(max_length=200)] = "/games",
    done: Annotated[str, Form(max_length=100)] = "",
) -> Response:
    """Never show these bubbles in this browser again: the topics that are ``done`` (``goal.move``), or else all."""
    answer = see_other(local_path(back))
    before = read_cookie(request, COOKIE) or ""
    topics = _read_topics(before) | _read_topics(done)
    if done and before != _ALL:
        value = ".".join(topic for topic in _TOPICS if topic in topics)
        set_cookie(request, COOKIE, value, YEAR_SECONDS)
    else:
        set_cookie(request, COOKIE, _ALL, YEAR_SECONDS)
    return answer


def _read_topics(text: str) -> set[str]:
    """The topics in a text such as ``goal.move``; of others, nothing."""
    return set(text.split(".")) & set(_TOPICS)


def _view(game: Game, done: set[str]) -> CoachView:
    """The bubbles that are left. In ranked play they point at no card."""
    card = "" if game.kind.has_rank else _first_card(game)
    steps = tuple(step for step in _steps(game) if step.topic not in done)
    return CoachView(steps, card, f"/games/{game.id}")


def _steps(game: Game) -> list[CoachStep]:
    rules, is_ranked = game.rules, game.kind.has_rank
    steps = [CoachStep("clock", _CLOCK)]
    if not is_ranked:
        is_first = descriptions.first_move(rules, game.position)
        move = ("", *_FIRST) if is_first else (descriptions.building(rules), *_MOVE)
        steps = [CoachStep("goal", descriptions.aim(rules)), CoachStep("move", *move)]
    if game.position.piles[rules.layout.stock].cards:
        steps.append(CoachStep("deal", "", *_stock_words(rules)))
    steps.append(CoachStep("undo", _RANKED_UNDO if is_ranked else _UNDO))
    return steps


def _stock_words(rules: Ruleset) -> tuple[str, str]:
    if rules.stock.deals_to is DealTo.NOWHERE:
        return _PLAY_STOCK
    return _DEAL_OR_PLAY if rules.stock.plays_to else _DEAL


def _first_card(game: Game) -> str:
    """A card that moves at one tap: another one would be picked up first."""
    legal = game.legal_actions
    grips = [Grip(action.source, action.count) for action in legal if isinstance(action, Move)]
    for grip in grips:
        if isinstance(read_click(game.rules, game.position, grip, None, legal), Move):
            return str(grip)
    return str(grips[0]) if grips else ""
