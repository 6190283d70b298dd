"""``python -m bench.difficulty FILE``: the bounds of the grades of difficulty, from many deals.

The deals have consecutive codes, so that anyone can repeat a row. Their results are kept in FILE, so a run that was
interrupted continues. The bounds go into ``app/solver/difficulty_bounds.py``, and the table into ``docs/insight.md``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time
from typing import Final

from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, parse_code
from app.rulesets import RULESETS
from app.solver.difficulty import LEAST_GENTLE, difficulty
from bench.solver import codes_from

STEP: Final = 20  # deals of a game before the next one's turn

MOST_GENTLE: Final = 17
LEAST_FAIR: Final = 4
MOST_FAIR: Final = 12
MOST_HARD: Final = 7
"""Between these wins of twenty are the bounds of the grades, whatever the quartiles are; see ``LEAST_GENTLE``."""

Result = tuple[int, int]
"""Wins and cards home."""


class Notes:
    """Results in a file, one a line: rule set, revision, code, wins, cards home."""

    def __init__(self, file: Path) -> None:
        """Read the file."""
        self._file = file
        self._found: dict[tuple[str, int, str], Result] = {}
        if file.exists():
            for line in file.read_text(encoding="ascii").splitlines():
                ruleset, revision, code, wins, home = line.split()
                self._found[ruleset, int(revision), code] = (int(wins), int(home))

    def play(self, rules: Ruleset, code: Code) -> Result:
        """The result of a deal, played unless the file has it."""
        key = (rules.id, rules.revision, str(code))
        if key not in self._found:
            found = difficulty(rules, deck_of_code(code, rules.decks))
            self._found[key] = (found.wins, found.home or 0)
            with self._file.open("a", encoding="ascii") as lines:
                print(*key, *self._found[key], file=lines)
        return self._found[key]

    def results(self, rules: Ruleset) -> list[Result]:
        """The results of a game, the best first."""
        return sorted(
            (
                result
                for (ruleset, revision, _), result in self._found.items()
                if ruleset == rules.id and revision == rules.revision
            ),
            reverse=True,
        )


def bounds(results: list[Result]) -> tuple[Result, Result, Result]:
    """The bounds of the grades from results that are sorted, the best first.

    A quarter of the deals is gentle, the next quarter fair, and half of the others hard; but a grade must also be true
    by itself. In a game that is seldom won no quarter is gentle, and in one that is nearly always won more than one is.

    >>> bounds([(14, 5), (9, 4), (3, 3), (0, 2)])
    ((14, 5), (9, 4), (3, 3))
    >>> bounds([(1, 5), (0, 4), (0, 3), (0, 2)])
    ((10, 0), (4, 0), (0, 4))
    """
    gentle = _within(_at(results, len(results) // 4), LEAST_GENTLE, MOST_GENTLE)
    fair = _within(_at(results, len(results) // 2), LEAST_FAIR, MOST_FAIR)
    others = [result for result in results if result < fair]
    hard = _within(_at(others, (len(others) + 1) // 2), 0, MOST_HARD) if others else (MOST_HARD, 0)
    return gentle, fair, max(hard, (0, 1))


def _at(results: list[Result], number: int) -> Result:
    return results[max(0, number - 1)]


def _within(found: Result, least: int, most: int) -> Result:
    return min(max(found, (least, 0)), (most, 0))


def main() -> None:
    """Play, and print the bounds and the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="where results are kept")
    parser.add_argument("--from", dest="first", default="JNS00-00000", help="the first code")
    parser.add_argument("--deals", type=int, default=1000, help="deals a game (1000)")
    parser.add_argument("--minutes", type=float, default=15, help="processor time at most (15)")
    asked = parser.parse_args()
    notes = Notes(asked.file)
    codes = list(codes_from(parse_code(asked.first), asked.deals))
    for start in range(0, len(codes), STEP):
        for rules in RULESETS:
            for code in codes[start : start + STEP]:
                if process_time() < 60 * asked.minutes:
                    notes.play(rules, code)
    print("| rule set | deals | won by none | gentle from | medium from | hard from |")
    print("|---" * 6 + "|")
    lines = []
    for rules in RULESETS:
        results = notes.results(rules)
        if not results:
            continue
        found = bounds(results)
        none = sum(wins == 0 for wins, _ in results) / len(results)
        words = " | ".join(f"{wins} wins, {home} home" for wins, home in found)
        print(f"| {rules.id} | {len(results)} | {none:.0%} | {words} |")
        lines.append(f'    "{rules.id}": {found},')
    print(*lines, sep="\n")


if __name__ == "__main__":
    main()
