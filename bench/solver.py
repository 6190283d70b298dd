"""``python -m bench.solver``: how many deals the solver decides, as a table by rule set.

The deals have consecutive codes, so that anyone can repeat a line of the table. Times are CPU time
of this process, so that a busy machine does not change the result.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time

from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, parse_code
from app.rulesets import RULESETS, find_ruleset
from app.solver import search
from app.solver.solve import Budget, SearchOutcome, solve
from app.winnability.record import MOST_DEALS, code_of, number_of
from bench.json_lines import JsonLines

MOST = 60_000_000  # positions: a limit of memory, not of time

# The least percentage to decide within ten seconds per deal.
LIMITS = {
    "bristol": 100,
    "signora": 88,
    "blondes-and-brunettes": 70,
    "blondes-and-brunettes-till-dawn": 75,
    "rouge-et-noir": 74,
    "terrace": 88,  # like the related Signora
    "falling-star": 75,  # like the related Till Dawn
    "rouge-et-noir-classic": 74,
    "freecell": 95,
    "bakers-game": 95,
    "eight-off": 95,
    "beleaguered-castle": 95,
    "yukon": 95,
    "klondike": 80,
    "klondike-draw-three": 80,
    "spider-one-suit": 95,
    "spider": 30,
}
SLOWEST = {"bristol": 0.5}  # seconds within which every deal must be decided


@dataclass(frozen=True, slots=True)
class Deal:
    """The result for one deal within ``limit`` seconds."""

    ruleset: str
    code: str
    limit: float
    outcome: SearchOutcome
    seconds: float
    positions: int


def codes_from(first: Code, count: int) -> Iterator[Code]:
    """``count`` consecutive codes, as numbers in base 32."""
    number = number_of(first)
    for n in range(number, number + count):
        yield code_of(n % MOST_DEALS)


def stopper(until: float) -> Callable[[], bool]:
    """A function that says whether CPU time has reached ``until``."""
    return lambda: process_time() > until


class Notes:
    """Measured deals, kept in a file, so that a long benchmark can be continued."""

    def __init__(self, file: Path | None) -> None:
        """Read the file."""
        self._lines = JsonLines(file)
        self._deals: dict[tuple[str, str, float], Deal] = {}
        for kept in self._lines.read():
            deal = Deal(**{**kept, "outcome": SearchOutcome(kept["outcome"])})
            self._deals[deal.ruleset, deal.code, deal.limit] = deal

    def measure(self, rules: Ruleset, code: Code, limit: float) -> Deal:
        """Solve a deal, unless the file has its result."""
        deal = self._deals.get((rules.id, code, limit))
        if deal is None:
            started = process_time()
            result = solve(
                rules,
                deck_of_code(code, rules.decks),
                Budget(positions=MOST),
                cancelled=stopper(started + limit),
            )
            took = round(process_time() - started, 4)
            deal = Deal(rules.id, code, limit, result.outcome, took, result.positions)
            self._lines.add(asdict(deal))
        return deal


def line(deals: Sequence[Deal]) -> str:
    """Summarize the deals of one rule set. Times are those of decided deals."""
    name = deals[0].ruleset
    outcomes = Counter(deal.outcome for deal in deals)
    times = sorted(deal.seconds for deal in deals if deal.outcome is not SearchOutcome.UNDECIDED)
    decided = 100 * len(times) / len(deals)
    limit = f"{LIMITS[name]} %" if name in LIMITS else "-"
    holds = decided >= LIMITS.get(name, 0)
    if name in SLOWEST:
        limit += f", {SLOWEST[name]:g} s"
        holds = holds and times[-1] <= SLOWEST[name]
    speed = sum(deal.positions for deal in deals) / max(1e-9, sum(deal.seconds for deal in deals))
    return (
        f"| {name:<31} | {len(deals):>5} | {outcomes[SearchOutcome.WON]:>4} | "
        f"{outcomes[SearchOutcome.UNWINNABLE]:>10} | {outcomes[SearchOutcome.UNDECIDED]:>9} | "
        f"{decided:>5.1f} % | {limit:>12} | {'yes' if holds else 'NO':>5} | "
        f"{share(times, 0.5):>8} | {share(times, 0.95):>7} | {share(times, 1):>7} | "
        f"{speed / 1e6:>6.2f} M |"
    )


def share(times: Sequence[float], part: float) -> str:
    """A quantile of the times of decided deals."""
    if not times:
        return "-"
    time = times[max(0, round(part * len(times)) - 1)]
    return f"{time * 1000:.0f} ms" if time < 1 else f"{time:.1f} s"


HEAD = (
    f"| {'rule set':<31} | deals |  won | unwinnable | undecided | decided |        limit | holds "
    "|   median |     p95 | slowest | positions/s |\n" + "|---" * 12 + "|"
)


def rulesets_of(parser: argparse.ArgumentParser, names: Sequence[str]) -> list[Ruleset]:
    """The rule sets of some names; with one that is unknown, the program ends with a sentence."""
    found = {name: find_ruleset(name) for name in names}
    unknown = [name for name, rules in found.items() if rules is None]
    if unknown:
        parser.error(f"There is no rule set {unknown[0]!r}.")
    return [rules for rules in found.values() if rules]


def main() -> None:
    """Print the table as Markdown, for docs/solver.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", help="(all)")
    parser.add_argument("--from", dest="first", default="00000-00000", help="the first code")
    parser.add_argument("--deals", type=int, default=200, help="number of deals (200)")
    parser.add_argument("--seconds", type=float, default=10, help="seconds for each deal (10)")
    parser.add_argument("--again", type=float, help="seconds for a second try of undecided deals")
    parser.add_argument(
        "--keep", type=Path, help="file that keeps measured deals, to continue from"
    )
    parser.add_argument("--tell", action="store_true", help="list the deals that were not won")
    asked = parser.parse_args()
    rulesets = rulesets_of(parser, asked.rulesets) or list(RULESETS)
    codes = list(codes_from(parse_code(asked.first), asked.deals))
    notes = Notes(asked.keep)
    if (search.__file__ or "").endswith(".py"):
        print("The solver is not compiled, so it will decide far fewer deals.", file=sys.stderr)
    first: dict[str, list[Deal]] = {}
    print(f"{asked.seconds:g} s a deal, one core, codes {codes[0]} to {codes[-1]}\n\n{HEAD}")
    for rules in rulesets:
        first[rules.id] = [notes.measure(rules, code, asked.seconds) for code in codes]
        print(line(first[rules.id]), flush=True)
    if asked.again:
        print(f"\n{asked.again:g} s for each deal left undecided\n\n{HEAD}")
        for rules in rulesets:
            first[rules.id] = [
                notes.measure(rules, parse_code(deal.code), asked.again)
                if deal.outcome is SearchOutcome.UNDECIDED
                else deal
                for deal in first[rules.id]
            ]
            print(line(first[rules.id]), flush=True)
    if asked.tell:
        for deal in (deal for deals in first.values() for deal in deals):
            if deal.outcome is not SearchOutcome.WON:
                print(f"{deal.ruleset} {deal.code}: {deal.outcome}, {deal.positions:,} positions")


if __name__ == "__main__":
    main()
