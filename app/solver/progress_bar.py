"""A text progress bar for searches at a terminal."""

from __future__ import annotations

from typing import TextIO

from app.solver.solve import Budget, Progress

_WIDTH = 30


class ProgressBar:
    """Draws how much of a budget is spent; pass it to ``solve`` as ``progress``.

    It draws on terminals only, so logs and pipes stay clean.
    """

    def __init__(self, stream: TextIO, budget: Budget) -> None:
        """Draw on ``stream``."""
        self._stream = stream
        self._budget = budget
        self._drawn = False

    def __call__(self, progress: Progress) -> None:
        """Redraw the bar over the last one."""
        if not self._stream.isatty():
            return
        self._stream.write(f"\r{self.text(progress)}")
        self._stream.flush()
        self._drawn = True

    def text(self, progress: Progress) -> str:
        """The bar as one line of text."""
        spent = progress.positions / self._budget.positions
        if self._budget.seconds:
            spent = max(spent, progress.seconds / self._budget.seconds)
        full = round(min(spent, 1) * _WIDTH)
        return (
            f"[{'#' * full}{'.' * (_WIDTH - full)}] "
            f"{progress.positions:,} positions, {progress.seconds:.1f} s"
        )

    def close(self) -> None:
        """End the line if anything was drawn."""
        if self._drawn:
            self._stream.write("\n")
