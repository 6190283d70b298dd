"""Solving: from a deal, or a position in the middle of a game, to a verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from app.engine.actions import Action
from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.play import is_won, play
from app.engine.position import Position
from app.engine.spec import GameSpec
from app.solver.board import Board, action_of
from app.solver.recipes import recipe_for
from app.solver.rulebook import rulebook
from app.solver.search import EXHAUSTED, RUNNING, WON, Search
from app.solver.verdict import Budget, Outcome, Progress, Verdict

SLICE = 20_000  # positions between two looks at the clock

Watcher = Callable[[Progress], None]
Stopper = Callable[[], bool]


def solve(
    spec: GameSpec,
    deck: Sequence[Card],
    budget: Budget,
    progress: Watcher | None = None,
    cancelled: Stopper | None = None,
) -> Verdict:
    """Find out whether the deal of ``deck`` can be won, every card known.

    ``progress`` is told, and ``cancelled`` asked, several times a second in compiled code.
    """
    return solve_from(spec, opening(spec, deck), budget, progress, cancelled)


def solve_from(
    spec: GameSpec,
    position: Position,
    budget: Budget,
    progress: Watcher | None = None,
    cancelled: Stopper | None = None,
) -> Verdict:
    """The same for a position in the middle of a game, which play must have been able to reach."""
    started = time.monotonic()
    if is_won(spec, position):
        return Verdict(Outcome.WON, (), 0, 0.0)
    book = rulebook(spec)
    recipe = recipe_for(book)
    search = Search(Board(book, position), recipe.worth, recipe.width)
    state = RUNNING
    stopped = False
    while state == RUNNING and search.count < budget.positions and not stopped:
        state = search.advance(min(budget.positions, search.count + SLICE))
        elapsed = time.monotonic() - started
        if progress:
            progress(Progress(search.count, elapsed))
        if budget.seconds and elapsed >= budget.seconds:
            break
        stopped = cancelled is not None and cancelled()
    line: tuple[Action, ...] = ()
    outcome = Outcome.UNDECIDED
    if state == WON:
        outcome = Outcome.WON
        line = tuple(action_of(book, move) for move in search.line())
        _check(spec, position, line)
    elif state == EXHAUSTED:
        outcome = Outcome.UNWINNABLE
    elapsed = time.monotonic() - started
    return Verdict(outcome, line, search.count, elapsed, stopped and state == RUNNING)


def _check(spec: GameSpec, position: Position, line: Sequence[Action]) -> None:
    """Replay a line through the rules; a wrong line is a bug of the search and must not pass."""
    for action in line:
        position = play(spec, position, action)
    if not is_won(spec, position):
        raise AssertionError("The solver's line does not win.")
