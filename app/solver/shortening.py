"""Makes a line look like one that a player would choose: without detours, and with safe cards home at once.

A search finds a way to the win or to a reveal, neither the shortest nor the plainest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from app.engine.actions import Action, Move
from app.engine.position import Position
from app.engine.ruleset import Ruleset
from app.engine.transition import IllegalActionError, apply, is_won
from app.solver.auto_finish import safe_moves


def shorten(rules: Ruleset, position: Position, line: Sequence[Action]) -> list[Action]:
    """The line without moves back and forth and stops on the way, as far as it still wins; its first action stays.

    A line of a position that is alike but for the order of its piles stays as it is.
    """

    def wins(rest: Sequence[Action], at: Position) -> bool:
        return any(is_won(rules, end) for end in _positions(rules, at, rest)[-1:])

    positions = _positions(rules, position, line)
    return shortened(line, positions, 1, wins)


def without_detours(rules: Ruleset, position: Position, line: Sequence[Action]) -> list[Action]:
    """A line up to the next card that is turned, without moves back and forth and stops on the way.

    It ends with the same action, in the same position, whatever the card is. So the chance to win is the same, too.
    """
    positions = _positions(rules, position, line)

    def leads_there(rest: Sequence[Action], at: Position) -> bool:
        return rest[-1:] == line[-1:] and _positions(rules, at, rest)[-1:] == positions[-1:]

    return shortened(line, positions, 0, leads_there)


def brought_forward(
    rules: Ruleset, position: Position, line: Sequence[Action], action: Action
) -> list[Action]:
    """The line with one of its actions first, if it still ends in the same position; else nothing.

    A card can be dealt before or after a card goes home, for example.
    """
    if action not in line:
        return []
    rest = list(line)
    rest.remove(action)
    end, new_end = (_positions(rules, position, one)[-1:] for one in (line, [action, *rest]))
    return [action, *rest] if end and new_end == end else []


def home_first(rules: Ruleset, position: Position, line: Sequence[Action]) -> list[Action]:
    """A winning line in which each card goes home as soon as it is safe there and the rest still wins.

    The moves that the card would have made later are left out.
    """
    done: list[Action] = []
    rest = list(line)
    while rest:
        for home in safe_moves(rules, position):
            if home == rest[0]:
                break
            left = [home, *_without_card(rules, position, rest, home)]
            if any(is_won(rules, end) for end in _positions(rules, position, left)[-1:]):
                rest = left
                break
        done.append(rest.pop(0))
        position = apply(rules, position, done[-1])
    return done


def _without_card(
    rules: Ruleset, position: Position, line: Sequence[Action], home: Move
) -> Iterator[Action]:
    """The line without the moves, by itself, of the card that ``home`` takes to its foundation."""
    index = rules.layout.index
    at, below = home.source, len(position.piles[index[home.source]].cards) - 1
    for before, action in zip(_positions(rules, position, line), line, strict=False):
        size = len(before.piles[index[at]].cards)
        if isinstance(action, Move) and (action.source, action.count, size) == (at, 1, below + 1):
            at, below = action.target, len(before.piles[index[action.target]].cards)
        else:
            yield action


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


def shortened(
    line: Sequence[Action],
    positions: Sequence[Position],
    first: int,
    is_good: Callable[[Sequence[Action], Position], bool],
    candidates: Callable[[Sequence[Action]], Iterator[list[Action]]] = _without,
) -> list[Action]:
    """The line without the actions from ``first`` on that can go, where what is left is still good.

    ``positions`` are those before each action; ``candidates`` gives the lines to try, the first choice first.
    """
    kept = list(line)
    if not positions:
        return kept
    for number in range(len(kept) - 1, first - 1, -1):
        # What comes before is as it was, so its position is known.
        shorter = (rest for rest in candidates(kept[number:]) if is_good(rest, positions[number]))
        kept[number:] = next(shorter, kept[number:])
    return kept


def end_of(rules: Ruleset, position: Position, line: Sequence[Action]) -> Position | None:
    """The position after all of the actions; ``None`` if one of them is against the rules."""
    return next(reversed(_positions(rules, position, line)), None)


def _positions(rules: Ruleset, position: Position, actions: Sequence[Action]) -> list[Position]:
    """The position before each action, and the last one; none if an action is against the rules."""
    positions = [position]
    try:
        for action in actions:
            positions.append(apply(rules, positions[-1], action))
    except IllegalActionError:
        return []
    return positions
