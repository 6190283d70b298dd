"""A process beside the server's own, for what takes long: it gives way to players, and stops when the server does."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from multiprocessing.synchronize import Event
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_POLITENESS: Final = 10
_SPAWN: Final = multiprocessing.get_context(
    "spawn"
)  # a fork would copy threads and locks in mid-air

_stop: Event | None = None


def is_stopping() -> bool:
    """Whether work under way should be given up: for functions that run aside, and take long."""
    return _stop is not None and _stop.is_set()


class SideProcess(Executor):
    """Started when there is something to do, and started anew when it was killed."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._stop: Event | None = None

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have a plain function of plain values done there."""
        if self._pool is not None:
            try:
                return self._pool.submit(fn, *args, **kwargs)
            except BrokenExecutor:
                self._pool.shutdown(wait=False)
        self._stop = self._stop or _SPAWN.Event()
        self._pool = ProcessPoolExecutor(
            1, mp_context=_SPAWN, initializer=_settle_in, initargs=(self._stop,)
        )
        return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - as the base class has it
        """Give up what is under way, and leave nothing behind."""
        if self._stop:
            self._stop.set()
        if self._pool:
            self._pool.shutdown(wait, cancel_futures=cancel_futures)
        # What the system lent them goes back with the last reference: a server may end without saying goodbye.
        self._pool = self._stop = None


def _settle_in(stop: Event) -> None:
    global _stop  # noqa: PLW0603 - the one thing that this process is told at its start
    _stop = stop
    os.nice(_POLITENESS)
    threading.Thread(target=_go_with_the_server, daemon=True).start()


def _go_with_the_server() -> None:
    """End when the server is gone: killed, it can tell nobody, and nobody would ever ask for work again."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(1)
