"""The section of reviews on a player's page: the average accuracy of their daily deals, by week."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from statistics import mean
from typing import Final

from fastapi import Request
from markupsafe import Markup

from app.analysis import judgement_repository
from app.clock import day_of, last_mondays, monday_of
from app.db.engine import Database
from app.http.charts import BarChart, BarSize, Series, bar_chart
from app.http.dependencies import now_ms_of, service_of
from app.http.templates import render_markup
from app.i18n.formats import count_of, percent
from app.text import date_text, gettext

_WEEKS: Final = 26


@dataclass(frozen=True, slots=True)
class AccuracyView:
    """The average accuracy, the number of deals that it is of, and its course."""

    average: str
    deals: str
    chart: BarChart


async def profile_section(request: Request, player_id: str) -> Markup:
    """The section of a player's page: how accurately they play, if that is known."""
    mondays = last_mondays(day_of(now_ms_of(request)), _WEEKS)
    found = await service_of(request, Database).read(
        partial(judgement_repository.list_own, player_id=player_id, first=mondays[0])
    )
    if not found:
        return Markup()
    return render_markup("analysis/_profile_section.html", view=accuracy_view(found, mondays))


def accuracy_view(found: Sequence[tuple[date, float]], mondays: Sequence[date]) -> AccuracyView:
    """The average accuracy of days, of those of each week, and of all."""
    by_week: defaultdict[date, list[float]] = defaultdict(list)
    for day, accuracy in found:
        by_week[monday_of(day)].append(100 * accuracy)
    chart = bar_chart(
        "accuracy",
        gettext("Average accuracy"),
        [monday.isoformat() for monday in mondays],
        [
            Series(
                gettext("average accuracy"),
                [mean(by_week[one]) if by_week[one] else 0 for one in mondays],
            )
        ],
        is_percent=True,
        size=BarSize(height=96, step=20, bar=14),
    )
    average = mean(accuracy for _, accuracy in found)
    # The edge of the chart has little room: for the month, and for a percentage without decimals.
    highest = max(map(mean, filter(None, by_week.values())))
    chart = replace(chart, first=date_text(mondays[0], "short_month"), top=percent(highest / 100))
    return AccuracyView(percent(average), count_of(len(found), "daily deal"), chart)
