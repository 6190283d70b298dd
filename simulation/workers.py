"""Worker processes as stand-ins: the job runs in this process, at a moment that the seed chooses, and may be killed."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable

from app.jobs.queue import JobProgress
from app.jobs.worker_main import Raised, Returned, Work
from app.jobs.worker_pool import KilledError
from simulation.chaos import Chaos


class VirtualProcess:
    """Has the interface of ``WorkerProcess``, so that the real ``Worker`` and its limits are what is tested."""

    def __init__(self, chaos: Chaos) -> None:
        self._chaos = chaos
        self._work: Work | None = None
        self._killed = asyncio.Event()

    async def start_job(self, work: Work) -> None:
        """Take a job."""
        self._work = work
        self._killed.clear()

    async def wait_for_result(
        self, _on_progress: Callable[[JobProgress], None]
    ) -> Returned | Raised:
        """Run the job; raises ``KilledError`` if the process is killed meanwhile."""
        work, self._work = self._work, None
        if work is None or self._chaos.happens(self._chaos.kill_worker):
            raise KilledError
        await asyncio.sleep(self._chaos.before())
        try:
            result = work()
        except Exception:  # noqa: BLE001 - the server logs it, as it does for a real process
            return Raised(traceback.format_exc())
        try:
            async with asyncio.timeout(self._chaos.after()):
                await self._killed.wait()
        except TimeoutError:
            return Returned(result)
        raise KilledError

    def ask_to_stop(self) -> None:
        """Jobs here are short."""

    def kill(self) -> None:
        """Lose the running job."""
        self._killed.set()

    async def stop_process(self) -> None:
        """Nothing to free."""

    async def close(self) -> None:
        """End."""
        self.kill()
