"""A month of daily deals as a page shows it: its weeks, and the months before and after it."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Generic, NamedTuple, TypeVar

from app.daily.model import DailyNotFoundError
from app.daily.streaks import ONE_DAY
from app.i18n.formats import long_date
from app.text import date_text, gettext, pgettext

Content = TypeVar("Content")

_MONTH: Final = re.compile(r"(\d{4})-(0[1-9]|1[0-2])", re.ASCII)


class WeekdayName(NamedTuple):
    """A day of the week in full, and in two letters or as short as the language has it."""

    name: str
    short: str


@dataclass(frozen=True, slots=True)
class DayCell(Generic[Content]):
    """A day of the month; ``path`` is empty for a day without a page."""

    number: int
    date: str
    is_today: bool
    path: str
    content: Content


@dataclass(frozen=True, slots=True)
class Month(Generic[Content]):
    """Weeks from Monday to Sunday; days of other months are ``None``.

    ``previous`` and ``next`` are empty where the deals of the site begin and end.
    """

    path: str
    title: str
    previous: str
    next: str
    weeks: list[list[DayCell[Content] | None]]

    @property
    def weekdays(self) -> tuple[WeekdayName, ...]:
        """The names of the days in the head of the table, Monday first."""
        return _WEEKDAYS


_MONDAY: Final = date(2026, 11, 23)  # any
_WEEKDAYS: Final = tuple(
    WeekdayName(date_text(_MONDAY + timedelta(days), "weekday"), short)
    for days, short in enumerate(
        (
            pgettext("Monday", "Mo"),
            pgettext("Tuesday", "Tu"),
            pgettext("Wednesday", "We"),
            pgettext("Thursday", "Th"),
            pgettext("Friday", "Fr"),
            pgettext("Saturday", "Sa"),
            pgettext("Sunday", "Su"),
        )
    )
)


def read_month(text: str, oldest: date, today: date) -> date:
    """The first day of the month ``text``, like ``2026-11``; of the current month if it is empty.

    Raises:
        DailyNotFoundError: It is not a month, or one without deals.
    """
    match = _MONTH.fullmatch(text or f"{today:%Y-%m}")
    if match is None or int(match[1]) < 1:
        raise DailyNotFoundError(gettext("Months look like 2026-11."))
    first = date(int(match[1]), int(match[2]), 1)
    if not oldest.replace(day=1) <= first <= today:
        raise DailyNotFoundError(gettext("There are no deals for this month."))
    return first


def month_of(
    path: str,
    first: date,
    oldest: date,
    today: date,
    day_of: Callable[[date], tuple[str, Content]],
) -> Month[Content]:
    """The month on the page ``path`` that begins with ``first``; ``day_of`` gives the path and content of a day."""

    def cell(day: date) -> DayCell[Content] | None:
        if day.month != first.month:
            return None
        day_path, content = day_of(day)
        return DayCell(day.day, long_date(day), day == today, day_path, content)

    before, after = first - ONE_DAY, (first + timedelta(days=31)).replace(day=1)
    weeks = calendar.Calendar().monthdatescalendar(first.year, first.month)
    return Month(
        path=path,
        title=date_text(first, "month"),
        previous=f"{before:%Y-%m}" if before >= oldest else "",
        next=f"{after:%Y-%m}" if after <= today else "",
        weeks=[[cell(day) for day in week] for week in weeks],
    )
