"""``python -m bench.careful_play``: how often careful play wins, and in how many moves.

The simulated player sees what a player sees, always takes what looks best by the rating of hints, never returns to an
earlier position, and undoes nothing. The deals have consecutive codes, so that anyone can repeat a line of the table.
The results are kept in ``app/rulesets/expectations.py`` and explained in ``docs/solver.md``.
"""

from __future__ import annotations

import argparse
from statistics import median
from typing import Final

from app.engine.actions import Move
from app.engine.deal import opening
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, parse_code
from app.engine.transition import apply, is_won
from app.rulesets import RULESETS
from app.solver.hints import rank_actions
from app.solver.sight import see
from app.solver.solve import Budget, solve
from bench.solver import codes_from, rulesets_of

_MOST_ACTIONS: Final = 600
_POSITIONS: Final = 300_000
_SOLVED: Final = 40  # deals to solve, for the length of a win where the simulated player has none


def moves_to_win(rules: Ruleset, code: Code) -> int | None:
    """How many moves the simulated player takes to win a deal; ``None`` if it does not."""
    position = opening(rules, deck_of_code(code, rules.decks))
    seen = {position}
    for moves in range(_MOST_ACTIONS):
        there = (
            apply(rules, position, action)
            for action in rank_actions(rules, see(position), 1, f"{code}/{moves}")
        )
        new = next((found for found in there if found not in seen), None)
        if new is None:
            return moves if is_won(rules, position) else None
        seen.add(new)
        position = new
    return None


def solved_length(rules: Ruleset, code: Code) -> tuple[int, int] | None:
    """How many moves the line of the solver has, which sees every card, and how many of them only turn or deal cards.

    ``None`` if it finds none.
    """
    found = solve(rules, deck_of_code(code, rules.decks), Budget(positions=_POSITIONS))
    turns = sum(not isinstance(action, Move) for action in found.actions)
    return (len(found.actions), turns) if found.actions else None


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="first", default="FR35H-00000", help="the first code")
    parser.add_argument("--deals", type=int, default=200, help="number of deals (200)")
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", help="(all)")
    asked = parser.parse_args()
    rulesets = rulesets_of(parser, asked.rulesets) or RULESETS
    codes = list(codes_from(parse_code(asked.first), asked.deals))
    print(
        "| rule set | deals | won | moves, median | moves of the solver, median | turns of these |\n"
        + "|---" * 6
        + "|"
    )
    for rules in rulesets:
        won = [moves for code in codes if (moves := moves_to_win(rules, code))]
        solved = [length for code in codes[:_SOLVED] if (length := solved_length(rules, code))]
        line = f"{median(won):g}" if won else "-"
        lengths, turns = (
            (f"{median(found):g}" for found in zip(*solved, strict=True)) if solved else "--"
        )
        print(
            f"| {rules.id} | {len(codes)} | {len(won)} | {line} | {lengths} | {turns} |", flush=True
        )


if __name__ == "__main__":
    main()
