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
from app.solver.recipes import recipes_for
from app.solver.rulebook import rulebook
from app.solver.search import EXHAUSTED, RUNNING, WON, Search
from app.solver.verdict import Budget, Outcome, Progress, Verdict
from app.solver.worth import Worth

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
    spent = 0
    for recipe in recipes_for(book):
        search = Search(
            Board(book, position),
            Worth(recipe.family, recipe.early, recipe.late, book.full_stock),
            recipe.width,
            recipe.factor,
        )
        share = min(budget.positions - spent, recipe.positions)
        state = RUNNING
        while state == RUNNING and search.count < share:
            state = search.advance(min(share, search.count + SLICE))
            elapsed = time.monotonic() - started
            if progress:
                progress(Progress(spent + search.count, elapsed))
            stop = cancelled is not None and cancelled()
            if state == RUNNING and (stop or (budget.seconds and elapsed >= budget.seconds)):
                return Verdict(Outcome.UNDECIDED, (), spent + search.count, elapsed, stop)
        spent += search.count
        elapsed = time.monotonic() - started
        if state == WON:
            line = tuple(action_of(book, move) for move in search.line())
            _check(spec, position, line)
            return Verdict(Outcome.WON, line, spent, elapsed)
        if state == EXHAUSTED:
            return Verdict(Outcome.UNWINNABLE, (), spent, elapsed)
        if spent >= budget.positions:
            break
    return Verdict(Outcome.UNDECIDED, (), spent, time.monotonic() - started)


def _check(spec: GameSpec, position: Position, line: Sequence[Action]) -> None:
    """Replay a line through the rules; a wrong line is a bug of the search and must not pass."""
    for action in line:
        position = play(spec, position, action)
    if not is_won(spec, position):
        raise AssertionError("The solver's line does not win.")
