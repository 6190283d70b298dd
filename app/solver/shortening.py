"""Takes out of a line what it can do without: a search finds a way to the win or to a reveal, not the shortest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from app.engine.actions import Action, Move
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.transition import IllegalActionError, apply, is_won

_MOST: Final = 16  # actions up to a turned card that are looked at: the time rises with the square


def shorten(rules: Ruleset, position: Position, line: Sequence[Action]) -> list[Action]:
    """The line without moves to and fro and stops on the way, as far as it still wins; its first action stays.

    A line of a position that is alike but for the order of its piles stays as it is.
    """
    kept = list(line)
    positions = _positions(rules, position, line)
    if not positions:
        return kept
    for number in range(len(kept) - 1, 0, -1):
        # What comes before is as it was, so its position is known.
        shorter = (
            rest for rest in _without(kept[number:]) if _wins(rules, positions[number], rest)
        )
        kept[number:] = next(shorter, kept[number:])
    return kept


def without_what_can_wait(
    rules: Ruleset, position: Position, line: Sequence[Action]
) -> list[Action]:
    """A line up to the next card that is turned, without what leads to and fro and what can be done after it as well.

    Its last action turns the card. What is put off leaves the piles of that one alone and leads to the position that
    the whole line leads to, whatever the card is. So the chance to win is no smaller, and may be larger: the card tells
    whether it is worth doing. Of a long line, the beginning stays: who asks for a hint waits for this.
    """
    kept, later = list(line), list[Action]()
    positions = _positions(rules, position, line)
    if not positions:
        return kept
    goal = positions[-1]
    touched = _changed(positions[-2], goal)
    begin = max(0, len(kept) - _MOST)
    for number in range(len(kept) - 2, begin - 1, -1):
        first, *rest = kept[number:]
        ways = [(way, later) for way in _without(kept[number:]) if way[-1:] == rest[-1:]]
        if touched.isdisjoint(_changed(positions[number], positions[number + 1])):
            ways.append((rest, [first, *later]))
        for shorter, put_off in ways:
            if _leads_to(rules, positions[number], [*shorter, *put_off], goal):
                kept[number:], later = shorter, put_off
                break
    return kept


def _changed(before: Position, after: Position) -> set[int]:
    """The piles that an action changed."""
    piles = zip(before.piles, after.piles, strict=True)
    return {index for index, (old, new) in enumerate(piles) if old != new}


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


def _positions(rules: Ruleset, position: Position, actions: Sequence[Action]) -> list[Position]:
    """The position before each action, and the last one; none if an action is against the rules."""
    positions = [position]
    try:
        for action in actions:
            positions.append(apply(rules, positions[-1], action))
    except IllegalActionError:
        return []
    return positions


def _leads_to(
    rules: Ruleset, position: Position, actions: Sequence[Action], goal: Position
) -> bool:
    return _positions(rules, position, actions)[-1:] == [goal]


def _wins(rules: Ruleset, position: Position, actions: Sequence[Action]) -> bool:
    return any(is_won(rules, end) for end in _positions(rules, position, actions)[-1:])
