"""Dates, times and durations as text."""

from __future__ import annotations

import pytest

from app.i18n.formats import (
    clock_duration,
    exact_duration,
    exact_time_since,
    iso_time,
    time_left,
)
from app.text import ordinal

MINUTE = 60_000
AT_MS = 1_795_253_405_123  # 2026-11-21 09:30:05.123


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (221, "3:41"), (3821, "1:03:41")])
def test_times_read_like_a_clock(seconds, text):
    assert clock_duration(seconds) == text


@pytest.mark.parametrize(
    ("length_ms", "text"),
    [(120, "0.120 s"), (12_500, "12.500 s"), (185_000, "3:05"), (7_385_999, "2:03:05")],
)
def test_short_durations_are_exact(length_ms, text):
    assert exact_duration(length_ms) == text


def test_the_date_is_left_out_on_the_same_day():
    assert iso_time(AT_MS) == "2026-11-21T09:30:05Z"
    assert exact_time_since(AT_MS, AT_MS - 1000) == "09:30:05.123"
    assert exact_time_since(AT_MS, AT_MS - 86_400_000) == "2026-11-21 09:30:05.123"


@pytest.mark.parametrize(
    ("length_ms", "text"),
    [
        (312 * MINUTE, "5 h 12 min"),
        (60 * MINUTE, "1 h 0 min"),
        (59 * MINUTE + 1, "1 h 0 min"),
        (59 * MINUTE, "59 min"),
        (MINUTE, "1 min"),
        (1, "1 min"),
        (0, "0 min"),
        (-MINUTE, "0 min"),
    ],
)
def test_the_time_left_is_told_to_the_minute(length_ms, text):
    assert time_left(length_ms) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (11, "11th"),
        (112, "112th"),
        (1022, "1,022nd"),
    ],
)
def test_places_are_ordinal_numbers(number, text):
    assert ordinal(number) == text
