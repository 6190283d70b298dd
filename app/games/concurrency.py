"""Optimistic concurrency and idempotency keys: actions that are answered without being judged.

A page acts on the version that it shows. An old version gets the current one back, and nothing moves. An action that
carries an idempotency key which this game has seen gets the answer of the first time, and nothing moves twice.
"""

from __future__ import annotations

from typing import Final

from app.errors import MalformedError
from app.games import outcome
from app.games.event_log import EventLog
from app.games.model import Game
from app.games.outcome import Outcome

_LONGEST_KEY: Final = 200  # characters


def check_idempotency_key(key: str | None) -> None:
    """Raise ``MalformedError`` for a key that cannot be stored."""
    if key is not None and not 0 < len(key) <= _LONGEST_KEY:
        raise MalformedError(f"An idempotency key must have 1 to {_LONGEST_KEY} characters.")


async def answer_unjudged(
    log: EventLog, game: Game, version: int, key: str | None
) -> Outcome | None:
    """The outcome of an action that need not be judged: a repeated key, an old version, a game that is over."""
    if key and key in game.keys:
        made = game.keys[key]
        before = await log.load_at(game.id, made - 1)
        return outcome.accepted(before, await log.load_at(game.id, made))
    if version != game.version:
        return outcome.stale(game)
    return outcome.over(game) if game.is_over else None
