from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import pytest

from app.db.engine import Database
from app.pubsub.hub import Subscriber
from app.pubsub.messages import Message
from app.pubsub.notifier import Notifier, OnMessage
from app.pubsub.topics import Notice, Topic
from tests.pubsub.subscribers import (
    TABLE,
    FakeVersions,
    Nobody,
    RecordingSubscriber,
    connected,
    running_pubsub,
)
from tests.support.patience import PATIENCE, until

pytestmark = pytest.mark.anyio


async def test_a_subscriber_first_gets_the_current_version(database: Database):
    versions = FakeVersions()
    versions.versions["g"] = 3
    async with running_pubsub(database, versions) as pubsub:
        subscriber = RecordingSubscriber(pubsub, TABLE)
        await subscriber.wait_for(3)


async def test_a_published_version_arrives_without_a_database_read(database: Database):
    versions = FakeVersions()
    async with running_pubsub(database, versions) as pubsub:
        many = [RecordingSubscriber(pubsub, TABLE) for _ in range(50)]
        await until(lambda: versions.reads)  # the first poll
        pubsub.publish(TABLE, 8)
        for subscriber in many:
            await subscriber.wait_for(8)
        # The first poll; PostgreSQL is also read when it has connected.
        assert versions.reads <= (1 if pubsub._notifier is None else 2)


async def test_versions_published_together_arrive_as_one(database: Database):
    async with running_pubsub(database, FakeVersions(), publish_delay=0.05) as pubsub:
        subscriber = RecordingSubscriber(pubsub, TABLE)
        for version in (5, 7, 6):
            pubsub.publish(TABLE, version)
        await subscriber.wait_for(7)
        await asyncio.sleep(0.1)
        assert subscriber.received == [7]


async def test_polling_finds_a_version_whose_notice_was_lost(database: Database):
    versions = FakeVersions()
    async with running_pubsub(database, versions, poll_seconds=0.05) as pubsub:
        subscriber = RecordingSubscriber(pubsub, TABLE)
        await asyncio.sleep(0.03)
        versions.versions["g"] = 4
        await subscriber.wait_for(4)


async def test_closing_closes_all_subscribers_and_later_ones(database: Database):
    async with running_pubsub(database, FakeVersions()) as pubsub:
        subscriber = RecordingSubscriber(pubsub, TABLE)
        pubsub.close_subscribers()
        late = RecordingSubscriber(pubsub, TABLE)
        assert subscriber.subscriber.is_closed
        assert late.subscriber.is_closed


async def test_what_was_due_after_closing_is_not_done(database: Database):
    versions = FakeVersions()
    async with running_pubsub(database, versions) as pubsub:
        subscriber = RecordingSubscriber(pubsub, TABLE)
    pubsub.recheck_access(TABLE)
    await asyncio.sleep(0.05)  # the first poll would have come by now
    assert versions.reads == 0
    assert not pubsub._tasks
    assert subscriber.subscriber.is_closed


async def test_access_is_checked_again_and_subscribers_without_access_are_closed(
    database: Database,
):
    async with running_pubsub(database, FakeVersions()) as pubsub:
        owner, viewer, elsewhere = (
            RecordingSubscriber(pubsub, TABLE),
            RecordingSubscriber(pubsub, TABLE, guard=Nobody()),
            RecordingSubscriber(pubsub, Topic("table", "other"), guard=Nobody()),
        )
        pubsub.recheck_access(TABLE)
        async with asyncio.timeout(PATIENCE):
            await viewer.woken.wait()
        found = [subscriber.subscriber.is_closed for subscriber in (owner, viewer, elsewhere)]
        assert found == [False, True, False]


class SlowNotifier:
    """A notifier that takes its time to listen."""

    process_id = "slow"

    def __init__(self) -> None:
        self.followed: set[Topic] = set()
        self.is_listening = asyncio.Event()

    def start(self) -> None:
        pass

    def send(self, message: Message) -> None:
        pass

    async def follow(self, topics: Collection[Topic]) -> None:
        self.followed |= set(topics)
        await self.is_listening.wait()

    def unfollow(self, topics: Iterable[Topic]) -> None:
        self.followed -= set(topics)

    async def close(self) -> None:
        pass


async def test_a_topic_is_heard_before_its_version_is_read_and_until_its_last_reader_leaves(
    database: Database,
):
    notifier, versions = SlowNotifier(), FakeVersions()

    def connect(
        _database: Database, _url: str, _message: OnMessage, _connect: Callable[[], None]
    ) -> Notifier:
        return notifier

    async with running_pubsub(database, versions, connect=connect) as pubsub:
        first, second = RecordingSubscriber(pubsub, TABLE), RecordingSubscriber(pubsub, TABLE)
        await until(lambda: notifier.followed)
        assert versions.reads == 0
        versions.versions["g"] = 4  # its notice came before the process listened
        notifier.is_listening.set()
        for subscriber in (first, second):
            await subscriber.wait_for(4)
        pubsub.unsubscribe(first.subscriber)
        assert notifier.followed == {TABLE}
        pubsub.unsubscribe(second.subscriber)
        assert notifier.followed == set()


async def test_polling_goes_on_after_any_error(database: Database):
    class Breaking(FakeVersions):
        errors = 0

        async def read(self, ids: Sequence[str]) -> Mapping[str, int]:
            if self.errors:
                self.errors -= 1
                raise KeyError("a fault of the program")
            return await super().read(ids)

    versions = Breaking()
    async with running_pubsub(database, versions, poll_seconds=0.02) as pubsub:
        subscriber = RecordingSubscriber(pubsub, TABLE)
        await connected(pubsub)
        await until(lambda: versions.reads > 2)  # so that the next reads are of the poll
        versions.errors = 2
        await until(lambda: not versions.errors)
        versions.versions["g"] = 4
        await subscriber.wait_for(4)


async def test_viewers_hear_of_a_version_whose_change_cannot_be_made(
    database: Database, caplog: pytest.LogCaptureFixture
):
    async def break_down(_id: str, _since: int, _version: int) -> Notice | None:
        raise KeyError("a fault of the program")

    async with running_pubsub(database, FakeVersions()) as pubsub:
        pubsub.register_change_source(TABLE.kind, break_down)
        woken = asyncio.Event()
        subscriber = Subscriber([TABLE], woken.set, wants_changes=True)
        pubsub.subscribe(subscriber)
        pubsub.publish(TABLE, 8)
        async with asyncio.timeout(PATIENCE):
            await woken.wait()
        [notice] = subscriber.drain()
        assert isinstance(notice, Notice)
        assert notice.version == 8
    assert "a fault of the program" in caplog.text
