from __future__ import annotations

import asyncio

import pytest

from app.play.live import Doorbell

pytestmark = pytest.mark.anyio


class Versions:
    """A stand-in for the table's current version."""

    def __init__(self) -> None:
        self.now = 3

    async def current(self, _game_id: str) -> int:
        return self.now


async def test_a_listener_first_hears_what_is_there_already() -> None:
    bell, versions = Doorbell(), Versions()
    async with asyncio.timeout(2):
        async for version in bell.versions("g", -1, versions.current):
            assert version == 3
            break


async def test_a_ring_brings_the_newest_version_and_skips_those_between() -> None:
    bell, versions = Doorbell(look_every=60), Versions()
    heard = bell.versions("g", 3, versions.current)
    waiting = asyncio.ensure_future(anext(heard))
    await asyncio.sleep(0.01)
    versions.now = 6
    bell.ring("g", 5)
    async with asyncio.timeout(2):
        assert await waiting == 6


async def test_a_missed_ring_is_made_up_for_by_looking() -> None:
    bell, versions = Doorbell(look_every=0.02), Versions()
    waiting = asyncio.ensure_future(anext(bell.versions("g", 3, versions.current)))
    await asyncio.sleep(0.01)
    versions.now = 4
    async with asyncio.timeout(2):
        assert await waiting == 4


async def test_a_ring_for_another_table_says_nothing() -> None:
    bell, versions = Doorbell(look_every=60), Versions()
    waiting = asyncio.ensure_future(anext(bell.versions("g", 3, versions.current)))
    await asyncio.sleep(0.01)
    bell.ring("other", 9)
    await asyncio.sleep(0.01)
    assert not waiting.done()
    waiting.cancel()


async def test_closing_lets_listeners_go_and_forgets_them() -> None:
    bell, versions = Doorbell(look_every=60), Versions()

    async def listen() -> list[int]:
        return [version async for version in bell.versions("g", 3, versions.current)]

    listening = asyncio.create_task(listen())
    await asyncio.sleep(0.01)
    bell.close()
    async with asyncio.timeout(2):
        assert await listening == []
