"""Makes a winning line shorter: without loops, and without moves there and back that nothing needs.

A search that proves a win may move a run to and fro dozens of times. Nobody has to follow a line in a game that is
over, so more can go than from the plan of a hint: the first action, too. Each shorter line is played by the rules
before it is taken, and the number of actions played for that is limited, so the time is, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import Final

from app.engine.actions import Action, Move
from app.engine.position import Pile, Position, regardless_of_order
from app.engine.rules import refusal
from app.engine.ruleset import PileId, Ruleset
from app.engine.transition import apply_unchecked, is_won
from app.solver.shortening import shortened

MOST_PLAYED: Final = 150_000  # actions that are played to check shorter lines: about a second


def without_vain_moves(
    rules: Ruleset, position: Position, line: Sequence[Action], most: int = MOST_PLAYED
) -> list[Action]:
    """A winning line that is no longer than this one; after ``most`` actions played it is as short as it is by then."""
    player = _Player(rules, most)
    best = list(line)
    while True:
        shorter = _without_pairs(player, position, _without_loops(player, position, best))
        if len(shorter) >= len(best):
            return best
        best = shorter


class _Player:
    """Plays lines, as long as it may."""

    def __init__(self, rules: Ruleset, most: int) -> None:
        self.rules = rules
        self._left = most

    def wins(self, line: Sequence[Action], position: Position) -> bool:
        """Whether a line is known to be legal and to win."""
        for action in line:
            self._left -= 1
            if self._left < 0 or refusal(self.rules, position, action):
                return False
            position = apply_unchecked(self.rules, position, action)
        return is_won(self.rules, position)

    def positions(self, position: Position, line: Sequence[Action]) -> list[Position]:
        """The position before each action of a legal line, and the last one."""
        return list(accumulate(line, partial(apply_unchecked, self.rules), initial=position))


def _without_loops(player: _Player, position: Position, line: Sequence[Action]) -> list[Action]:
    """The line without what lies between two positions that are the same, be it with columns in another order."""
    kept, number = list(line), 0
    positions, alike = _by_likeness(player, position, kept)
    while number < len(kept):
        again = alike[regardless_of_order(positions[number], player.rules.layout.tableau)]
        for later in (at for at in reversed(again) if at > number):
            names = _names(player.rules, positions[later], positions[number])
            rest = [_renamed(action, names) for action in kept[later:]]
            if player.wins(rest, positions[number]):
                kept[number:] = rest
                positions, alike = _by_likeness(player, position, kept)
                break
        number += 1
    return kept


def _by_likeness(
    player: _Player, position: Position, line: Sequence[Action]
) -> tuple[Sequence[Position], Mapping[Hashable, Sequence[int]]]:
    """The positions of a line, and the numbers of those that are alike but for the order of their columns."""
    positions = player.positions(position, line)
    alike: dict[Hashable, list[int]] = defaultdict(list)
    for at, each in enumerate(positions):
        alike[regardless_of_order(each, player.rules.layout.tableau)].append(at)
    return positions, alike


def _names(rules: Ruleset, old: Position, new: Position) -> Mapping[PileId, PileId]:
    """For each column, the one that has its cards in a position that is alike: itself, if it can be."""
    ids, columns = rules.layout.ids, rules.layout.tableau
    free: dict[Pile, list[int]] = defaultdict(list)
    moved = [index for index in columns if old.piles[index] != new.piles[index]]
    for index in moved:
        free[new.piles[index]].append(index)
    return {ids[index]: ids[free[old.piles[index]].pop(0)] for index in moved}


def _renamed(action: Action, names: Mapping[PileId, PileId]) -> Action:
    """The action with other piles in place of those with ``names``."""
    if not isinstance(action, Move):
        return action
    source, target = (names.get(pile, pile) for pile in (action.source, action.target))
    return Move(source, target, action.count)


def _without_pairs(player: _Player, position: Position, line: Sequence[Action]) -> list[Action]:
    """The line without the actions that can go, alone or with the move that brings the same cards back or on."""
    return shortened(line, player.positions(position, line), 0, player.wins, _shorter)


def _shorter(rest: Sequence[Action]) -> Iterator[list[Action]]:
    """The actions without the first, and without it and a later move of the same cards.

    Where that brings them back, what lay on them in between goes to where they stay.
    """
    first, *others = rest
    yield others
    if not isinstance(first, Move):
        return
    stays = {first.target: first.source}
    for place, action in enumerate(others):
        if not isinstance(action, Move) or action.source != first.target:
            continue
        before, after = others[:place], others[place + 1 :]
        if action.target == first.source:
            yield [*before, *after]
            yield [*(_renamed(one, stays) for one in before), *after]
            return
        if action.count == first.count:
            yield [*before, Move(first.source, action.target, first.count), *after]
            return
