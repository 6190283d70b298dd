"""What became of an action: a value for every ordinary ending, the refused and the late included."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from app.engine.rules import Refusal
from app.engine.ruleset import PileId
from app.engine.transition import IllegalActionError, changed_piles
from app.games.model import Game, Status


class Result(Enum):
    """An action's fate."""

    ACCEPTED = auto()
    REFUSED = auto()  # the rules forbid it
    IMPOSSIBLE = auto()  # nothing to undo, to redo or to restart
    STALE = auto()  # the game has moved on since the version that the caller saw
    OVER = auto()  # the game has ended
    ASKED = auto()  # the others at a shared table have to agree first


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """An action's fate, and the table as it is now.

    ``touched`` are the piles that an accepted action changed; ``sentence`` says why it was not
    accepted, ``refusal`` also which rule.
    """

    result: Result
    game: Game
    touched: frozenset[PileId] = frozenset()
    sentence: str = ""
    refusal: Refusal | None = None


def accepted(before: Game, after: Game) -> Outcome:
    """The action is in the log and led from one table to the other."""
    touched = changed_piles(after.rules, before.position, after.position)
    return Outcome(result=Result.ACCEPTED, game=after, touched=touched)


def unplayable(game: Game, error: ValueError) -> Outcome:
    """The rules forbid the action, or there is nothing to take back, to bring back or to restart."""
    if not isinstance(error, IllegalActionError):
        return impossible(game, str(error))
    if game.status is Status.LOST:
        sentence = "No move is left here. Undo leads back into the game."
        return Outcome(result=Result.OVER, game=game, sentence=sentence)
    refusal = error.refusal
    return Outcome(result=Result.REFUSED, game=game, sentence=refusal.sentence, refusal=refusal)


def impossible(game: Game, sentence: str) -> Outcome:
    """There is nothing to take back, to bring back, to restart or to finish."""
    return Outcome(result=Result.IMPOSSIBLE, game=game, sentence=sentence)


def stale(
    game: Game, sentence: str = "The table has moved on. Here it is as it stands now."
) -> Outcome:
    """Somebody was faster, or the page is old."""
    return Outcome(result=Result.STALE, game=game, sentence=sentence)


def over(game: Game) -> Outcome:
    """The log is closed."""
    return Outcome(result=Result.OVER, game=game, sentence="This game is over.")


def asked(game: Game, sentence: str) -> Outcome:
    """Nothing has been done: first the others are asked."""
    return Outcome(result=Result.ASKED, game=game, sentence=sentence)
