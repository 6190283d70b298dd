"""Sliding-window rate limits by player and by address."""

from __future__ import annotations

import math
import time
from collections import deque
from typing import NoReturn

from fastapi import Depends
from limits import RateLimitItemPerMinute
from limits.storage import Storage
from limits.storage.base import MovingWindowSupport
from limits.strategies import MovingWindowRateLimiter
from starlette.requests import Request

from app.errors import RateLimitedError
from app.http.dependencies import service_of
from app.settings import Settings

_SWEEP_EVERY = 4096


class RateLimits:
    """Limits per minute. Each server process counts separately."""

    def __init__(self, settings: Settings) -> None:
        self._limiter = MovingWindowRateLimiter(SlidingWindowStorage())
        self._actions = RateLimitItemPerMinute(settings.actions_per_minute, namespace="actions")
        self._games = RateLimitItemPerMinute(settings.games_per_minute, namespace="games")
        self._guests = RateLimitItemPerMinute(settings.guests_per_minute, namespace="guests")
        self._wrong_codes = RateLimitItemPerMinute(
            settings.wrong_codes_per_minute, namespace="codes"
        )

    def action(self, player_id: str) -> None:
        """Count an action of a player; raises ``RateLimitedError``."""
        self._count(self._actions, player_id, "You're going too fast.")

    def new_game(self, address: str) -> None:
        """Count a game started from an address; raises ``RateLimitedError``."""
        self._count(self._games, address, "Too many games were started from your address.")

    def new_guest(self, address: str) -> None:
        """Count a new guest from an address; raises ``RateLimitedError``."""
        self._count(self._guests, address, "Too many new players came from your address.")

    def wrong_code(self, address: str) -> None:
        """Count a wrong room code that an address tried."""
        self._limiter.hit(self._wrong_codes, address)

    def check_wrong_codes(self, address: str) -> None:
        """Raise ``RateLimitedError`` for an address that has tried too many wrong room codes."""
        if not self._limiter.test(self._wrong_codes, address):
            self._refuse(self._wrong_codes, address, "Too many codes were tried from your address.")

    def _count(self, limit: RateLimitItemPerMinute, who: str, sentence: str) -> None:
        if not self._limiter.hit(limit, who):
            self._refuse(limit, who, sentence)

    def _refuse(self, limit: RateLimitItemPerMinute, who: str, sentence: str) -> NoReturn:
        wait = self._limiter.get_window_stats(limit, who).reset_time - time.monotonic()
        seconds = max(1, math.ceil(wait))
        delay = "1 second" if seconds == 1 else f"{seconds} seconds"
        raise RateLimitedError(f"{sentence} Try again in {delay}.", seconds)


def client_address(request: Request) -> str:
    """The IP address of the client; behind a trusted proxy the server has set it."""
    return request.client.host if request.client is not None else ""


async def _new_game(request: Request) -> None:
    limits = service_of(request, RateLimits)
    limits.new_game(client_address(request))


NewGameLimit = Depends(_new_game)
"""For routes that start a game."""


class SlidingWindowStorage(Storage, MovingWindowSupport):
    """The times of recent uses by key, in memory.

    The library's memory storage uses a thread every few milliseconds to expire entries, which costs more than the
    counting. Here a key expires its uses when it is read, and unused keys are removed now and then.
    """

    STORAGE_SCHEME = None

    def __init__(self) -> None:
        super().__init__()
        self._uses: dict[str, deque[float]] = {}
        self._until_sweep = _SWEEP_EVERY

    @property
    def base_exceptions(self) -> type[Exception]:
        """Memory raises no errors of its own."""
        return ValueError

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count ``amount`` uses of a key, unless that exceeds ``limit`` in ``expiry`` seconds."""
        now = time.monotonic()
        uses = self._uses.get(key)
        if uses is None:
            self._sweep(now, expiry)
            uses = self._uses[key] = deque()
        while uses and uses[0] <= now - expiry:
            uses.popleft()
        if len(uses) + amount > limit:
            return False
        uses.extend([now] * amount)
        return True

    def get_moving_window(
        self,
        key: str,
        limit: int,  # noqa: ARG002 - the library passes it
        expiry: int,
    ) -> tuple[float, int]:
        """The time of the oldest use in the window, on the monotonic clock, and the number of uses."""
        now = time.monotonic()
        current = [use for use in self._uses.get(key, ()) if use > now - expiry]
        return (current[0] if current else now), len(current)

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """For fixed windows; not supported."""
        raise NotImplementedError

    def get(self, key: str) -> int:
        """The number of uses of a key, including expired ones that were not removed yet."""
        return len(self._uses.get(key, ()))

    def get_expiry(self, key: str) -> float:
        """For fixed windows; not supported."""
        raise NotImplementedError

    def check(self) -> bool:
        """Memory is always available."""
        return True

    def reset(self) -> int:
        """Forget everything; return the number of keys."""
        count = len(self._uses)
        self._uses.clear()
        return count

    def clear(self, key: str) -> None:
        """Forget one key."""
        self._uses.pop(key, None)

    def _sweep(self, now: float, expiry: int) -> None:
        """Remove the keys whose last use has expired, once every ``_SWEEP_EVERY`` new keys."""
        self._until_sweep -= 1
        if self._until_sweep <= 0:
            self._until_sweep = _SWEEP_EVERY
            self._uses = {
                key: uses for key, uses in self._uses.items() if uses and uses[-1] > now - expiry
            }
