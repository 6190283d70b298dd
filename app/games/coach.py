"""Bubbles that guide a first game: at the foundations, at a card that can move, at the stock and at the undo button.

They show in the first moves of your own games until you have done what they say or dismissed them, and after a move
that about undo comes before that about the stock. What wins and what is built is said once for each family of games,
how the stock deals once for each way it does, the rest once. A cookie, which belongs to the browser like the
settings, says what was shown or that you want none. A player who has finished a game needs no bubbles for it in any
browser. Ranked play has none: its clock runs, so the page before it says what to build where.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Final, NamedTuple

from fastapi import APIRouter, Form, Request, Response

from app.db.engine import Database
from app.engine.actions import Move
from app.engine.tableau_text import own_rule, special_rule
from app.games import guidance
from app.games.clicks import Grip, read_click
from app.games.extensions import Panel
from app.games.lessons import (
    TOPICS,
    Dealing,
    Topic,
    dealing_of,
    knows_clicks,
    lesson,
    lessons_of_games,
    read_lessons,
)
from app.games.model import Game, Kind
from app.http.cookies import YEAR_SECONDS, read_cookie, set_cookie
from app.http.dependencies import service_of
from app.http.preferences import local_path
from app.http.templates import render_markup, see_other
from app.identity.dependencies import player_of
from app.profiles.records import records_of
from app.rulesets import RULESETS
from app.text import gettext, sentences

router = APIRouter(include_in_schema=False)

COOKIE: Final = "fd_guided"
_ALL: Final = "yes"
_LATE: Final = 10  # actions after which a player needs no guide, and the cards need the room
# What a player who has finished games knows about them.
_FINISHED: Final[tuple[Topic, ...]] = ("goal", "move", "deal", "undo")
_MOVE: Final = (
    gettext("Click a card, or drag it. If it fits in two places, choose one."),
    gettext("Tap a card, or drag it. If it fits in two places, choose one."),
)
# Without a script nothing can be dragged.
_MOVE_BY_FORMS: Final = (
    gettext("Click a card to move it. If it fits in two places, choose one."),
    gettext("Tap a card to move it. If it fits in two places, choose one."),
)
# Shorter, to leave room for a game's own rule in the same bubble.
_MOVE_SHORT: Final = (gettext("Click a card, or drag it."), gettext("Tap a card, or drag it."))
_MOVE_SHORT_BY_FORMS: Final = (
    gettext("Click a card to move it."),
    gettext("Tap a card to move it."),
)
_DEAL: Final[Mapping[Dealing, tuple[str, str]]] = {
    "deal": (gettext("Click the stock to deal."), gettext("Tap the stock to deal.")),
    "deal-to-columns": (
        gettext("Click the stock to deal onto the columns."),
        gettext("Tap the stock to deal onto the columns."),
    ),
    "deal-or-play": (
        gettext("Click the stock to play its card, or to deal it if it doesn't fit."),
        gettext("Tap the stock to play its card, or to deal it if it doesn't fit."),
    ),
    "play-stock": (
        gettext("Click the stock to play its card."),
        gettext("Tap the stock to play its card."),
    ),
}
_UNDO: Final = gettext("Undo takes back any move.")


class CoachStep(NamedTuple):
    """A bubble: what it is about, and what it says for mouse and for touch. ``before`` is said first in both.

    ``by_forms`` has the words for mouse and touch where there is no script.
    """

    topic: Topic
    before: str
    by_mouse: str = ""
    by_touch: str = ""
    by_forms: tuple[str, str] | None = None


class CoachView(NamedTuple):
    """The bubbles for a game by ``ruleset``, until it has ``late`` actions.

    ``card`` is the grip of a card that moves at one tap, or empty; ``back`` the page of the game. Once it ``is_begun``,
    nothing is said without a script.
    """

    steps: tuple[CoachStep, ...]
    card: str
    back: str
    ruleset: str
    late: int
    is_begun: bool

    @property
    def done(self) -> str:
        """The topics that are done once all bubbles are read, as their form sends them."""
        return ".".join(step.topic for step in self.steps)


async def game_panel(request: Request, game: Game) -> Panel:
    """The bubbles, for the player of an open game in a browser that has not seen them to the end."""
    done = read_cookie(request, COOKIE)
    if game.is_over or done == _ALL:
        return Panel()
    player = player_of(request)
    if player is None or player.id != game.owner_id:
        return Panel()
    if game.kind is not Kind.OPEN:
        return Panel()
    steps = await _steps_left(request, game, read_lessons(done or ""))
    if not steps:
        return Panel()
    strip = render_markup("games/_coach.html", view=_view(game, steps))
    return Panel(head=render_markup("games/_coach_head.html"), strip=strip)


@router.post("/guided")
async def dismiss(
    request: Request,
    back: Annotated[str, Form(max_length=200)] = "/games",
    done: Annotated[str, Form(max_length=100)] = "",
    ruleset: Annotated[str, Form(max_length=100)] = "",
) -> Response:
    """Never show these bubbles in this browser again: the topics that are ``done`` (``goal.move``), or else all."""
    answer = see_other(local_path(back))
    before = read_cookie(request, COOKIE) or ""
    if not done or before == _ALL:
        set_cookie(request, COOKIE, _ALL, YEAR_SECONDS)
        return answer
    told = read_lessons(before)
    rules = next((rules for rules in RULESETS if rules.id == ruleset), None)
    topics = done.split(".")
    told |= {lesson(topic, rules) if rules else topic for topic in TOPICS if topic in topics}
    set_cookie(request, COOKIE, ".".join(sorted(told)), YEAR_SECONDS)
    return answer


def _view(game: Game, steps: tuple[CoachStep, ...]) -> CoachView:
    """The bubbles that are left."""
    return CoachView(
        steps,
        _first_card(game),
        f"/games/{game.id}",
        game.rules.id,
        _LATE,
        is_begun=game.version > 0,
    )


async def _steps_left(request: Request, game: Game, told: set[str]) -> tuple[CoachStep, ...]:
    """The bubbles that this player needs in this browser."""
    if game.version >= _LATE or not _unknown(game, told):
        return ()
    read = partial(records_of, player_id=game.owner_id)
    finished = await service_of(request, Database).read(read)
    return _unknown(game, told | lessons_of_games(finished, _FINISHED))


def _unknown(game: Game, known: set[str]) -> tuple[CoachStep, ...]:
    steps = _steps(game, is_moving_known=knows_clicks(known))
    return tuple(step for step in steps if lesson(step.topic, game.rules) not in known)


def _steps(game: Game, *, is_moving_known: bool) -> list[CoachStep]:
    rules = game.rules
    steps = _first_steps(game, is_moving_known=is_moving_known)
    stock = rules.layout.stock
    # Right after a move, to be sent to the stock would sound as if the move was wrong.
    steps.append(CoachStep("undo", _UNDO))
    left = len(game.position.piles[stock].cards)
    if left and left == len(game.opening.position.piles[stock].cards):
        steps.append(CoachStep("deal", "", *_DEAL[dealing_of(rules)]))
    return steps


def _first_steps(game: Game, *, is_moving_known: bool) -> list[CoachStep]:
    rules = game.rules
    goal = CoachStep("goal", guidance.goal(rules, game.position))
    if guidance.first_move(rules, game.position):  # the table says it
        return [goal]
    if is_moving_known:
        move = CoachStep("move", sentences(guidance.building(rules), special_rule(rules)))
    elif own := own_rule(rules):
        said = sentences(guidance.building(rules), own)
        move = CoachStep("move", said, *_MOVE_SHORT, by_forms=_MOVE_SHORT_BY_FORMS)
    else:
        move = CoachStep("move", guidance.building(rules), *_MOVE, by_forms=_MOVE_BY_FORMS)
    return [goal, move]


def _first_card(game: Game) -> str:
    """A card that moves at one tap: another one would be picked up first."""
    legal = game.legal_actions
    grips = [Grip(action.source, action.count) for action in legal if isinstance(action, Move)]
    for grip in grips:
        if isinstance(read_click(game.rules, game.position, grip, None, legal), Move):
            return str(grip)
    return str(grips[0]) if grips else ""
