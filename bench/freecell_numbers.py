"""``python -m bench.freecell_numbers``: a fixed sample of 1,000 of Microsoft's 32,000 FreeCell deals.

All of them can be won but number 11982. The rules engine replays every line. Times are CPU time of this process.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from time import process_time

from app.engine.deal import opening
from app.engine.microsoft import deck_of_number
from app.engine.transition import apply, is_won
from app.rulesets.freecell import FREECELL
from app.solver.solve import Budget, SearchOutcome, solve
from bench.solver import MOST, share, stopper

UNWINNABLE = 11982
SECONDS = 10


def sample() -> list[int]:
    """A thousand numbers, the same every time, with the unwinnable one."""
    others = [number for number in range(1, 32_001) if number != UNWINNABLE]
    return sorted([UNWINNABLE, *random.Random(15).sample(others, 999)])


def decide(number: int) -> tuple[SearchOutcome, float]:
    """What the solver says of a deal, and how long it took; a line is replayed to its end."""
    deck = deck_of_number(number)
    started = process_time()
    result = solve(FREECELL, deck, Budget(positions=MOST), cancelled=stopper(started + SECONDS))
    took = process_time() - started
    position = opening(FREECELL, deck)
    for action in result.actions:
        position = apply(FREECELL, position, action)
    if is_won(FREECELL, position) != (result.outcome is SearchOutcome.WON):
        message = f"The line for number {number} does not win."
        raise AssertionError(message)
    return result.outcome, took


def main() -> int:
    """Print the counts and times; the exit code is 1 if any deal is not decided as it should be."""
    outcomes: Counter[SearchOutcome] = Counter()
    times: list[float] = []
    wrong = []
    for number in sample():
        outcome, took = decide(number)
        outcomes[outcome] += 1
        times.append(took)
        if outcome is not (SearchOutcome.UNWINNABLE if number == UNWINNABLE else SearchOutcome.WON):
            wrong.append(number)
    times.sort()
    print(", ".join(f"{count} {outcome.value}" for outcome, count in outcomes.items()))
    print(f"median {share(times, 0.5)}, p95 {share(times, 0.95)}, slowest {share(times, 1)}")
    print(f"not as they should be: {wrong or 'none'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
