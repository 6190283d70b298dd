"""What must never happen, whatever the faults: an answer 500, an error in the log, a task that fails, a secret sent."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from http import HTTPStatus
from typing import Any

from sqlalchemy.exc import OperationalError

from simulation import leaks
from simulation.network import UNAVAILABLE, Answer, Network
from simulation.storage import DISK_FULL
from simulation.trace import Violation

Reading = Callable[[], AbstractContextManager[sqlite3.Connection]]


class Alarms:
    """Notes the first violation, which ends the run."""

    def __init__(self, network: Network, reading: Reading) -> None:
        """``reading`` opens the database from outside."""
        self.violation: Violation | None = None
        self.raised = asyncio.Event()
        self._network = network
        self._reading = reading
        network.on_answer = self._check_answer
        network.on_error = self._check_unhandled

    def fail(self, violation: Violation) -> None:
        """Note the first violation and end the run."""
        if self.violation is None:
            self.violation = violation
            self.raised.set()

    @contextmanager
    def watching(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        """Count errors that are only logged as violations, too."""
        watcher = _ErrorWatcher(self.fail)
        logging.getLogger("fairdeal").addHandler(watcher)
        loop.set_exception_handler(self._on_loop_error)
        try:
            yield
        finally:
            logging.getLogger("fairdeal").removeHandler(watcher)

    def _check_answer(self, method: str, path: str, answer: Answer) -> None:
        process = self._network.find(answer.process)
        is_excused = (
            answer.status == UNAVAILABLE and process is not None and process.has_failed_lately()
        )
        if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR and not is_excused:
            raise Violation(
                "nothing answers 500", f"{method} {path}: {answer.status} {answer.body!r}"
            )
        if answer.status in {HTTPStatus.TOO_MANY_REQUESTS, UNAVAILABLE} and not answer.retry_after:
            raise Violation("who is refused learns when to come back", f"{method} {path}")
        with self._reading() as connection:
            leaks.check_body(connection, path, answer.body)

    def _check_unhandled(self, what: str, error: BaseException | None) -> None:
        self.fail(Violation("nothing answers 500", f"{what}: {error!r}"))

    def _on_loop_error(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if _is_disk_full(context.get("exception")):
            return
        self.fail(
            Violation("no error is lost", f"{context.get('message')} {context.get('exception')!r}")
        )


def _is_disk_full(reason: BaseException | None) -> bool:
    """Whether an error is one that the simulated disk made."""
    return isinstance(reason, OperationalError) and DISK_FULL in str(reason)


class _ErrorWatcher(logging.Handler):
    """Nobody reads the log of a simulation."""

    def __init__(self, fail: Callable[[Violation], None]) -> None:
        super().__init__(logging.ERROR)
        self._fail = fail

    def emit(self, record: logging.LogRecord) -> None:
        reason = record.exc_info[1] if record.exc_info else None
        if not _is_disk_full(reason):
            self._fail(Violation("no error is lost", f"{record.getMessage()} {reason!r}"))
