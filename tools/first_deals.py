"""``python -m tools.first_deals GAME ...``: find gentle deals for ``app/deals/first_deals.txt``, which are dealt first.

Of the deals with consecutive codes from GNT00-00000 on that can begin with a move, it prints those that are won most
often by computer players, and none that fewer than half of them win. The same command always finds the same deals.
"""

from __future__ import annotations

import argparse
from typing import Final

from app.deals.first_moves import begins_with_a_move
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, parse_code
from app.rulesets import RULESETS
from app.solver.difficulty import LEAST_GENTLE, POSITIONS_PER_TURN, Difficulty, difficulty
from bench.solver import codes_from

FIRST: Final = "GNT00-00000"


def gentlest(rules: Ruleset, codes: list[Code], most: int) -> list[tuple[Difficulty, Code]]:
    """The deals that are won most often, the gentlest first; at most ``most``."""
    found: list[tuple[Difficulty, Code]] = []
    for code in codes:
        if not begins_with_a_move(rules, code):
            continue
        least = found[-1][0].wins + 1 if len(found) == most else LEAST_GENTLE
        if least > len(POSITIONS_PER_TURN):
            break
        measured = difficulty(rules, deck_of_code(code, rules.decks), at_least=least)
        if measured.wins >= least:
            found = sorted([*found, (measured, code)], key=lambda each: -each[0].wins)[:most]
    return found


def main() -> None:
    """Search, and print the lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=[rules.id for rules in RULESETS])
    parser.add_argument("--tries", type=int, default=4000, help="codes to try (4000)")
    parser.add_argument("--most", type=int, default=24, help="deals of each game (24)")
    asked = parser.parse_args()
    codes = list(codes_from(parse_code(FIRST), asked.tries))
    for rules in RULESETS:
        if rules.id in asked.games:
            for found, code in gentlest(rules, codes, asked.most):
                result = f"{found.wins}/{found.games}/{found.home}"
                print(rules.id, rules.revision, code, result, flush=True)


if __name__ == "__main__":
    main()
