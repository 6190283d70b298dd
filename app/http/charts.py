"""Charts drawn as SVG by the server: lines over time, and stacked bars. Templates print what is computed here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from app.i18n.formats import clock_duration, percent
from app.text import decimal_text, pgettext

# --- lines over time

_MAX_TIME_TICKS: Final = 6
_QUARTERS: Final = 4  # so that there is a tick at each quarter of the highest value
_TICK_SECONDS: Final = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200)


class TimeSeries(Protocol):
    """A value that changed in steps: pairs of milliseconds and value, and when the recording ended."""

    @property
    def points(self) -> Sequence[tuple[int, int]]: ...

    @property
    def elapsed_ms(self) -> int: ...


class Point(NamedTuple):
    """A place in a drawing."""

    x: float
    y: float


class Tick(NamedTuple):
    """A tick of an axis: its position and its text."""

    at: float
    text: str


class ChartLine(NamedTuple):
    """The line of one series; ``css_class`` gives it its color."""

    css_class: str
    path: str
    end: Point


@dataclass(frozen=True, slots=True)
class TimeAxes:
    """The size of a drawing, the rectangle for the lines inside it, and the highest time and value."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    max_ms: int
    max_value: int

    def point(self, at_ms: int, value: int) -> Point:
        """The point of a value at a time; a time past the edge is clamped to it."""
        share = min(1.0, at_ms / max(1, self.max_ms))
        x = self.left + (self.right - self.left) * share
        y = self.bottom - (self.bottom - self.top) * value / self.max_value
        return Point(round(x, 1), round(y, 1))

    def path(self, series: TimeSeries) -> str:
        """The step line of a series, as the path of an SVG drawing."""
        first, *later = [self.point(*point) for point in series.points]
        steps = "".join(f"H{x}V{y}" for x, y in later)
        return f"M{first.x} {first.y}{steps}H{self.end(series).x}"

    def end(self, series: TimeSeries) -> Point:
        return self.point(series.elapsed_ms, series.points[-1][1])

    def line(self, css_class: str, series: TimeSeries) -> ChartLine:
        """A series as a line with a dot at its end."""
        return ChartLine(css_class, self.path(series), self.end(series))

    def value_ticks(self) -> list[Tick]:
        """Ticks for the values, a quarter of the highest apart."""
        quarters = range(0, self.max_value + 1, max(1, self.max_value // 4))
        return [Tick(self.point(0, value).y, str(value)) for value in quarters]

    def time_ticks(self) -> list[Tick]:
        """Ticks for the time."""
        seconds = self.max_ms // 1000
        step = next((step for step in _TICK_SECONDS if seconds / step <= _MAX_TIME_TICKS), None)
        step = step or -(-seconds // (_MAX_TIME_TICKS * 3600)) * 3600
        return [
            Tick(self.point(second * 1000, 0).x, clock_duration(second))
            for second in range(0, seconds + 1, step)
        ]


@dataclass(frozen=True, slots=True)
class LineChart:
    """Lines over time with their axes. The last line is drawn on top."""

    label: str
    axes: TimeAxes
    lines: Sequence[ChartLine]


def line_chart_axes(series: Sequence[TimeSeries], most: int) -> TimeAxes:
    """The axes of a chart as wide as a page, for at least one second.

    They end at the best value there was, four at least, in steps of four; ``most`` is the highest there can be.
    """
    max_ms = max(1000, *(one.elapsed_ms for one in series))
    best = max(value for one in series for _, value in one.points)
    top = max(_QUARTERS, -(-best // _QUARTERS) * _QUARTERS)
    return TimeAxes(720, 270, 34, 708, 12, 242, max_ms, min(top, most))


# --- stacked bars

_MIN_TOP: Final = 4  # a single game does not fill the chart


class ChartBar(NamedTuple):
    """A number, stacked on those of the series before it; ``series`` is the number of its own."""

    x: int
    y: float
    height: float
    series: int
    text: str


class Series(NamedTuple):
    """Numbers of one kind, one for each column."""

    name: str
    values: Sequence[float]


class BarSize(NamedTuple):
    """The height of a chart, the distance from one column to the next, and the width of a bar."""

    height: int = 100
    step: int = 10
    bar: int = 8


_DEFAULT_SIZE: Final = BarSize()


@dataclass(frozen=True, slots=True)
class BarChart:
    """Stacked bars. ``rows`` has the same numbers as texts, the last column first and without empty ones."""

    id: str
    title: str
    about: str
    legend: list[str]
    top: str
    first: str
    last: str
    bars: list[ChartBar]
    columns: list[str]
    rows: list[tuple[str, list[str]]]
    width: int
    size: BarSize


def bar_chart(
    chart_id: str,
    title: str,
    labels: Sequence[str],
    series: Sequence[Series],
    *,
    about: str = "",
    is_percent: bool = False,
    size: BarSize = _DEFAULT_SIZE,
) -> BarChart:
    """A column of stacked bars for each label."""
    columns = list(zip(*(one.values for one in series), strict=True))
    highest = max((sum(column) for column in columns), default=0)
    top = highest if is_percent and highest else max(_MIN_TOP, highest)
    bars = []
    for number, (label, column) in enumerate(zip(labels, columns, strict=True)):
        x = number * size.step + (size.step - size.bar) // 2
        foot = float(size.height)
        for index, value in enumerate(column):
            if value:
                height = round(size.height * value / top, 2)
                foot = round(foot - height, 2)
                # Translators: when it was, how many there were, and of what: "2026-11-21: 3 won".
                text = pgettext(
                    "bar of a chart",
                    "%(label)s: %(number)s %(name)s",
                    label=label,
                    number=_number(value, is_percent=is_percent),
                    name=series[index].name,
                )
                bars.append(ChartBar(x, foot, height, index, text))
    return BarChart(
        id=chart_id,
        title=title,
        about=about,
        legend=[one.name for one in series] if len(series) > 1 else [],
        top=_number(top, is_percent=is_percent),
        first=labels[0],
        last=labels[-1],
        bars=bars,
        columns=[one.name for one in series],
        rows=[
            (label, [_number(value, is_percent=is_percent) for value in column])
            for label, column in reversed(list(zip(labels, columns, strict=True)))
            if any(column)
        ],
        width=len(labels) * size.step,
        size=size,
    )


def _number(value: float, *, is_percent: bool) -> str:
    return percent(value / 100, 1) if is_percent else decimal_text(value, 0)
