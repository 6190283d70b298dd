"""The JSON API of games, under ``/api/v1``."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Body, Depends, Header, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field, StrictStr

from app.errors import (
    MalformedError,
    NotReadyError,
    UnavailableError,
)
from app.games.callbacks import DealPending
from app.games.json_state import NEW_GAME_RESPONSE, STATE_RESPONSE, Turn
from app.games.model import RESIGN, WORDS, game_topic
from app.games.new_game import Choice, draw_deal
from app.games.responses import new_game_response, respond_json, state_response
from app.games.service import GameService, MayWatch
from app.http.dependencies import service_of
from app.http.rate_limits import NewGameLimit
from app.http.sse import EventStream, StreamOptions
from app.identity.dependencies import ActingPlayer, ViewerId
from app.rulesets import RULESETS

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


class MoveTurn(Turn):
    """A move such as ``t3-f1``, ``t2-t5:4`` or ``deal``."""

    move: StrictStr


class LogEntry(BaseModel):
    """One accepted action; it made ``version``, ``after_ms`` milliseconds after the start."""

    version: int
    action: str
    after_ms: int
    player: str


Key = Annotated[str | None, Header(alias="Idempotency-Key")]


@router.get("/rulesets")
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
)
async def start_game(
    request: Request, player: ActingPlayer, new: Annotated[NewGame, Body()]
) -> Response:
    """Start a game; `not_ready` while a winnable deal is being found, so try again."""
    code: str | None = new.code
    if code is None and new.deal == "winnable":
        drawn = await draw_deal(request, player.id, new.ruleset, Choice.WINNABLE)
        if isinstance(drawn, DealPending):
            raise NotReadyError("A winnable deal is being found. Try again in a moment.", 2)
        if drawn is None:
            raise UnavailableError("This site has no winnable deals. Use `any` instead.")
        code = drawn
    game = await _games(request).start(player.id, new.ruleset, code)
    return new_game_response(game)


@router.get("/games/{game_id}", responses=STATE_RESPONSE, response_class=Response)
async def game_state(
    request: Request,
    game_id: str,
    viewer_id: ViewerId,
    since: Annotated[int | None, Query()] = None,
) -> Response:
    """The game as it is; with ``since``, 304 if nothing is newer than that version."""
    game = await _games(request).load_visible(game_id, viewer_id)
    if since is not None and game.version <= since:
        return Response(status_code=304)
    return state_response(game)


class Caller:
    """The game, the player who acts on it, the version that they saw, and their idempotency key."""

    def __init__(
        self,
        request: Request,
        game_id: str,
        player: ActingPlayer,
        turn: Annotated[Turn, Body()],
        key: Key = None,
    ) -> None:
        self._games = _games(request)
        self._game_id = game_id
        self._player = player
        self._turn = turn
        self._key = key

    async def act(self, action: str) -> Response:
        """Judge and store the action."""
        return respond_json(
            await self._games.act(
                self._game_id, self._player.id, self._turn.version, action, self._key
            )
        )


@router.post("/games/{game_id}/moves", responses=STATE_RESPONSE, response_class=Response)
async def move(
    request: Request,
    game_id: str,
    player: ActingPlayer,
    turn: Annotated[MoveTurn, Body()],
    key: Key = None,
) -> Response:
    """Play one move."""
    if turn.move in WORDS:
        raise MalformedError(f"{turn.move!r} is not a move: it has its own address.")
    return await Caller(request, game_id, player, turn, key).act(turn.move)


@router.post("/games/{game_id}/undo", responses=STATE_RESPONSE, response_class=Response)
async def undo(caller: Annotated[Caller, Depends()]) -> Response:
    """Undo the last move. This counts as an action too."""
    return await caller.act("undo")


@router.post("/games/{game_id}/redo", responses=STATE_RESPONSE, response_class=Response)
async def redo(caller: Annotated[Caller, Depends()]) -> Response:
    """Redo the last undone move."""
    return await caller.act("redo")


@router.post("/games/{game_id}/restart", responses=STATE_RESPONSE, response_class=Response)
async def restart(caller: Annotated[Caller, Depends()]) -> Response:
    """Go back to the start; everything can be redone."""
    return await caller.act("restart")


@router.post("/games/{game_id}/resign", responses=STATE_RESPONSE, response_class=Response)
async def resign(caller: Annotated[Caller, Depends()]) -> Response:
    """Resign the game."""
    return await caller.act(RESIGN)


@router.get("/games/{game_id}/events")
async def events(request: Request, game_id: str, viewer_id: ViewerId) -> list[LogEntry]:
    """Every accepted action, in order. A move names piles, never a hidden card."""
    games = _games(request)
    game = await games.load_visible(game_id, viewer_id)
    log = await games.events(game_id)
    return [
        LogEntry(
            version=version,
            action=entry.action,
            after_ms=entry.at_ms - game.started_ms,
            player=entry.actor_id,
        )
        for version, entry in enumerate(log, start=1)
    ]


@router.get(
    "/games/{game_id}/stream",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def stream(
    request: Request,
    game_id: str,
    viewer_id: ViewerId,
    last: Annotated[str | None, Header(alias="Last-Event-ID")] = None,
    since: Annotated[int | None, Query(ge=0, le=2**31)] = None,
) -> EventStream:
    """Server-sent events that give the current version of the game, then each new one.

    Spectators can ask with ``since`` for the changes after that version: each `change` leads from one version to
    another.
    """
    games = _games(request)
    # A game that is missing or private is an error, not a silent stream.
    game = await games.load_visible(game_id, viewer_id)
    topic = game_topic(game_id)
    seen = int(last) if last is not None and last.isdecimal() and len(last) < 10 else since  # noqa: PLR2004
    is_viewer = not await games.may_play(game, viewer_id)
    options = StreamOptions(
        player_id=viewer_id,
        viewers_at=(topic,) if is_viewer else (),
        seen=None if seen is None else {topic: seen},
        guard=MayWatch(games, game_id) if is_viewer else None,
        wants_changes=is_viewer and since is not None,
    )
    return EventStream(request, [topic], options)


def _games(request: Request) -> GameService:
    return service_of(request, GameService)
