"""Streaks of solved days."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.daily.streaks import Streak, compute_streak


def days(*numbers: int) -> set[date]:
    return {date(2026, 3, 1) + timedelta(days=number) for number in numbers}


def day(number: int) -> date:
    return date(2026, 3, 1) + timedelta(days=number)


@pytest.mark.parametrize(
    ("solved", "today", "expected"),
    [
        ((), 0, Streak(0, 0, None, is_waiting=True)),
        ((0,), 0, Streak(1, 1, None, is_waiting=False)),
        ((0, 1, 2), 2, Streak(3, 3, None, is_waiting=False)),
        ((0, 1, 2), 3, Streak(3, 3, None, is_waiting=True)),  # today has not ended
        ((0, 1, 3), 3, Streak(3, 3, day(2), is_waiting=False)),  # one day is forgiven
        (
            (0, 1),
            3,
            Streak(2, 2, day(2), is_waiting=True),
        ),  # yesterday is forgiven if today is solved
        ((0, 1), 4, Streak(0, 2, None, is_waiting=True)),  # two missed days end it
        ((0, 1, 4), 4, Streak(1, 2, None, is_waiting=False)),
        ((0, 2, 4), 4, Streak(1, 2, None, is_waiting=False)),  # the second one is too soon
        ((0, 2), 4, Streak(0, 2, None, is_waiting=True)),  # and so is yesterday, after another one
        # Day 1 was forgiven, so day 31 is the next one that can be.
        ((0, *range(2, 30), 31), 31, Streak(1, 29, None, is_waiting=False)),
        ((0, *range(2, 31), 32), 32, Streak(31, 31, day(31), is_waiting=False)),
    ],
)
def test_a_streak(solved: tuple[int, ...], today: int, expected: Streak):
    assert compute_streak(days(*solved), day(today)) == expected


@given(st.sets(st.integers(0, 80)), st.integers(80, 90))
def test_streaks_are_never_longer_than_the_number_of_solved_days(solved: set[int], today: int):
    found = compute_streak(days(*solved), day(today))
    assert 0 <= found.days <= found.best <= len(solved)
    assert (found.best > 0) == bool(solved)
