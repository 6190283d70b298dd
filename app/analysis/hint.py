"""A hint for a table: from what its player sees and what was played, and from nothing else."""

from __future__ import annotations

from typing import Final, NamedTuple

from app.engine.actions import Action, Move
from app.games import descriptions
from app.games.model import Game, Status
from app.solver.determinization import observe
from app.solver.hints import Hint, hints

_LOST: Final = "No move is left here. Undo leads back into the game."
_ROUND: Final = (
    "Every move from here leads back to where you were. Undo may lead to a better place."
)
_ALL: Final = "That was all that looks good from here."


class Advice(NamedTuple):
    """The ``number``-th hint, counted from 1; without an action, why there is none.

    ``has_next`` says whether there is another one behind it.
    """

    action: Action | None
    why: str
    number: int
    has_next: bool


def advise(game: Game, given: int) -> Advice:
    """The next hint for whoever has been given as many since the last action.

    What leads back to a position of this line is no hint, however good it looks. Such a position
    hides the same cards as this one, so that this tells nothing about them either.
    """
    if game.status is Status.LOST:
        return Advice(None, _LOST, 0, has_next=False)
    fresh = set(game.history.unvisited_actions())
    found = [hint for hint in hints(game.rules, observe(game.position)) if hint.action in fresh]
    if not found:
        return Advice(None, _ROUND, 0, has_next=False)
    good = [hint for hint in found if hint.promising]
    if not good:
        least = _sentence(game, found[0])
        why = f"Nothing in sight looks good. What costs least is this. {least}"
        return Advice(found[0].action, why, 1, has_next=False)
    if given >= len(good):
        return Advice(None, _ALL, 0, has_next=False)
    why = _sentence(game, good[given])
    return Advice(good[given].action, why, given + 1, has_next=given + 1 < len(good))


def _sentence(game: Game, hint: Hint) -> str:
    match hint.action:
        case Move(source):
            pile = descriptions.pile_name(game.rules, source).capitalize()
            return f"{pile}: {hint.reason[0].lower()}{hint.reason[1:]}"
        case _:
            return hint.reason
