"""A line of play: where a game stands, what led there, and what can be redone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from app.engine.actions import Action
from app.engine.cards import Card
from app.engine.deal import opening
from app.engine.position import Position, hidden_cards
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.transition import apply, cards_home

# Steps are chained, and comparing or printing a chain link by link would end in a RecursionError
# after some hundred actions: a step is equal to itself only, and prints without its neighbours.


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """One position and the action that led to it; the opening has neither action nor parent."""

    position: Position
    action: Action | None
    parent: _Step | None = field(repr=False)
    depth: int


@dataclass(frozen=True, slots=True, eq=False)
class _Ahead:
    """A linked list of undone steps, nearest first."""

    step: _Step
    rest: _Ahead | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class History:
    """Immutable; every change answers with a new line that shares all the old steps.

    Playing, undoing and redoing cost the same however long the line is.
    """

    rules: Ruleset
    _now: _Step
    _ahead: _Ahead | None

    @staticmethod
    def start(rules: Ruleset, deck: Sequence[Card]) -> History:
        """The opening of ``deck``."""
        return History(rules, _Step(opening(rules, deck), None, None, 0), None)

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self._now.position

    @property
    def depth(self) -> int:
        """How many actions lead from the opening to here, undone ones not counted."""
        return self._now.depth

    @property
    def can_undo(self) -> bool:
        """Whether there is an action to take back."""
        return self._now.parent is not None

    @property
    def can_redo(self) -> bool:
        """Whether an undone action can be played again."""
        return self._ahead is not None

    @property
    def last_action(self) -> Action | None:
        """The action that led here; ``None`` at the opening."""
        return self._now.action

    @property
    def next_action(self) -> Action | None:
        """The action that redo would play again; ``None`` when there is none."""
        return self._ahead.step.action if self._ahead else None

    @property
    def last_revealed(self) -> bool:
        """Whether the action that led here showed a card that nobody could see before it."""
        before = self._now.parent
        return before is not None and hidden_cards(before.position) > hidden_cards(self.position)

    def actions(self) -> list[Action]:
        """The actions from the opening to here, in order."""
        return [step.action for step in self._back() if step.action is not None][::-1]

    def positions(self) -> list[Position]:
        """The positions from the opening to here, in order; ``actions()`` lead from one to the next."""
        return [step.position for step in self._back()][::-1]

    def apply(self, action: Action) -> History:
        """Play on; what could be redone is forgotten. Raises ``IllegalActionError``."""
        position = apply(self.rules, self.position, action)
        return History(self.rules, _Step(position, action, self._now, self._now.depth + 1), None)

    def undo(self) -> History:
        """Take the last action back; raises ``ValueError`` at the opening."""
        if self._now.parent is None:
            message = "There is nothing to undo."
            raise ValueError(message)
        return replace(self, _now=self._now.parent, _ahead=_Ahead(self._now, self._ahead))

    def redo(self) -> History:
        """Play the last undone action again; raises ``ValueError`` when there is none."""
        if self._ahead is None:
            message = "There is nothing to redo."
            raise ValueError(message)
        return replace(self, _now=self._ahead.step, _ahead=self._ahead.rest)

    def restart(self) -> History:
        """Back to the opening; everything can be redone. Raises ``ValueError`` at the opening."""
        if not self.can_undo:
            message = "This is the opening already."
            raise ValueError(message)
        line = self
        while line.can_undo:
            line = line.undo()
        return line

    @property
    def repetitions(self) -> int:
        """How often this very position stood before in this line."""
        return sum(position == self.position for position in self._since_progress())

    @property
    def is_circling(self) -> bool:
        """This position stood before, and every action from it leads to one that did, too.

        The game is not lost by the letter, but there is nothing new within one action's reach.
        """
        return bool(self.repetitions) and not self.fresh_actions()

    def fresh_actions(self) -> list[Action]:
        """The legal actions that lead to a position which did not stand before in this line."""
        seen = {self.position, *self._since_progress()}
        return [
            action
            for action in legal_actions(self.rules, self.position)
            if apply(self.rules, self.position, action) not in seen
        ]

    def _back(self) -> Iterator[_Step]:
        step: _Step | None = self._now
        while step:
            yield step
            step = step.parent

    def _since_progress(self) -> Iterator[Position]:
        """Earlier positions that could equal this one.

        No card ever returns to the stock or leaves a foundation, so the search ends where either
        count differs: what was before that can never come back.
        """
        mark = self._mark(self.position)
        for step in self._back():
            if step is self._now:
                continue
            if self._mark(step.position) != mark:
                return
            yield step.position

    def _mark(self, position: Position) -> tuple[int, int]:
        return len(position.piles[self.rules.layout.stock].cards), cards_home(self.rules, position)
