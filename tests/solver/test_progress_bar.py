"""The bar shows how much of the budget is spent, on terminals only."""

import io

import pytest

from app.solver.progress_bar import ProgressBar
from app.solver.solve import Budget, Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("budget", "progress", "full"),
    [
        (Budget(positions=1000), Progress(500, 2.0), 15),
        (Budget(seconds=10), Progress(500, 10.0), 30),
        (Budget(seconds=10), Progress(500, 12.0), 30),
        (Budget(positions=1000, seconds=10), Progress(100, 5.0), 15),
        (Budget(positions=1000), Progress(0, 0.0), 0),
    ],
)
def test_the_limit_that_is_nearer_fills_the_bar(budget: Budget, progress: Progress, full: int):
    text = ProgressBar(io.StringIO(), budget).text(progress)
    assert text.startswith(f"[{'#' * full}{'.' * (30 - full)}] ")
    assert text.endswith(f"{progress.positions:,} positions, {progress.seconds:.1f} s")


def test_on_a_terminal_each_drawing_covers_the_last():
    stream = Terminal()
    bar = ProgressBar(stream, Budget(positions=10))
    bar(Progress(1, 0.0))
    bar(Progress(2, 0.0))
    bar.close()
    drawn = stream.getvalue()
    assert drawn.count("\r") == 2
    assert drawn.endswith("2 positions, 0.0 s\n")


def test_elsewhere_nothing_is_written():
    stream = io.StringIO()
    bar = ProgressBar(stream, Budget())
    bar(Progress(1, 0.0))
    bar.close()
    assert stream.getvalue() == ""
