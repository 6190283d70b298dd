"""A line to the next deal where an empty column is in its way, as in Spider.

The columns can be filled in so many ways that a search for the best may never reach the deal. Advice without a
goal moves cards back and forth.
"""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.actions import DEAL, Action, Move
from app.engine.position import Position, run_length
from app.engine.rules import legal_actions
from app.engine.ruleset import Ruleset
from app.engine.transition import apply


def line_to_deal(rules: Ruleset, position: Position) -> list[Action]:
    """Moves into the empty columns, and the deal after them; none if it can be dealt now or not at all."""
    layout = rules.layout
    if not position.piles[layout.stock].cards or DEAL in legal_actions(rules, position):
        return []
    line: list[Action] = []
    for _ in layout.tableau:
        moves = [*_filling(rules, position)]
        if not moves:
            break
        line.append(min(moves, key=lambda move: _harm(rules, position, move)))
        position = apply(rules, position, line[-1])
    return [*line, DEAL] if line and DEAL in legal_actions(rules, position) else []


def _filling(rules: Ruleset, position: Position) -> Iterator[Move]:
    """The legal moves of a part of a column into an empty one."""
    layout = rules.layout
    for action in legal_actions(rules, position):
        if not isinstance(action, Move):
            continue
        source, target = layout.index[action.source], layout.index[action.target]
        if source not in layout.tableau or target not in layout.tableau:
            continue
        if not position.piles[target].cards and action.count < len(position.piles[source].cards):
            yield action


def _harm(rules: Ruleset, position: Position, move: Move) -> tuple[bool, int]:
    """A whole run that lies on another card is best, then a part of a short run."""
    source = rules.layout.index[move.source]
    run = run_length(position.piles[source], rules.layout.run_build)
    return move.count != run, run
