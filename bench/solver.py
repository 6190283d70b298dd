"""``python -m bench.solver``: how many deals the solver decides, a table by rule set.

The deals are those of consecutive codes, so anybody can repeat a line of the table. Seconds are of
processor time, so that what else the machine does counts little.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from statistics import median
from time import process_time

from app.engine.shuffle import CODE_LENGTH, CODE_SYMBOLS, Code, deck_of_code, parse_code
from app.engine.spec import GameSpec
from app.games import GAMES, find_game
from app.solver.solve import solve
from app.solver.verdict import Budget, Outcome

MOST = 60_000_000  # positions: a limit of memory, not of time

# What a rough prototype decided, in percent of its deals: the least that is expected.
WANTED = {
    "bristol": 100,
    "signora": 88,
    "blondes-and-brunettes": 70,
    "blondes-and-brunettes-till-dawn": 75,
    "rouge-et-noir": 74,
}


def codes_from(first: Code, count: int) -> Iterator[Code]:
    """``count`` codes, read as numbers that go up by one."""
    number = 0
    for symbol in first.replace("-", ""):
        number = number * len(CODE_SYMBOLS) + CODE_SYMBOLS.index(symbol)
    for n in range(number, number + count):
        rest = n % len(CODE_SYMBOLS) ** CODE_LENGTH
        symbols = ""
        for _ in range(CODE_LENGTH):
            rest, last = divmod(rest, len(CODE_SYMBOLS))
            symbols = CODE_SYMBOLS[last] + symbols
        yield parse_code(symbols)


def stopper(until: float) -> Callable[[], bool]:
    """What asks for an end once the processor has worked until ``until``."""
    return lambda: process_time() > until


def line(spec: GameSpec, codes: list[Code], seconds: float, *, tell: bool) -> str:
    """Solve the deals of one rule set and sum up."""
    outcomes: Counter[Outcome] = Counter()
    times: list[float] = []
    positions, spent = 0, 0.0
    for code in codes:
        started = process_time()
        verdict = solve(
            spec,
            deck_of_code(code, spec.decks),
            Budget(positions=MOST),
            cancelled=stopper(started + seconds),
        )
        took = process_time() - started
        outcomes[verdict.outcome] += 1
        positions += verdict.positions
        spent += took
        if verdict.outcome is Outcome.WON:
            times.append(took)
        if tell and verdict.outcome is not Outcome.WON:
            print(f"  {spec.id} {code}: {verdict.outcome} after {verdict.positions:,} positions")
    won, unwinnable = outcomes[Outcome.WON], outcomes[Outcome.UNWINNABLE]
    times.sort()
    middle = f"{median(times) * 1000:.0f} ms" if times else "-"
    slowest = f"{times[-1]:.2f} s" if times else "-"
    wanted = f"{WANTED[spec.id]} %" if spec.id in WANTED else "-"
    decided = f"{100 * (won + unwinnable) / len(codes):.1f} %"
    return (
        f"| {spec.id:<31} | {len(codes):>5} | {won:>4} | {unwinnable:>10} | "
        f"{outcomes[Outcome.UNDECIDED]:>9} | {decided:>7} | {wanted:>6} | {middle:>8} | "
        f"{slowest:>8} | {positions / spent / 1e6:>6.2f} M |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", help="all when none is named")
    parser.add_argument("--from", dest="first", default="00000-00000", help="the first code")
    parser.add_argument("--deals", type=int, default=200, help="how many deals (200)")
    parser.add_argument("--seconds", type=float, default=10, help="time for each deal (10)")
    parser.add_argument("--tell", action="store_true", help="name the deals that were not won")
    asked = parser.parse_args()
    specs = [spec for name in asked.rulesets if (spec := find_game(name))] or list(GAMES)
    codes = list(codes_from(parse_code(asked.first), asked.deals))
    print(f"{asked.seconds:g} s a deal, one core, codes {codes[0]} to {codes[-1]}")
    print(
        f"| {'rule set':<31} | deals |  won | unwinnable | undecided | decided | wanted |   median "
        "|  slowest | positions/s |"
    )
    for spec in specs:
        print(line(spec, codes, asked.seconds, tell=asked.tell), flush=True)


if __name__ == "__main__":
    main()
