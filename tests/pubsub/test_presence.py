from __future__ import annotations

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.exc import SQLAlchemyError

from app.db.engine import Database
from app.db.schema import live_processes, presence
from app.pubsub import presence as module
from app.pubsub.presence import Presence
from app.pubsub.presence_store import PresenceStore
from app.pubsub.topics import Present, Topic

pytestmark = pytest.mark.anyio

ROOM = Topic("room", "r")
NOBODY = Present(frozenset(), 0)


class Published(dict[Topic, Present]):
    """What was published last."""

    def record(self, topic: Topic, present: Present) -> None:
        self[topic] = present


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(module, "_now", lambda: now[0])
    return now


async def test_players_are_published_once_and_spectators_counted(clock: list[float]):
    published = Published()
    people = Presence(published.record)
    people.enter(ROOM, "anna", is_player=True)
    people.enter(ROOM, "anna", is_player=True)  # a second tab
    people.enter(ROOM, "x", is_player=False)
    people.enter(ROOM, "y", is_player=False)
    people.enter(ROOM, "y", is_player=False)
    await people.publish_changes()
    assert published == {ROOM: Present(frozenset({"anna"}), 2)}
    published.clear()
    await people.publish_changes()
    assert published == {}
    assert await people.find(ROOM) == Present(frozenset({"anna"}), 2)


async def test_a_player_is_away_fifteen_seconds_after_the_last_stream_closed(clock: list[float]):
    published = Published()
    people = Presence(published.record)
    visit = people.enter(ROOM, "anna", is_player=True)
    await people.publish_changes()
    clock[0] += 60
    people.leave(visit)
    clock[0] += 14
    await people.publish_changes()
    assert published[ROOM].players == {"anna"}
    clock[0] += 2
    await people.publish_changes()
    assert published[ROOM] == NOBODY


async def test_a_player_who_comes_back_in_time_stays_present(clock: list[float]):
    published = Published()
    people = Presence(published.record)
    people.leave(people.enter(ROOM, "anna", is_player=True))
    await people.publish_changes()
    published.clear()
    clock[0] += 10
    people.enter(ROOM, "anna", is_player=True)
    clock[0] += 30
    await people.publish_changes()
    assert published == {}


async def test_a_stream_that_needs_heartbeats_counts_only_with_them(clock: list[float]):
    published = Published()
    people = Presence(published.record)
    people.enter(ROOM, "anna", is_player=True, needs_heartbeat=True)
    for _ in range(3):
        clock[0] += 10
        people.heartbeat(ROOM, "anna")
        await people.publish_changes()
        assert published[ROOM].players == {"anna"}
    clock[0] += 16  # the phone is in a tunnel: nothing closed, nothing comes
    await people.publish_changes()
    assert published[ROOM] == NOBODY
    people.heartbeat(ROOM, "anna")
    await people.publish_changes()
    assert published[ROOM].players == {"anna"}


async def test_a_viewer_who_leaves_is_not_counted(clock: list[float]):
    published = Published()
    people = Presence(published.record)
    visits = [people.enter(ROOM, name, is_player=False) for name in "xyz"]
    await people.publish_changes()
    people.leave(visits[0])
    await people.publish_changes()
    assert published[ROOM].viewers == 2


def two_processes(
    database: Database,
) -> tuple[tuple[Presence, Published], tuple[Presence, Published]]:
    """Two processes that announce changes to each other."""
    one, two = Published(), Published()
    people: list[Presence] = []
    for number, published in enumerate((one, two)):

        def announce(topic: Topic, other: int = 1 - number) -> None:
            people[other].poll_soon(topic)

        people.append(
            Presence(published.record, PresenceStore(database, f"process-{number}"), announce)
        )
    return (people[0], one), (people[1], two)


async def test_processes_add_up_and_a_player_who_changes_process_stays(postgres: Database):
    (one, published), (two, other_published) = two_processes(postgres)
    visit = one.enter(ROOM, "anna", is_player=True)
    one.enter(ROOM, "x", is_player=False)
    two.enter(ROOM, "bert", is_player=True)
    two.enter(ROOM, "y", is_player=False)
    for people in (one, two, one):
        await people.publish_changes()
    all_present = Present(frozenset({"anna", "bert"}), 2)
    assert published[ROOM] == other_published[ROOM] == all_present
    assert await one.find(ROOM) == await two.find(ROOM) == all_present
    two.enter(ROOM, "anna", is_player=True)
    one.leave(visit)
    for people in (one, two, one, two):
        await people.publish_changes()
    assert published[ROOM] == other_published[ROOM] == all_present


async def test_nothing_is_written_without_a_change(postgres: Database):
    (one, _), _ = two_processes(postgres)
    one.enter(ROOM, "anna", is_player=True)
    await one.publish_changes()
    writes: list[object] = []
    postgres.write = writes.append  # type: ignore[assignment,method-assign]
    for _ in range(5):
        one.heartbeat(ROOM, "anna")
        await one.publish_changes()
    assert writes == []


async def test_what_others_announced_is_published_after_a_failed_write(
    postgres: Database, monkeypatch: pytest.MonkeyPatch
):
    (one, published), (two, _) = two_processes(postgres)
    two.enter(ROOM, "bert", is_player=True)
    await two.publish_changes()
    one.enter(Topic("room", "another"), "anna", is_player=True)

    async def fail(*_: object) -> None:
        raise SQLAlchemyError

    with monkeypatch.context() as broken:
        broken.setattr(PresenceStore, "store", fail)
        with pytest.raises(SQLAlchemyError):
            await one.publish_changes()
    await one.publish_changes()
    assert published[ROOM].players == {"bert"}


async def test_the_players_of_a_dead_process_are_gone(postgres: Database):
    (one, published), (two, _) = two_processes(postgres)
    one.enter(ROOM, "anna", is_player=True)
    two.enter(ROOM, "bert", is_player=True)
    for people in (one, two, one):
        await people.publish_changes()
    assert published[ROOM].players == {"anna", "bert"}
    died = update(live_processes).where(live_processes.c.id == "process-1").values(until_ms=1)
    await postgres.write(lambda connection: connection.execute(died))
    await one._poll_all()  # what `run` does every five seconds
    await one.publish_changes()
    assert published[ROOM].players == {"anna"}
    await one._poll_all()
    rows = select(func.count()).select_from(presence)
    left = await postgres.read(lambda connection: connection.execute(rows).scalar_one())
    assert left == 1  # deleted with its process


async def test_a_process_whose_life_expired_stores_everything_again(postgres: Database):
    (one, _), (two, other_published) = two_processes(postgres)
    one.enter(ROOM, "anna", is_player=True)
    for people in (one, two):
        await people.publish_changes()
    died = update(live_processes).where(live_processes.c.id == "process-0").values(until_ms=1)
    await postgres.write(lambda connection: connection.execute(died))
    await two._poll_all()
    await two.publish_changes()
    assert other_published[ROOM] == NOBODY
    await one._poll_all()
    await one.publish_changes()
    await two.publish_changes()
    assert other_published[ROOM].players == {"anna"}
