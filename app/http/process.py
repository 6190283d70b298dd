"""Settings of a server process: garbage collection, and signals that stop it."""

from __future__ import annotations

import asyncio
import gc
import resource
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


def reduce_gc() -> None:
    """Run full garbage collections rarely.

    Games in memory are a million small objects without cycles: a full collection took a fifth of a second, while every
    player waited. Garbage of requests is young and still collected.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 1_000)


def allow_open_files(wanted: int) -> int:
    """Raise the limit of open files of this process and its children to ``wanted``, as far as allowed; returns it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if soft != unlimited and soft < wanted:
        soft = wanted if hard == unlimited else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return wanted if soft == unlimited else soft


@contextmanager
def on_stop_signal(callback: Callable[[], None]) -> Iterator[None]:
    """Call ``callback`` on the event loop when a signal stops the server, before the server waits for open responses.

    Event streams never end on their own, so they must be closed then. Without a server that handles these signals, as
    in tests or other threads, it does nothing.
    """
    loop = asyncio.get_running_loop()
    previous: dict[signal.Signals, Callable[[int, FrameType | None], object]] = {}

    def stopping(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(callback)
        previous[signal.Signals(number)](number, frame)

    if threading.current_thread() is threading.main_thread():
        for number in _SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler) and handler is not signal.default_int_handler:
                previous[number] = handler
                signal.signal(number, stopping)
    try:
        yield
    finally:
        for number, handler in previous.items():
            if signal.getsignal(number) is stopping:
                signal.signal(number, handler)
