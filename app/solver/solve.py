"""Solving: from a deal, or a position in the middle of a game, to a verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle

from app.engine.actions import Action
from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, is_won
from app.solver.board import Board, action_of
from app.solver.portfolio import Configuration, portfolio_for, pruning_for
from app.solver.result import Budget, Outcome, Progress, SolveResult
from app.solver.rulebook import Rulebook, rulebook
from app.solver.search import EXHAUSTED, RUNNING, WON, Search

SLICE = 20_000  # positions between two looks at the clock
HEAD_START = 200_000  # positions for the first way of weighing before others have their turns

Watcher = Callable[[Progress], None]
Stopper = Callable[[], bool]


def solve(
    rules: Ruleset,
    deck: Sequence[Card],
    budget: Budget,
    progress: Watcher | None = None,
    cancelled: Stopper | None = None,
) -> SolveResult:
    """Find out whether the deal of ``deck`` can be won, every card known.

    ``progress`` is told, and ``cancelled`` asked, several times a second in compiled code.
    """
    return solve_from(rules, opening(rules, deck), budget, progress, cancelled)


def solve_from(
    rules: Ruleset,
    position: Position,
    budget: Budget,
    progress: Watcher | None = None,
    cancelled: Stopper | None = None,
) -> SolveResult:
    """The same for a position in the middle of a game, which play must have been able to reach."""
    started = time.monotonic()
    if is_won(rules, position):
        return SolveResult(Outcome.WON, (), 0, 0.0)
    book = rulebook(rules)
    spent = 0
    state = RUNNING
    stopped = False
    turns = _turns(book, position)
    while state == RUNNING and spent < budget.positions and not stopped:
        search = next(turns)
        before = search.known
        state = search.advance(before + min(SLICE, budget.positions - spent))
        spent += search.known - before
        elapsed = time.monotonic() - started
        if progress:
            progress(Progress(spent, elapsed))
        if budget.seconds and elapsed >= budget.seconds:
            break
        stopped = cancelled is not None and cancelled()
    line: tuple[Action, ...] = ()
    outcome = Outcome.UNDECIDED
    if state == WON:
        outcome = Outcome.WON
        line = tuple(action_of(book, move) for move in search.line())
        _check(rules, position, line)
    elif state == EXHAUSTED:
        outcome = Outcome.UNWINNABLE
    elapsed = time.monotonic() - started
    return SolveResult(outcome, line, spent, elapsed, stopped and state == RUNNING)


def _turns(book: Rulebook, position: Position) -> Iterator[Search]:
    """Whose turn it is to search for a while, for ever.

    The same deal can be plain by one way of weighing and out of reach by another. So after a head
    start for the way that does best alone, all take turns; each remembers its own positions, and
    one that runs out of them has seen everything.
    """
    first, *rest = portfolio_for(book)

    def begun(recipe: Configuration) -> Search:
        return Search(Board(book, position), recipe.worth, recipe.width, pruning_for(book))

    leader = begun(first)
    for _ in range(HEAD_START // SLICE):
        yield leader
    others = [search for recipe in rest for search in [begun(recipe)] * recipe.turns]
    yield from cycle([leader] * first.turns + others)


def _check(rules: Ruleset, position: Position, line: Sequence[Action]) -> None:
    """Replay a line through the rules; a wrong line is a bug of the search and must not pass."""
    for action in line:
        position = apply(rules, position, action)
    if not is_won(rules, position):
        raise AssertionError("The solver's line does not win.")
