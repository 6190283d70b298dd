from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import func, select, update

from app.db.engine import Database
from app.db.schema import live_processes, presence
from app.pubsub import presence as module
from app.pubsub.presence import Presence
from app.pubsub.presence_store import PresenceStore
from app.pubsub.topics import Here, Topic
from tests.support.serving import migrate

pytestmark = pytest.mark.anyio

ROOM = Topic("room", "r")
NOBODY = Here(frozenset(), 0)


class Told(dict[Topic, Here]):
    """What readers were told last."""

    def tell(self, topic: Topic, here: Here) -> None:
        self[topic] = here


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(module, "_now", lambda: now[0])
    return now


@pytest.fixture
async def postgres(postgres_url: str) -> AsyncIterator[Database]:
    await migrate(postgres_url)
    database = Database(postgres_url)
    yield database
    await database.close()


async def test_who_comes_is_told_once_and_who_looks_on_is_counted(clock: list[float]):
    told = Told()
    people = Presence(told.tell)
    people.enter(ROOM, "anna", is_player=True)
    people.enter(ROOM, "anna", is_player=True)  # a second tab
    people.enter(ROOM, "x", is_player=False)
    people.enter(ROOM, "y", is_player=False)
    people.enter(ROOM, "y", is_player=False)
    await people.turn()
    assert told == {ROOM: Here(frozenset({"anna"}), 2)}
    told.clear()
    await people.turn()
    assert told == {}
    assert await people.here(ROOM) == Here(frozenset({"anna"}), 2)


async def test_a_player_is_away_fifteen_seconds_after_the_last_stream_closed(clock: list[float]):
    told = Told()
    people = Presence(told.tell)
    visit = people.enter(ROOM, "anna", is_player=True)
    await people.turn()
    clock[0] += 60
    people.leave(visit)
    clock[0] += 14
    await people.turn()
    assert told[ROOM].players == {"anna"}
    clock[0] += 2
    await people.turn()
    assert told[ROOM] == NOBODY


async def test_a_player_who_comes_back_in_time_was_never_away(clock: list[float]):
    told = Told()
    people = Presence(told.tell)
    people.leave(people.enter(ROOM, "anna", is_player=True))
    await people.turn()
    told.clear()
    clock[0] += 10
    people.enter(ROOM, "anna", is_player=True)
    clock[0] += 30
    await people.turn()
    assert told == {}


async def test_a_vouched_stream_counts_only_while_its_page_gives_signs_of_life(clock: list[float]):
    told = Told()
    people = Presence(told.tell)
    people.enter(ROOM, "anna", is_player=True, is_vouched=True)
    for _ in range(3):
        clock[0] += 10
        people.beat(ROOM, "anna")
        await people.turn()
        assert told[ROOM].players == {"anna"}
    clock[0] += 16  # the phone is in a tunnel: nothing closed, nothing comes
    await people.turn()
    assert told[ROOM] == NOBODY
    people.beat(ROOM, "anna")
    await people.turn()
    assert told[ROOM].players == {"anna"}


async def test_a_viewer_who_leaves_is_not_counted(clock: list[float]):
    told = Told()
    people = Presence(told.tell)
    visits = [people.enter(ROOM, name, is_player=False) for name in "xyz"]
    await people.turn()
    people.leave(visits[0])
    await people.turn()
    assert told[ROOM].viewers == 2


def two_processes(database: Database) -> tuple[tuple[Presence, Told], tuple[Presence, Told]]:
    """Two processes, each telling the other whenever something changed."""
    one, two = Told(), Told()
    people: list[Presence] = []
    for number, told in enumerate((one, two)):

        def announce(topic: Topic, other: int = 1 - number) -> None:
            people[other].is_due(topic)

        people.append(Presence(told.tell, PresenceStore(database, f"process-{number}"), announce))
    return (people[0], one), (people[1], two)


async def test_processes_add_up_and_a_player_who_changes_process_stays(postgres: Database):
    (one, told), (two, other_told) = two_processes(postgres)
    visit = one.enter(ROOM, "anna", is_player=True)
    one.enter(ROOM, "x", is_player=False)
    two.enter(ROOM, "bert", is_player=True)
    two.enter(ROOM, "y", is_player=False)
    for people in (one, two, one):
        await people.turn()
    everybody = Here(frozenset({"anna", "bert"}), 2)
    assert told[ROOM] == other_told[ROOM] == everybody
    assert await one.here(ROOM) == await two.here(ROOM) == everybody
    two.enter(ROOM, "anna", is_player=True)
    one.leave(visit)
    for people in (one, two, one, two):
        await people.turn()
    assert told[ROOM] == other_told[ROOM] == everybody


async def test_nothing_is_written_while_nobody_comes_or_goes(postgres: Database):
    (one, _), _ = two_processes(postgres)
    one.enter(ROOM, "anna", is_player=True)
    await one.turn()
    writes: list[object] = []
    postgres.write = writes.append  # type: ignore[assignment,method-assign]
    for _ in range(5):
        one.beat(ROOM, "anna")
        await one.turn()
    assert writes == []


async def test_a_dead_process_takes_its_people_along(postgres: Database):
    (one, told), (two, _) = two_processes(postgres)
    one.enter(ROOM, "anna", is_player=True)
    two.enter(ROOM, "bert", is_player=True)
    for people in (one, two, one):
        await people.turn()
    assert told[ROOM].players == {"anna", "bert"}
    died = update(live_processes).where(live_processes.c.id == "process-1").values(until_ms=1)
    await postgres.write(lambda connection: connection.execute(died))
    await one._compare_all()  # what `run` does every five seconds
    await one.turn()
    assert told[ROOM].players == {"anna"}
    await one._compare_all()
    rows = select(func.count()).select_from(presence)
    left = await postgres.read(lambda connection: connection.execute(rows).scalar_one())
    assert left == 1  # swept with its process


async def test_a_process_that_was_given_up_says_everything_again(postgres: Database):
    (one, _), (two, other_told) = two_processes(postgres)
    one.enter(ROOM, "anna", is_player=True)
    for people in (one, two):
        await people.turn()
    died = update(live_processes).where(live_processes.c.id == "process-0").values(until_ms=1)
    await postgres.write(lambda connection: connection.execute(died))
    await two._compare_all()
    await two.turn()
    assert other_told[ROOM] == NOBODY
    await one._compare_all()
    await one.turn()
    await two.turn()
    assert other_told[ROOM].players == {"anna"}
