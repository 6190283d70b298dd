"""Streams never end by themselves, and a server that stops waits for them: let it tell us at once."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def at_stop(tell: Callable[[], None]) -> Iterator[None]:
    """Call ``tell`` on the event loop when a signal stops the server, before the server waits for answers.

    Where no server handles these signals, in a test or another thread, nothing is done.
    """
    loop = asyncio.get_running_loop()
    kept: dict[signal.Signals, Callable[[int, FrameType | None], object]] = {}

    def stopping(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(tell)
        kept[signal.Signals(number)](number, frame)

    if threading.current_thread() is threading.main_thread():
        for number in _SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler) and handler is not signal.default_int_handler:
                kept[number] = handler
                signal.signal(number, stopping)
    try:
        yield
    finally:
        for number, handler in kept.items():
            if signal.getsignal(number) is stopping:
                signal.signal(number, handler)
