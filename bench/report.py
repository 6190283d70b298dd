"""Prints results: one line each, as a ratio with its limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter_ns
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value and its limit.

    With ``at_least`` the value must not be below the limit; ``unit`` is empty for a ratio.
    """

    what: str
    value: float
    limit: float
    at_least: bool
    unit: str
    detail: str

    @property
    def holds(self) -> bool:
        """Whether the value is within its limit."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def __str__(self) -> str:
        sign = ">=" if self.at_least else "<="
        mark = "ok  " if self.holds else "MISS"
        value = f"{self.value:.2f}{self.unit} (limit {sign} {self.limit:g}{self.unit})"
        return f"{mark} {self.what:<58} {value:<32} {self.detail}"


class Repeatable(Protocol):
    """Work that can be repeated."""

    def __call__(self) -> object: ...


def at_most(what: str, value: float, limit: float, detail: str, unit: str = "") -> Figure:
    """A value that must not exceed its limit."""
    return Figure(what, value, limit, at_least=False, unit=unit, detail=detail)


def at_least(what: str, value: float, limit: float, detail: str, unit: str = "") -> Figure:
    """A value that must reach its limit."""
    return Figure(what, value, limit, at_least=True, unit=unit, detail=detail)


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest of some sorted values that ``percent`` percent of them are below."""
    return values[min(len(values) - 1, int(len(values) * percent / 100))]


def side_by_side(works: Sequence[Repeatable], rounds: int) -> list[float]:
    """The median time of each function in microseconds, alternating so that drift affects all equally."""
    times: list[list[int]] = [[] for _ in works]
    for _ in range(rounds):
        for work, taken in zip(works, times, strict=True):
            begun = perf_counter_ns()
            work()
            taken.append(perf_counter_ns() - begun)
    return [median(taken) / 1000 for taken in times]
