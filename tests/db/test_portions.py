"""Rows are split into portions that lose none, keep the order, and stay within their limits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.db.portions import split_into_portions, take_portion

SIZES = st.lists(st.integers(0, 9))


@given(SIZES, st.integers(0, 20), st.none() | st.integers(1, 4))
def test_portions_hold_all_rows_in_order_and_are_small(
    sizes: list[int], most: int, most_rows: int | None
):
    portions = list(split_into_portions(sizes, most, int, most_rows=most_rows))
    assert [size for portion in portions for size in portion] == sizes
    for portion in portions:
        assert portion
        assert len(portion) == 1 or sum(portion) <= most
        assert len(portion) <= (most_rows or len(portion))


@given(SIZES, st.integers(0, 20))
def test_of_one_portion_the_next_row_would_be_too_much(sizes: list[int], most: int):
    taken = take_portion(sizes, most, int)
    assert sizes[: len(taken)] == taken
    assert len(taken) == len(sizes) or sum(sizes[: len(taken) + 1]) > most


def test_portions_are_as_large_as_they_may_be():
    assert list(split_into_portions([3, 3, 3, 9, 1], 6, int)) == [[3, 3], [3], [9], [1]]
