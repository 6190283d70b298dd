"""What runs in a worker process: one job after another, for as long as the server is there.

A function that takes long calls ``report`` and asks ``is_stopping`` now and then. In any other
process both do nothing, so that it can be called directly as well.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import threading
import time
import traceback
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from typing import Final, NamedTuple

_REPORT_EVERY: Final = 0.2  # seconds

Work = Callable[[], object]


class Started(NamedTuple):
    """The process is up and waits for jobs."""


class Reported(NamedTuple):
    """How far the job has come."""

    share: float
    word: str


class Returned(NamedTuple):
    """The job is done."""

    result: object


class Raised(NamedTuple):
    """The job's function raised an exception."""

    trace: str


Message = Started | Reported | Returned | Raised


class _Place:
    """Where this process stands: its line to the server, and whether the job under way is to stop."""

    def __init__(self, line: Connection) -> None:
        self.line = line
        self.stop = threading.Event()
        self.works: queue.SimpleQueue[Work] = queue.SimpleQueue()
        self.reported_at = 0.0


_place: _Place | None = None


def is_stopping() -> bool:
    """Whether the job under way should be given up, because it was cancelled or its time is up."""
    return _place is not None and _place.stop.is_set()


def report(share: float, word: str) -> None:
    """Say how far the job under way has come; said too often, most of it is left out."""
    if _place is None or time.monotonic() < _place.reported_at + _REPORT_EVERY:
        return
    _place.reported_at = time.monotonic()
    with contextlib.suppress(OSError):
        _place.line.send(Reported(min(1.0, max(0.0, share)), word))


def main(line: Connection, politeness: int) -> None:
    """Do what comes down the line, until the line is cut."""
    global _place  # noqa: PLW0603 - what the functions above are to find
    _place = place = _Place(line)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # meant for the server, which will cut the line
    os.nice(politeness)
    threading.Thread(target=_listen, args=(place,), daemon=True).start()
    with contextlib.suppress(OSError):  # a line that is cut ends this process by the thread above
        line.send(Started())
        while True:
            _do(place, place.works.get())


def _do(place: _Place, work: Work) -> None:
    place.reported_at = 0.0
    try:
        place.line.send(Returned(work()))
    except OSError:
        raise
    except Exception:  # noqa: BLE001 - the server logs it; that a result cannot be sent is one of them
        place.line.send(Raised(traceback.format_exc()))


def _listen(place: _Place) -> None:
    """Take in what the server says while a job is under way, and end with the server, however it ends."""
    while True:
        try:
            said: Work | None = place.line.recv()
        except (OSError, EOFError):
            os._exit(0)
        except Exception as error:  # noqa: BLE001 - a job that cannot be read fails as one that raises
            said = partial(_raise, error)
        if said is None:
            place.stop.set()
        else:
            # It is sent after the last job has ended, so whatever stop came before was not for this one.
            place.stop.clear()
            place.works.put(said)


def _raise(error: Exception) -> None:
    raise error
