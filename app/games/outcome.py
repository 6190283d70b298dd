"""The outcome of an action: accepted, refused, too late or put to a vote."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from app.engine.rules import Refusal
from app.engine.transition import IllegalActionError
from app.games.model import Game, Status
from app.text import gettext, ngettext, sentence_of


class ActionResult(Enum):
    """What happened to an action."""

    ACCEPTED = auto()
    REFUSED = auto()  # the rules forbid it
    IMPOSSIBLE = auto()  # nothing to undo, to redo or to restart
    STALE = auto()  # the game has changed since the version that the player saw
    OVER = auto()  # the game has ended
    FULL = auto()  # the game has as many actions as a game can have
    ASKED = auto()  # the other players of a shared game have to agree first


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionOutcome:
    """What happened to an action, and the game as it is now.

    ``before`` is the game that an accepted action was played on; ``sentence`` says why one was not accepted, and
    ``refusal`` which rule forbids it.
    """

    result: ActionResult
    game: Game
    before: Game | None = None
    sentence: str = ""
    refusal: Refusal | None = None


def accepted(before: Game, after: Game) -> ActionOutcome:
    """The action is in the event log and led from one game to the other."""
    return ActionOutcome(result=ActionResult.ACCEPTED, game=after, before=before)


def unplayable(game: Game, error: ValueError) -> ActionOutcome:
    """The rules forbid the action, or there is nothing to undo, redo or restart."""
    if not isinstance(error, IllegalActionError):
        return impossible(game, sentence_of(error))
    if game.status is Status.LOST:
        sentence = gettext("No moves left. Undo to try another way.")
        return ActionOutcome(result=ActionResult.OVER, game=game, sentence=sentence)
    refusal = error.refusal
    return ActionOutcome(
        result=ActionResult.REFUSED, game=game, sentence=refusal.sentence, refusal=refusal
    )


def impossible(game: Game, sentence: str) -> ActionOutcome:
    """There is nothing to undo, redo, restart or finish."""
    return ActionOutcome(result=ActionResult.IMPOSSIBLE, game=game, sentence=sentence)


_STALE: Final = gettext("The game has changed. Here it is now.")


def stale(game: Game, sentence: str = _STALE) -> ActionOutcome:
    """Another action came first, or the page is old."""
    return ActionOutcome(result=ActionResult.STALE, game=game, sentence=sentence)


def over(game: Game) -> ActionOutcome:
    """No more events are accepted."""
    return ActionOutcome(
        result=ActionResult.OVER, game=game, sentence=gettext("This game is over.")
    )


def full(game: Game) -> ActionOutcome:
    """No more actions fit into the game, so that no request takes long: it can only be resigned."""
    sentence = ngettext(
        "This game has %(n)s move, the most a game can have. You can resign it.",
        "This game has %(n)s moves, the most a game can have. You can resign it.",
        game.actions,
    )
    return ActionOutcome(result=ActionResult.FULL, game=game, sentence=sentence)


def asked(game: Game, sentence: str) -> ActionOutcome:
    """Nothing is done until the other players have agreed."""
    return ActionOutcome(result=ActionResult.ASKED, game=game, sentence=sentence)
