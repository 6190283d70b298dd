"""A progress bar of text, for searches that somebody waits for at a terminal."""

from __future__ import annotations

from typing import TextIO

from app.solver.result import Budget, Progress

_WIDTH = 30


class Bar:
    """Draws how much of a budget is spent; give it to ``solve`` as ``progress``.

    It draws on terminals only, so that logs and pipes stay clean.
    """

    def __init__(self, stream: TextIO, budget: Budget) -> None:
        """Draw on ``stream``."""
        self._stream = stream
        self._budget = budget
        self._drawn = False

    def __call__(self, progress: Progress) -> None:
        """Draw anew over the last drawing."""
        if not self._stream.isatty():
            return
        self._stream.write(f"\r{self.text(progress)}")
        self._stream.flush()
        self._drawn = True

    def text(self, progress: Progress) -> str:
        """The bar as one line."""
        spent = progress.positions / self._budget.positions
        if self._budget.seconds:
            spent = max(spent, progress.seconds / self._budget.seconds)
        full = round(min(spent, 1) * _WIDTH)
        return (
            f"[{'#' * full}{'.' * (_WIDTH - full)}] "
            f"{progress.positions:,} positions, {progress.seconds:.1f} s"
        )

    def close(self) -> None:
        """End the line, if there is one."""
        if self._drawn:
            self._stream.write("\n")
