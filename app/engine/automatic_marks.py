"""How many moves of a game the site chose, told from its log alone: no card needs to be looked at."""

from __future__ import annotations

from collections.abc import Iterable


def count_automatic(log: Iterable[tuple[str, bool]], *, counts_undone: bool) -> int:
    """The automatic moves among the moves of a game; ``log`` has each action, and whether it is automatic.

    Without ``counts_undone`` only moves that led to the end count; one that was taken back and redone is one of them
    again.

    >>> log = [("t1-f1", False), ("t2-f1", True), ("undo", False), ("undo", False), ("redo", False)]
    >>> count_automatic(log, counts_undone=False), count_automatic(log, counts_undone=True)
    (0, 1)
    """
    depth = total = 0
    line: list[bool] = []  # of the moves in effect and, behind them, of those that can be redone
    for action, is_automatic in log:
        total += is_automatic
        match action:
            case "undo":
                depth -= 1
            case "redo":
                depth += 1
            case "restart":
                depth = 0
            case "resign":
                pass
            case _:
                line[depth:] = [is_automatic]
                depth += 1
    return total if counts_undone else sum(line[:depth])
