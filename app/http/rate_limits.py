"""Rate limits by player and by network: sliding windows, and token buckets that allow a burst."""

from __future__ import annotations

import math
import time
from collections import deque
from typing import NoReturn

from fastapi import Depends
from limits import RateLimitItem, RateLimitItemPerDay, RateLimitItemPerMinute
from limits.storage import Storage
from limits.storage.base import MovingWindowSupport
from limits.strategies import MovingWindowRateLimiter
from starlette.requests import Request

from app.errors import RateLimitedError
from app.http.dependencies import service_of
from app.http.formats import count_of
from app.http.networks import network_of
from app.settings import Settings

_SWEEP_EVERY = 4096


class RateLimits:
    """Limits per minute. Each server process counts separately."""

    def __init__(self, settings: Settings) -> None:
        self._limiter = MovingWindowRateLimiter(SlidingWindowStorage())
        self._actions = RateLimitItemPerMinute(settings.actions_per_minute, namespace="actions")
        self._games = RateLimitItemPerMinute(settings.games_per_minute, namespace="games")
        self._guests = TokenBuckets(settings.guests_per_minute, settings.guests_at_once)
        self._imports = TokenBuckets(settings.imports_per_minute, settings.imports_at_once)
        self._imports_of_day = RateLimitItemPerDay(settings.imports_per_day, namespace="imports")
        self._wrong_codes = RateLimitItemPerMinute(
            settings.wrong_codes_per_minute, namespace="codes"
        )

    def action(self, player_id: str) -> None:
        """Count an action of a player; raises ``RateLimitedError``."""
        self._count(self._actions, player_id, "You're going too fast.")

    def new_game(self, address: str) -> None:
        """Count a game started from the network of an address; raises ``RateLimitedError``."""
        network = network_of(address)
        self._count(self._games, network, "Too many games were started from your network.")

    def new_guest(self, address: str) -> None:
        """Count a new guest from the network of an address; raises ``RateLimitedError``."""
        seconds = self._guests.take(network_of(address))
        if seconds:
            _refuse("Too many new players came from your network.", seconds)

    def new_import(self, address: str) -> None:
        """Count a record to import from the network of an address; raises ``RateLimitedError``."""
        network = network_of(address)
        sentence = "Too many games were imported from your network."
        if not self._limiter.test(self._imports_of_day, network):
            self._refuse(self._imports_of_day, network, sentence)
        seconds = self._imports.take(network)
        if seconds:
            _refuse(sentence, seconds)
        self._limiter.hit(self._imports_of_day, network)

    def wrong_code(self, address: str) -> None:
        """Count a wrong room code that came from the network of an address."""
        self._limiter.hit(self._wrong_codes, network_of(address))

    def check_wrong_codes(self, address: str) -> None:
        """Raise ``RateLimitedError`` for a network that has tried too many wrong room codes."""
        network = network_of(address)
        if not self._limiter.test(self._wrong_codes, network):
            self._refuse(self._wrong_codes, network, "Too many codes were tried from your network.")

    def _count(self, limit: RateLimitItemPerMinute, who: str, sentence: str) -> None:
        if not self._limiter.hit(limit, who):
            self._refuse(limit, who, sentence)

    def _refuse(self, limit: RateLimitItem, who: str, sentence: str) -> NoReturn:
        wait = self._limiter.get_window_stats(limit, who).reset_time - time.monotonic()
        _refuse(sentence, wait)


def _refuse(sentence: str, wait: float) -> NoReturn:
    seconds = max(1, math.ceil(wait))
    raise RateLimitedError(f"{sentence} Try again in {_delay(seconds)}.", seconds)


def _delay(seconds: int) -> str:
    for unit, length in (("hour", 3600), ("minute", 60)):
        if seconds >= 2 * length:
            return f"{math.ceil(seconds / length)} {unit}s"
    return count_of(seconds, "second")


def client_address(request: Request) -> str:
    """The IP address of the client; behind a trusted proxy the server has set it."""
    return request.client.host if request.client is not None else ""


async def _new_game(request: Request) -> None:
    limits = service_of(request, RateLimits)
    limits.new_game(client_address(request))


NewGameLimit = Depends(_new_game)
"""For routes that start a game."""


async def _new_import(request: Request) -> None:
    service_of(request, RateLimits).new_import(client_address(request))


ImportLimit = Depends(_new_import)
"""For routes that import a record."""


class TokenBuckets:
    """A bucket of tokens for each key: full at first, it is refilled at an even rate, and each use takes one.

    So many people behind one address can come at once, such as a school class, but not minute after minute.
    """

    def __init__(self, per_minute: int, at_once: int) -> None:
        self._per_second = per_minute / 60
        self._size = at_once
        self._buckets: dict[str, tuple[float, float]] = {}  # tokens, and when they were counted
        self._until_sweep = _SWEEP_EVERY

    def take(self, key: str) -> float:
        """Take a token: 0 if there was one, else the seconds until there will be."""
        now = time.monotonic()
        if key not in self._buckets:
            self._sweep(now)
        tokens = self._tokens(key, now)
        self._buckets[key] = (tokens - 1 if tokens >= 1 else tokens), now
        return 0.0 if tokens >= 1 else (1 - tokens) / self._per_second

    def __len__(self) -> int:
        return len(self._buckets)

    def _tokens(self, key: str, now: float) -> float:
        tokens, counted = self._buckets.get(key, (self._size, now))
        return min(self._size, tokens + (now - counted) * self._per_second)

    def _sweep(self, now: float) -> None:
        """Forget the full buckets, once every ``_SWEEP_EVERY`` new keys."""
        self._until_sweep -= 1
        if self._until_sweep > 0:
            return
        self._until_sweep = _SWEEP_EVERY
        full = [key for key in self._buckets if self._tokens(key, now) >= self._size]
        for key in full:
            del self._buckets[key]


class SlidingWindowStorage(Storage, MovingWindowSupport):
    """The times of recent uses by key, in memory.

    The library's memory storage uses a thread every few milliseconds to expire entries, which costs more than the
    counting. Here a key expires its uses when it is read, and unused keys are removed now and then.
    """

    STORAGE_SCHEME = None

    def __init__(self) -> None:
        super().__init__()
        self._uses: dict[str, deque[float]] = {}
        self._seconds: dict[str, int] = {}  # the window of each key
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
            self._sweep(now)
            uses = self._uses[key] = deque()
            self._seconds[key] = expiry
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
        self._seconds.clear()
        return count

    def clear(self, key: str) -> None:
        """Forget one key."""
        self._uses.pop(key, None)
        self._seconds.pop(key, None)

    def _sweep(self, now: float) -> None:
        """Remove the keys whose last use has expired, once every ``_SWEEP_EVERY`` new keys."""
        self._until_sweep -= 1
        if self._until_sweep <= 0:
            self._until_sweep = _SWEEP_EVERY
            expired = [
                key
                for key, uses in self._uses.items()
                if not uses or uses[-1] <= now - self._seconds[key]
            ]
            for key in expired:
                self.clear(key)
