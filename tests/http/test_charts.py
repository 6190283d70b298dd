"""Charts: the ticks of the axes, and bars to scale."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from app.http.charts import BarSize, Series, bar_chart, line_chart_axes


class Run(NamedTuple):
    """Some values over time."""

    elapsed_ms: int
    points: tuple[tuple[int, int], ...]


@pytest.mark.parametrize("seconds", [1, 59, 725, 40_000])
def test_the_time_axis_has_some_ticks_and_not_too_many(seconds: int) -> None:
    long = Run(seconds * 1000 + 400, ((0, 0), (seconds * 1000, 52)))
    short = Run(1400, ((0, 0),))
    axes = line_chart_axes([long, short], 52)
    ticks = axes.time_ticks()
    assert 2 <= len(ticks) <= 7
    assert all(axes.left <= tick.at <= axes.right for tick in ticks)
    assert [tick.text for tick in axes.value_ticks()] == ["0", "13", "26", "39", "52"]


@pytest.mark.parametrize(
    ("best", "ticks"),
    [
        (0, "0 1 2 3 4"),
        (1, "0 1 2 3 4"),
        (5, "0 2 4 6 8"),
        (26, "0 7 14 21 28"),
        (50, "0 13 26 39 52"),
    ],
)
def test_the_best_value_gives_the_scale(best: int, ticks: str) -> None:
    runs = [Run(4000, ((0, 0), (2000, best))), Run(4000, ((0, 0),))]
    axes = line_chart_axes(runs, 52)
    assert [tick.text for tick in axes.value_ticks()] == ticks.split()


def test_a_line_steps_at_each_point_and_runs_on_to_its_end() -> None:
    run = Run(4000, ((0, 0), (2000, 24)))
    axes = line_chart_axes([run], 52)
    line = axes.line("me", run)
    assert line.path == "M34.0 242.0H371.0V12.0H708.0"
    assert (line.css_class, line.end) == ("me", (708.0, 12.0))


def test_bars_are_stacked_from_the_foot_to_the_top():
    chart = bar_chart("p", "P", ["a", "b", "c"], [Series("x", [6, 0, 2]), Series("y", [2, 0, 2])])
    assert [(bar.x, bar.y, bar.height, bar.series) for bar in chart.bars] == [
        (1, 25.0, 75.0, 0),
        (1, 0.0, 25.0, 1),
        (21, 75.0, 25.0, 0),
        (21, 50.0, 25.0, 1),
    ]
    assert chart.rows == [("c", ["2", "2"]), ("a", ["6", "2"])]
    assert chart.top == "8"


def test_a_single_game_does_not_fill_the_chart_and_zero_draws_no_bar():
    assert bar_chart("p", "P", ["a"], [Series("x", [1])]).bars[0].height == 25.0
    assert bar_chart("p", "P", ["a"], [Series("x", [0])]).bars == []
    assert bar_chart("p", "P", ["a"], [Series("x", [12.5])], is_percent=True).top == "12.5%"


def test_a_chart_may_have_another_size() -> None:
    chart = bar_chart("p", "P", ["a", "b"], [Series("x", [0, 8])], size=BarSize(96, 20, 14))
    assert [(bar.x, bar.y, bar.height) for bar in chart.bars] == [(23, 0.0, 96.0)]
    assert chart.width == 40
