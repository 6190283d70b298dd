from __future__ import annotations

import asyncio

import pytest

from app.jobs.job import QueuedJob, Urgency
from app.jobs.queue import FairQueue

pytestmark = pytest.mark.anyio


def order(name: str) -> QueuedJob:
    return QueuedJob(name, name[0], int, Urgency.WAITED_FOR, 1.0)


async def served(line: FairQueue) -> list[str]:
    return [(await line.next()).id for _ in range(len(line))]


async def test_owners_take_turns_whatever_one_of_them_asked_for():
    line = FairQueue()
    for name in ("a1", "a2", "a3", "b1", "b2", "c1"):
        line.put(order(name))
    assert await served(line) == ["a1", "b1", "c1", "a2", "b2", "a3"]


async def test_who_was_served_last_waits_for_those_who_came_meanwhile():
    line = FairQueue()
    for name in ("a1", "a2"):
        line.put(order(name))
    assert (await line.next()).id == "a1"
    line.put(order("b1"))
    line.put(order("a3"))
    assert await served(line) == ["a2", "b1", "a3"]


async def test_what_was_begun_before_comes_first():
    line = FairQueue()
    for name in ("a1", "b1", "b2"):
        line.put(order(name))
    line.put_first(order("b0"))
    assert await served(line) == ["b0", "a1", "b1", "b2"]


async def test_a_job_taken_out_leaves_the_others_where_they_are():
    line = FairQueue()
    gone, only = order("a1"), order("b1")
    for waiting in (gone, only, order("a2")):
        line.put(waiting)
    assert line.remove(gone)
    assert not line.remove(gone)
    assert line.remove(only)
    assert await served(line) == ["a2"]


async def test_one_who_waits_for_work_is_woken_by_it():
    line = FairQueue()
    waiting = asyncio.create_task(line.next())
    await asyncio.sleep(0)
    assert not waiting.done()
    line.put(order("a1"))
    assert (await waiting).id == "a1"
