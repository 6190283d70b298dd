"""The JSON API of games, under ``/api/v1``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Body, Depends, Header, Query, Request
from fastapi.responses import Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field, StrictStr, ValidationError

from app.errors import (
    MalformedError,
    NotReadyError,
    UnavailableError,
)
from app.games.callbacks import DealPending
from app.games.dependencies import games_of
from app.games.game_actions import RESIGN, WORDS
from app.games.json_responses import new_game_response, respond_json, state_response
from app.games.json_state import NEW_GAME_RESPONSE, STATE_RESPONSE, JsonObject, Turn
from app.games.levels import Level, nearest_note
from app.games.lookup import get_ruleset
from app.games.new_game import WantedDeals, draw_deal
from app.games.service import GameService
from app.games.topics import game_topic
from app.games.visibility import Part
from app.games.watch_guard import WatchGuard
from app.http.rate_limits import NewGameLimit
from app.http.sse import EventStream, StreamOptions
from app.http.templates import NO_STORE
from app.i18n.speaking import ENGLISH, current_language, say
from app.identity.dependencies import ActingPlayer, ViewerId, acting_player, session_guard
from app.rulesets import RULESETS
from app.text import gettext

router = APIRouter(prefix="/api/v1", tags=["play"])


class RulesetBody(BaseModel):
    """One rule set."""

    id: str
    title: str
    aliases: list[str]
    decks: int
    revision: int
    source: str


class NewGame(BaseModel):
    """What to deal. Without a code, a new random open deal."""

    ruleset: StrictStr
    code: StrictStr | None = None
    deal: Literal["any", "winnable"] = Field(
        default="any", description="Without a code: any deal, or one that is proven winnable."
    )
    difficulty: Level = Field(
        default=Level.ANY,
        description="With `winnable`: the difficulty of the deal. If none is ready, the nearest is dealt,"
        " and `difficulty_note` in the response says so.",
    )


class MoveTurn(Turn):
    """A move such as ``t3-f1``, ``t2-t5:4`` or ``deal``."""

    move: StrictStr


class LogEntry(BaseModel):
    """One accepted action; it made ``version``, ``after_ms`` milliseconds after the start."""

    version: int
    action: str
    after_ms: int
    player: str
    automatic: bool = Field(
        description="Whether the site chose the move for the player, as in `/games/{id}/finish`."
    )


_VERSION: Final = re.compile(r"[0-9]{1,9}")

quoted: Final = lru_cache(maxsize=1 << 14)(json.dumps)
"""A word as JSON. A log has thousands, but few different ones."""

Handler = Callable[[Request], Coroutine[Any, Any, Response]]

Key = Annotated[str | None, Header(alias="Idempotency-Key")]


@router.get("/rulesets", summary="List the games")
async def rulesets() -> list[RulesetBody]:
    """All rule sets, in the order of the home page."""
    return [
        RulesetBody(
            id=rules.id,
            title=rules.title,
            aliases=list(rules.aliases),
            decks=rules.decks,
            revision=rules.revision,
            source=rules.source,
        )
        for rules in RULESETS
    ]


@router.post(
    "/games",
    status_code=201,
    responses=NEW_GAME_RESPONSE,
    response_class=Response,
    dependencies=[NewGameLimit],
    summary="Start a game",
)
async def start_game(
    request: Request, player: ActingPlayer, new: Annotated[NewGame, Body()]
) -> Response:
    """Start a game; `not_ready` while a winnable deal is being found, so try again."""
    code: str | None = new.code
    dealt: JsonObject = {}
    if new.difficulty is not Level.ANY and (code is not None or new.deal != "winnable"):
        raise MalformedError(
            gettext("Send 'difficulty' only with 'deal' set to 'winnable', and without a code.")
        )
    if code is None and new.deal == "winnable":
        rules = get_ruleset(new.ruleset)
        drawn = await draw_deal(request, player.id, rules.id, WantedDeals.WINNABLE, new.difficulty)
        if isinstance(drawn, DealPending):
            raise NotReadyError(
                gettext("We're looking for a winnable deal. Try again in a moment."), 2
            )
        if drawn is None:
            raise UnavailableError(gettext("This site has no winnable deals. Use `any` instead."))
        code = drawn.code
        if new.difficulty is not Level.ANY:
            note = say(nearest_note(new.difficulty, drawn.grade, rules.title))
            dealt = {"difficulty": drawn.grade, "difficulty_note": note or None}
    game = await games_of(request).start(player.id, new.ruleset, code)
    return new_game_response(game, more=dealt)


@router.get(
    "/games/{game_id}", responses=STATE_RESPONSE, response_class=Response, summary="Get a game"
)
async def game_state(
    request: Request,
    game_id: str,
    viewer_id: ViewerId,
    since: Annotated[int | None, Query()] = None,
) -> Response:
    """The game as it is; with `since`, 304 if nothing is newer than that version."""
    game = await games_of(request).load_visible(game_id, viewer_id)
    if since is not None and game.version <= since:
        return Response(status_code=304)
    return state_response(game)


@dataclass(frozen=True, slots=True)
class Caller:
    """The game, the player who acts on it, the version that they saw, and their idempotency key."""

    games: GameService
    game_id: str
    player_id: str
    version: int
    key: str | None

    async def act(self, action: str) -> Response:
        """Judge and store the action."""
        return respond_json(
            await self.games.act(self.game_id, self.player_id, self.version, action, self.key)
        )


async def _caller(
    request: Request,
    game_id: str,
    player: ActingPlayer,
    turn: Annotated[Turn, Body()],
    key: Key = None,
) -> Caller:
    return Caller(games_of(request), game_id, player.id, turn.version, key)


class MoveRoute(APIRoute):
    """Reads a move directly: the framework's reading of parameters took a quarter of the time of a move.

    What is not an ordinary move goes the usual way, and gets the usual errors.
    """

    def get_route_handler(self) -> Handler:
        """The handler of a request."""
        usual = super().get_route_handler()

        async def handle(request: Request) -> Response:
            if request.headers.get("content-type", "").partition(";")[0] != "application/json":
                return await usual(request)
            try:
                turn = MoveTurn.model_validate_json(await request.body())
            except ValidationError:
                return await usual(request)
            player = await acting_player(request)
            key = request.headers.get("idempotency-key")
            return await move(request, request.path_params["game_id"], player, turn, key)

        return handle


moves = APIRouter(prefix="/api/v1", tags=["play"], route_class=MoveRoute)


@moves.post(
    "/games/{game_id}/moves",
    responses=STATE_RESPONSE,
    response_class=Response,
    summary="Play a move",
)
async def move(
    request: Request,
    game_id: str,
    player: ActingPlayer,
    turn: Annotated[MoveTurn, Body()],
    key: Key = None,
) -> Response:
    """Play one move."""
    if turn.move in WORDS:
        raise MalformedError(
            gettext("%(text)s is not a move. Send it to its own address.", text=repr(turn.move))
        )
    return await (await _caller(request, game_id, player, turn, key)).act(turn.move)


@router.post(
    "/games/{game_id}/undo",
    responses=STATE_RESPONSE,
    response_class=Response,
    summary="Undo a move",
)
async def undo(caller: Annotated[Caller, Depends(_caller)]) -> Response:
    """Undo the last move. This counts as an action too."""
    return await caller.act("undo")


@router.post(
    "/games/{game_id}/redo",
    responses=STATE_RESPONSE,
    response_class=Response,
    summary="Redo a move",
)
async def redo(caller: Annotated[Caller, Depends(_caller)]) -> Response:
    """Redo the last undone move."""
    return await caller.act("redo")


@router.post(
    "/games/{game_id}/restart",
    responses=STATE_RESPONSE,
    response_class=Response,
    summary="Restart a game",
)
async def restart(caller: Annotated[Caller, Depends(_caller)]) -> Response:
    """Go back to the start; everything can be redone."""
    return await caller.act("restart")


@router.post(
    "/games/{game_id}/resign",
    responses=STATE_RESPONSE,
    response_class=Response,
    summary="Resign a game",
)
async def resign(caller: Annotated[Caller, Depends(_caller)]) -> Response:
    """Resign the game."""
    return await caller.act(RESIGN)


@router.get(
    "/games/{game_id}/events",
    responses={200: {"model": list[LogEntry]}},
    response_class=Response,
    summary="List the actions of a game",
)
async def events(request: Request, game_id: str, viewer_id: ViewerId) -> Response:
    """Every accepted action, in order. A move names piles, never a hidden card."""
    game = await games_of(request).load_visible(game_id, viewer_id, Part.LOG)
    # As text, without the model: a long log would take several times as long.
    entries = [
        f'{{"version":{version},"action":{quoted(moment.event.action)},'
        f'"after_ms":{moment.event.at_ms - game.started_ms},'
        f'"player":{quoted(moment.event.actor_id)},'
        f'"automatic":{"true" if moment.event.is_automatic else "false"}}}'
        for version, moment in enumerate(game.moments(), start=1)
    ]
    return Response(f"[{','.join(entries)}]", 200, NO_STORE, media_type="application/json")


@router.get(
    "/games/{game_id}/stream",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {}}}},
    summary="Subscribe to a game",
)
async def stream(
    request: Request,
    game_id: str,
    viewer_id: ViewerId,
    last: Annotated[str | None, Header(alias="Last-Event-ID")] = None,
    since: Annotated[int | None, Query(ge=0, le=2**31 - 1)] = None,
) -> EventStream:
    """Server-sent events that give the current version of the game, then each new one.

    Spectators can ask with ``since`` for the changes after that version: each `change` leads from one version to
    another.
    """
    games = games_of(request)
    # A game that is missing or private is an error, not a silent stream.
    game = await games.load_visible(game_id, viewer_id)
    topic = game_topic(game_id)
    seen = int(last) if last is not None and _VERSION.fullmatch(last) else since
    is_viewer = not await games.may_play(game, viewer_id)
    guard = WatchGuard(games, game_id)
    if viewer_id and not is_viewer:
        guard = WatchGuard(games, game_id, viewer_id, session_guard(request, viewer_id))
    options = StreamOptions(
        player_id=viewer_id,
        viewers_at=(topic,) if is_viewer else (),
        seen=None if seen is None else {topic: seen},
        guard=guard,
        # Changes are rendered once for all, in English: others only hear of the new version, and ask for it at once.
        wants_changes=is_viewer and since is not None and current_language() is ENGLISH,
    )
    return EventStream(request, [topic], options)
