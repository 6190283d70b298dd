"""The estimator of a position in which every card is known: it is searched for a win, and so is each action.

The position itself comes first: a win by any action is all that a hint needs, and a search after each of many
actions takes many times as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from app.engine.actions import Action
from app.engine.position import Position
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.transition import apply
from app.solver.board import Board, decode_move
from app.solver.estimates import Estimate, Estimator
from app.solver.portfolio import portfolio_for, variation
from app.solver.rule_tables import rule_tables
from app.solver.search import EXHAUSTED, RUNNING, WON, Search
from app.solver.shortening import shorten
from app.solver.sight import Sight

SLICE: Final = 2_000  # positions of a search between two actions
VARIATIONS: Final = 32  # of the search, for a shorter win
SHORTER_POSITIONS: Final = 24_000  # for all of them at most
LONGEST: Final = 1_000_000  # for what has no known line
HALF_HOPE_POSITIONS: Final = (
    30_000  # positions after which an undecided search has lost half of its hope
)


def known_position(rules: Ruleset, sight: Sight) -> Position | None:
    """The position to search, if only one agrees with ``sight``.

    Where every face-down card is a remembered one, many may be left to turn: then games tell more than a
    search that does not end. A stock that was a waste before is as good as open.
    """
    was_waste = rules.stock.redeals != 0
    is_remembered = any(sight.down[was_waste:]) and not sight.hidden()
    return None if is_remembered else sight.only_position(rules)


class KnownCardsEstimator(Estimator):
    """A search of the position, then one after each action, in turns; two actions with the same result share one."""

    def __init__(self, rules: Ruleset, position: Position) -> None:
        """Start a search of the position, and one after each legal action."""
        self._rules, self._position = rules, position
        self._tables = rule_tables(rules)
        self._actions = legal_actions(rules, position)
        self._searched = 0
        first = portfolio_for(self._tables)[0]
        self._whole = first.search(self._tables, self._board(position))
        self._wins: dict[Action, list[Action]] = {}  # from the position, by their first actions
        self._search_of: dict[Action, Search] = {}
        self._status: dict[Action, int] = {}
        by_hash: dict[tuple[int, int], Search] = {}
        for action in self._actions:
            board = self._board(apply(rules, position, action))
            key = (board.hash_a, board.hash_b)
            if key not in by_hash:
                by_hash[key] = first.search(self._tables, board)
            self._search_of[action] = by_hash[key]
            self._status[action] = WON if board.home == board.total else RUNNING
        self._at_once = {action for action, status in self._status.items() if status == WON}
        self.work = self._take_turns()
        self.done = not self._actions

    def _board(self, position: Position) -> Board:
        board = Board(self._tables, position)
        board.update_hash()
        return board

    @property
    def positions(self) -> int:
        return self._searched

    @property
    def chance(self) -> float:
        return max((one.chance for one in self.list_estimates()), default=0.0)

    def _take_turns(self) -> Iterator[None]:
        while WON not in self._status.values() and self._whole.seen_count < HALF_HOPE_POSITIONS:
            before = self._whole.seen_count
            status = self._whole.advance(before + SLICE)
            self._searched += self._whole.seen_count - before
            if status != RUNNING:
                self._settle(status)
                break
            yield
        if self._wins:
            yield from self._look_for_shorter_wins()
        while RUNNING in self._status.values():
            for action in self._actions:
                if self._status[action] == RUNNING:
                    self._continue(self._search_of[action])
                    yield
        self.done = True
        yield

    def _settle(self, status: int) -> None:
        """Note what the search of the position has shown: an action that wins, or that none does."""
        if status == EXHAUSTED:
            self._status = dict.fromkeys(self._status, EXHAUSTED)
        elif status == WON:
            self._keep(self._whole)

    def _look_for_shorter_wins(self) -> Iterator[None]:
        """Search the position again with other weights: each finds another win in about as many positions."""
        portfolio = portfolio_for(self._tables)
        end = self._searched + SHORTER_POSITIONS
        most = self._whole.seen_count + SLICE
        for number in range(VARIATIONS):
            if self._searched >= end:
                return
            search = variation(portfolio, number).search(self._tables, self._board(self._position))
            status = RUNNING
            while status == RUNNING and search.seen_count < most and self._searched < end:
                before = search.seen_count
                status = search.advance(before + SLICE)
                self._searched += search.seen_count - before
                yield
            if status == WON:
                self._keep(search)

    def _keep(self, search: Search) -> None:
        """Keep the win that a search of the position has found, unless one as short begins like it."""
        win = [decode_move(self._tables, move) for move in search.solution()]
        known = self._wins.get(win[0])
        if known is None or len(win) < len(known):
            self._wins[win[0]] = win
        self._note(self._search_of[win[0]], WON)

    def _continue(self, search: Search) -> None:
        before = search.seen_count
        status = search.advance(before + SLICE)
        self._searched += search.seen_count - before
        self._note(search, status)

    def _note(self, search: Search, status: int) -> None:
        for action, its in self._search_of.items():
            if its is search:
                self._status[action] = status

    def list_estimates(self) -> list[Estimate]:
        found = []
        for action, status in self._status.items():
            if status == RUNNING:
                spent = self._search_of[action].seen_count
                chance = 0.5 * HALF_HOPE_POSITIONS / (HALF_HOPE_POSITIONS + spent)
                found.append(Estimate(action, chance, chance))
            else:
                found.append(Estimate(action, 1.0 if status == WON else 0.0, 0.0))
        return found

    def plan(self) -> list[Action]:
        best = min(self._actions, key=self._hope, default=None)
        return [] if best is None else self._plan_after(best) or [best]

    def plans(self, actions: Iterable[Action]) -> list[list[Action]]:
        found = [plan for action in actions if (plan := self._plan_after(action))]
        return [shorten(self._rules, self._position, plan) for plan in found]

    def _plan_after(self, action: Action) -> list[Action]:
        """The line to a win that begins with an action; none if it is not known."""
        if action in self._wins:
            return self._wins[action]
        search = self._search_of[action]
        # Of actions with one search, the others lead to the same piles in another order: its moves are not theirs.
        owner = next(one for one, its in self._search_of.items() if its is search)
        if self._status[action] != WON or action != owner:
            return []
        moves = search.solution()
        is_found = moves or action in self._at_once
        return [action, *(decode_move(self._tables, move) for move in moves)] if is_found else []

    def _hope(self, action: Action) -> tuple[int, int]:
        """The sort key of an action: wins by a known line first, shorter ones before longer."""
        status = self._status[action]
        length = len(self._plan_after(action)) if status == WON else 0
        return {WON: 0, RUNNING: 1, EXHAUSTED: 2}[status], length or LONGEST
