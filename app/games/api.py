"""The JSON API of games, under ``/api/v1``."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Header, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

from app.errors import (
    GameOverError,
    IllegalMoveError,
    MalformedError,
    NotReadyError,
    StaleVersionError,
    UnavailableError,
)
from app.games.callbacks import DealPending
from app.games.json_state import JsonObject, state_of
from app.games.model import RESIGN, WORDS
from app.games.new_game import Choice, draw_deal
from app.games.outcome import Outcome, Result
from app.games.service import GameService
from app.games.stream import MayWatch, game_topic
from app.http.dependencies import service_of
from app.http.rate_limits import NewGameLimit
from app.http.sse import EventStream, StreamOptions
from app.identity.dependencies import ActingPlayer, CurrentPlayer
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


class Turn(BaseModel):
    """An action on the game at the version that the caller saw."""

    version: StrictInt


class MoveTurn(Turn):
    """A move such as ``t3-f1``, ``t2-t5:4`` or ``deal``."""

    move: StrictStr


class PileState(BaseModel):
    """Cards bottom to top; ``null`` lies face down."""

    count: int
    cards: list[str | None]


class State(BaseModel):
    """A game as its player may see it. For the documentation only: responses are written without this model."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": True})

    id: str
    ruleset: str
    revision: int
    code: str | None
    version: int = Field(description="Rises by one with every accepted action.")
    status: Literal["playing", "won", "lost", "resigned"]
    base_rank: str | None = Field(description="Null while the player has yet to choose it.")
    repetitions: int = Field(description="How often this position occurred before in this game.")
    circling: bool = Field(description="Every action leads to a position seen before.")
    actions: int
    elapsed_ms: int = Field(description="From the start to the last accepted action.")
    can_undo: bool
    can_redo: bool
    can_finish: bool = Field(
        description="The rest can be finished automatically: see `/games/{id}/finish`."
    )
    piles: dict[str, PileState]
    legal_moves: list[str]


class LogEntry(BaseModel):
    """One accepted action; it made ``version``, ``after_ms`` milliseconds after the start."""

    version: int
    action: str
    after_ms: int
    player: str


Key = Annotated[str | None, Header(alias="Idempotency-Key")]
_STATE: dict[int | str, dict[str, Any]] = {200: {"model": State}}


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
    responses={201: {"model": State}},
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
    answer = _json(state_of(game), 201)
    answer.headers["Location"] = f"/api/v1/games/{game.id}"
    return answer


@router.get("/games/{game_id}", responses=_STATE, response_class=Response)
async def game_state(
    request: Request,
    game_id: str,
    player: CurrentPlayer,
    since: Annotated[int | None, Query()] = None,
) -> Response:
    """The game as it is; with ``since``, 304 if nothing is newer than that version."""
    game = await _games(request).load_visible(game_id, player.id if player else None)
    if since is not None and game.version <= since:
        return Response(status_code=304)
    return _json(state_of(game))


@router.post("/games/{game_id}/moves", responses=_STATE, response_class=Response)
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
    return answer(await _games(request).act(game_id, player.id, turn.version, turn.move, key))


@router.post("/games/{game_id}/undo", responses=_STATE, response_class=Response)
async def undo(
    request: Request,
    game_id: str,
    player: ActingPlayer,
    turn: Annotated[Turn, Body()],
    key: Key = None,
) -> Response:
    """Undo the last move. This counts as an action too."""
    return answer(await _games(request).act(game_id, player.id, turn.version, "undo", key))


@router.post("/games/{game_id}/redo", responses=_STATE, response_class=Response)
async def redo(
    request: Request,
    game_id: str,
    player: ActingPlayer,
    turn: Annotated[Turn, Body()],
    key: Key = None,
) -> Response:
    """Redo the last undone move."""
    return answer(await _games(request).act(game_id, player.id, turn.version, "redo", key))


@router.post("/games/{game_id}/restart", responses=_STATE, response_class=Response)
async def restart(
    request: Request,
    game_id: str,
    player: ActingPlayer,
    turn: Annotated[Turn, Body()],
    key: Key = None,
) -> Response:
    """Go back to the start; everything can be redone."""
    return answer(await _games(request).act(game_id, player.id, turn.version, "restart", key))


@router.post("/games/{game_id}/resign", responses=_STATE, response_class=Response)
async def resign(
    request: Request,
    game_id: str,
    player: ActingPlayer,
    turn: Annotated[Turn, Body()],
    key: Key = None,
) -> Response:
    """Resign the game."""
    return answer(await _games(request).act(game_id, player.id, turn.version, RESIGN, key))


@router.get("/games/{game_id}/events")
async def events(request: Request, game_id: str, player: CurrentPlayer) -> list[LogEntry]:
    """Every accepted action, in order. A move names piles, never a hidden card."""
    games = _games(request)
    game = await games.load_visible(game_id, player.id if player else None)
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
    player: CurrentPlayer,
    last: Annotated[str | None, Header(alias="Last-Event-ID")] = None,
    since: Annotated[int | None, Query(ge=0, le=2**31)] = None,
) -> EventStream:
    """Server-sent events that give the current version of the game, then each new one.

    Spectators can ask with ``since`` for the changes after that version: each `change` leads from one version to
    another.
    """
    games = _games(request)
    viewer_id = player.id if player else None
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


def answer(outcome: Outcome) -> Response:
    """The game after an accepted action, or the error that says why it was refused."""
    match outcome.result:
        case Result.ACCEPTED:
            return _json(state_of(outcome.game))
        case Result.REFUSED | Result.IMPOSSIBLE:
            raise IllegalMoveError(outcome.sentence)
        case Result.ASKED:
            return _json(state_of(outcome.game) | {"asked": outcome.sentence}, 202)
        case Result.STALE:
            raise StaleVersionError(outcome.sentence, state_of(outcome.game))
        case Result.OVER:
            raise GameOverError(outcome.sentence)


def _json(content: JsonObject, status: int = 200) -> Response:
    text = json.dumps(content, separators=(",", ":"))
    # The game changes at this address; a program can save a transfer with `since`.
    headers = {"Cache-Control": "no-store"}
    return Response(text, status, headers, media_type="application/json")
