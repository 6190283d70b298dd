"""Workers for tests: some in the test's own process, some that do no job a second time."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from app.environment import Environment
from app.jobs.queue import JobProgress
from app.jobs.worker_main import Raised, Returned, Work
from app.jobs.worker_pool import WorkerProcess
from tests.support.serving import AS_URGENT, COPIES


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
"""A site whose jobs run in the process of the test.

What they find never depends on how busy the machine is.
"""


class RememberingProcess(WorkerProcess):
    """A real process for jobs that none of its kind has done before; of the others it knows the results."""

    _known: ClassVar[dict[bytes, Returned]] = {}

    def __init__(self, _niceness: int) -> None:
        super().__init__(0, context=COPIES)
        self._job = b""
        self._is_stopped = False

    async def start_job(self, work: Work) -> None:
        """Take a job, and send it to the process if that has to do it."""
        self._job, self._is_stopped = pickle.dumps(work), False
        if self._job not in self._known:
            await super().start_job(work)

    async def wait_for_result(
        self, on_progress: Callable[[JobProgress], None]
    ) -> Returned | Raised:
        """The result of this job or of its like."""
        if self._job in self._known:
            return self._known[self._job]
        end = await super().wait_for_result(on_progress)
        if isinstance(end, Returned) and not self._is_stopped:
            self._known[self._job] = end
        return end

    def ask_to_stop(self) -> None:
        """What a job finds that was stopped is not all that there is to find."""
        self._is_stopped = True
        super().ask_to_stop()


REMEMBERING = replace(AS_URGENT, start_process=RememberingProcess)
"""A site for tests of what is done with the result of a long job, which several of them share."""
