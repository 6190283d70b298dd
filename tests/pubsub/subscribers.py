"""Publish/subscribe on a database, and subscribers that record what they receive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Self

from app.db.engine import Database
from app.pubsub.brokers import ConnectNotifier, connect_notifier
from app.pubsub.hub import Guard, Subscriber
from app.pubsub.notifier import LinkNotifier
from app.pubsub.service import PubSub
from app.pubsub.topics import Notice, Topic
from tests.support.patience import PATIENCE, until

TABLE = Topic("table", "g")


class FakeVersions:
    """Stands in for the database: the version of each game."""

    def __init__(self) -> None:
        self.versions: dict[str, int] = {}
        self.reads = 0

    async def read(self, ids: Sequence[str]) -> Mapping[str, int]:
        self.reads += 1
        return {name: self.versions[name] for name in ids if name in self.versions}


class Nobody:
    """A guard that allows nothing."""

    @classmethod
    async def list_allowed(cls, guards: Sequence[Self]) -> Collection[Self]:
        assert guards
        return ()


class RecordingSubscriber:
    """A subscriber that records the versions it receives."""

    def __init__(self, pubsub: PubSub, *topics: Topic, guard: Guard | None = None) -> None:
        self.received: list[int] = []
        self.present: list[bytes] = []
        self.woken = asyncio.Event()
        self.subscriber = Subscriber(topics, self._wake, None, guard)
        pubsub.subscribe(self.subscriber)

    def _wake(self) -> None:
        for notice in self.subscriber.drain():
            if isinstance(notice, Notice):
                self.received.append(notice.version)
            else:
                self.present.append(notice.event)
        self.woken.set()

    async def wait_for(self, version: int) -> None:
        """Wait until it has received a version."""
        async with asyncio.timeout(PATIENCE):
            while version not in self.received:
                self.woken.clear()
                await self.woken.wait()


@asynccontextmanager
async def running_pubsub(
    database: Database,
    versions: FakeVersions,
    *,
    poll_seconds: float = 60,
    publish_delay: float = 0.01,
    broker_url: str = "",
    connect: ConnectNotifier = connect_notifier,
) -> AsyncIterator[PubSub]:
    """Publish/subscribe of one process."""
    pubsub = PubSub(
        database,
        poll_seconds=poll_seconds,
        publish_delay=publish_delay,
        broker_url=broker_url,
        connect=connect,
    )
    pubsub.register_version_source("table", versions.read)
    pubsub.start()
    try:
        yield pubsub
    finally:
        await pubsub.close()


def link_of(pubsub: PubSub) -> LinkNotifier:
    """How it notifies other processes."""
    assert isinstance(pubsub._notifier, LinkNotifier)
    return pubsub._notifier


async def connected(*running: PubSub) -> None:
    """Wait until all of them are connected to other processes, if there are any."""
    async with asyncio.timeout(PATIENCE):
        for pubsub in running:
            if pubsub._notifier:
                await link_of(pubsub).connected.wait()


async def hearing(pubsub: PubSub, *topics: Topic) -> None:
    """Wait until it hears other processes about topics, and no others."""
    if pubsub._notifier:
        link = link_of(pubsub)
        channels = {link._broker.channel_of(topic) for topic in topics}
        await until(lambda: link.connected.is_set() and link._heard == channels)
