"""What may be known of an ended game by looking at every card: told by the coach, shown beside a replay."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.actions import Action


@dataclass(frozen=True, slots=True)
class Hindsight:
    """``told`` is a sentence, or empty while nobody asked at ``path``.

    From ``step`` of the replay on the deal could be won last, by ``way``.
    """

    path: str
    told: str
    step: int | None
    way: tuple[Action, ...]
