from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from app.jobs.errors import JobFailedError, TooManyJobsError
from app.jobs.job import Failure, Job, Progress, QueuedJob, State, Urgency
from app.jobs.queue import FairQueue
from app.jobs.service import Jobs
from app.jobs.worker_main import is_stopping, report
from app.jobs.workers import Worker
from tests.support.periodic import (
    count_until_stopped,
    fail,
    note_and_die,
    sleep_deaf,
    unsendable,
    whoami,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
async def jobs() -> AsyncIterator[Jobs]:
    jobs = Jobs(1, most_per_owner=3)
    yield jobs
    await jobs.close()


async def until(jobs: Jobs, job: Job, *states: State, seconds: float = 30) -> Job:
    """Look at a job until it is in one of these states."""
    begun = time.monotonic()
    while time.monotonic() < begun + seconds:
        found = await jobs.look(job.id, job.owner)
        assert found
        if found.state in states:
            return found
        await asyncio.sleep(0.01)
    raise AssertionError(f"{found} was to become {states}")


def is_running(process: object) -> bool:
    return Path(f"/proc/{process}").exists()


ENDED = (State.DONE, State.FAILED, State.CANCELLED)


async def test_a_job_is_done_in_another_process_that_gives_way_and_its_result_can_be_fetched(
    jobs: Jobs,
):
    begun = time.monotonic()
    job = await jobs.submit("anna", whoami, seconds=10)
    assert time.monotonic() - begun < 0.2
    assert job.state is State.QUEUED
    assert await jobs.look(job.id, "ben") is None
    done = await until(jobs, job, *ENDED)
    assert isinstance(done.result, tuple)
    process, niceness = done.result
    assert process != os.getpid()
    assert niceness == os.nice(0) + 10
    background, more = await jobs.run(whoami, seconds=10)
    assert background not in {process, os.getpid()}
    assert more == 19


async def test_nobody_waits_for_background_work(jobs: Jobs):
    long = asyncio.create_task(jobs.run(count_until_stopped, seconds=60))
    job = await jobs.submit("anna", whoami, seconds=10)
    assert (await until(jobs, job, *ENDED)).state is State.DONE
    assert not long.done()
    long.cancel()
    with pytest.raises(asyncio.CancelledError):
        await long
    # It was given up with the coroutine, so the next one in the background gets its turn.
    assert await asyncio.wait_for(jobs.run(whoami, seconds=10), 20)


async def test_a_player_asks_for_so_much_at_a_time_and_others_are_served_in_turn(jobs: Jobs):
    first = await jobs.submit("anna", count_until_stopped, seconds=60)
    await until(jobs, first, State.RUNNING)
    others = [await jobs.submit("anna", whoami, seconds=9) for _ in range(2)]
    with pytest.raises(TooManyJobsError) as refused:
        await jobs.submit("anna", whoami, seconds=9)
    assert refused.value.retry_after > 0
    late = await jobs.submit("ben", partial(fail, "late"), seconds=9)
    assert await jobs.cancel(others[0].id, "ben") is False
    assert await jobs.cancel(first.id, "anna") is True
    assert (await until(jobs, first, *ENDED)).state is State.CANCELLED
    assert (await until(jobs, others[0], *ENDED)).state is State.DONE
    # Ben came last, and was served between the two others of Anna's.
    assert (await until(jobs, late, *ENDED)).failure is Failure.BROKEN
    assert (await until(jobs, others[1], *ENDED)).state is State.DONE


async def test_the_same_question_asked_twice_is_one_job(jobs: Jobs):
    first = await jobs.submit("anna", count_until_stopped, seconds=60, key="game 1")
    assert (await jobs.submit("anna", whoami, seconds=60, key="game 1")).id == first.id
    assert (await jobs.submit("ben", whoami, seconds=60, key="game 1")).id != first.id
    await jobs.cancel(first.id, "anna")
    again = await jobs.submit("anna", whoami, seconds=60, key="game 1")
    assert again.id != first.id
    assert (await until(jobs, again, *ENDED)).state is State.DONE
    assert (await jobs.submit("anna", whoami, seconds=60, key="game 1")).id == again.id


async def test_a_job_tells_how_far_it_is_and_stops_when_its_time_is_up(jobs: Jobs):
    job = await jobs.submit("anna", count_until_stopped, seconds=1)
    running = await until(jobs, job, State.RUNNING)
    while running.state is State.RUNNING and not running.progress.word:
        await asyncio.sleep(0.01)
        running = await jobs.look(job.id, "anna") or running
    assert running.progress == Progress(0.5, "counting")
    done = await until(jobs, job, *ENDED)
    assert (done.state, done.result) == (State.DONE, "stopped")


async def test_one_that_does_not_listen_is_ended_and_the_next_goes_on(jobs: Jobs):
    deaf = await jobs.submit("anna", partial(sleep_deaf, 60), seconds=0.1)
    after = await jobs.submit("anna", whoami, seconds=10)
    ended = await until(jobs, deaf, *ENDED)
    assert (ended.state, ended.failure) == (State.FAILED, Failure.TOO_LONG)
    assert (await until(jobs, after, *ENDED)).state is State.DONE


async def test_after_a_killed_process_its_job_is_tried_once_more(jobs: Jobs, tmp_path: Path):
    job = await jobs.submit("anna", partial(note_and_die, str(tmp_path / "once")), seconds=10)
    lost = await jobs.submit("anna", partial(note_and_die, str(tmp_path / "always")), seconds=10)
    done = await until(jobs, job, *ENDED)
    assert (done.state, done.result) == (State.DONE, 2)
    given_up = await until(jobs, lost, *ENDED)
    assert (given_up.state, given_up.failure) == (State.FAILED, Failure.KILLED)
    assert (tmp_path / "always").read_text() == "xx"
    with pytest.raises(JobFailedError):
        await jobs.run(partial(note_and_die, str(tmp_path / "always")), seconds=10)


async def test_what_goes_wrong_is_the_failure_of_that_job_alone(jobs: Jobs):
    wrong = [
        await jobs.submit("anna", partial(fail, "on purpose"), seconds=10),
        await jobs.submit("anna", unsendable, seconds=10),
        await jobs.submit("anna", lambda: None, seconds=10),
    ]
    for job in wrong:
        ended = await until(jobs, job, *ENDED)
        assert (ended.state, ended.failure) == (State.FAILED, Failure.BROKEN)
    assert await jobs.run(whoami, seconds=10)


async def test_an_end_is_kept_for_a_while(jobs: Jobs):
    now = [0.0]
    jobs._clock = lambda: now[0]
    job = await jobs.submit("anna", whoami, seconds=10)
    await until(jobs, job, *ENDED)
    now[0] += 299
    assert await jobs.look(job.id, "anna")
    now[0] += 1
    assert await jobs.look(job.id, "anna") is None


async def test_closing_ends_the_processes_and_what_they_were_at():
    jobs = Jobs(1)
    running = await jobs.submit("anna", partial(sleep_deaf, 60), seconds=60)
    waiting = await jobs.submit("anna", whoami, seconds=60)
    waiter = asyncio.create_task(jobs.run(count_until_stopped, seconds=60))
    await until(jobs, running, State.RUNNING)
    await asyncio.sleep(0.5)
    begun = time.monotonic()
    await jobs.close()
    assert time.monotonic() - begun < 5
    for job in (running, waiting):
        found = await jobs.look(job.id, "anna")
        assert found
        assert found.state is State.CANCELLED
    with pytest.raises(JobFailedError):
        await waiter


async def test_a_process_without_work_goes_and_another_comes_with_the_next_job():
    line = FairQueue()
    hand = Worker(line, 10, time.monotonic, idle=0.05)
    working = asyncio.create_task(hand.work())
    pids = []
    for _ in range(2):
        order = QueuedJob("1", "anna", os.getpid, Urgency.WAITED_FOR, 10)
        line.put(order)
        await order.ended.wait()
        pids.append(order.result)
        for _ in range(500):
            if not is_running(order.result):
                break
            await asyncio.sleep(0.01)
        else:
            raise AssertionError("the process is still there")
    assert len(set(pids)) == 2
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working


async def test_without_jobs_there_is_no_process():
    jobs = Jobs(4)
    await jobs.close()
    assert not jobs._tasks


def test_a_worker_does_not_outlive_a_server_that_was_killed():
    script = (
        "import asyncio, os; from app.jobs.service import Jobs\n"
        "async def main():\n"
        " jobs = Jobs(); print((await jobs.run(os.getpid, seconds=9)), flush=True); await asyncio.sleep(60)\n"
        "if __name__ == '__main__': asyncio.run(main())\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout
        worker = int(server.stdout.readline())
        server.send_signal(signal.SIGKILL)
    for _ in range(100):
        if not Path(f"/proc/{worker}").exists():
            break
        time.sleep(0.1)
    assert not Path(f"/proc/{worker}").exists()


def test_a_function_for_workers_can_be_called_directly_too():
    report(0.5, "halfway")
    assert not is_stopping()
