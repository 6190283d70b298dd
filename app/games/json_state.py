"""The JSON state of a game, and its schema in the API documentation."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt

from app.engine.cards import Card
from app.engine.history import History
from app.engine.position import Position
from app.engine.rules import base_rank
from app.engine.ruleset import Ruleset
from app.games.model import Game

JsonObject = dict[str, Any]

ACTIONS: Final = "How many actions were accepted."
MOVES: Final = (
    "The moves as the pages count them, without those that were undone; in dailies and races, and in challenges on "
    "their deals, undo and redo count, too."
)


class Turn(BaseModel):
    """An action on the game at the version that the caller saw."""

    version: StrictInt


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
    actions: int = Field(description=ACTIONS)
    moves: int = Field(description=MOVES)
    elapsed_ms: int = Field(description="From the start to the last accepted action.")
    played_ms: int = Field(
        description="The same without breaks: gaps of over a minute are left out."
    )
    can_undo: bool
    can_redo: bool
    can_finish: bool = Field(
        description="The rest can be finished automatically: see `/games/{id}/finish`."
    )
    piles: dict[str, PileState]
    legal_moves: list[str]


def state_of(game: Game) -> JsonObject:
    """What the player may know: every face-down card is ``None``."""
    return {
        "id": game.id,
        "ruleset": game.rules.id,
        "revision": game.rules.revision,
        "code": game.public_code,
        "version": game.version,
        "status": game.status.value,
        **_history_state(game.history),
        "actions": game.actions,
        "moves": game.moves,
        "elapsed_ms": game.elapsed_ms,
        "played_ms": game.played_ms,
        "can_undo": game.can_undo,
        "can_redo": game.can_redo,
        "can_finish": game.can_finish,
        "piles": piles_of(game.rules, game.position, reveal=False),
        "legal_moves": [str(action) for action in game.legal_actions],
    }


def piles_of(rules: Ruleset, position: Position, *, reveal: bool) -> JsonObject:
    """Every pile by name, cards bottom first."""
    return {
        name: {"count": len(cards), "cards": list(_shown(cards, 0 if reveal else down))}
        for name, (cards, down) in zip(rules.layout.ids, position.piles, strict=True)
    }


def _history_state(history: History) -> JsonObject:
    base = base_rank(history.rules, history.position)
    repetitions, is_circling = history.recurrence
    return {
        "base_rank": base.letter if base else None,
        "repetitions": repetitions,
        "circling": is_circling,
    }


@lru_cache(maxsize=1 << 14)  # a move leaves nearly all piles as they were
def _shown(cards: tuple[Card, ...], down: int) -> tuple[str | None, ...]:
    return (*[None] * down, *[card.text for card in cards[down:]])


STATE_RESPONSE: Final[dict[int | str, dict[str, Any]]] = {200: {"model": State}}
NEW_GAME_RESPONSE: Final[dict[int | str, dict[str, Any]]] = {201: {"model": State}}
