"""Proving that a deal can be won, in a process beside the server's, so that players never wait for it."""

from __future__ import annotations

from functools import partial
from typing import Final

from app.engine.shuffle import deck_of_seed
from app.engine.spec import GameSpec
from app.jobs.errors import JobFailedError
from app.jobs.jobs import Jobs
from app.jobs.worker import is_stopping
from app.play.table import stored_spec
from app.solver.solve import solve
from app.solver.verdict import Budget, Outcome

_MOST_POSITIONS: Final = 2_000_000  # some 200 MB


class Prover:
    """Asks the solver. Whatever it cannot prove within its time counts as not winnable: there are other seeds."""

    def __init__(self, jobs: Jobs, seconds: float) -> None:
        """Spend at most ``seconds`` on a deal."""
        self._jobs = jobs
        self._seconds = seconds

    async def __call__(self, spec: GameSpec, seed: bytes) -> bool:
        """Whether the deal of ``seed`` is proven winnable."""
        work = partial(is_proven, spec.id, spec.revision, seed, self._seconds)
        try:
            return await self._jobs.run(work, seconds=2 * self._seconds)
        except JobFailedError as error:
            if error.failure is None:  # the server stops: that says nothing about the deal
                raise
            return False


def is_proven(ruleset: str, revision: int, seed: bytes, seconds: float) -> bool:
    """The same, here and now: plain values, so that another process can be asked."""
    spec = stored_spec(ruleset, revision)
    budget = Budget(positions=_MOST_POSITIONS, seconds=seconds)
    found = solve(spec, deck_of_seed(seed, spec.decks), budget, cancelled=is_stopping)
    return found.outcome is Outcome.WON
