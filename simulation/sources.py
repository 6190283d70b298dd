"""Randomness and clocks of this process, replaced by seeded ones while a seed runs.

The stand-ins are where the operating system would be: below ``secrets``, ``random``, ``time`` and Argon2, so that the
site and its libraries use them without knowing. Import this module and call ``install`` before importing the site:
some libraries keep a clock as the default of an argument.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Protocol, TypeVar

T = TypeVar("T")

real_seconds: Final = time.perf_counter
"""The machine's own clock, to measure how long a seed takes."""

_REAL: Final = {
    name: getattr(time, name) for name in ("time", "time_ns", "monotonic", "perf_counter", "sleep")
}
_real_urandom: Final = os.urandom


class Clocks(Protocol):
    """The clocks of the process whose code runs now."""

    def wall_ms(self) -> float:
        """Milliseconds since 1970, as the machine believes; may jump."""
        ...

    def monotonic(self) -> float:
        """Seconds since an arbitrary moment; never goes back."""
        ...


class _Active:
    """What is installed now; nothing outside of ``seeded``."""

    clocks: Clocks | None = None
    entropy: random.Random | None = None


def install() -> None:
    """Put the stand-ins in place. Outside of ``seeded`` they pass everything on to the machine."""
    time.time = lambda: _wall("time", 1e-3)
    time.time_ns = lambda: int(_wall("time_ns", 1e6))
    time.monotonic = lambda: _elapsed("monotonic")
    time.monotonic_ns = lambda: int(_elapsed("monotonic") * 1e9)
    time.perf_counter = lambda: _elapsed("perf_counter")
    time.sleep = _sleep  # type: ignore[assignment] # it is only called with a float
    os.urandom = _urandom
    random._urandom = _urandom  # type: ignore[attr-defined]


def install_late() -> None:
    """The same for modules that must be imported first: work sent to threads runs on the loop's executor."""
    import anyio.to_thread  # noqa: PLC0415 - after the clocks are in place

    anyio.to_thread.run_sync = _run_sync  # type: ignore[assignment]


@contextmanager
def seeded(seed: str, clocks: Clocks) -> Iterator[None]:
    """Everything random comes from ``seed`` and every clock is one of ``clocks``."""
    state = random.getstate()
    random.seed(f"{seed}/random")
    _Active.clocks, _Active.entropy = clocks, random.Random(f"{seed}/entropy")
    try:
        yield
    finally:
        _Active.clocks = _Active.entropy = None
        random.setstate(state)


def _wall(name: str, scale: float) -> Any:
    return _Active.clocks.wall_ms() * scale if _Active.clocks else _REAL[name]()


def _elapsed(name: str) -> float:
    if _Active.clocks:
        return _Active.clocks.monotonic()
    found: float = _REAL[name]()
    return found


def _sleep(seconds: float) -> None:
    if _Active.clocks is None:
        _REAL["sleep"](seconds)


def _urandom(size: int) -> bytes:
    return _Active.entropy.randbytes(size) if _Active.entropy else _real_urandom(size)


async def _run_sync(work: Callable[..., T], *arguments: object, **_options: object) -> T:
    import asyncio  # noqa: PLC0415

    running: Awaitable[T] = asyncio.get_running_loop().run_in_executor(None, work, *arguments)
    return await running
