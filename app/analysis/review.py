"""Where a game slipped away, as a page: the last winnable position, what was played there, and what wins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from app.analysis.model import LookBack
from app.analysis.replay_notes import in_words, steps_of
from app.engine.actions import Action, parse_action
from app.engine.position import Position
from app.engine.transition import apply
from app.games import board, descriptions
from app.games.board import PileView
from app.games.model import Game, GameEvent, Status

_MOST_LINES: Final = 12
"""Of each of the two ways from the last winnable position on; the replay shows all."""


class Course(NamedTuple):
    """How a game went, in actions: first it could be won, then that is not known, then it could not."""

    won: int
    unknown: int
    lost: int

    @property
    def length(self) -> int:
        """All of it."""
        return self.won + self.unknown + self.lost


class LineView(NamedTuple):
    """One action, by the step of the game or of the solver's way."""

    number: int
    told: str
    path: str


@dataclass(frozen=True, slots=True)
class SlipView:
    """An ended game that was looked back on.

    ``step`` is the last one of the replay from which the deal could be won, ``None`` when no such is known.
    From there it went on as ``played``, and could have gone on as ``best``; ``more_played`` and ``more_best`` further
    actions are not listed. ``is_exact`` when the very next action is known to have given it away.
    """

    path: str
    game_id: str
    title: str
    ruleset: str
    how_it_ended: str
    told: str
    course: Course
    kind: str
    zones: list[tuple[str, tuple[PileView, ...]]]
    shown: str
    caption: str
    step: int | None
    is_exact: bool
    played: list[LineView]
    more_played: int
    best: list[LineView]
    more_best: int


def slip_view(game: Game, log: Sequence[GameEvent], found: LookBack) -> SlipView:
    """The page of what a review ``found`` in a game that ended as ``table``."""
    rules = game.rules
    steps = steps_of([entry.action for entry in log])
    positions, actions = game.history.positions(), game.history.actions()
    last = len(actions)
    at = found.winnable
    shown = last if at is None else at
    replay = f"/games/{game.id}/replay"
    way = [parse_action(rules.layout, word) for word in found.line]
    played = list(_told(game, positions[shown], actions[shown : shown + _MOST_LINES]))
    best = list(_told(game, positions[shown], way[:_MOST_LINES]))
    return SlipView(
        path=f"/games/{game.id}/help/review",
        game_id=game.id,
        title=rules.title,
        ruleset=rules.id,
        how_it_ended=_ending(game),
        told=in_words(found, steps),
        course=course_of(found, last),
        kind=board.kind(rules),
        zones=board.still_zones(rules, positions[shown]),
        shown=f"Step {steps[shown]}" if shown else "The opening",
        caption=_caption(found, last),
        step=None if at is None else steps[at],
        is_exact=at is not None and found.unwinnable == at + 1,
        played=[
            LineView(steps[n], told, f"{replay}?at={steps[n]}")
            for n, told in enumerate(played, start=shown + 1)
        ],
        more_played=last - shown - len(played),
        best=[
            LineView(n, told, f"{replay}?at={n}&way=solver") for n, told in enumerate(best, start=1)
        ],
        more_best=len(found.line) - len(best),
    )


def course_of(found: LookBack, last: int) -> Course:
    """How a game of ``last`` actions went."""
    won = found.winnable or 0
    # The action after which it could not be won any more belongs to what was lost.
    lost = 0 if found.unwinnable is None else last - max(found.unwinnable - 1, 0)
    return Course(won, last - won - lost, lost)


def _caption(found: LookBack, last: int) -> str:
    """What the table that is shown was."""
    if found.winnable is None or found.winnable == last:
        return "as it was left"
    if found.unwinnable == found.winnable + 1:
        return "the last from which it could be won"
    return "the last from which it could be won, as far as is known"


def _told(game: Game, position: Position, actions: Sequence[Action]) -> Iterator[str]:
    for action in actions:
        after = apply(game.rules, position, action)
        yield descriptions.played(game.rules, position, action, after)
        position = after


def _ending(game: Game) -> str:
    count = "one action" if game.actions == 1 else f"{game.actions} actions"
    return f"{'Lost' if game.status is Status.LOST else 'Given up'} after {count}"
