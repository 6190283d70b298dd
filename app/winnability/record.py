"""The record of winnability: one line for each deal that the solver tried, as CSV, ``.xz`` if it is compressed.

Deals are numbered from 0, and the number is the code, so nobody chose which ones to try. Records of
several machines, or of a second try with more time, are merged: a verdict replaces ``undecided``.
"""

from __future__ import annotations

import csv
import lzma
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import IO, Final

from app.engine.shuffle import CODE_LENGTH, CODE_SYMBOLS, Code, parse_code
from app.rulesets import RULESETS
from app.solver.solve import SearchOutcome

MOST_DEALS: Final = len(CODE_SYMBOLS) ** CODE_LENGTH
_ORDER: Final = {rules.id: n for n, rules in enumerate(RULESETS)}


class TrialError(ValueError):
    """A line that is not a trial, or two trials of which one must be wrong."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The result for one deal within ``limit`` seconds of processor time.

    The search is the same on every machine, so ``positions`` repeat it exactly as long as ``solver``, the hash of the
    solver's sources, is the same.
    """

    ruleset: str
    revision: int
    code: Code
    verdict: SearchOutcome
    positions: int
    seconds: float
    limit: float
    solver: str

    @property
    def deal(self) -> tuple[str, int, Code]:
        """The deal that was tried."""
        return (self.ruleset, self.revision, self.code)

    @property
    def line(self) -> str:
        """The trial as a line of the record; no value needs quotes."""
        return ",".join(str(value) for value in astuple(self)) + "\n"


HEADER: Final = ",".join(field.name for field in fields(Trial)) + "\n"


def code_of(number: int) -> Code:
    """The code of a deal by its number, which is read in base 32."""
    symbols = ""
    for _ in range(CODE_LENGTH):
        number, last = divmod(number, len(CODE_SYMBOLS))
        symbols = CODE_SYMBOLS[last] + symbols
    return parse_code(symbols)


def number_of(code: Code) -> int:
    """The number of the deal of a code: the inverse of ``code_of``."""
    number = 0
    for symbol in code.replace("-", ""):
        number = number * len(CODE_SYMBOLS) + CODE_SYMBOLS.index(symbol)
    return number


def read_trials(file: Path) -> Iterator[Trial]:
    """The trials in a file; raises ``TrialError`` at a line that is not one."""
    with _open(file, "rt") as lines:
        if lines.readline() != HEADER:
            raise TrialError(f"{file} isn't a record of winnability: its first line is wrong.")
        for number, row in enumerate(csv.reader(lines), 2):
            try:
                ruleset, revision, code, verdict, positions, seconds, limit, solver = row
                yield Trial(
                    ruleset,
                    int(revision),
                    Code(code),
                    SearchOutcome(verdict),
                    int(positions),
                    float(seconds),
                    float(limit),
                    solver,
                )
            except ValueError as error:
                raise TrialError(f"{file}, line {number}: {error}.") from error


def merge(trials: Iterable[Trial]) -> list[Trial]:
    """The best trial of each deal, in order; raises ``TrialError`` if two verdicts contradict each other."""
    best: dict[tuple[str, int, Code], Trial] = {}
    for trial in trials:
        known = best.get(trial.deal)
        if known is None or _is_better(trial, known):
            best[trial.deal] = trial
    return sorted(best.values(), key=lambda trial: (_ORDER[trial.ruleset], *trial.deal))


def write_trials(file: Path, trials: Iterable[Trial]) -> None:
    """Write a record, at once or not at all."""
    new = file.with_name(f"new-{file.name}")
    with _open(new, "wt") as lines:
        lines.write(HEADER)
        lines.writelines(trial.line for trial in trials)
    new.replace(file)


def _is_better(trial: Trial, known: Trial) -> bool:
    if trial.verdict is SearchOutcome.UNDECIDED:
        return known.verdict is SearchOutcome.UNDECIDED and trial.limit > known.limit
    if known.verdict not in {SearchOutcome.UNDECIDED, trial.verdict}:
        raise TrialError(f"{trial.ruleset} {trial.code} is both won and unwinnable.")
    return known.verdict is SearchOutcome.UNDECIDED


def _open(file: Path, mode: str) -> IO[str]:
    if file.suffix == ".xz":
        return lzma.open(file, mode, encoding="ascii", newline="")  # type: ignore[return-value]
    return file.open(mode, encoding="ascii", newline="")
