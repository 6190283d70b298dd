from __future__ import annotations

import asyncio

import pytest

from app.clock import now_ms
from app.jobs.scheduler import FirstRun, PeriodicTask, Scheduler
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.anyio


async def test_only_the_process_with_the_lease_runs_a_task(database):
    done: list[str] = []
    time_ms = 1_000_000_000_000

    def process(name: str) -> tuple[Scheduler, PeriodicTask]:
        async def work() -> None:
            done.append(name)

        task = PeriodicTask(name="something", seconds=60, run=work, lease="admin/something")
        return Scheduler(database, lambda: time_ms, [task]), task

    (first, own), (second, others) = process("first"), process("second")
    await first.run(own)
    await second.run(others)
    time_ms += 60_000
    await first.run(own)
    await second.run(others)
    assert done == ["first", "first"]
    time_ms += 120_001  # the first has died
    await second.run(others)
    assert done == ["first", "first", "second"]


async def test_a_failed_task_is_logged_and_runs_again(database, caplog):
    tries = []

    async def fail() -> None:
        tries.append(1)
        raise RuntimeError("no luck")

    task = PeriodicTask(name="a try", seconds=60, run=fail)
    scheduler = Scheduler(database, now_ms, [task])
    for _ in range(2):
        await scheduler.run(task)
    assert len(tries) == 2
    assert caplog.text.count("The periodic task 'a try' failed") == 2


async def test_tasks_repeat_until_the_scheduler_is_closed(database):
    done = asyncio.Event()
    tries: list[int] = []

    async def work() -> None:
        tries.append(1)
        if len(tries) == 3:
            done.set()

    scheduler = Scheduler(
        database,
        now_ms,
        [PeriodicTask(name="often", seconds=0.001, run=work)],
    )
    scheduler.start()
    async with asyncio.timeout(PATIENCE):
        await done.wait()
    await scheduler.close()
    stopped = len(tries)
    await asyncio.sleep(0.05)
    assert len(tries) == stopped


async def test_closing_waits_for_what_each_task_has_to_clean_up(database):
    """The database is closed next: a lease that is given back later would wait for it forever."""
    is_running, cleaned_up = asyncio.Event(), []

    async def work() -> None:
        is_running.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.05)
            cleaned_up.append("work")

    async def nothing() -> None: ...

    scheduler = Scheduler(
        database,
        now_ms,
        [
            PeriodicTask(name="idle", seconds=60, run=nothing),
            PeriodicTask(name="work", seconds=60, run=work, first=FirstRun.AT_ONCE),
        ],
    )
    scheduler.start()
    async with asyncio.timeout(PATIENCE):
        await is_running.wait()
        await scheduler.close()
    assert cleaned_up == ["work"]


@pytest.mark.parametrize("turns", range(4))
async def test_a_task_that_is_woken_as_the_scheduler_closes_ends_with_it(database, turns):
    """``turns`` of the event loop lie between the two."""
    wake, runs = asyncio.Event(), []

    async def work() -> None:
        runs.append("work")

    task = PeriodicTask(
        name="woken", seconds=60, run=work, first=FirstRun.AFTER_THE_PERIOD, wake=wake
    )
    scheduler = Scheduler(database, now_ms, [task])
    scheduler.start()
    await asyncio.sleep(0.01)
    wake.set()
    for _ in range(turns):
        await asyncio.sleep(0)
    closing = asyncio.create_task(scheduler.close())
    await asyncio.wait([closing], timeout=PATIENCE)
    assert closing.done()
    assert len(runs) <= 1


def test_a_task_that_waits_to_be_woken_needs_something_that_wakes_it():
    async def work() -> None: ...

    with pytest.raises(ValueError, match="a nap"):
        PeriodicTask(name="a nap", seconds=60, run=work, first=FirstRun.WHEN_WOKEN)
    PeriodicTask(
        name="a nap", seconds=60, run=work, first=FirstRun.WHEN_WOKEN, wake=asyncio.Event()
    )
