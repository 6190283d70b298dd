"""Optimistic concurrency and idempotency keys: actions that are answered without being judged.

A page acts on the version that it shows. An old version gets the current one back, and nothing moves. An action that
carries an idempotency key which this game has seen gets the answer of the first time, and nothing moves twice.
"""

from __future__ import annotations

from typing import Final

from app.errors import ConflictError, MalformedError
from app.games import outcome
from app.games.event_log import EventLog
from app.games.game_actions import RESIGN, GameAction
from app.games.model import Game
from app.games.outcome import ActionOutcome
from app.text import gettext

MAX_TRIES: Final = 20
"""How often an action is tried again when another was stored first each time."""
_LONGEST_KEY: Final = 200  # characters


class OvertakenError(ConflictError):
    """The game goes on elsewhere, such as in another window, and what happened there came first each time."""

    code = "overtaken"
    title = gettext("The game has changed")


def check_idempotency_key(key: str | None) -> None:
    """Raise ``MalformedError`` for a key that cannot be stored."""
    if key is not None and not 0 < len(key) <= _LONGEST_KEY:
        raise MalformedError(
            gettext("An idempotency key must have 1 to %(most)s characters.", most=_LONGEST_KEY)
        )


async def answer_repeated(log: EventLog, game: Game, key: str | None) -> ActionOutcome | None:
    """The outcome it had, if an action with this idempotency key is in the log of the game.

    It takes a query, so ask only when the action cannot simply be appended: the database refuses a key for the second
    time.
    """
    made = await log.find_keyed_version(game, key) if key else None
    if made is None:
        return None
    then = await log.load_at(game.id, made)
    return outcome.accepted(then.at(made - 1), then)


def answer_unjudged(game: Game, version: int) -> ActionOutcome | None:
    """The outcome of an action that need not be judged: an old version, a game that is over."""
    if version != game.version:
        return outcome.stale(game)
    return outcome.over(game) if game.is_over else None


def refuse_when_full(game: Game, action: GameAction) -> ActionOutcome | None:
    """The outcome of an action on a game that has as many as a game can have; resigning is always possible."""
    return outcome.full(game) if game.is_full and action != RESIGN else None
