"""The order of tests: those that take a minute of real time early, and away from each other."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")


def spread(long: Sequence[T], others: Sequence[T], file_of: Callable[[T], object]) -> list[T]:
    """All tests, with the long ones at equal distances in the first half, where one file follows another.

    Each process gets a run of neighbors. Long ones in one run would keep one process busy after all others have
    ended, and one amid a file would make that file's fixtures anew.
    """
    starts = [
        0,
        *(n for n, (one, two) in enumerate(pairwise(others), 1) if file_of(one) != file_of(two)),
    ]
    half = len(others) / 2
    places = [
        min(starts, key=lambda start: abs(start - half * number / len(long)))
        for number in range(len(long))
    ]
    found: list[T] = []
    for number, test in enumerate(others):
        found += [one for one, place in zip(long, places, strict=True) if place == number]
        found.append(test)
    return found if others else list(long)
