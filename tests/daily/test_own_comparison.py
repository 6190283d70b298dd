"""An attempt beside its player's own earlier ones, which is told before the results of others are."""

from __future__ import annotations

from datetime import date

import pytest

from app.daily.featured import headline_ruleset
from app.daily.own_comparison import compare_with_own, tomorrows_deal
from app.daily.own_results import DayState, OwnResult
from app.daily.streaks import ONE_DAY
from app.rulesets.bristol import BRISTOL

TODAY = date(2026, 11, 27)


def attempt(
    ago: int, state: DayState, actions: int = 80, seconds: int = 300, home: int = 52
) -> OwnResult:
    return OwnResult(TODAY - ago * ONE_DAY, "bristol", f"{ago}", state, actions, seconds, home)


def won(ago: int, actions: int = 80, seconds: int = 300) -> OwnResult:
    return attempt(ago, DayState.SOLVED, actions, seconds)


def lost(ago: int, home: int) -> OwnResult:
    return attempt(ago, DayState.UNSOLVED, home=home)


@pytest.mark.parametrize(
    ("results", "told"),
    [
        ([won(0)], "Your first daily deal in Bristol."),
        ([lost(2, 4), won(0)], "Bristol: you won 1 of 2 daily deals. This is your first win."),
        ([won(2), lost(1, 4), won(0)], "Bristol: you won 2 of 3 daily deals."),
        (
            [won(2), won(0, seconds=299)],
            "Bristol: you won 2 of 2 daily deals. Your fastest so far.",
        ),
        (
            [won(2), won(0, actions=79)],
            "Bristol: you won 2 of 2 daily deals. Your fewest moves so far.",
        ),
        (
            [won(2), won(0, 79, 299)],
            "Bristol: you won 2 of 2 daily deals. Your fastest so far, with the fewest moves.",
        ),
        (
            [lost(2, 4), lost(0, 5)],
            "Bristol: you won 0 of 2 daily deals. This is your furthest yet.",
        ),
        ([lost(2, 5), lost(0, 5)], "Bristol: you won 0 of 2 daily deals."),
        ([won(2), lost(0, 5)], "Bristol: you won 1 of 2 daily deals."),
        ([won(2), attempt(0, DayState.BEGUN)], ""),
        ([won(2)._replace(ruleset="spider"), won(0)], "Your first daily deal in Bristol."),
    ],
)
def test_an_attempt_beside_earlier_ones(results: list[OwnResult], told: str):
    assert compare_with_own(results, "0", BRISTOL) == told


def test_tomorrows_deal_is_that_of_the_calendar():
    title = headline_ruleset(date(2026, 11, 28)).title
    assert tomorrows_deal(TODAY) == f"Tomorrow's first deal: {title}."
