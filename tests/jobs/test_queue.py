from __future__ import annotations

import asyncio

import pytest

from app.jobs.queue import FairQueue, Origin, QueuedJob, Urgency

pytestmark = pytest.mark.anyio


def job(name: str, network: str = "") -> QueuedJob:
    return QueuedJob(name, name[0], int, Urgency.INTERACTIVE, 1.0, origin=Origin(network))


async def served(queue: FairQueue) -> list[str]:
    return [(await queue.next()).id for _ in range(len(queue))]


async def test_owners_take_turns():
    queue = FairQueue()
    for name in ("a1", "a2", "a3", "b1", "b2", "c1"):
        queue.put(job(name))
    assert await served(queue) == ["a1", "b1", "c1", "a2", "b2", "a3"]


async def test_networks_take_turns_and_in_each_its_players():
    queue = FairQueue()
    for name in ("a1", "a2", "b1", "c1", "d1"):
        queue.put(job(name, "192.0.2.1"))
    for name in ("x1", "x2", "y1"):
        queue.put(job(name, "198.51.100.1"))
    assert len(queue) == len(list(queue)) == 8
    assert await served(queue) == ["a1", "x1", "b1", "y1", "c1", "x2", "d1", "a2"]


async def test_the_network_served_last_waits_for_networks_that_came_meanwhile():
    queue = FairQueue()
    for name in ("a1", "b1", "c1"):
        queue.put(job(name, "192.0.2.1"))
    assert (await queue.next()).id == "a1"
    queue.put(job("x1", "198.51.100.1"))
    assert (await queue.next()).id == "b1"
    queue.put_first(job("c0", "192.0.2.1"))
    assert await served(queue) == ["c0", "x1", "c1"]


async def test_the_owner_served_last_waits_for_owners_who_came_meanwhile():
    queue = FairQueue()
    for name in ("a1", "a2"):
        queue.put(job(name))
    assert (await queue.next()).id == "a1"
    queue.put(job("b1"))
    queue.put(job("a3"))
    assert await served(queue) == ["a2", "b1", "a3"]


async def test_a_job_started_before_comes_first():
    queue = FairQueue()
    for name in ("a1", "b1", "b2"):
        queue.put(job(name))
    queue.put_first(job("b0"))
    assert await served(queue) == ["b0", "a1", "b1", "b2"]


async def test_removing_a_job_keeps_the_order_of_the_others():
    queue = FairQueue()
    gone, only = job("a1"), job("b1")
    for waiting in (gone, only, job("a2")):
        queue.put(waiting)
    assert queue.remove(gone)
    assert not queue.remove(gone)
    assert queue.remove(only)
    assert await served(queue) == ["a2"]


async def test_a_waiting_worker_is_woken_by_a_job():
    queue = FairQueue()
    waiting = asyncio.create_task(queue.next())
    await asyncio.sleep(0)
    assert not waiting.done()
    queue.put(job("a1"))
    assert (await waiting).id == "a1"
