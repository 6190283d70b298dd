"""What this process was asked and how long it took, summed up in memory until somebody takes the sums away.

Known of a request are its route, its time and its id; nothing of who asked, nor of what.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

_SPAN: Final = 600  # seconds: fine enough to find an hour by, and few rows for a day
_MOST_SUMS: Final = 20_000  # hours of them; nobody seems to take them away
_FAULT: Final = 500
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_PROBES: Final = frozenset({"/healthz", "/readyz", "/metrics"})


class Sum:
    """What was asked of one route within ten minutes."""

    __slots__ = (
        "fault_id",
        "faults",
        "requests",
        "slowest",
        "slowest_id",
        "timed",
        "took",
    )

    def __init__(self) -> None:
        self.requests = self.faults = self.timed = 0
        self.took = self.slowest = 0.0
        """Seconds."""
        self.slowest_id = self.fault_id = ""


class RequestStats:
    """Adds up; called for every request, so it does little."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """``clock`` gives seconds since 1970, UTC."""
        self._clock = clock
        self._sums: dict[tuple[int, str, str], Sum] = {}

    def note(
        self, method: str, route: str, status: int, seconds: float | None, request_id: str
    ) -> None:
        """Add a request that was answered; ``seconds`` is None for a stream, whose length says nothing."""
        key = (int(self._clock() // _SPAN), method, route)
        found = self._sums.get(key)
        if found is None:
            if route in _PROBES or method not in _METHODS or len(self._sums) >= _MOST_SUMS:
                return
            found = self._sums[key] = Sum()
        found.requests += 1
        if status >= _FAULT:
            found.faults += 1
            found.fault_id = request_id
        if seconds is not None:
            found.timed += 1
            found.took += seconds
            if seconds >= found.slowest:
                found.slowest = seconds
                found.slowest_id = request_id

    def take(self) -> dict[tuple[int, str], Sum]:
        """The sums since the last time, each by the first millisecond of its ten minutes and its route."""
        taken, self._sums = self._sums, {}
        return {
            (span * _SPAN * 1000, f"{method} {route}"): found
            for (span, method, route), found in taken.items()
        }
