"""Workers: each takes jobs from a queue and runs them in its own process, with time limits and one retry."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any, Final, Protocol, TypeVar

from app.jobs import worker_main
from app.jobs.queue import Failure, FairQueue, JobProgress, JobState, QueuedJob
from app.jobs.worker_main import Message, Raised, Reported, Returned, Work, WorkerReady
from app.logs import logger_of

T = TypeVar("T")

_SPAWN: Final = multiprocessing.get_context("spawn")  # a fork would copy threads and locked locks
_GRACE: Final = 3.0  # seconds that a job has to stop when asked
_TRIES: Final = 2
_IDLE: Final = 60.0  # seconds

_log: Final = logger_of("jobs")


class Process(Protocol):
    """Runs one job at a time, apart from the server: see ``WorkerProcess``."""

    async def start_job(self, work: Work, /) -> None: ...

    async def wait_for_result(
        self, on_progress: Callable[[JobProgress], None], /
    ) -> Returned | Raised: ...

    def ask_to_stop(self) -> None: ...

    def kill(self) -> None: ...

    async def stop_process(self) -> None: ...

    async def close(self) -> None: ...


StartProcess = Callable[[int], Process]
"""Prepares a process of a niceness; it starts with its first job."""


class Worker:
    """Runs until cancelled. Its process starts with the first job."""

    def __init__(
        self,
        queue: FairQueue,
        process: Process,
        clock: Callable[[], float],
        idle: float = _IDLE,
    ) -> None:
        """The process is stopped after ``idle`` seconds without a job."""
        self._queue = queue
        self._clock = clock
        self._idle = idle
        self.process = process

    async def run(self) -> None:
        """Run the jobs of the queue."""
        try:
            while True:
                try:
                    # Before Python 3.12 `wait_for` loses a cancellation that comes with a job.
                    async with asyncio.timeout(self._idle):
                        job = await self._queue.next()
                except TimeoutError:
                    await self.process.stop_process()  # frees the memory of long searches
                    job = await self._queue.next()
                await self._run_job(job)
        finally:
            await self.process.close()

    async def _run_job(self, job: QueuedJob) -> None:
        job.state = JobState.RUNNING
        try:
            await self.process.start_job(job.work)
            self._finish(job, await self._run_with_limits(job))
        except KilledError:
            self._handle_death(job)
        except Exception:  # noqa: BLE001 - pickling can raise anything
            _log.exception("A job could not be sent to its worker process")
            self._fail(job, Failure.BROKEN)

    async def _run_with_limits(self, job: QueuedJob) -> Returned | Raised:
        """Wait for the result. At the time limit or when cancelled, ask the job to stop, then kill its process."""

        def on_progress(progress: JobProgress) -> None:
            job.progress = progress

        result = asyncio.ensure_future(self.process.wait_for_result(on_progress))
        stop = asyncio.ensure_future(job.stop.wait())
        try:
            await asyncio.wait(
                {result, stop}, timeout=job.seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if not result.done():
                self.process.ask_to_stop()
                await asyncio.wait({result}, timeout=_GRACE)
            if not result.done():
                job.is_killed = True
                self.process.kill()
            return await result
        finally:
            stop.cancel()
            result.cancel()

    def _finish(self, job: QueuedJob, end: Returned | Raised) -> None:
        match end:
            case Returned(result):
                # Late or not: when asked to stop, a function returns the best result it has.
                job.result = result
                job.end(JobState.CANCELLED if job.stop.is_set() else JobState.DONE, self._clock())
            case Raised(trace):
                _log.error("A job failed:\n%s", trace)
                self._fail(job, Failure.BROKEN)

    def _handle_death(self, job: QueuedJob) -> None:
        """The process has died: if this worker did not kill it, try the job a second time."""
        job.deaths += 1
        if job.is_killed or job.stop.is_set():
            self._fail(job, Failure.TOO_LONG)
        elif job.deaths < _TRIES:
            _log.warning("A worker process was killed; its job is started again")
            job.state, job.progress = JobState.QUEUED, JobProgress()
            self._queue.put_first(job)
        else:
            _log.error(
                "A job has failed: %d worker processes were killed while running it", job.deaths
            )
            self._fail(job, Failure.KILLED)

    def _fail(self, job: QueuedJob, failure: Failure) -> None:
        if job.stop.is_set():
            job.end(JobState.CANCELLED, self._clock())
        else:
            job.failure = failure
            job.end(JobState.FAILED, self._clock())


class KilledError(Exception):
    """The process ended while running a job."""


class WorkerProcess:
    """A process that runs one job at a time. A thread waits for its messages, so that the event loop does not block."""

    def __init__(
        self, niceness: int, name: str = "fairdeal-worker", context: BaseContext = _SPAWN
    ) -> None:
        """``context`` says how it is started."""
        self._name = name
        self._niceness = niceness
        self._context: Any = context
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)

    @property
    def pid(self) -> int | None:
        """The process id, once there is a process."""
        return self._process.pid if self._process else None

    async def start_job(self, work: Work) -> None:
        """Send a job to the process. Raises ``KilledError``, or what pickling the job raises."""
        await self._in_thread(lambda: self._send_work(work))

    async def wait_for_result(
        self, on_progress: Callable[[JobProgress], None]
    ) -> Returned | Raised:
        """The result of the job; ``on_progress`` is called meanwhile. Raises ``KilledError``."""
        while True:
            match await self._in_thread(self._receive):
                case Reported(share, found):
                    on_progress(JobProgress(share, found))
                case Returned() | Raised() as end:
                    return end
                case WorkerReady():
                    pass

    def ask_to_stop(self) -> None:
        """Ask the running job to stop."""
        if self._connection:
            with contextlib.suppress(OSError):
                self._connection.send(None)

    def kill(self) -> None:
        """Kill the process; the next job starts a new one."""
        if self._process:
            self._process.kill()

    async def stop_process(self) -> None:
        """Stop the process until there is a job."""
        await self._in_thread(self._discard)

    async def close(self) -> None:
        """Kill the process and stop the thread."""
        self.kill()
        await asyncio.to_thread(self._thread.shutdown)
        self._discard()

    async def _in_thread(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, call)

    def _send_work(self, work: Work) -> None:
        if self._process is None or not self._process.is_alive():
            self._discard()
            self._start_process()
        try:
            self._open_connection().send(work)
        except OSError as error:
            self._discard()
            raise KilledError from error

    def _start_process(self) -> None:
        self._connection, their_end = self._context.Pipe()
        process = self._context.Process(
            target=worker_main.main, args=(their_end, self._niceness), name=self._name, daemon=True
        )
        process.start()
        self._process = process  # only now: a process that has not started cannot be killed
        their_end.close()  # so that the end of the process closes the connection
        self._receive()  # wait for the start, which must not count against the time limit

    def _receive(self) -> Message:
        try:
            message: Message = self._open_connection().recv()
        except (OSError, EOFError) as error:
            self._discard()  # it can seem alive for another moment
            raise KilledError from error
        return message

    def _open_connection(self) -> Connection:
        if self._connection is None:
            raise KilledError
        return self._connection

    def _discard(self) -> None:
        process, self._process = self._process, None
        connection, self._connection = self._connection, None
        if process:
            process.kill()
            process.join()
            process.close()
        if connection:
            connection.close()
