"""A simulated server process: the real application on an event loop of its own making, which can die at any moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context, copy_context
from pathlib import Path
from typing import Any, Final

from argon2 import PasswordHasher
from fastapi import FastAPI

from app.db.engine import Database
from app.environment import Environment
from app.identity.passwords import Passwords
from app.main import create_app
from app.pubsub.notifier import OnMessage
from app.services import Services
from app.settings import Settings
from simulation.chaos import Chaos
from simulation.loop import OWNER
from simulation.storage import open_database
from simulation.wire import VirtualNotifier, Wire
from simulation.workers import VirtualProcess

_FAILURE_SECONDS: Final = 20.0
"""How long after a commit that failed an answer may be 503: it may have waited for a slow disk."""

MOST_GAMES: Final = 30
"""As many games a guest can keep."""


def _settings() -> Settings:
    """Limits are so low that people in a hurry meet them."""
    return Settings(
        database_url="sqlite:///simulation.db",  # never used: see ``SimulatedProcess.open_database``
        proof_seconds=0,
        unproven_deals=True,
        job_workers=1,
        actions_per_minute=150,
        games_per_minute=10,
        guests_per_minute=12,
        guests_at_once=10,
        wrong_codes_per_minute=6,
        guest_games=MOST_GAMES,
    )


class Shell:
    """An application that was built beforehand for a process to come: building one takes a tenth of a second."""

    def __init__(self) -> None:
        """Everything it asks of its environment it asks of ``inside``."""
        self.inside: SimulatedProcess | None = None
        self.app: FastAPI = create_app(
            _settings(),
            clock=self._now_ms,
            environment=Environment(
                open_database=lambda _url, _replica: self.process.open_database(),
                connect_notifier=lambda _database, _url, *callbacks: self.process.connect(
                    *callbacks
                ),
                start_process=lambda _niceness: VirtualProcess(self.process.chaos),
                open_push_client=None,
                make_passwords=lambda: Passwords(
                    PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
                ),
            ),
        )

    def _now_ms(self) -> int:
        return self.process.now_ms()

    @property
    def process(self) -> SimulatedProcess:
        """The process that it is the application of."""
        if self.inside is None:
            raise LookupError("This application is of no process yet.")
        return self.inside


SHELLS: Final[list[Shell]] = []
"""Applications that are ready for use."""


class SimulatedProcess:
    """One instance of the site. ``skew_ms`` is how far its clock is off."""

    def __init__(
        self, number: int, path: Path, chaos: Chaos, wire: Wire, wall_ms: Callable[[], float]
    ) -> None:
        """Nothing runs before ``start``. ``wall_ms`` is the true time."""
        self.number = number
        self.is_dead = False
        self.is_ready = False
        self.skew_ms = 0
        self.on_death: list[Callable[[SimulatedProcess, str], None]] = []
        self.chaos = chaos
        self.database: Database | None = None
        self.notifier: VirtualNotifier | None = None
        self.requests: set[asyncio.Task[Any]] = set()
        self._path = path
        self._wire = wire
        self._true_ms = wall_ms
        self._tasks: set[asyncio.Task[Any]] = set()
        self._started: asyncio.Future[None] | None = None
        self._stopping: asyncio.Event | None = None
        self._failed_at: float | None = None
        self._context = copy_context()
        self._context.run(OWNER.set, self)
        shell = SHELLS.pop() if SHELLS else Shell()
        shell.inside = self
        self.app: FastAPI = shell.app

    @property
    def services(self) -> Services:
        """The services of the running application."""
        found: Services = self.app.state.services
        return found

    def wall_ms(self) -> float:
        """What its clock shows."""
        return self._true_ms() + self.skew_ms

    def now_ms(self) -> int:
        """The same as a clock for the application."""
        return int(self.wall_ms())

    async def start(self) -> None:
        """Start the application."""
        self._started = asyncio.get_running_loop().create_future()
        self.spawn(self._live(self._started))
        await self._started
        self.is_ready = not self.is_dead

    async def stop(self, seconds: float) -> None:
        """Stop in good order: no new requests, some time for the open ones, then the end of the application."""
        self.is_ready = False
        if self.is_dead or self._stopping is None:
            return
        self.services.pubsub.close_subscribers()
        if self.requests:
            await asyncio.wait(list(self.requests), timeout=seconds)
        for task in list(self.requests):
            task.cancel()
        await asyncio.sleep(0)
        self._stopping.set()
        while not self.is_dead:
            await asyncio.sleep(0.05)

    def die(self, when: str) -> None:
        """Die at once: nothing of this process runs any more, and the operating system closes its files."""
        if self.is_dead:
            return
        self._end()
        if self.database:
            self.database.engine.dispose()
        for callback in self.on_death:
            callback(self, when)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run something as part of this process."""
        context: Context = self._context.copy()
        task = asyncio.get_running_loop().create_task(work, context=context)
        self._tasks.add(task)
        if not self.is_dead:
            task.add_done_callback(self._tasks.discard)
        return task

    async def _live(self, started: asyncio.Future[None]) -> None:
        self._stopping = asyncio.Event()
        async with self.app.router.lifespan_context(self.app):
            started.set_result(None)
            await self._stopping.wait()
        self._end()

    def _end(self) -> None:
        self.is_dead = True
        self.is_ready = False
        if self.notifier:
            self._wire.leave(self.notifier.process_id)
        if self._started and not self._started.done():
            self._started.set_result(None)  # it died while it started

    def open_database(self) -> Database:
        """Its connections to the one file."""
        self.database = open_database(self._path, self.chaos, self.die, self._is_disk_full)
        return self.database

    def has_failed_lately(self) -> bool:
        """Whether a commit has failed: what needed it may say so."""
        return (
            self._failed_at is not None
            and self._true_seconds() < self._failed_at + _FAILURE_SECONDS
        )

    def _is_disk_full(self) -> bool:
        # A site that cannot write cannot start, nor stop in good order.
        if self.is_ready and self.chaos.happens(self.chaos.fail_commit):
            self._failed_at = self._true_seconds()
            return True
        return False

    def _true_seconds(self) -> float:
        return asyncio.get_running_loop().time()

    def connect(self, on_message: OnMessage, on_connect: Callable[[], None]) -> VirtualNotifier:
        """Its end of the wire."""
        self.notifier = VirtualNotifier(self._wire, on_message, on_connect)
        return self.notifier
