"""The main function of worker processes: run one job after another until the server ends.

Long functions call ``report`` and check ``is_stopping`` regularly. Outside worker processes both do nothing, so that
the functions can also be called directly.
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


class WorkerReady(NamedTuple):
    """The process is ready for jobs."""


class Reported(NamedTuple):
    """The progress of the job, and what it has found so far."""

    share: float
    found: str


class Returned(NamedTuple):
    """The job is done."""

    result: object


class Raised(NamedTuple):
    """The job's function raised an exception."""

    trace: str


Message = WorkerReady | Reported | Returned | Raised


class _ProcessState:
    """The connection to the server, and whether the running job should stop."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.stop = threading.Event()
        self.inbox: queue.SimpleQueue[Work] = queue.SimpleQueue()
        self.reported_at = 0.0


_state: _ProcessState | None = None


def is_stopping() -> bool:
    """Whether the running job was cancelled or its time is up."""
    return _state is not None and _state.stop.is_set()


def report(share: float, found: str = "") -> None:
    """Report the progress of the running job, and what it has found so far.

    Most reports are dropped if they are frequent.
    """
    if _state is None or time.monotonic() < _state.reported_at + _REPORT_EVERY:
        return
    _state.reported_at = time.monotonic()
    with contextlib.suppress(OSError):
        _state.connection.send(Reported(min(1.0, max(0.0, share)), found))


def main(connection: Connection, niceness: int) -> None:
    """Run the jobs that the server sends until the connection closes."""
    global _state  # noqa: PLW0603 - for the functions above
    _state = state = _ProcessState(connection)
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # meant for the server, which then closes the connection
    os.nice(niceness)
    threading.Thread(target=_receive_forever, args=(state,), daemon=True).start()
    with contextlib.suppress(OSError):  # then the thread above ends this process
        connection.send(WorkerReady())
        while True:
            _run(state, state.inbox.get())


def _run(state: _ProcessState, work: Work) -> None:
    state.reported_at = 0.0
    end: Returned | Raised
    try:
        end = Returned(work())
    except Exception:  # noqa: BLE001 - the server logs it
        end = Raised(traceback.format_exc())
    try:
        state.connection.send(end)
    except OSError:  # of the connection: those of the job are caught above
        raise
    except Exception:  # noqa: BLE001 - a result that cannot be pickled
        state.connection.send(Raised(traceback.format_exc()))


def _receive_forever(state: _ProcessState) -> None:
    """Receive messages while a job runs, and end this process when the server ends for any reason."""
    while True:
        try:
            message: Work | None = state.connection.recv()
        except (OSError, EOFError):
            os._exit(0)
        except Exception as error:  # noqa: BLE001 - a job that cannot be unpickled fails like one that raises
            message = partial(_raise, error)
        if message is None:
            state.stop.set()
        else:
            # It was sent after the last job had ended, so an earlier stop was not for this job.
            state.stop.clear()
            state.inbox.put(message)


def _raise(error: Exception) -> None:
    raise error
