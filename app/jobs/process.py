"""The server's end of a worker process: started when there is something to do, and anew when it was killed."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Final, TypeVar

from app.jobs import worker_main
from app.jobs.job import Progress
from app.jobs.worker_main import Message, Raised, Reported, Returned, Started, Work

T = TypeVar("T")

_SPAWN: Final = multiprocessing.get_context("spawn")  # a fork copies threads and locks in mid-air


class KilledError(Exception):
    """The process ended with a job under way."""


class WorkerProcess:
    """Does one job at a time. A thread waits for what it says, so that the event loop need not."""

    def __init__(self, name: str, politeness: int) -> None:
        self._name = name
        self._politeness = politeness
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)

    @property
    def pid(self) -> int | None:
        """The number of the process, once there is one."""
        return self._process.pid if self._process else None

    async def begin(self, work: Work) -> None:
        """Hand over a job. Raises ``KilledError``, or what pickling the job raises."""
        await self._in_thread(lambda: self._begin(work))

    async def outcome(self, tell: Callable[[Progress], None]) -> Returned | Raised:
        """What the job came to; ``tell`` hears of its progress. Raises ``KilledError``."""
        while True:
            match await self._in_thread(self._hear):
                case Reported(share, word):
                    tell(Progress(share, word))
                case Returned() | Raised() as end:
                    return end
                case Started():
                    pass

    def ask_to_stop(self) -> None:
        """Let the job under way know that its time is over."""
        if self._line:
            with contextlib.suppress(OSError):
                self._line.send(None)

    def kill(self) -> None:
        """End the process at once; the next job gets a new one."""
        if self._process:
            self._process.kill()

    async def rest(self) -> None:
        """End the process until there is something to do."""
        await self._in_thread(self._let_go)

    async def close(self) -> None:
        """Leave nothing behind."""
        self.kill()
        await asyncio.to_thread(self._thread.shutdown)
        self._let_go()

    async def _in_thread(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, call)

    def _begin(self, work: Work) -> None:
        if self._process is None or not self._process.is_alive():
            self._let_go()
            self._start()
        try:
            self._open_line().send(work)
        except OSError as error:
            self._let_go()
            raise KilledError from error

    def _start(self) -> None:
        self._line, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(
            target=worker_main.main, args=(theirs, self._politeness), name=self._name, daemon=True
        )
        self._process.start()
        theirs.close()  # or a dead process would never look so from here
        self._hear()  # that it has started: the time of a job does not begin before

    def _hear(self) -> Message:
        try:
            message: Message = self._open_line().recv()
        except (OSError, EOFError) as error:
            self._let_go()  # it may go on looking alive for a moment
            raise KilledError from error
        return message

    def _open_line(self) -> Connection:
        if self._line is None:
            raise KilledError
        return self._line

    def _let_go(self) -> None:
        process, self._process = self._process, None
        line, self._line = self._line, None
        if process:
            process.kill()
            process.join()
            process.close()
        if line:
            line.close()
