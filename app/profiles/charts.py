"""Results over time as a small picture: a column for each week, the games won at its foot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NamedTuple

from app.clock import day_of
from app.profiles.statistics import Finished

WEEKS: Final = 26
_HEIGHT: Final = 96
_STEP: Final = 20  # from one column to the next
_WIDTH: Final = 14
_SMALLEST_TOP: Final = 4  # games: a single one shall not fill the picture
_ONE_WEEK: Final = timedelta(weeks=1)


class Week(NamedTuple):
    """What ended in the seven days from a Monday."""

    monday: date
    played: int
    won: int


class Column(NamedTuple):
    """A week as drawn: two heights, one upon the other, measured from the foot of the picture."""

    x: int
    won: int
    rest: int


@dataclass(frozen=True, slots=True)
class Plot:
    """The picture's measures, and its weeks, the oldest first."""

    weeks: tuple[Week, ...]
    top: int
    columns: tuple[Column, ...]
    width: int = WEEKS * _STEP
    height: int = _HEIGHT
    column: int = _WIDTH

    @property
    def busy_weeks(self) -> list[Week]:
        """The weeks in which something ended, the latest first."""
        return [week for week in reversed(self.weeks) if week.played]


def weeks_of(finished: Iterable[Finished], today: date) -> tuple[Week, ...]:
    """The weeks up to today's, with what ended in each, UTC."""
    played: Counter[date] = Counter()
    won: Counter[date] = Counter()
    for game in finished:
        monday = _monday(day_of(game.ended_ms))
        played[monday] += 1
        won[monday] += game.is_won
    last = _monday(today)
    mondays = [last - _ONE_WEEK * back for back in reversed(range(WEEKS))]
    return tuple(Week(monday, played[monday], won[monday]) for monday in mondays)


def plot_of(weeks: tuple[Week, ...]) -> Plot:
    """The picture of some weeks."""
    top = max(_SMALLEST_TOP, *(week.played for week in weeks))
    columns = []
    for number, week in enumerate(weeks):
        whole, won = (round(_HEIGHT * games / top) for games in (week.played, week.won))
        columns.append(Column(number * _STEP + (_STEP - _WIDTH) // 2, won, whole - won))
    return Plot(weeks, top, tuple(columns))


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())
