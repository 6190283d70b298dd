"""How a run went, as cards home over time: never a card, and nothing about which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.games.model import Game, GameEvent, Status
from app.games.replay import ProgressPoint, progress_of, replay


class Run(NamedTuple):
    """A run to its end, or to where it is: what is compared, and the curve."""

    status: Status
    has_ended: bool
    actions: int
    elapsed_ms: int
    home: int
    cards: int
    points: tuple[ProgressPoint, ...]

    @property
    def seconds(self) -> int:
        """How long it took, in the whole seconds that count."""
        return self.elapsed_ms // 1000

    @property
    def reached(self) -> int:
        """After how many seconds as many cards were home as in the end, and stayed."""
        return self.points[-1].after_ms // 1000

    @property
    def merit(self) -> tuple[int, int, int, int]:
        """Less is better: won first, then whole seconds and actions; else more cards home, then how soon.

        Actions say nothing of a run that was not won: giving up takes the fewest.
        """
        if self.status is Status.WON:
            return (0, 0, self.seconds, self.actions)
        return (1, -self.home, self.reached, 0)

    def home_at(self, after_ms: int) -> int:
        """How many cards were home at a moment."""
        points = (point.home for point in reversed(self.points) if point.after_ms <= after_ms)
        return next(points, self.points[0].home)


def run_of(opening: Game, log: Sequence[GameEvent]) -> Run:
    """The run that a log tells."""
    tables = [*replay(opening, log)]
    game, points = tables[-1], progress_of(tables)
    return Run(
        status=game.status,
        has_ended=game.has_ended,
        actions=game.actions,
        elapsed_ms=game.elapsed_ms,
        home=points[-1].home,
        cards=game.rules.cards,
        points=points,
    )
