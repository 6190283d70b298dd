"""Sealed deals with known solutions, so that simulated players can win without a search: see ``deals.txt``.

``python -m simulation.deals`` writes the file again after the rules of a game have changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from app.engine.shuffle import deck_of_seed
from app.rulesets import find_ruleset
from app.solver.solve import Budget, SearchOutcome, solve

_FILE: Final = Path(__file__).with_name("deals.txt")
_POSITIONS: Final = 60_000
_WANTED: Final = {"bristol": 40}


class SolvedDeal(NamedTuple):
    """A seed and the actions that win it."""

    ruleset: str
    seed: bytes
    actions: tuple[str, ...]


@cache
def solved_deals() -> tuple[SolvedDeal, ...]:
    """The deals of the file."""
    return tuple(
        SolvedDeal(ruleset, bytes.fromhex(seed), tuple(actions))
        for ruleset, seed, *actions in map(str.split, _FILE.read_text("ascii").splitlines())
    )


@cache
def solutions() -> dict[bytes, tuple[str, ...]]:
    """The actions that win, by seed."""
    return {deal.seed: deal.actions for deal in solved_deals()}


def _solve_anew() -> Iterator[str]:
    for ruleset, wanted in _WANTED.items():
        rules = find_ruleset(ruleset)
        if rules is None:
            raise LookupError(ruleset)
        number = found = 0
        while found < wanted:
            seed = hashlib.sha256(f"simulation/{ruleset}/{number}".encode()).digest()
            number += 1
            result = solve(rules, deck_of_seed(seed, rules.decks), Budget(_POSITIONS))
            if result.outcome is SearchOutcome.WON:
                found += 1
                yield " ".join((ruleset, seed.hex(), *map(str, result.actions)))


if __name__ == "__main__":
    _FILE.write_text("".join(f"{line}\n" for line in _solve_anew()), "ascii")
