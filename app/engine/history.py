"""The history of a game: the position, the actions that led to it, undo and redo."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from app.engine.actions import DEAL, Action, Move
from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.position import Position, has_revealed, regardless_of_order
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, apply_unchecked
from app.text import gettext

_LONG: Final = 200
"""Actions of a game that is likely to go round in circles; few games of people who try to win have more."""

_Apply = Callable[[Ruleset, Position, Action], Position]
_IsKnown = Callable[[Position], bool]

# Steps are linked lists. Comparing or printing one node by node would raise RecursionError after a
# few hundred actions, so a step equals only itself and its repr leaves out its neighbors.
# Nothing ever changes a step or a history. They are not frozen, because freezing triples the time to make one, which is
# a quarter of the time to replay a log.


@dataclass(slots=True, eq=False)
class _Step:
    """A position and the action that led to it; the opening has no action and no parent."""

    position: Position
    action: Action | None
    parent: _Step | None = field(repr=False)
    depth: int


@dataclass(slots=True, eq=False)
class _RedoStack:
    """A linked list of undone steps, the next one first."""

    step: _Step
    rest: _RedoStack | None = field(repr=False)


class _Visited:
    """The positions of a long game and where actions led from them, shared by all its histories.

    Only a game that goes round in circles takes thousands of actions, so it visits few positions, and nothing needs
    to be judged twice. A short game is faster without: to find a position again takes a hash of all its cards.
    """

    __slots__ = ("_after", "_positions")

    def __init__(self) -> None:
        self._positions: dict[Position, Position] = {}
        self._after: dict[tuple[int, Action], Position] = {}  # by the identity of a position above

    def after(
        self, rules: Ruleset, before: Position, action: Action, apply_action: _Apply
    ) -> Position:
        """The position after ``action``: the same object each time."""
        known = self._after.get((id(before), action))
        if known is not None:
            return known
        position = apply_action(rules, before, action)
        position = self._positions.setdefault(position, position)
        if self._positions.setdefault(before, before) is before:
            self._after[id(before), action] = position
        return position


class Recurrence(NamedTuple):
    """How often a position occurred before, and whether no action leads out of what occurred before."""

    repetitions: int
    is_circling: bool


@dataclass(slots=True, unsafe_hash=True)
class History:
    """Immutable: every change returns a new history that shares the old steps (a persistent list).

    So applying, undoing and redoing an action take constant time.

    >>> from app.engine.actions import parse_action
    >>> from app.engine.cards import fresh_deck
    >>> from app.rulesets.bristol import BRISTOL
    >>> history = History.start(BRISTOL, fresh_deck(1))
    >>> history = history.apply(parse_action(BRISTOL.layout, "deal"))
    >>> history.depth, history.can_undo, str(history.last_action)
    (1, True, 'deal')
    >>> history = history.undo()
    >>> history.depth, history.can_redo, str(history.next_action)
    (0, True, 'deal')
    """

    rules: Ruleset
    _current: _Step
    _redo: _RedoStack | None
    _visited: _Visited = field(default_factory=_Visited, repr=False, compare=False)

    @staticmethod
    def start(rules: Ruleset, deck: Sequence[Card]) -> History:
        """A game at the opening position of ``deck``."""
        return History.from_position(rules, opening(rules, deck))

    @staticmethod
    def from_position(rules: Ruleset, position: Position) -> History:
        """A history that begins with a position, with nothing to undo."""
        return History(rules, _Step(position, None, None, 0), None)

    @property
    def position(self) -> Position:
        """The current position."""
        return self._current.position

    @property
    def depth(self) -> int:
        """The number of actions from the opening to here; undone ones do not count."""
        return self._current.depth

    @property
    def can_undo(self) -> bool:
        """Whether there is an action to undo."""
        return self._current.parent is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone action to redo."""
        return self._redo is not None

    @property
    def last_action(self) -> Action | None:
        """The action that led here; ``None`` at the opening."""
        return self._current.action

    @property
    def next_action(self) -> Action | None:
        """The action that ``redo`` would apply; ``None`` when there is none."""
        return self._redo.step.action if self._redo else None

    @property
    def last_revealed(self) -> bool:
        """Whether the last action turned up a card that was face down before."""
        before = self._current.parent
        return before is not None and has_revealed(before.position, self.position)

    def actions(self) -> list[Action]:
        """The actions from the opening to here, in order."""
        return [step.action for step in self._steps_back() if step.action is not None][::-1]

    def path(self) -> list[History]:
        """The history after each of ``actions()``, as if nothing had ever been undone."""
        steps = [step for step in self._steps_back() if step.parent]
        return [self._at(step, None) for step in reversed(steps)]

    def positions(self) -> list[Position]:
        """The positions from the opening to here, in order; ``actions()`` lead from one to the next."""
        return [step.position for step in self._steps_back()][::-1]

    def apply(self, action: Action) -> History:
        """Apply ``action`` and clear the redo stack; raise ``IllegalActionError`` if it is illegal."""
        return self._after(action, apply)

    def follow(self, action: Action) -> History:
        """As ``apply``, for an action of a log, which was found legal when it was written."""
        return self._after(action, apply_unchecked)

    def undo(self) -> History:
        """Undo the last action; raise ``ValueError`` at the opening."""
        if self._current.parent is None:
            raise ValueError(gettext("There is nothing to undo."))
        return self._at(self._current.parent, _RedoStack(self._current, self._redo))

    def redo(self) -> History:
        """Redo the last undone action; raise ``ValueError`` when there is none."""
        if self._redo is None:
            raise ValueError(gettext("There is nothing to redo."))
        return self._at(self._redo.step, self._redo.rest)

    def restart(self) -> History:
        """Undo everything, so that all of it can be redone; raise ``ValueError`` at the opening."""
        if not self.can_undo:
            raise ValueError(gettext("You are already at the start."))
        step, redo = self._current, self._redo
        while step.parent:
            step, redo = step.parent, _RedoStack(step, redo)
        return self._at(step, redo)

    @property
    def repetitions(self) -> int:
        """How often the current position occurred earlier in this game."""
        return self._earlier().count(self.position)

    @property
    def is_circling(self) -> bool:
        """Cycle detection: this position and all that follow have occurred before. By the rules, the game goes on."""
        return self.recurrence.is_circling

    @property
    def recurrence(self) -> Recurrence:
        """``repetitions`` and ``is_circling``; what follows is tried only at a position that has occurred before."""
        count = self.repetitions
        known = {*self.positions()} if count else set()
        return Recurrence(
            count, bool(count) and next(self._list_new(known.__contains__), None) is None
        )

    def unvisited_actions(self) -> list[Action]:
        """The legal actions that lead to a position which has not occurred in this game.

        Where the waste can be turned over without end, a deal is among them if it leads to one, or more deals do.
        Columns in another order make no new position: runs that trade places among empty columns would go on for long.
        """
        columns = self.rules.layout.tableau
        known = {regardless_of_order(position, columns) for position in self.positions()}
        return [*self._list_new(lambda found: regardless_of_order(found, columns) in known)]

    def _list_new(self, is_known: _IsKnown) -> Iterator[Action]:
        """The legal actions that lead to a position which is not known, one after another."""
        moves: list[Action] = []
        may_deal = False
        for action in legal_actions(self.rules, self.position):
            if action == DEAL and self.rules.has_unlimited_redeals:
                may_deal = True  # what it gains is not found at once
            elif not is_known(apply(self.rules, self.position, action)):
                moves.append(action)
                yield action
        if may_deal and self._deals_lead_on(moves, is_known):
            yield DEAL

    def _deals_lead_on(self, moves: Sequence[Action], is_known: _IsKnown) -> bool:
        """Whether going through a stock that goes round leads to anything new but the new ``moves`` of this position.

        The top of the waste is another card after each deal, so a move of it is another move.
        """
        rules, position = self.rules, self.position
        waste = rules.layout.waste
        size = sum(len(position.piles[index].cards) for index in (rules.layout.stock, waste or 0))
        for _ in range(2 * size + 2):  # once to the end, and once more from the first card on
            position = apply(rules, position, DEAL)
            if not is_known(position):
                return True
            for action in legal_actions(rules, position):
                is_there_now = action in moves and _source(rules, action) != waste
                if (
                    action != DEAL
                    and not is_there_now
                    and not is_known(apply(rules, position, action))
                ):
                    return True
        return False

    def _at(self, step: _Step, redo: _RedoStack | None) -> History:
        return History(self.rules, step, redo, self._visited)

    def _after(self, action: Action, apply_action: _Apply) -> History:
        """Add a step. Equal actions are nearly always the same object, and comparing identity is cheaper."""
        current = self._current
        if self._redo and self._redo.step.action is action:
            position = self._redo.step.position  # it was just undone
        elif current.depth < _LONG:
            position = apply_action(self.rules, current.position, action)
        else:
            position = self._visited.after(self.rules, current.position, action, apply_action)
        return self._at(_Step(position, action, current, current.depth + 1), None)

    def _steps_back(self) -> Iterator[_Step]:
        step: _Step | None = self._current
        while step:
            yield step
            step = step.parent

    def _earlier(self) -> list[Position]:
        """Earlier positions that may equal this one.

        Unless the waste can be turned over without end, no card ever returns to the stock, so the search stops where it
        held more: positions before that cannot recur. In a list, because comparing takes less time than hashing: most
        positions differ in one of the first piles.
        """
        stock, has_unlimited_redeals = self.rules.layout.stock, self.rules.has_unlimited_redeals
        left = len(self.position.piles[stock].cards)
        found: list[Position] = []
        step = self._current.parent
        while step:
            if len(step.position.piles[stock].cards) == left:
                found.append(step.position)
            elif not has_unlimited_redeals:
                break
            step = step.parent
        return found


def _source(rules: Ruleset, action: Action) -> int | None:
    return rules.layout.index[action.source] if isinstance(action, Move) else None
