"""Workers in the test's own process: what they find never depends on how busy the machine is."""

from __future__ import annotations

import traceback
from collections.abc import Callable

from app.environment import Environment
from app.jobs.queue import JobProgress
from app.jobs.worker_main import Raised, Returned, Work


class DirectProcess:
    """Has the interface of ``WorkerProcess``, and runs each job at once."""

    def __init__(self, _niceness: int) -> None:
        self._work: Work | None = None

    async def start_job(self, work: Work) -> None:
        """Take a job."""
        self._work = work

    async def wait_for_result(
        self, _on_progress: Callable[[JobProgress], None]
    ) -> Returned | Raised:
        """Run the job."""
        assert self._work
        try:
            return Returned(self._work())
        except Exception:  # noqa: BLE001 - as in a real process
            return Raised(traceback.format_exc())

    def ask_to_stop(self) -> None:
        """Jobs end before anything else happens."""

    def kill(self) -> None:
        """Nothing runs."""

    async def stop_process(self) -> None:
        """Nothing to free."""

    async def close(self) -> None:
        """Nothing to close."""


DIRECT = Environment(start_process=DirectProcess)
"""A site whose jobs run in the process of the test."""
