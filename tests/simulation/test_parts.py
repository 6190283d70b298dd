from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Connection, insert, text

from app.db.schema import players
from app.engine import shuffle
from app.engine.cards import fresh_deck
from app.pubsub.messages import VERSION, Message
from app.pubsub.topics import Topic
from simulation.boards import Logged, play
from simulation.chaos import Chaos
from simulation.deals import solved_deals
from simulation.invariants import check_game
from simulation.ledger import Acknowledged, Ledger
from simulation.loop import OWNER, StuckError, VirtualLoop
from simulation.storage import open_database
from simulation.trace import Trace, Violation
from simulation.twins import install, numbers_for
from simulation.wire import VirtualNotifier, Wire
from simulation.world import World


def calm() -> Chaos:
    chaos = Chaos(Random(1))
    chaos.calm()
    return chaos


@pytest.fixture
def loop():
    loop = VirtualLoop(Random(1), calm())
    yield loop
    loop.close()


class Process:
    is_dead = False


def test_time_jumps_to_the_next_timer(loop: VirtualLoop):
    async def sleep() -> list[float]:
        moments = []
        for seconds in (3600, 0, 0.5):
            await asyncio.sleep(seconds)
            moments.append(loop.time())
        return moments

    assert loop.run_until_complete(sleep()) == [3600, 3600, 3600.5]


@pytest.mark.parametrize(
    ("log", "steps"),
    [
        ([], 0),
        (["deal", "t1-f1"], 2),
        (["deal", "t1-f1", "undo"], 1),
        (["deal", "t2-f1"], None),
        (["deal", "t2-f1", "undo", "t1-f1"], 2),
    ],
)
def test_a_line_is_followed_in_spite_of_moves_taken_back(
    log: list[str], steps: int | None, tmp_path: Path
):
    world = World(1, tmp_path)
    with closing(sqlite3.connect(world.path)) as connection, connection:
        connection.execute("CREATE TABLE events (game_id, seq, action)")
        rows = [("g", seq, action) for seq, action in enumerate(log, 1)]
        connection.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
    world.loop.close()
    assert world.progress("g", ("deal", "t1-f1", "t2-f2")) == steps


def test_a_run_in_which_nothing_can_happen_any_more_ends(loop: VirtualLoop):
    with pytest.raises(StuckError):
        loop.run_until_complete(loop.create_future())


def test_nothing_of_a_dead_process_runs(loop: VirtualLoop):
    process, done = Process(), []

    async def work() -> None:
        await asyncio.sleep(1)
        done.append("slept")

    async def watch() -> None:
        token = OWNER.set(process)
        task = loop.create_task(work())
        OWNER.reset(token)
        await asyncio.sleep(0.5)
        process.is_dead = True
        await asyncio.sleep(10)
        assert not task.done()
        task._log_destroy_pending = False  # type: ignore[attr-defined]

    loop.run_until_complete(watch())
    assert not done


def test_work_for_threads_takes_time_and_its_errors_reach_the_caller(loop: VirtualLoop):
    async def run() -> float:
        assert await loop.run_in_executor(None, int, "7") == 7
        with pytest.raises(ValueError, match="invalid literal"):
            await loop.run_in_executor(None, int, "x")
        return loop.time()

    assert 0 < loop.run_until_complete(run()) < 1


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_crash_leaves_a_commit_whole_or_not_at_all(
    moment: str, migrated_file: Path, tmp_path: Path, loop: VirtualLoop
):
    path = tmp_path / "site.db"
    path.write_bytes(migrated_file.read_bytes())
    chaos = Chaos(Random(1))
    died: list[str] = []
    chaos.crash_before = float(moment == "before")
    chaos.crash_after = float(moment == "after")
    database = open_database(path, chaos, died.append)

    def work(connection: Connection) -> None:
        connection.execute(insert(players).values(id="anna", name="Anna", created_ms=0))

    async def write() -> None:
        async with asyncio.timeout(60):
            await database.write(work)

    if moment == "before":
        with pytest.raises(TimeoutError):
            loop.run_until_complete(write())
    else:
        loop.run_until_complete(write())  # outside a process its answer still arrives
    assert died == [f"{moment} a commit"]
    with database.engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM players")) == int(moment == "after")


@pytest.mark.parametrize(("drop", "double", "expected"), [(1.0, 0, 0), (0, 0, 1), (0, 1.0, 2)])
def test_the_wire_drops_and_doubles(drop: float, double: float, expected: int, loop: VirtualLoop):
    chaos = Chaos(Random(1))
    chaos.drop, chaos.double = drop, double
    heard: list[Message] = []
    message, unfollowed = (Message(Topic("table", name), VERSION, 3) for name in "ab")

    async def talk() -> None:
        wire = Wire(chaos)
        sender = VirtualNotifier(wire, lambda _message: None, lambda: None)
        receiver = VirtualNotifier(wire, heard.append, lambda: None)
        sender.start()
        receiver.start()
        await receiver.follow([message.topic])
        sender.send(message)
        sender.send(unfollowed)
        await asyncio.sleep(100)

    loop.run_until_complete(talk())
    assert heard == [message] * expected


def test_a_trace_hashes_what_was_sent():
    one, other = Trace(), Trace()
    one.note(1.0, "an answer", b"7H")
    other.note(1.0, "an answer", b"8H")
    assert one.lines == other.lines
    assert one.digest != other.digest


def test_the_deals_can_be_won():
    for deal in solved_deals()[:5]:
        log = [Logged(action, 1000 * at) for at, action in enumerate(deal.actions)]
        run = play(deal.ruleset, 1, deal.seed, 0, log, 10**9)
        assert run.is_won
        assert (run.actions, run.seconds, run.home) == (len(log), len(log) - 1, 52)
        assert not play(deal.ruleset, 1, deal.seed, 0, log, 5000).is_won


def test_a_deck_can_be_shuffled_on_purpose(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shuffle, "_numbers", shuffle._numbers)
    deck = list(reversed(fresh_deck(2)))
    install({bytes(32): tuple(numbers_for(deck, 2))})
    assert list(shuffle.deck_of_seed(bytes(32), 2)) == deck
    assert list(shuffle.deck_of_seed(bytes([1]) * 32, 2)) != deck


@pytest.mark.parametrize(
    ("version", "log", "invariant"),
    [
        (2, [(1, "deal", "anna", "k"), (2, "undo", "anna", None)], ""),
        (3, [(1, "deal", "anna", "k"), (2, "undo", "anna", None)], "versions without gaps"),
        (2, [(1, "deal", "anna", "k"), (3, "undo", "anna", None)], "versions without gaps"),
        (1, [(1, "deal", "anna", "k")], "each acknowledged action is kept"),
        (
            2,
            [(1, "deal", "anna", "k"), (2, "undo", "ben", None)],
            "each acknowledged action is kept",
        ),
        (
            2,
            [(1, "deal", "anna", "k"), (2, "undo", "anna", "k")],
            "each acknowledged action is kept",
        ),
    ],
)
def test_a_log_is_compared_with_what_was_acknowledged(
    version: int, log: list[tuple[int, str, str, str | None]], invariant: str
):
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        "CREATE TABLE games (id, version); CREATE TABLE events (game_id, seq, action, actor_id, key)"
    )
    connection.execute("INSERT INTO games VALUES ('g', ?)", (version,))
    connection.executemany("INSERT INTO events VALUES ('g', ?, ?, ?, ?)", log)
    ledger = Ledger()
    ledger.acknowledge("g", 1, Acknowledged("deal", "k", "anna"), "first")
    ledger.acknowledge("g", 2, Acknowledged("undo", None, "anna"))
    if not invariant:
        check_game(connection, ledger, "g")
        return
    with pytest.raises(Violation) as caught:
        check_game(connection, ledger, "g")
    assert caught.value.invariant == invariant
    connection.close()


def test_one_key_has_one_answer_and_one_player_one_attempt():
    ledger = Ledger()
    ledger.acknowledge("g", 1, Acknowledged("deal", "k", "anna"), "first")
    with pytest.raises(Violation, match="first answer"):
        ledger.acknowledge("g", 1, Acknowledged("deal", "k", "anna"), "second")
    ledger.start("anna", "2026-03-10", "bristol", "g")
    with pytest.raises(Violation, match="one ranked attempt"):
        ledger.start("anna", "2026-03-10", "bristol", "h")
