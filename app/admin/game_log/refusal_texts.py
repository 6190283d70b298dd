"""Why an action was refused, in the reader's language. It is stored in English, as its player was told at the time."""

from __future__ import annotations

from collections.abc import Iterator

from app.admin.integrity.refused_actions import RefusedAction
from app.games import outcome
from app.games.model import Game
from app.games.moments import GameEvent


def refusal_text(game: Game | None, refused: RefusedAction) -> str:
    """The sentence as a text, if the game as it was then still says the same; else as it was stored."""
    if game is None:
        return refused.sentence
    return next(
        (text for text in _said_now(game, refused) if text == refused.sentence), refused.sentence
    )


def _said_now(game: Game, refused: RefusedAction) -> Iterator[str]:
    """The reasons to refuse the action, the simplest first."""
    for fixed in (outcome.stale(game), outcome.over(game), outcome.full(game)):
        yield fixed.sentence
    event = GameEvent(
        action=refused.action, at_ms=game.updated_ms, actor_id=game.owner_id, key=None
    )
    try:
        game.after(event)
    except ValueError as error:
        yield outcome.unplayable(game, error).sentence
