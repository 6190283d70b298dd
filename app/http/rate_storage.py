"""A memory of when things were done, for the rate limits of one process."""

from __future__ import annotations

import time
from collections import deque

from limits.storage import Storage
from limits.storage.base import MovingWindowSupport

_SWEEP_EVERY = 4096


class SlidingWindowStorage(Storage, MovingWindowSupport):
    """When each key was last used, in this process.

    The library's own memory storage starts a thread, or hops to one, every few milliseconds to forget what has expired;
    that costs more than the counting. Here a key forgets when it is asked, and unused keys are swept now and then.
    """

    STORAGE_SCHEME = None

    def __init__(self) -> None:
        super().__init__()
        self._moments: dict[str, deque[float]] = {}
        self._until_sweep = _SWEEP_EVERY

    @property
    def base_exceptions(self) -> type[Exception]:
        """Nothing goes wrong in memory."""
        return ValueError

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Note ``amount`` uses of a key now, unless that makes more than ``limit`` in ``expiry`` seconds."""
        now = time.monotonic()
        moments = self._moments.get(key)
        if moments is None:
            self._sweep(now, expiry)
            moments = self._moments[key] = deque()
        while moments and moments[0] <= now - expiry:
            moments.popleft()
        if len(moments) + amount > limit:
            return False
        moments.extend([now] * amount)
        return True

    def get_moving_window(
        self,
        key: str,
        limit: int,  # noqa: ARG002 - the library passes it
        expiry: int,
    ) -> tuple[float, int]:
        """The oldest use that still counts, on the monotonic clock, and how many do."""
        now = time.monotonic()
        counting = [moment for moment in self._moments.get(key, ()) if moment > now - expiry]
        return (counting[0] if counting else now), len(counting)

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count for a window that does not move; not offered."""
        raise NotImplementedError

    def get(self, key: str) -> int:
        """How often a key was used, expired uses included until they are forgotten."""
        return len(self._moments.get(key, ()))

    def get_expiry(self, key: str) -> float:
        """When a window that does not move ends; not offered."""
        raise NotImplementedError

    def check(self) -> bool:
        """Memory is always there."""
        return True

    def reset(self) -> int:
        """Forget everything; answers how many keys there were."""
        forgotten = len(self._moments)
        self._moments.clear()
        return forgotten

    def clear(self, key: str) -> None:
        """Forget one key."""
        self._moments.pop(key, None)

    def _sweep(self, now: float, expiry: int) -> None:
        """Drop the keys whose last use has expired, once in so many new keys."""
        self._until_sweep -= 1
        if self._until_sweep <= 0:
            self._until_sweep = _SWEEP_EVERY
            self._moments = {
                key: moments
                for key, moments in self._moments.items()
                if moments and moments[-1] > now - expiry
            }
