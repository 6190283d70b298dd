"""Takes out of a winning line what it can do without: a search finds a way to the win, not the shortest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.engine.actions import Action, Move
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.transition import IllegalActionError, apply, is_won


def shorten(rules: Ruleset, position: Position, line: Sequence[Action]) -> list[Action]:
    """The line without moves to and fro and stops on the way, as far as it still wins; its first action stays.

    A line of a position that is alike but for the order of its piles stays as it is.
    """
    kept = list(line)
    positions = [position]
    try:
        for action in line:
            positions.append(apply(rules, positions[-1], action))
    except IllegalActionError:
        return kept
    for number in range(len(kept) - 1, 0, -1):
        # What comes before is as it was, so its position is known.
        shorter = (
            rest for rest in _without(kept[number:]) if _wins(rules, positions[number], rest)
        )
        kept[number:] = next(shorter, kept[number:])
    return kept


def _without(rest: Sequence[Action]) -> Iterator[list[Action]]:
    """The actions without the first one or, if another takes the same cards on, with one move for both."""
    first, *others = rest
    yield others
    if not isinstance(first, Move):
        return
    for place, action in enumerate(others):
        if isinstance(action, Move) and action.source == first.target:
            if action.count == first.count:
                back = action.target == first.source
                one = [] if back else [Move(first.source, action.target, first.count)]
                yield [*others[:place], *one, *others[place + 1 :]]
            return


def _wins(rules: Ruleset, position: Position, actions: Sequence[Action]) -> bool:
    try:
        for action in actions:
            position = apply(rules, position, action)
    except IllegalActionError:
        return False
    return is_won(rules, position)
