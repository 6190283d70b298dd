"""The clock that all play goes by: milliseconds since 1970, UTC."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Gives the time in milliseconds since 1970, UTC. Tests bring their own."""

    def __call__(self) -> int: ...


def now_ms() -> int:
    """The machine's clock."""
    return time.time_ns() // 1_000_000
