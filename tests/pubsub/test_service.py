from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import pytest
from sqlalchemy import Connection, text

from app.db.engine import Database
from app.pubsub.service import PubSub
from app.pubsub.topics import Topic
from tests.pubsub.hands import TABLE, Ears, Versions, a_live

pytestmark = pytest.mark.anyio


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    database = Database(database_url)
    yield database
    await database.close()


@pytest.fixture
async def postgres(postgres_url: str) -> AsyncIterator[Database]:
    database = Database(postgres_url)
    yield database
    await database.close()


async def listening(*lives: PubSub) -> None:
    async with asyncio.timeout(10):
        for live in lives:
            assert live._wire
            await live._wire.listening.wait()


async def test_a_reader_first_hears_what_is_there(database: Database):
    versions = Versions()
    versions.now["g"] = 3
    async with a_live(database, versions) as live:
        ears = Ears(live, TABLE)
        await ears.hear(3)


async def test_a_ring_is_heard_without_a_question_to_the_database(database: Database):
    versions = Versions()
    async with a_live(database, versions) as live:
        many = [Ears(live, TABLE) for _ in range(50)]
        await asyncio.sleep(0.1)
        asked = versions.asked
        live.publish(TABLE, 8)
        for ears in many:
            await ears.hear(8)
        assert versions.asked == asked <= 2


async def test_rings_of_a_moment_are_heard_as_one(database: Database):
    async with a_live(database, Versions(), answer_first=0.05) as live:
        ears = Ears(live, TABLE)
        for version in (5, 7, 6):
            live.publish(TABLE, version)
        await ears.hear(7)
        await asyncio.sleep(0.1)
        assert ears.heard == [7]


async def test_a_lost_ring_is_made_up_for_by_looking(database: Database):
    versions = Versions()
    async with a_live(database, versions, look_every=0.05) as live:
        ears = Ears(live, TABLE)
        await asyncio.sleep(0.03)
        versions.now["g"] = 4
        await ears.hear(4)


async def test_closing_dismisses_everybody_and_whoever_comes_after(database: Database):
    async with a_live(database, Versions()) as live:
        ears = Ears(live, TABLE)
        live.dismiss_all()
        late = Ears(live, TABLE)
        assert ears.reader.is_dismissed
        assert late.reader.is_dismissed


async def test_what_was_due_just_after_closing_is_left_undone(database: Database):
    versions = Versions()
    async with a_live(database, versions) as live:
        ears = Ears(live, TABLE)
    live.recheck(TABLE)
    await asyncio.sleep(0.05)  # the first look would have come by now
    assert versions.asked == 0
    assert not live._tasks
    assert ears.reader.is_dismissed


async def test_rights_are_asked_again_and_whoever_lost_them_is_let_go(database: Database):
    async def no() -> bool:
        return False

    async with a_live(database, Versions()) as live:
        owner, viewer, elsewhere = (
            Ears(live, TABLE),
            Ears(live, TABLE, guard=no),
            Ears(live, Topic("table", "other"), guard=no),
        )
        live.recheck(TABLE)
        async with asyncio.timeout(5):
            await viewer.came.wait()
        found = [ears.reader.is_dismissed for ears in (owner, viewer, elsewhere)]
        assert found == [False, True, False]


async def test_a_ring_crosses_to_the_other_process(postgres: Database):
    async with (
        a_live(postgres, Versions()) as one,
        a_live(postgres, Versions()) as two,
    ):
        await listening(one, two)
        here, there = Ears(one, TABLE), Ears(two, TABLE)
        one.publish(TABLE, 4)
        await here.hear(4)
        await there.hear(4)
        two.publish(TABLE, 5)
        await here.hear(5)
        assert here.heard == there.heard == [4, 5]


async def test_lost_rights_cross_to_the_other_process(postgres: Database):
    async def no() -> bool:
        return False

    async with (
        a_live(postgres, Versions()) as one,
        a_live(postgres, Versions()) as two,
    ):
        await listening(one, two)
        there = Ears(two, TABLE, guard=no)
        one.recheck(TABLE)
        async with asyncio.timeout(5):
            await there.came.wait()
        assert there.reader.is_dismissed


async def test_more_notices_than_one_payload_carries_all_arrive(postgres: Database):
    topics = [Topic("table", f"game-with-a-long-name-{number:05}") for number in range(800)]
    async with (
        a_live(postgres, Versions()) as one,
        a_live(postgres, Versions()) as two,
    ):
        await listening(one, two)
        there = [Ears(two, topic) for topic in topics]
        for version, topic in enumerate(topics):
            one.publish(topic, version)
        for version, ears in enumerate(there):
            await ears.hear(version)


async def test_a_connection_killed_is_made_again_and_everything_looked_at(postgres: Database):
    versions = Versions()
    async with (
        a_live(postgres, versions) as one,
        a_live(postgres, versions) as two,
    ):
        await listening(one, two)
        there = Ears(two, TABLE)
        await asyncio.sleep(0.1)  # its first look
        kill = text(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE query IN ('LISTEN fairdeal', 'SELECT pg_notify(''fairdeal'', $1)') "
            "AND datname = current_database()"
        )
        versions.now["g"] = 6  # committed, and its notice lost with the connection
        killed = await postgres.read(lambda connection: connection.execute(kill).scalar_one())
        assert killed >= 2
        await there.hear(6)
        await listening(one, two)
        one.publish(TABLE, 7)
        await there.hear(7, seconds=20)


async def test_notices_that_come_twice_or_out_of_order_are_heard_as_rising_versions(
    postgres: Database,
):
    async with a_live(postgres, Versions()) as live:
        await listening(live)
        ears = Ears(live, TABLE)
        notify = text("SELECT pg_notify('fairdeal', :payload)")
        for words in ("table:g=5", "table:g=7 table:g=6", "table:g=5", "table:g=7", "table:g=8"):
            payload = {"payload": f"somebody {words}"}
            await postgres.write(partial(Connection.execute, statement=notify, parameters=payload))
        await ears.hear(8)
        assert ears.heard == [5, 7, 8]


async def test_words_of_a_later_release_are_passed_over(postgres: Database):
    async with a_live(postgres, Versions()) as live:
        await listening(live)
        ears = Ears(live, TABLE)
        payload = "somebody table:g=x what ever:is=this? table:g=9"
        await postgres.write(
            lambda connection: connection.execute(
                text("SELECT pg_notify('fairdeal', :payload)"), {"payload": payload}
            )
        )
        await ears.hear(9)
        assert ears.heard == [9]
