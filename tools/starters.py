"""``python -m tools.starters GAME ...``: find proven deals for ``app/deals/starters.txt``, with which a site begins.

It prints the first deals with consecutive codes that the solver wins within a number of positions. Each game has codes
of its own, since a deck is in stock only once. The same command always finds the same deals.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice

from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code
from app.rulesets import HOUSE_RULESETS, RULESETS
from app.solver.difficulty import difficulty
from app.solver.solve import Budget, SearchOutcome, solve
from app.winnability.record import code_of
from bench.solver import codes_from


def first_code(rules: Ruleset) -> Code:
    """Where the codes of a game begin: such that those of two games are far apart."""
    apart = int.from_bytes(sha256(rules.id.encode()).digest()[:3])
    return code_of(apart * 32**5)


def starters(rules: Ruleset, tries: int, positions: int) -> Iterator[str]:
    """The lines of the deals among ``tries`` codes that are won within ``positions`` positions, one after another."""
    for code in codes_from(first_code(rules), tries):
        deck = deck_of_code(code, rules.decks)
        found = solve(rules, deck, Budget(positions))
        if found.outcome is SearchOutcome.WON:
            measured = difficulty(rules, deck)
            result = f"{measured.wins}/{measured.games}/{measured.home}"
            yield " ".join([rules.id, str(rules.revision), code, result, *map(str, found.actions)])


def main() -> None:
    """Search, and print the lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    others = [rules.id for rules in RULESETS if rules not in HOUSE_RULESETS]
    parser.add_argument("games", nargs="*", default=others)
    parser.add_argument("--tries", type=int, default=400, help="codes to try (400)")
    parser.add_argument("--positions", type=int, default=400_000, help="positions each (400000)")
    parser.add_argument("--most", type=int, default=4, help="deals of each game (4)")
    asked = parser.parse_args()
    for rules in RULESETS:
        if rules.id in asked.games:
            for line in islice(starters(rules, asked.tries, asked.positions), asked.most):
                print(line, flush=True)


if __name__ == "__main__":
    main()
