"""What a review told, in the steps of the replay and in words."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import Request

from app.analysis.help import may_look_back
from app.analysis.model import LookBack
from app.analysis.service import AnalysisService
from app.engine.actions import parse_action
from app.games.model import Game, GameEvent
from app.games.replay import Hindsight
from app.http.dependencies import service_of
from app.identity.model import Player


def steps_of(log: Sequence[str]) -> list[int]:
    """For each position of the line that a log ends in, from the opening's 0, the step that led to it last."""
    steps = [0]
    depth = 0
    for number, word in enumerate(log, start=1):
        match word:
            case "undo":
                depth -= 1
            case "redo":
                depth += 1
            case "restart":
                depth = 0
            case "resign":
                continue
            case _:
                depth += 1
        if depth == len(steps):
            steps.append(number)
        steps[depth] = number
    return steps[: depth + 1]


def in_words(found: LookBack, steps: Sequence[int]) -> str:
    """Where it slipped away, by the steps of the replay."""
    last = len(steps) - 1
    match found:
        case LookBack(winnable=None, unwinnable=None):
            return "Where this game slipped away is not known: the search found neither a win nor a proof."
        case LookBack(winnable=None, unwinnable=0):
            return "This deal could not be won, however it was played."
        case LookBack(winnable=None, unwinnable=int(lost)):
            return f"From step {steps[lost]} on it could not be won; about what was before, nothing is known."
        case LookBack(winnable=int(won), unwinnable=int(lost)) if lost == won + 1:
            return f"It could be won up to step {steps[won]}: the move after it gave it away."
        case LookBack(winnable=int(won), unwinnable=int(lost)):
            return (
                f"It could be won at step {steps[won]}, and from step {steps[lost]} on it could not; "
                "what lies between is not known."
            )
        case LookBack(winnable=int(won)) if won == last:
            return "It never slipped away: it could still be won when it ended."
        case LookBack(winnable=won):
            return f"It could be won at step {steps[won or 0]}; about what came after, nothing is known."


def path_of(game: Game) -> str:
    """Where a review is asked for."""
    return f"/games/{game.id}/help/review"


async def hindsight_of(
    request: Request, player: Player | None, end: Game, log: Sequence[GameEvent]
) -> Hindsight | None:
    """What a replay shows of it: the answer to everybody, the way to ask to the player of the game."""
    if not may_look_back(end):
        return None
    inquiries = service_of(request, AnalysisService)
    text = await inquiries.found(end)
    if text is None:
        is_mine = player is not None and player.id == end.owner_id
        return Hindsight(path_of(end), "", None, ()) if is_mine else None
    return hindsight(end, log, text)


def hindsight(end: Game, log: Sequence[GameEvent], answer: str) -> Hindsight:
    """What the answer of a review means for the replay of the game."""
    found = LookBack.parse(answer)
    steps = steps_of([entry.action for entry in log])
    return Hindsight(
        path_of(end),
        in_words(found, steps),
        None if found.winnable is None else steps[found.winnable],
        tuple(parse_action(end.rules.layout, word) for word in found.line),
    )
