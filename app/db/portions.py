"""Portions of bounded size: what takes long is read a portion at a time, so that others read in between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def split_into_portions(
    rows: Iterable[T], most: int, size: Callable[[T], int], *, most_rows: int | None = None
) -> Iterator[list[T]]:
    """All rows in portions whose sizes are at most ``most`` together; one row alone may be larger."""
    portion: list[T] = []
    total = 0
    for row in rows:
        total += size(row)
        if portion and (total > most or len(portion) == most_rows):
            yield portion
            portion, total = [], size(row)
        portion.append(row)
    if portion:
        yield portion


def take_portion(rows: Iterable[T], most: int, size: Callable[[T], int]) -> list[T]:
    """The first of these portions; empty if there are no rows."""
    return next(split_into_portions(rows, most, size), [])
