"""Background tasks by key, and one computation for all who ask for the same."""

from __future__ import annotations

import asyncio

import pytest

from app.single_flight import KeyedTasks, SingleFlight

pytestmark = pytest.mark.anyio


async def test_a_key_has_one_task_which_is_forgotten_when_it_ends():
    tasks: KeyedTasks[str, int] = KeyedTasks()
    go, begun = asyncio.Event(), []

    async def work() -> int:
        begun.append(1)
        await go.wait()
        return len(begun)

    first = tasks.start("a", work)
    assert tasks.start("a", work) is first
    assert "a" in tasks
    assert len(tasks) == 1
    go.set()
    assert await first == 1
    await asyncio.sleep(0)  # the callbacks of a task run after it
    assert "a" not in tasks
    assert await tasks.start("a", work) == 2


async def test_cancelling_and_closing_wait_until_the_tasks_have_cleaned_up():
    tasks: KeyedTasks[str, None] = KeyedTasks()
    stopped: list[str] = []

    async def work(key: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            stopped.append(key)

    for key in "abc":
        tasks.start(key, lambda key=key: work(key))  # type: ignore[misc]
    await asyncio.sleep(0)
    await tasks.cancel("b")
    assert stopped == ["b"]
    await tasks.cancel("no such key")
    await tasks.close()
    assert sorted(stopped) == ["a", "b", "c"]


async def test_all_who_ask_share_a_result_even_if_the_first_leaves():
    flight: SingleFlight[str, int] = SingleFlight()
    go, begun = asyncio.Event(), []

    async def work() -> int:
        begun.append(1)
        await go.wait()
        return len(begun)

    first, second = (asyncio.create_task(flight.run("a", work)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    go.set()
    assert await second == 1
