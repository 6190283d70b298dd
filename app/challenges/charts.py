"""Drawings of runs: a small one beside a table, a large one with its axes."""

from __future__ import annotations

from collections.abc import Sequence

from app.challenges.run import Run
from app.games.progress_chart import Frame


def strip(longest_ms: int, cards: int) -> Frame:
    """The drawing beside a table."""
    return Frame(332, 60, 6, 326, 6, 54, max(1, longest_ms), cards)


def plot(runs: Sequence[Run]) -> Frame:
    """The drawing that compares runs."""
    longest = max(run.elapsed_ms for run in runs)
    return Frame(720, 280, 34, 708, 12, 252, max(1000, longest), runs[0].cards)
