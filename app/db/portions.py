"""Portions of bounded size: what takes long is read a portion at a time, so that others read in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def take_portion(rows: Sequence[T], most: int, size: Callable[[T], int]) -> list[T]:
    """The first rows whose sizes are at most ``most`` together; one row alone may be larger."""
    portion: list[T] = []
    total = 0
    for row in rows:
        total += size(row)
        if portion and total > most:
            break
        portion.append(row)
    return portion
