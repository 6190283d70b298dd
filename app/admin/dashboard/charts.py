"""Numbers as bars: what a template needs to draw them, and the same numbers as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

HEIGHT: Final = 100
"""Of the picture, in its own measure; how large it is shown is the page's business."""

_STEP: Final = 10  # from one bar to the next
_WIDTH: Final = 8
_SMALLEST_TOP: Final = 4  # a single game shall not fill the picture


class Bar(NamedTuple):
    """A number of a kind (``kind`` is the series that it belongs to), stacked on those drawn before."""

    x: int
    y: float
    height: float
    kind: int
    told: str


class Series(NamedTuple):
    """One kind of numbers, one for each place."""

    name: str
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Plot:
    """Bars side by side. ``rows`` are the same numbers, the last first: the title of a place and its texts."""

    id: str
    title: str
    about: str
    names: list[str]
    top: str
    first: str
    last: str
    bars: list[Bar]
    columns: list[str]
    rows: list[tuple[str, list[str]]]
    width: int
    height: int = HEIGHT
    bar: int = _WIDTH


def plot(
    name: str,
    title: str,
    places: Sequence[str],
    series: Sequence[Series],
    *,
    about: str = "",
    unit: str = "",
) -> Plot:
    """Stacked bars for each place. Places without anything are left out of the table."""
    columns = list(zip(*(one.values for one in series), strict=True))
    highest = max((sum(column) for column in columns), default=0)
    top = highest if unit and highest else max(_SMALLEST_TOP, highest)
    bars = []
    for number, (place, column) in enumerate(zip(places, columns, strict=True)):
        foot = float(HEIGHT)
        for kind, value in enumerate(column):
            if value:
                height = round(HEIGHT * value / top, 2)
                foot = round(foot - height, 2)
                told = f"{place}: {_said(value, unit)} {series[kind].name}"
                bars.append(Bar(number * _STEP + 1, foot, height, kind, told))
    return Plot(
        id=name,
        title=title,
        about=about,
        names=[one.name for one in series] if len(series) > 1 else [],
        top=_said(top, unit),
        first=places[0],
        last=places[-1],
        bars=bars,
        columns=[one.name for one in series],
        rows=[
            (place, [_said(value, unit) for value in column])
            for place, column in reversed(list(zip(places, columns, strict=True)))
            if any(column)
        ],
        width=len(places) * _STEP,
    )


def _said(value: float, unit: str) -> str:
    if not unit:
        return f"{value:,.0f}"
    return f"{value:.1f}{unit}"
