"""What a process hears of notices that its readers do not follow, and what that costs."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from multiprocessing.connection import Connection
from time import process_time

from app.db.engine import Database
from app.pubsub.hub import Subscriber
from app.pubsub.notifier import LinkNotifier
from app.pubsub.service import PubSub
from app.pubsub.topics import Topic
from bench.report import Figure, at_most
from bench.tables import postgres
from tests.support.nats import find_binary, running_nats
from tests.support.postgres import NoServerError
from tests.support.serving import migrate

_TOPICS = [Topic("game", f"k3v9x0aq{number:04}") for number in range(1000)]
_ROUNDS = 100
_AT_ONCE = 100  # notices
_SETTLE = 1.0  # seconds


def run() -> Iterator[Figure]:
    """One process publishes, others follow none, ten or a hundred of a thousand games."""
    with ExitStack() as stack:
        try:
            url = postgres(stack)
        except NoServerError as reason:
            print(f"     (not measured: {reason})")
            return
        asyncio.run(migrate(url))
        brokers = {"PostgreSQL": ""}
        if find_binary():
            brokers["NATS"] = stack.enter_context(running_nats()).url
        for name, broker in brokers.items():
            for followed, limit in ((0, 0), (10, 0.07 if name == "PostgreSQL" else 0.01)):
                heard, seconds = _measure(url, broker, followed)
                share = heard / (_ROUNDS * _AT_ONCE)
                detail = f"{heard} of {_ROUNDS * _AT_ONCE}; {seconds * 1000:.0f} ms of CPU"
                yield at_most(
                    f"{name}: heard if {followed} of 1000 are followed", share, limit, detail
                )


def _measure(url: str, broker: str, followed: int) -> tuple[int, float]:
    """The notices that another process heard, and its CPU seconds meanwhile."""
    spawning = multiprocessing.get_context("spawn")
    here, there = spawning.Pipe()
    listener = spawning.Process(target=_listener, args=(url, broker, followed, there))
    listener.start()
    here.recv()
    asyncio.run(_publish(url, broker))
    here.send("enough")
    heard, seconds = here.recv()
    listener.join()
    return heard, seconds


def _listener(url: str, broker: str, followed: int, pipe: Connection) -> None:
    heard = 0
    receive = LinkNotifier._receive  # noqa: SLF001

    def count(link: LinkNotifier, payload: str) -> None:
        nonlocal heard
        heard += payload.count(" ")
        receive(link, payload)

    LinkNotifier._receive = count  # type: ignore[assignment, method-assign]  # noqa: SLF001

    async def listen() -> None:
        async with _running(url, broker) as pubsub:
            pubsub.subscribe(Subscriber(_TOPICS[:followed], lambda: None))
            await asyncio.sleep(_SETTLE)
            began = process_time()
            pipe.send("ready")
            await asyncio.to_thread(pipe.recv)
            await asyncio.sleep(_SETTLE)
            pipe.send((heard, process_time() - began))

    asyncio.run(listen())


async def _publish(url: str, broker: str) -> None:
    async with _running(url, broker) as pubsub:
        for number in range(_ROUNDS):
            for step in range(_AT_ONCE):
                pubsub.publish(_TOPICS[(number * _AT_ONCE + step) % len(_TOPICS)], number)
            await asyncio.sleep(0.02)
        await asyncio.sleep(_SETTLE)


@asynccontextmanager
async def _running(url: str, broker: str) -> AsyncIterator[PubSub]:
    async def unknown(_ids: Sequence[str]) -> Mapping[str, int]:
        return {}

    database = Database(url)
    pubsub = PubSub(database, publish_delay=0.005, broker_url=broker)
    pubsub.register_version_source("game", unknown)
    pubsub.start()
    await asyncio.sleep(_SETTLE)
    try:
        yield pubsub
    finally:
        await pubsub.close()
        await database.close()
