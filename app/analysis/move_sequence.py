"""Several moves made at once, told so that a page can show them one after another."""

from __future__ import annotations

from app.engine.actions import Move
from app.engine.transition import apply
from app.games.model import Game


def film_of(before: Game, after: Game) -> str:
    """The moves between two tables of one line: ``t3-f1:TD``, a run ``t3-f5:KD,QD,...``, in order.

    What moves lies face up, so this names no card that its player could not see.
    """
    rules, position = before.rules, before.position
    shots = []
    for action in after.history.actions()[before.history.depth :]:
        if isinstance(action, Move):
            cards = position.piles[rules.layout.index[action.source]].cards[-action.count :]
            faces = ",".join(card.text for card in cards)
            shots.append(f"{action.source}-{action.target}:{faces}")
        position = apply(rules, position, action)
    return " ".join(shots)
