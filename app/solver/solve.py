"""Solve a deal, or a position in the middle of a game, with every card known."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count, repeat

from app.engine.actions import Action
from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, is_won
from app.solver.board import Board, decode_move
from app.solver.carrying import single_moves
from app.solver.portfolio import Configuration, portfolio_for, variation
from app.solver.rule_tables import RuleTables, rule_tables
from app.solver.search import EXHAUSTED, RUNNING, WON, Search

SLICE = 20_000  # positions in a time slice, after which the clock is checked
HEAD_START = 200_000  # positions for the first configuration before the others start
RESTART = 60_000  # positions for each variation


class SearchOutcome(StrEnum):
    """What is known about a position. ``UNDECIDED`` means that the budget ran out."""

    WON = "won"
    UNWINNABLE = "unwinnable"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a search; it stops at the first one it reaches.

    With ``positions`` alone the result is the same on every machine. There is always a limit on
    positions because the search remembers each of them, at about 100 bytes.
    """

    positions: int = 16_000_000
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """How far a search has come."""

    positions: int
    seconds: float


@dataclass(frozen=True, slots=True)
class SolveResult:
    """The outcome of a search, and the actions that win, checked against the rules.

    ``cancelled`` means that the search was stopped on request.
    """

    outcome: SearchOutcome
    actions: tuple[Action, ...]
    positions: int
    seconds: float
    cancelled: bool = False


ProgressCallback = Callable[[SearchProgress], None]
CancelCheck = Callable[[], bool]


def solve(
    rules: Ruleset,
    deck: Sequence[Card],
    budget: Budget,
    progress: ProgressCallback | None = None,
    cancelled: CancelCheck | None = None,
) -> SolveResult:
    """Decide whether the deal of ``deck`` can be won.

    Both callbacks run once for each time slice: several times a second in compiled code.
    """
    return solve_from(rules, opening(rules, deck), budget, progress, cancelled)


def solve_from(
    rules: Ruleset,
    position: Position,
    budget: Budget,
    progress: ProgressCallback | None = None,
    cancelled: CancelCheck | None = None,
) -> SolveResult:
    """Decide whether ``position``, which must be reachable in play, can be won."""
    started = time.monotonic()
    if is_won(rules, position):
        return SolveResult(SearchOutcome.WON, (), 0, 0.0)
    tables = rule_tables(rules)
    spent = 0
    state = RUNNING
    stopped = False
    slices = _schedule(tables, position)
    while state == RUNNING and spent < budget.positions and not stopped:
        configuration, search = next(slices)
        before = search.seen_count
        state = search.advance(before + min(SLICE, budget.positions - spent))
        spent += search.seen_count - before
        if state == EXHAUSTED and not search.whole:
            # The same search again, but comparing positions whole: a collision of hashes might have hidden a win. Doing
            # it twice costs less than comparing whole positions always, since most deals are won.
            confirming = _search(configuration, tables, position, whole=True)
            state, slices = RUNNING, repeat((configuration, confirming))
        elapsed = time.monotonic() - started
        if progress:
            progress(SearchProgress(spent, elapsed))
        if budget.seconds and elapsed >= budget.seconds:
            break
        stopped = cancelled is not None and cancelled()
    actions: tuple[Action, ...] = ()
    outcome = SearchOutcome.UNDECIDED
    if state == WON:
        outcome = SearchOutcome.WON
        moves: Iterable[int] = search.solution()
        if search.board.carries:
            moves = single_moves(Board(tables, position), moves)
        actions = tuple(decode_move(tables, move) for move in moves)
        _verify(rules, position, actions)
    elif state == EXHAUSTED:
        outcome = SearchOutcome.UNWINNABLE
    elapsed = time.monotonic() - started
    return SolveResult(outcome, actions, spent, elapsed, stopped and state == RUNNING)


def _schedule(tables: RuleTables, position: Position) -> Iterator[tuple[Configuration, Search]]:
    """Yield the search to run in each time slice, with its configuration, without end.

    A deal can be easy for one configuration and out of reach for another. So the configuration that
    is best on average gets a head start, then all take turns. Each search has its own transposition
    table, and the first that runs out of open nodes has proven that there is no win, unless positions
    collided in that table.

    Most wins are found early or never, so half of the time or more is for randomized restarts, unless ``slices``
    give more to the searches that go on: short searches, each by another variation of the portfolio.
    """
    portfolio = portfolio_for(tables)
    searches = [(each, _search(each, tables, position)) for each in portfolio]
    for _ in range(HEAD_START // SLICE):
        yield searches[0]
    for number in count():
        for configuration, search in searches:
            yield from repeat((configuration, search), configuration.slices)
        other = variation(portfolio, number)
        yield from repeat((other, _search(other, tables, position)), RESTART // SLICE)


def _search(
    configuration: Configuration, tables: RuleTables, position: Position, *, whole: bool = False
) -> Search:
    board = Board(tables, position)
    board.carries = configuration.carries
    return configuration.search(tables, board, whole=whole)


def _verify(rules: Ruleset, position: Position, actions: Sequence[Action]) -> None:
    """Replay the solution with the rules engine; if it does not win, the search has a bug."""
    for action in actions:
        position = apply(rules, position, action)
    if not is_won(rules, position):
        raise AssertionError("The solver's solution does not win.")
