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

from app.jobs import service, worker_pool
from app.jobs.admission import Places, TooManyJobsError
from app.jobs.queue import (
    Failure,
    FairQueue,
    Job,
    JobFailedError,
    JobProgress,
    JobState,
    QueuedJob,
    Urgency,
)
from app.jobs.service import Jobs
from app.jobs.worker_main import is_stopping, report
from app.jobs.worker_pool import Worker, WorkerProcess
from tests.jobs.work import (
    count_until_stopped,
    fail,
    fail_to_read,
    note_and_die,
    sleep_without_checking,
    unsendable,
    whoami,
)
from tests.support import patience
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.anyio


@pytest.fixture
async def jobs() -> AsyncIterator[Jobs]:
    jobs = Jobs(1, places=Places(per_owner=3))
    yield jobs
    await jobs.close()


async def until(jobs: Jobs, job: Job, *states: JobState) -> Job:
    """Poll a job until it is in one of these states."""
    begun = time.monotonic()
    while time.monotonic() < begun + PATIENCE:
        found = jobs.status(job.id, job.owner)
        assert found
        if found.state in states:
            return found
        await asyncio.sleep(0.01)
    raise AssertionError(f"{found} should have become {states}")


def is_gone(process: object) -> bool:
    return not Path(f"/proc/{process}").exists()


ENDED = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


async def test_a_job_runs_in_a_nice_process_and_its_result_can_be_fetched(
    jobs: Jobs,
):
    job = jobs.submit("anna", whoami, seconds=PATIENCE)
    assert job.state is JobState.QUEUED
    assert jobs.status(job.id, "ben") is None
    done = await until(jobs, job, *ENDED)
    assert isinstance(done.result, tuple)
    process, niceness = done.result
    assert process != os.getpid()
    assert niceness == os.nice(0) + 10
    background, more = await jobs.run(whoami, seconds=PATIENCE)
    assert background not in {process, os.getpid()}
    assert more == 19


async def test_players_do_not_wait_for_background_jobs(jobs: Jobs):
    long = asyncio.create_task(jobs.run(count_until_stopped, seconds=PATIENCE))
    job = jobs.submit("anna", whoami, seconds=PATIENCE)
    assert (await until(jobs, job, *ENDED)).state is JobState.DONE
    assert not long.done()
    long.cancel()
    with pytest.raises(asyncio.CancelledError):
        await long
    # It was cancelled with the coroutine, so the next background job runs.
    assert await jobs.run(whoami, seconds=PATIENCE)


async def test_players_have_a_limit_and_take_turns(jobs: Jobs):
    first = jobs.submit("anna", count_until_stopped, seconds=PATIENCE)
    await until(jobs, first, JobState.RUNNING)
    others = [jobs.submit("anna", whoami, seconds=PATIENCE) for _ in range(2)]
    with pytest.raises(TooManyJobsError) as refused:
        jobs.submit("anna", whoami, seconds=PATIENCE)
    assert refused.value.retry_after > 0
    late = jobs.submit("ben", partial(fail, "late"), seconds=PATIENCE)
    assert jobs.cancel(others[0].id, "ben") is False
    assert jobs.cancel(first.id, "anna") is True
    assert (await until(jobs, first, *ENDED)).state is JobState.CANCELLED
    assert (await until(jobs, others[0], *ENDED)).state is JobState.DONE
    # Ben came last, but his job ran between two of Anna's.
    assert (await until(jobs, late, *ENDED)).failure is Failure.BROKEN
    assert (await until(jobs, others[1], *ENDED)).state is JobState.DONE


async def test_two_submissions_with_one_key_are_one_job(jobs: Jobs):
    first = jobs.submit("anna", count_until_stopped, seconds=60, key="game 1")
    assert jobs.submit("anna", whoami, seconds=60, key="game 1").id == first.id
    assert jobs.submit("ben", whoami, seconds=60, key="game 1").id != first.id
    jobs.cancel(first.id, "anna")
    again = jobs.submit("anna", whoami, seconds=60, key="game 1")
    assert again.id != first.id
    found = jobs.find("game 1", "anna")
    assert found
    assert found.id == again.id, "the newest"
    assert (await until(jobs, again, *ENDED)).state is JobState.DONE
    assert jobs.submit("anna", whoami, seconds=60, key="game 1").id == again.id
    jobs.forget(first.id, "anna")
    assert jobs.find("game 1", "anna"), "an older one was forgotten"
    jobs.forget(again.id, "anna")
    assert jobs.find("game 1", "anna") is None


async def test_a_job_reports_progress_and_stops_at_its_time_limit(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(worker_pool, "_GRACE", PATIENCE)
    job = jobs.submit("anna", partial(count_until_stopped, found="half"), seconds=0.5)
    done = await until(jobs, job, *ENDED)
    assert done.progress == JobProgress(0.5, "half")
    assert (done.state, done.result) == (JobState.DONE, "stopped")


async def test_a_job_that_does_not_stop_is_killed_and_the_next_one_runs(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(worker_pool, "_GRACE", 0.1)
    stubborn = jobs.submit("anna", partial(sleep_without_checking, 60), seconds=0.1)
    after = jobs.submit("anna", whoami, seconds=PATIENCE)
    ended = await until(jobs, stubborn, *ENDED)
    assert (ended.state, ended.failure) == (JobState.FAILED, Failure.TOO_LONG)
    assert (await until(jobs, after, *ENDED)).state is JobState.DONE


async def test_a_job_whose_process_was_killed_is_tried_once_more(jobs: Jobs, tmp_path: Path):
    job = jobs.submit("anna", partial(note_and_die, str(tmp_path / "once")), seconds=PATIENCE)
    lost = jobs.submit("anna", partial(note_and_die, str(tmp_path / "always")), seconds=PATIENCE)
    done = await until(jobs, job, *ENDED)
    assert (done.state, done.result) == (JobState.DONE, 2)
    given_up = await until(jobs, lost, *ENDED)
    assert (given_up.state, given_up.failure) == (JobState.FAILED, Failure.KILLED)
    assert (tmp_path / "always").read_text() == "xx"
    with pytest.raises(JobFailedError):
        await jobs.run(partial(note_and_die, str(tmp_path / "always")), seconds=PATIENCE)


async def test_an_error_fails_only_its_own_job(jobs: Jobs, caplog: pytest.LogCaptureFixture):
    wrong = [
        jobs.submit("anna", partial(fail, "on purpose"), seconds=PATIENCE),
        jobs.submit("ben", fail_to_read, seconds=PATIENCE),
        jobs.submit("anna", unsendable, seconds=PATIENCE),
        jobs.submit("anna", lambda: None, seconds=PATIENCE),
    ]
    for job in wrong:
        ended = await until(jobs, job, *ENDED)
        assert (ended.state, ended.failure) == (JobState.FAILED, Failure.BROKEN)
    assert "a file of the job" in caplog.text
    assert await jobs.run(whoami, seconds=PATIENCE)


async def test_finished_jobs_are_kept_for_a_while(jobs: Jobs):
    now = [0.0]
    jobs._clock = lambda: now[0]
    job = jobs.submit("anna", whoami, seconds=PATIENCE)
    await until(jobs, job, *ENDED)
    now[0] += 299
    assert jobs.status(job.id, "anna")
    now[0] += 1
    assert jobs.status(job.id, "anna") is None


async def test_of_too_many_finished_jobs_the_last_to_end_are_kept(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(service, "_MAX_KEPT", 1)
    jobs = Jobs(2)
    long = jobs.submit("anna", count_until_stopped, seconds=60)
    await until(jobs, long, JobState.RUNNING)
    short = jobs.submit("anna", whoami, seconds=PATIENCE)
    await until(jobs, short, JobState.DONE)
    jobs.cancel(long.id, "anna")
    await jobs.wait(long.id, "anna")
    assert jobs.status(long.id, "anna")
    assert jobs.status(short.id, "anna") is None
    await jobs.close()


async def test_a_job_that_is_dropped_as_it_ends_still_has_its_result(
    monkeypatch: pytest.MonkeyPatch,
):
    jobs = Jobs(1, keep_seconds=0)
    end = QueuedJob.end

    def end_while_somebody_looks(job: QueuedJob, state: JobState, at: float) -> None:
        end(job, state, at)
        assert jobs.status(job.id, job.owner) is None

    monkeypatch.setattr(QueuedJob, "end", end_while_somebody_looks)
    assert await jobs.run(whoami, seconds=PATIENCE)
    await jobs.close()


async def test_closing_stops_processes_and_cancels_jobs():
    jobs = Jobs(1)
    running = jobs.submit("anna", partial(sleep_without_checking, 60), seconds=PATIENCE)
    waiting = jobs.submit("anna", whoami, seconds=PATIENCE)
    waiter = asyncio.create_task(jobs.run(count_until_stopped, seconds=PATIENCE))
    await until(jobs, running, JobState.RUNNING)
    await asyncio.sleep(0.5)
    begun = time.monotonic()
    await jobs.close()
    assert time.monotonic() - begun < 30  # it did not wait for the job
    for job in (running, waiting):
        found = jobs.status(job.id, "anna")
        assert found
        assert found.state is JobState.CANCELLED
    with pytest.raises(JobFailedError):
        await waiter


async def test_an_idle_process_stops_and_the_next_job_starts_another():
    queue = FairQueue()
    worker = Worker(queue, WorkerProcess(10), time.monotonic, idle=0.05)
    working = asyncio.create_task(worker.run())
    pids = []
    for _ in range(2):
        job = QueuedJob("1", "anna", os.getpid, Urgency.INTERACTIVE, PATIENCE)
        queue.put(job)
        await job.ended.wait()
        pids.append(job.result)
        await patience.until(partial(is_gone, job.result))
    assert len(set(pids)) == 2
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working


@pytest.mark.parametrize("turns", range(4))
async def test_a_worker_that_is_stopped_as_a_job_comes_ends(turns):
    """``turns`` of the event loop lie between the two."""
    queue = FairQueue()
    working = asyncio.create_task(Worker(queue, WorkerProcess(10), time.monotonic).run())
    await asyncio.sleep(0.01)
    queue.put(QueuedJob("1", "anna", os.getpid, Urgency.INTERACTIVE, PATIENCE))
    for _ in range(turns):
        await asyncio.sleep(0)
    working.cancel()
    await asyncio.wait([working], timeout=PATIENCE)
    assert working.cancelled()


async def test_without_jobs_there_is_no_process():
    jobs = Jobs(4)
    await jobs.close()
    assert not jobs._tasks


def test_a_worker_process_ends_when_its_server_is_killed():
    script = (
        "import asyncio, os; from app.jobs.service import Jobs\n"
        "async def main():\n"
        " jobs = Jobs(); print((await jobs.run(os.getpid, seconds=90)), flush=True); await asyncio.sleep(60)\n"
        "if __name__ == '__main__': asyncio.run(main())\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout
        worker = int(server.stdout.readline())
        server.send_signal(signal.SIGKILL)
    patience.block_until(partial(is_gone, worker))


def test_job_functions_can_be_called_directly():
    report(0.5, "halfway")
    assert not is_stopping()
