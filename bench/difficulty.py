"""``python -m bench.difficulty FILE``: the bounds of the grades of difficulty, from many deals.

The deals have consecutive codes, so that anyone can repeat a row. Their results are kept in FILE, so a run that was
interrupted continues. The bounds are quartiles; they go into ``app/solver/difficulty_bounds.py``, and the table into
``docs/insight.md``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time
from typing import Final

from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, parse_code
from app.rulesets import RULESETS
from app.solver.difficulty import difficulty
from bench.solver import codes_from

STEP: Final = 50  # deals of a game before the next one's turn

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


def bounds(results: list[Result]) -> tuple[Result, ...]:
    """The quartiles of results that are sorted, the best first.

    >>> bounds([(20, 5), (9, 4), (3, 3), (0, 2)])
    ((20, 5), (9, 4), (3, 3))
    """
    return tuple(results[max(0, len(results) * quarter // 4 - 1)] for quarter in (1, 2, 3))


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
    print("| rule set | deals | won by none | gentle from | fair from | hard from |")
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
