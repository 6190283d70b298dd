"""Two processes, whatever carries their messages: the same examples for each broker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import text

from app.db.engine import Database
from app.pubsub.notifier import LinkNotifier
from app.pubsub.service import PubSub
from app.pubsub.topics import PresenceNotice, Present, Topic
from tests.pubsub.subscribers import (
    TABLE,
    FakeVersions,
    Nobody,
    RecordingSubscriber,
    connected,
    hearing,
    link_of,
    running_pubsub,
)
from tests.support.nats import NatsServer, running_nats
from tests.support.patience import PATIENCE, until

pytestmark = pytest.mark.anyio

OTHER = Topic("table", "other")


class Site:
    """Two processes, and the versions in their database."""

    def __init__(self, database: Database, nats: NatsServer | None) -> None:
        self.database = database
        self.versions = FakeVersions()
        self._nats = nats

    @asynccontextmanager
    async def running(self) -> AsyncIterator[tuple[PubSub, PubSub]]:
        """Run both; without a broker, one plays both parts."""
        url = self._nats.url if self._nats else ""
        async with running_pubsub(self.database, self.versions, broker_url=url) as one:
            if one._notifier is None:
                yield one, one
                return
            async with running_pubsub(self.database, self.versions, broker_url=url) as two:
                await connected(one, two)
                yield one, two

    async def break_links(self) -> None:
        """End all connections between the processes."""
        if self._nats:
            self._nats.kill()
            await asyncio.to_thread(self._nats.start)
            return
        kill = text(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        killed = await self.database.read(lambda connection: connection.execute(kill).scalar_one())
        assert killed >= 2


@pytest.fixture
def ground(request: pytest.FixtureRequest) -> Iterator[tuple[str, NatsServer | None]]:
    """The URL of a database, and a NATS server if the test is run for that."""
    url = request.getfixturevalue("sqlite_url" if request.param == "local" else "postgres_url")
    if request.param == "nats":
        with running_nats() as server:
            yield url, server
    else:
        yield url, None


@pytest.fixture
async def site(ground: tuple[str, NatsServer | None]) -> AsyncIterator[Site]:
    url, nats = ground
    database = Database(url)
    yield Site(database, nats)
    await database.close()


everywhere = pytest.mark.parametrize("ground", ["local", "postgres", "nats"], indirect=True)
with_a_broker = pytest.mark.parametrize("ground", ["postgres", "nats"], indirect=True)


async def inject(pubsub: PubSub, topic: Topic, *payloads: str) -> None:
    """Send what no process of ours would send, where messages about a topic are heard."""
    broker = link_of(pubsub)._broker
    async with broker.open(lambda _payload: None) as link:
        await link.publish([(broker.channel_of(topic), payload) for payload in payloads])


@everywhere
async def test_a_version_reaches_the_other_process(site: Site):
    async with site.running() as (one, two):
        here, there = RecordingSubscriber(one, TABLE), RecordingSubscriber(two, TABLE)
        await hearing(one, TABLE)
        await hearing(two, TABLE)
        one.publish(TABLE, 4)
        await here.wait_for(4)
        await there.wait_for(4)
        two.publish(TABLE, 5)
        await here.wait_for(5)
        await there.wait_for(5)
        assert here.received == there.received == [4, 5]


@everywhere
async def test_a_version_published_while_a_reader_comes_is_not_missed(site: Site):
    async with site.running() as (one, two):
        for number in range(30):
            topic = Topic("table", f"g{number}")
            there = RecordingSubscriber(two, topic)
            await asyncio.sleep(number * 0.001)  # at any step of the way
            site.versions.versions[topic.id] = number
            one.publish(topic, number)
            await there.wait_for(number)


@everywhere
async def test_lost_access_reaches_the_other_process(site: Site):
    async with site.running() as (one, two):
        there = RecordingSubscriber(two, TABLE, guard=Nobody())
        elsewhere = RecordingSubscriber(two, OTHER, guard=Nobody())
        await hearing(two, TABLE, OTHER)
        one.recheck_access(TABLE)
        async with asyncio.timeout(PATIENCE):
            await there.woken.wait()
        assert there.subscriber.is_closed
        assert not elsewhere.subscriber.is_closed


@everywhere
async def test_presence_reaches_the_other_process(site: Site):
    async with site.running() as (one, two):
        there = RecordingSubscriber(two, TABLE)
        await hearing(two, TABLE)
        one.presence.enter(TABLE, "anna", is_player=True)
        await until(lambda: there.present)
        expected = PresenceNotice(TABLE, Present(frozenset({"anna"}), 0))
        assert there.present == [expected.event]


@everywhere
async def test_many_notices_at_once_all_arrive(site: Site):
    topics = [Topic("table", f"game-with-a-long-name-{number:05}") for number in range(800)]
    async with site.running() as (one, two):
        there = [RecordingSubscriber(two, topic) for topic in topics]
        await hearing(two, *topics)
        for version, topic in enumerate(topics):
            one.publish(topic, version)
        for version, subscriber in enumerate(there):
            await subscriber.wait_for(version)


@with_a_broker
async def test_repeated_and_unordered_notices_arrive_as_rising_versions(site: Site):
    async with site.running() as (one, two):
        there = RecordingSubscriber(two, TABLE)
        await hearing(two, TABLE)
        words = ("table:g=5", "table:g=7 table:g=6", "table:g=5", "table:g=7", "table:g=8")
        await inject(one, TABLE, *(f"another {word}" for word in words))
        await there.wait_for(8)
        assert there.received == [5, 7, 8]


@with_a_broker
async def test_messages_of_a_later_release_are_ignored(site: Site):
    async with site.running() as (one, two):
        there = RecordingSubscriber(two, TABLE)
        await hearing(two, TABLE)
        await inject(one, TABLE, "", "another", "another table:g=x what ever:is=this? table:g=9")
        await there.wait_for(9)
        assert there.received == [9]


@with_a_broker
async def test_a_process_hears_only_of_what_its_readers_follow(
    site: Site, monkeypatch: pytest.MonkeyPatch
):
    heard: dict[str, list[str]] = {}
    receive = LinkNotifier._receive

    def record(link: LinkNotifier, payload: str) -> None:
        heard.setdefault(link.process_id, []).extend(payload.split(" ")[1:])
        receive(link, payload)

    monkeypatch.setattr(LinkNotifier, "_receive", record)
    async with site.running() as (one, two):
        there, left = RecordingSubscriber(two, TABLE), RecordingSubscriber(two, OTHER)
        await hearing(two, TABLE, OTHER)
        two.unsubscribe(left.subscriber)
        two.publish(Topic("table", "unknown"), 1)  # with the next thing it does, it stops listening
        await hearing(two, TABLE)
        one.publish(OTHER, 8)
        one.publish(TABLE, 9)
        await there.wait_for(9)
        assert heard[link_of(two).process_id] == ["table:g=9"]
        assert [word for word in heard.get(link_of(one).process_id, []) if "~" not in word] == []


@with_a_broker
async def test_after_a_break_it_connects_again_and_reads_what_it_missed(site: Site):
    async with site.running() as (one, two):
        there = RecordingSubscriber(two, TABLE)
        await hearing(two, TABLE)
        await until(lambda: site.versions.reads)  # its first poll
        site.versions.versions["g"] = 6  # committed, and its notice lost with the connection
        await site.break_links()
        await there.wait_for(6)
        await hearing(two, TABLE)
        await connected(one)
        one.publish(TABLE, 7)
        await there.wait_for(7)


async def test_notices_of_an_earlier_release_are_heard(postgres: Database):
    async with running_pubsub(postgres, FakeVersions()) as pubsub:
        await connected(pubsub)
        subscriber = RecordingSubscriber(pubsub, TABLE)
        send = text("SELECT pg_notify('fairdeal', 'another table:g=4')")
        await postgres.write(lambda connection: connection.execute(send))
        await subscriber.wait_for(4)
