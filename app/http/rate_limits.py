"""Rate limits by player and by network: in the database where all processes must count together."""

from __future__ import annotations

import time
from collections import deque
from functools import partial
from typing import Final

from fastapi import Depends
from limits import RateLimitItemPerMinute
from limits.storage import Storage
from limits.storage.base import MovingWindowSupport
from limits.strategies import MovingWindowRateLimiter
from sqlalchemy import Connection
from starlette.requests import Request

from app.clock import Clock, now_ms
from app.db.engine import Database
from app.http.dependencies import service_of
from app.networks import network_of
from app.settings import Settings
from app.text import gettext
from app.throttle import (
    Counter,
    Limit,
    TokenBucket,
    count_attempt,
    count_or_raise,
    milliseconds_to_wait,
    raise_if_limited,
)

_SWEEP_EVERY = 4096
_DAY: Final = 24 * 60  # minutes


_ACTIONS = gettext("You're going too fast.")
_GUESTS = gettext("Too many new players came from your network.")
_IMPORTS = gettext("Too many games were imported from your network.")
_ROOMS = gettext("Too many races were opened from your network.")
_CODES = gettext("Too many codes were tried from your network.")


class RateLimits:
    """Limits on the requests of one player or network.

    What fills the disk or guesses codes is counted in the database, for all processes together. Moves and new games
    are counted in memory, by each process, and so are reminders that are renewed or stopped: that limit only keeps a
    script from taking the time of the others.
    """

    def __init__(self, settings: Settings, database: Database, clock: Clock = now_ms) -> None:
        self._database = database
        self._clock = clock
        self._limiter = MovingWindowRateLimiter(SlidingWindowStorage())
        self._actions = RateLimitItemPerMinute(settings.actions_per_minute, namespace="actions")
        hints = max(1, settings.actions_per_minute // 10)  # each takes as long as many moves
        self._hints = RateLimitItemPerMinute(hints, namespace="hints")
        self._games = RateLimitItemPerMinute(settings.games_per_minute, namespace="games")
        self._reminders = RateLimitItemPerMinute(
            settings.reminders_per_minute, namespace="reminders"
        )
        self._guests = TokenBucket("guests", settings.guests_per_minute, settings.guests_at_once)
        self._imports = TokenBucket(
            "imports", settings.imports_per_minute, settings.imports_at_once
        )
        self._imports_of_day = Limit("imports of a day", settings.imports_per_day, _DAY)
        self._rooms = TokenBucket("rooms", settings.rooms_per_minute, settings.rooms_at_once)
        self._wrong_codes = Limit("room codes", settings.wrong_codes_per_minute, 1)

    def action(self, player_id: str) -> None:
        """Count an action of a player; raises ``RateLimitedError``."""
        self._count(self._actions, player_id, _ACTIONS)

    def hint(self, player_id: str | None, address: str) -> None:
        """Count a hint for a player or, without one, for the network of an address; raises ``RateLimitedError``."""
        self._count(self._hints, player_id or network_of(address), _ACTIONS)

    def new_game(self, address: str) -> None:
        """Count a game started from the network of an address; raises ``RateLimitedError``."""
        network = network_of(address)
        self._count(self._games, network, gettext("Too many games were started from your network."))

    def known_reminder(self, address: str) -> None:
        """Count a reminder that a network renews or stops, by its secret alone; raises ``RateLimitedError``."""
        self._count(self._reminders, network_of(address), _ACTIONS)

    async def new_guest(self, address: str) -> None:
        """Count a new guest from the network of an address; raises ``RateLimitedError``."""
        network, now = network_of(address), self._clock()
        take = partial(self._guests.take, key=network, now_ms=now)
        raise_if_limited(await self._database.write(take), _GUESTS)

    async def new_import(self, address: str) -> None:
        """Count a record to import from the network of an address; raises ``RateLimitedError``."""
        network, now = network_of(address), self._clock()
        of_day = Counter(self._imports_of_day, (network,))

        def count(connection: Connection) -> int:
            return self._imports.take(connection, network, now) or count_attempt(
                connection, [of_day], now
            )

        raise_if_limited(await self._database.write(count), _IMPORTS)

    async def room_deal(self, network: str) -> None:
        """Count a deal that a race opened from a network takes from the stock; raises ``RateLimitedError``."""
        take = partial(self._rooms.take, key=network, now_ms=self._clock())
        raise_if_limited(await self._database.write(take), _ROOMS)

    async def wrong_code(self, address: str) -> None:
        """Count a wrong room code that came from the network of an address; raises ``RateLimitedError``."""
        tried = Counter(self._wrong_codes, (network_of(address),))
        await count_or_raise(self._database, tried, self._clock(), _CODES)

    async def check_wrong_codes(self, address: str) -> None:
        """Raise ``RateLimitedError`` for a network that has tried too many wrong room codes."""
        tried = Counter(self._wrong_codes, (network_of(address),))
        look = partial(milliseconds_to_wait, counter=tried, now_ms=self._clock())
        raise_if_limited(await self._database.read(look), _CODES)

    def _count(self, limit: RateLimitItemPerMinute, who: str, sentence: str) -> None:
        if not self._limiter.hit(limit, who):
            wait = self._limiter.get_window_stats(limit, who).reset_time - time.monotonic()
            raise_if_limited(max(1, round(wait * 1000)), sentence)


def client_address(request: Request) -> str:
    """The IP address of the client; behind a trusted proxy the server has set it."""
    return request.client.host if request.client is not None else ""


async def _new_game(request: Request) -> None:
    limits = service_of(request, RateLimits)
    limits.new_game(client_address(request))


NewGameLimit = Depends(_new_game)
"""For routes that start a game."""


async def _known_reminder(request: Request) -> None:
    service_of(request, RateLimits).known_reminder(client_address(request))


KnownReminderLimit = Depends(_known_reminder)
"""For routes that need only a reminder's secret: there is no player to count, so the network is counted."""


async def _new_import(request: Request) -> None:
    await service_of(request, RateLimits).new_import(client_address(request))


ImportLimit = Depends(_new_import)
"""For routes that import a record."""


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
        """Memory storage raises no errors."""
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
