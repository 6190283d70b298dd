from __future__ import annotations

import asyncio
from functools import partial

import pytest
from sqlalchemy import Connection, text

from app.db.engine import Database
from app.pubsub.postgres import PostgresNotifier
from app.pubsub.service import PubSub
from app.pubsub.topics import Topic
from tests.pubsub.helpers import TABLE, FakeVersions, RecordingSubscriber, running_pubsub
from tests.support.patience import PATIENCE, until

pytestmark = pytest.mark.anyio


async def listening(*running: PubSub) -> None:
    async with asyncio.timeout(PATIENCE):
        for pubsub in running:
            assert isinstance(pubsub._notifier, PostgresNotifier)
            await pubsub._notifier.listening.wait()


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
    async def no() -> bool:
        return False

    async with running_pubsub(database, FakeVersions()) as pubsub:
        owner, viewer, elsewhere = (
            RecordingSubscriber(pubsub, TABLE),
            RecordingSubscriber(pubsub, TABLE, guard=no),
            RecordingSubscriber(pubsub, Topic("table", "other"), guard=no),
        )
        pubsub.recheck_access(TABLE)
        async with asyncio.timeout(PATIENCE):
            await viewer.woken.wait()
        found = [subscriber.subscriber.is_closed for subscriber in (owner, viewer, elsewhere)]
        assert found == [False, True, False]


async def test_a_version_reaches_the_other_process(postgres: Database):
    async with (
        running_pubsub(postgres, FakeVersions()) as one,
        running_pubsub(postgres, FakeVersions()) as two,
    ):
        await listening(one, two)
        here, there = RecordingSubscriber(one, TABLE), RecordingSubscriber(two, TABLE)
        one.publish(TABLE, 4)
        await here.wait_for(4)
        await there.wait_for(4)
        two.publish(TABLE, 5)
        await here.wait_for(5)
        assert here.received == there.received == [4, 5]


async def test_lost_access_reaches_the_other_process(postgres: Database):
    async def no() -> bool:
        return False

    async with (
        running_pubsub(postgres, FakeVersions()) as one,
        running_pubsub(postgres, FakeVersions()) as two,
    ):
        await listening(one, two)
        there = RecordingSubscriber(two, TABLE, guard=no)
        one.recheck_access(TABLE)
        async with asyncio.timeout(PATIENCE):
            await there.woken.wait()
        assert there.subscriber.is_closed


async def test_notices_for_more_than_one_payload_all_arrive(postgres: Database):
    topics = [Topic("table", f"game-with-a-long-name-{number:05}") for number in range(800)]
    async with (
        running_pubsub(postgres, FakeVersions()) as one,
        running_pubsub(postgres, FakeVersions()) as two,
    ):
        await listening(one, two)
        there = [RecordingSubscriber(two, topic) for topic in topics]
        for version, topic in enumerate(topics):
            one.publish(topic, version)
        for version, subscriber in enumerate(there):
            await subscriber.wait_for(version)


async def test_after_a_killed_connection_it_reconnects_and_polls(postgres: Database):
    versions = FakeVersions()
    async with (
        running_pubsub(postgres, versions) as one,
        running_pubsub(postgres, versions) as two,
    ):
        await listening(one, two)
        there = RecordingSubscriber(two, TABLE)
        await until(lambda: versions.reads)  # its first poll
        kill = text(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        versions.versions["g"] = 6  # committed, and its notice lost with the connection
        killed = await postgres.read(lambda connection: connection.execute(kill).scalar_one())
        assert killed >= 2
        await there.wait_for(6)
        await listening(one, two)
        one.publish(TABLE, 7)
        await there.wait_for(7)


async def test_repeated_and_unordered_notices_arrive_as_rising_versions(
    postgres: Database,
):
    async with running_pubsub(postgres, FakeVersions()) as pubsub:
        await listening(pubsub)
        subscriber = RecordingSubscriber(pubsub, TABLE)
        notify = text("SELECT pg_notify('fairdeal', :payload)")
        for words in ("table:g=5", "table:g=7 table:g=6", "table:g=5", "table:g=7", "table:g=8"):
            payload = {"payload": f"somebody {words}"}
            await postgres.write(partial(Connection.execute, statement=notify, parameters=payload))
        await subscriber.wait_for(8)
        assert subscriber.received == [5, 7, 8]


async def test_messages_of_a_later_release_are_ignored(postgres: Database):
    async with running_pubsub(postgres, FakeVersions()) as pubsub:
        await listening(pubsub)
        subscriber = RecordingSubscriber(pubsub, TABLE)
        payload = "somebody table:g=x what ever:is=this? table:g=9"
        await postgres.write(
            lambda connection: connection.execute(
                text("SELECT pg_notify('fairdeal', :payload)"), {"payload": payload}
            )
        )
        await subscriber.wait_for(9)
        assert subscriber.received == [9]
