"""A seeded event loop with a virtual clock: when nothing is ready, time jumps to the next timer.

Callbacks of one process run in the order in which they were scheduled, as asyncio promises. Between processes
there is no such order, so the seed chooses whose turn it is. Callbacks of a process that has died never run.
"""

from __future__ import annotations

import asyncio
import heapq
from asyncio.events import Handle, TimerHandle
from collections.abc import Callable
from contextvars import Context, ContextVar
from random import Random
from typing import Any, Protocol


class Owner(Protocol):
    """A simulated process, or the world of its clients."""

    is_dead: bool


OWNER: ContextVar[Owner | None] = ContextVar("OWNER", default=None)
"""Whose code is running. A task inherits it from the one that created it."""


class StuckError(Exception):
    """Nothing is ready, no timer is set, and the main task is not done."""


class Threads(Protocol):
    """How long work in threads takes, in seconds."""

    def before(self) -> float:
        """Until a thread starts a piece of work."""
        ...

    def after(self) -> float:
        """Until the loop hears of its end."""
        ...


class VirtualLoop(asyncio.BaseEventLoop):
    """Runs everything in one thread. Work for other threads runs at once, at a moment that the seed chooses."""

    def __init__(self, chance: Random, threads: Threads) -> None:
        super().__init__()
        self._chance = chance
        self._threads = threads
        self._now = 0.0
        self._delivered: dict[int, float] = {}
        self._dead: list[Handle] = []
        self.steps = 0

    def time(self) -> float:
        """Virtual seconds since the start."""
        return self._now

    def call_soon_threadsafe(  # type: ignore[override] # it takes callbacks with any arguments
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Handle:
        """What a thread reports arrives later, in the order of the reports to each process."""
        owner = id(OWNER.get())
        at = max(self._delivered.get(owner, 0.0), self._now + self._threads.after())
        self._delivered[owner] = at
        return self.call_at(at, callback, *args, context=context)

    def run_in_executor(  # type: ignore[override] # it takes work with any arguments
        self, _executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Run a function as a thread would: later, and its result is known later still."""
        future: asyncio.Future[Any] = self.create_future()
        self.call_later(self._threads.before(), self._run_as_thread, future, func, args)
        return future

    def _run_as_thread(
        self, future: asyncio.Future[Any], func: Callable[..., Any], args: tuple[Any, ...]
    ) -> None:
        if future.cancelled():
            return
        try:
            result = func(*args)
        except BaseException as error:  # noqa: BLE001 - it belongs to the caller
            self.call_soon_threadsafe(_settle, future, None, error)
        else:
            self.call_soon_threadsafe(_settle, future, result, None)

    # --- what asyncio's own loops override

    def _run_once(self) -> None:
        scheduled: list[TimerHandle] = self._scheduled  # type: ignore[attr-defined]
        ready = self._ready  # type: ignore[attr-defined]
        self._drop_cancelled(scheduled)
        if not ready:
            if not scheduled:
                raise StuckError
            self._now = max(self._now, scheduled[0].when())
        while scheduled and scheduled[0].when() <= self._now:
            due = heapq.heappop(scheduled)
            due._scheduled = False  # type: ignore[attr-defined]
            ready.append(due)
        by_owner: dict[Owner | None, list[Handle]] = {}
        for _ in range(len(ready)):
            handle = ready.popleft()
            by_owner.setdefault(_owner_of(handle), []).append(handle)
        owners = list(by_owner)
        if len(owners) > 1:
            self._chance.shuffle(owners)
        for owner in owners:
            for handle in by_owner[owner]:
                if owner is not None and owner.is_dead:
                    self._dead.append(handle)  # freeing it now could run code of the dead process
                elif not handle.cancelled():
                    self.steps += 1
                    handle._run()

    def _drop_cancelled(self, scheduled: list[TimerHandle]) -> None:
        count: int = self._timer_cancelled_count  # type: ignore[has-type]
        if len(scheduled) > 100 and count * 2 > len(scheduled):
            for handle in scheduled:
                if handle.cancelled():
                    handle._scheduled = False  # type: ignore[attr-defined]
            scheduled[:] = [handle for handle in scheduled if not handle.cancelled()]
            heapq.heapify(scheduled)
            self._timer_cancelled_count = 0
        while scheduled and scheduled[0].cancelled():
            self._timer_cancelled_count -= 1
            handle = heapq.heappop(scheduled)
            handle._scheduled = False  # type: ignore[attr-defined]

    def _process_events(self, event_list: Any) -> None:
        """There are no sockets."""

    def _write_to_self(self) -> None:
        """There is no other thread to wake this one."""


def _settle(future: asyncio.Future[Any], result: object, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


def _owner_of(handle: Handle) -> Owner | None:
    context: Context = handle._context  # type: ignore[attr-defined]
    return context.get(OWNER)
