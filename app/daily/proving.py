"""Proving that a deal can be won, in a process beside the server's, so that players never wait for it."""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor
from typing import Final

from app.daily.aside import is_stopping
from app.engine.shuffle import deck_of_seed
from app.engine.spec import GameSpec
from app.play.table import stored_spec
from app.solver.solve import solve
from app.solver.verdict import Budget, Outcome

_MOST_POSITIONS: Final = 2_000_000  # some 200 MB


class Prover:
    """Asks the solver. Whatever it cannot prove within its time counts as not winnable: there are other seeds."""

    def __init__(self, executor: Executor, seconds: float) -> None:
        """Spend at most ``seconds`` on a deal."""
        self._executor = executor
        self._seconds = seconds

    async def __call__(self, spec: GameSpec, seed: bytes) -> bool:
        """Whether the deal of ``seed`` is proven winnable."""
        return await asyncio.get_running_loop().run_in_executor(
            self._executor, is_proven, spec.id, spec.revision, seed, self._seconds
        )


def is_proven(ruleset: str, revision: int, seed: bytes, seconds: float) -> bool:
    """The same, here and now: plain values, so that another process can be asked."""
    spec = stored_spec(ruleset, revision)
    budget = Budget(positions=_MOST_POSITIONS, seconds=seconds)
    found = solve(spec, deck_of_seed(seed, spec.decks), budget, cancelled=is_stopping)
    return found.outcome is Outcome.WON
