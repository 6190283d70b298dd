"""The loop that keeps a link: with a broker that fails and waits at will."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager

import pytest

from app.pubsub.messages import PRESENCE, VERSION, Message, Outbox, write_payloads
from app.pubsub.notifier import LinkNotifier, OnPayload
from app.pubsub.topics import Topic
from tests.pubsub.subscribers import TABLE
from tests.support.patience import until

pytestmark = pytest.mark.anyio

OTHER = Topic("table", "other")


class FakeBroker:
    """Is its own link, and has a channel per topic."""

    name = "a fake"

    def __init__(self) -> None:
        self.heard: set[str] = set()
        self.dropping: set[str] = set()
        self.sent: list[str] = []
        self.links = 0
        self.failures = 0
        self.may_listen = asyncio.Event()
        self.may_listen.set()

    def channel_of(self, topic: Topic) -> str:
        return topic.id

    @asynccontextmanager
    async def open(self, _on_payload: OnPayload, /) -> AsyncIterator[FakeBroker]:
        self.links += 1
        self.heard.clear()
        yield self

    async def listen(self, added: Collection[str], dropped: Collection[str]) -> None:
        self.dropping = set(dropped)
        await self.may_listen.wait()
        self.heard = (self.heard | set(added)) - set(dropped)

    async def publish(self, payloads: Sequence[tuple[str, str]]) -> None:
        if self.failures:
            self.failures -= 1
            raise ValueError("not even a broken connection")
        self.sent += [payload.partition(" ")[2] for _, payload in payloads]

    async def wait(self, work: asyncio.Event, _seconds: float, /) -> None:
        await work.wait()

    async def check(self) -> None:
        pass


@asynccontextmanager
async def connected(broker: FakeBroker) -> AsyncIterator[LinkNotifier]:
    notifier = LinkNotifier(broker, lambda _message: None, lambda: None)
    notifier.start()
    await notifier.connected.wait()
    try:
        yield notifier
    finally:
        await notifier.close()


async def test_messages_that_could_not_be_sent_are_sent_over_the_next_link():
    broker = FakeBroker()
    broker.failures = 1
    async with connected(broker) as notifier:
        notifier.send(Message(TABLE, VERSION, 4))
        await until(lambda: broker.sent)
        assert broker.sent == ["table:g=4"]
        assert broker.links == 2


async def test_after_a_break_the_same_topics_are_heard_before_it_is_reported():
    broker, heard_at_connect = FakeBroker(), list[set[str]]()
    notifier = LinkNotifier(
        broker, lambda _message: None, lambda: heard_at_connect.append(set(broker.heard))
    )
    await notifier.follow([TABLE])  # returns at once: there is no link yet
    notifier.start()
    await until(lambda: heard_at_connect)
    await notifier.follow([OTHER])
    broker.failures = 1
    notifier.send(Message(TABLE, PRESENCE))
    await until(lambda: broker.sent)
    await notifier.close()
    assert heard_at_connect == [{"g"}, {"g", "other"}]


async def test_a_topic_that_is_followed_again_while_it_is_left_is_waited_for():
    broker = FakeBroker()
    async with connected(broker) as notifier:
        await notifier.follow([TABLE])
        notifier.unfollow([TABLE])
        assert broker.heard == {"g"}  # for a page that is loaded again
        broker.may_listen.clear()
        notifier.send(Message(OTHER, VERSION, 1))
        await until(lambda: broker.dropping)
        again = asyncio.create_task(notifier.follow([TABLE]))
        await asyncio.sleep(0)
        assert not again.done()
        broker.may_listen.set()
        await again
        assert broker.heard == {"g"}


async def test_whoever_waits_for_a_link_that_breaks_waits_no_more():
    broker = FakeBroker()
    async with connected(broker) as notifier:
        broker.may_listen.clear()
        waiting = asyncio.create_task(notifier.follow([TABLE]))
        await until(lambda: notifier._waiters)
        await notifier.close()
        await waiting


def test_of_waiting_messages_the_newest_of_each_kind_is_sent_in_payloads_of_limited_size():
    outbox = Outbox()
    for version in (1, 2):
        outbox.put(Message(TABLE, VERSION, version))
    outbox.put(Message(TABLE, PRESENCE))
    taken = outbox.take()
    assert list(map(str, taken)) == ["table:g=2", "table:g~"]
    outbox.put(Message(TABLE, VERSION, 3))
    outbox.put_back(taken)
    assert list(map(str, outbox.take())) == ["table:g=3", "table:g~"]
    many = [Message(Topic("table", f"{number:050}"), VERSION, 1) for number in range(1000)]
    payloads = [payload for _, payload in write_payloads(many, "me", lambda _topic: "channel")]
    assert max(map(len, payloads)) < 8000
    assert sum(len(payload.split(" ")) - 1 for payload in payloads) == 1000
