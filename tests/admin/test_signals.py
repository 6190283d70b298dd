from __future__ import annotations

import random
from itertools import accumulate, pairwise

import pytest
from sqlalchemy import insert, select, update

from app.admin.game_log.filters import Flag, parse_filter
from app.admin.game_log.repository import find_page
from app.admin.integrity.access_records import START, device_hash
from app.admin.integrity.scanner import SignalScanner, find_signals
from app.admin.integrity.signals import (
    Signal,
    TimedGame,
    find_timing_signals,
    from_flags,
    to_flags,
    without_finish,
)
from app.clock import DAY_MS, month_of, now_ms
from app.db.schema import (
    daily_attempts,
    daily_deals,
    events,
    games,
    origins,
    players,
    sightings,
)
from app.games.game_row import GameRow
from app.games.model import Kind, Status
from app.games.moments import GameEvent
from app.games.repository import add_game
from app.jobs.scheduler import Scheduler
from tests.support.archives import TakenMonth
from tests.support.serving import id_of

pytestmark = pytest.mark.anyio

BEGAN = 1_760_000_000_000
DAY = "2025-10-09"


def _event(action, at_ms):
    return GameEvent(action=action, at_ms=at_ms, actor_id="p", key=None)


def played(gaps, action="t1-t2", status=Status.WON, tail=0):
    """A game with these gaps between moves, and then some moves to the foundations in no time."""
    times = [BEGAN + gap for gap in accumulate(gaps)]
    entries = [_event(action, at) for at in times]
    entries += [_event("t1-f1", times[-1] + 1) for _ in range(tail)]
    return TimedGame(BEGAN, status, entries)


def human(count=60, seed=7):
    """Gaps as people have them: seconds, sometimes many."""
    chance = random.Random(seed)
    return [int(chance.lognormvariate(7.4, 0.7)) for _ in range(count)]


def kinds(game):
    return [finding.signal for finding in find_timing_signals(game)]


def test_human_play_has_no_signals():
    for seed in range(50):
        assert kinds(played(human(seed=seed))) == []


def test_short_gaps_are_found_with_their_numbers():
    [finding] = find_timing_signals(played([120] * 20 + [300] * 20 + [9000] * 10))
    assert finding.signal is Signal.SHORT_GAPS
    assert "40 of 50 moves came within 0.35 s" in finding.text
    assert "half within 0.30 s" in finding.text


def test_a_program_that_waits_has_even_gaps():
    gaps = [1000 + n % 7 * 20 for n in range(50)]
    [finding] = find_timing_signals(played(gaps))
    assert finding.signal is Signal.EVEN_GAPS
    assert "vary by 4%" in finding.text


def test_one_long_pause_does_not_hide_even_gaps():
    assert Signal.EVEN_GAPS in kinds(played([1000] * 40 + [600_000]))


def test_only_a_win_in_too_little_time_is_found():
    gaps = [200, 500] * 25
    assert Signal.LITTLE_TIME in kinds(played(gaps))
    assert Signal.LITTLE_TIME not in kinds(played(gaps, status=Status.RESIGNED))
    assert Signal.LITTLE_TIME not in kinds(played([*gaps, 60_000]))


@pytest.mark.parametrize("action", ["deal", "undo", "redo"])
def test_gaps_of_repeated_actions_do_not_count(action):
    slow = played(human(40)).events
    fast = [_event(action, slow[-1].at_ms + n * 50) for n in range(1, 60)]
    assert kinds(TimedGame(BEGAN, Status.RESIGNED, [*slow, *fast])) == []


def test_the_last_moves_to_the_foundations_do_not_count():
    game = played(human(60), tail=40)
    assert len(without_finish(game.events)) == 60
    assert kinds(game) == []


def test_deals_between_the_last_moves_to_the_foundations_do_not_count_either():
    slow = played(human(60)).events
    at_ms = slow[-1].at_ms
    words = ["deal", "waste-f1"] * 20
    fast = [_event(word, at_ms + n * 5) for n, word in enumerate(words, start=1)]
    assert kinds(TimedGame(BEGAN, Status.WON, [*slow, *fast])) == []


def test_a_short_game_has_no_signals():
    assert kinds(played([10] * 29)) == []


def test_signals_survive_their_flags():
    every = [pair[0] for pair in pairwise([*Signal, None])]
    assert from_flags(sum(signal.bit for signal in every)) == every
    assert len({signal.bit for signal in Signal}) == len(Signal)
    assert to_flags([]) == 0


# --- in the database


@pytest.fixture(autouse=True)
def _no_other_scanner(monkeypatch):
    """Without this, the scanner of the site itself would run too."""
    monkeypatch.setattr(Scheduler, "start", lambda _self: None)


@pytest.fixture
async def database(site):
    names = [{"id": f"p{n}", "name": f"Player {n}", "created_ms": 0} for n in range(6)]
    await site.state.services.database.write(lambda c: c.execute(insert(players), names))
    return site.state.services.database


@pytest.fixture
def scanner(database):
    return SignalScanner(database, now_ms)


async def store(
    database, game_id, gaps, *, owner="p1", ended_ms=None, kind=Kind.OPEN, word="t1-t2"
):
    """A game in the database that ended long ago."""
    ended_ms = ended_ms or BEGAN + sum(gaps)
    started_ms = ended_ms - sum(gaps)
    times = [started_ms + gap for gap in accumulate(gaps)]
    row = GameRow(
        id=game_id,
        ruleset="bristol",
        revision=1,
        deal_version=1,
        kind=kind,
        code="7KQ4M-2XWTP" if kind is Kind.OPEN else None,
        seed=None if kind is Kind.OPEN else b"s" * 32,
        owner_id=owner,
        started_ms=started_ms,
        updated_ms=ended_ms,
        version=len(gaps),
        status=Status.WON,
    )
    log = [
        {
            "game_id": game_id,
            "seq": n,
            "action": word,
            "actor_id": owner,
            "at_ms": at,
            "month": month_of(started_ms),
        }
        for n, at in enumerate(times, start=1)
    ]

    def write(connection):
        add_game(connection, row)
        connection.execute(insert(events), log)

    await database.write(write)


async def flags(database):
    query = select(games.c.id, games.c.flags).order_by(games.c.id)
    rows = await database.read(lambda c: c.execute(query).all())
    return {row.id: from_flags(row.flags) for row in rows}


async def scan(scanner):
    await scanner.run()


async def test_ended_games_are_scanned_once_and_flagged(database, scanner):
    await store(database, "even", [1000] * 40)
    await store(database, "human", human(), owner="p2", word="t2-t3")
    await scan(scanner)
    assert await flags(database) == {"even": [Signal.EVEN_GAPS], "human": []}
    await store(database, "later", [1000] * 40, ended_ms=BEGAN + 10**7, word="t3-t4")
    await scan(scanner)
    assert (await flags(database))["later"] == [Signal.EVEN_GAPS]


async def test_a_duplicate_is_found_in_the_later_game_only(database, scanner):
    await store(database, "first", human(seed=1), ended_ms=BEGAN)
    await store(database, "second", human(seed=2), owner="p2", ended_ms=BEGAN + 5)
    await store(database, "own", human(seed=3), owner="p1", ended_ms=BEGAN + 9, word="t5-t6")
    await store(database, "again", human(seed=4), owner="p1", ended_ms=BEGAN + 12, word="t5-t6")
    await scan(scanner)
    found = await flags(database)
    assert found == {"again": [], "first": [], "own": [], "second": [Signal.DUPLICATE_GAME]}
    [finding] = await database.read(lambda c: find_signals(c, "second"))
    assert "game first by Player 1" in finding.text


async def test_forks_have_no_signals(database, scanner):
    await store(database, "first", human(seed=1), ended_ms=BEGAN)
    await store(database, "fork", [1000] * 60, owner="p2", ended_ms=BEGAN + 5)
    fork = {"game_id": "fork", "forked_from": "first", "forked_at": 50}
    await database.write(lambda c: c.execute(insert(origins), fork))
    await scan(scanner)
    assert await flags(database) == {"first": [], "fork": []}
    assert await database.read(lambda c: find_signals(c, "fork")) == []


async def test_a_game_that_ended_a_moment_ago_is_scanned_later(database, scanner):
    await store(database, "fresh", [1000] * 40, ended_ms=now_ms() - 2_000)
    await scan(scanner)
    assert await flags(database) == {"fresh": []}
    later = SignalScanner(database, lambda: now_ms() + 20_000)
    await scan(later)
    assert await flags(database) == {"fresh": [Signal.EVEN_GAPS]}


async def test_games_of_an_archived_month_keep_no_other_from_being_scanned(database, scanner):
    await store(database, "gone", [1000] * 40)
    await TakenMonth(database, BEGAN).take_out()
    await store(database, "here", [1000] * 40, ended_ms=BEGAN + 40 * DAY_MS)
    await scan(scanner)
    assert await flags(database) == {"gone": [], "here": [Signal.EVEN_GAPS]}


async def test_one_process_scans_and_another_takes_over(database, scanner):
    await store(database, "a", [1000] * 40)
    await scan(scanner)
    await store(database, "b", [1000] * 40, ended_ms=BEGAN + 10**7, word="t3-t4")
    other = SignalScanner(database, now_ms)
    await scan(other)
    assert (await flags(database))["b"] == []
    much_later = SignalScanner(database, lambda: now_ms() + 600_000)
    await scan(much_later)
    assert (await flags(database))["b"] == [Signal.EVEN_GAPS]


async def test_games_that_ended_at_the_same_moment_are_all_scanned(database, scanner, monkeypatch):
    monkeypatch.setattr("app.admin.integrity.scanner._BATCH_SIZE", 3)
    monkeypatch.setattr("app.admin.integrity.scanner._PAUSE_SECONDS", 0)
    for n in range(10):
        await store(database, f"g{n}", [1000] * 40, ended_ms=BEGAN, word=f"t{n}-t10")
    await scan(scanner)
    assert all(found == [Signal.EVEN_GAPS] for found in (await flags(database)).values())


async def daily(database, game_id, owner, address, client="Firefox on Linux"):
    """An attempt at a daily deal, started on some device."""
    await store(database, game_id, human(seed=int(owner[1:])), owner=owner, kind=Kind.DAILY)

    def write(connection):
        if connection.execute(select(daily_deals.c.day)).first() is None:
            deal = {"day": DAY, "ruleset": "bristol", "revision": 1, "seed": b"s" * 32}
            connection.execute(insert(daily_deals), {**deal, "commitment": "", "created_ms": 0})
        attempt = {"game_id": game_id, "day": DAY, "ruleset": "bristol", "player_id": owner}
        attempt |= {"started_ms": 0, "listed": True, "verdict": "solved", "checked": False}
        connection.execute(insert(daily_attempts), attempt)
        place = device_hash(BEGAN, address, client)
        sight = {
            "game_id": game_id,
            "what": START,
            "client": client,
            "place": place,
            "at_ms": BEGAN,
        }
        connection.execute(insert(sightings), sight)

    await database.write(write)


async def test_attempts_from_one_device_are_all_flagged(database, scanner):
    for n in range(3):
        await daily(database, f"same{n}", f"p{n}", "192.0.2.7")
    await daily(database, "elsewhere", "p3", "192.0.2.8")
    await daily(database, "other", "p4", "192.0.2.7", client="Chrome on Windows")
    await scan(scanner)
    found = await flags(database)
    assert {game for game, signals in found.items() if Signal.SAME_DEVICE in signals} == {
        "same0",
        "same1",
        "same2",
    }
    text = (await database.read(lambda c: find_signals(c, "same0")))[-1].text
    assert "2 other players" in text
    assert "same1, same2" in text


async def test_two_attempts_from_one_household_are_not_flagged(database, scanner):
    await daily(database, "a", "p1", "192.0.2.7")
    await daily(database, "b", "p2", "192.0.2.7")
    await scan(scanner)
    assert all(Signal.SAME_DEVICE not in signals for signals in (await flags(database)).values())


async def from_network(database, game_id, network, *, unconfirmed=None, verdict="solved"):
    """Give an attempt a network, and an end a minute after its start."""
    values = {"network": network, "unconfirmed": unconfirmed, "verdict": verdict}
    values["ended_ms"] = 60_000
    given = update(daily_attempts).where(daily_attempts.c.game_id == game_id).values(**values)
    await database.write(lambda c: c.execute(given))


async def flagged_by_network(database) -> set[str]:
    return {
        game for game, signals in (await flags(database)).items() if Signal.SAME_NETWORK in signals
    }


@pytest.mark.parametrize(("number", "is_flagged"), [(8, False), (9, True)])
async def test_many_attempts_from_one_network_are_all_flagged(
    database, scanner, number, is_flagged
):
    with database.engine.begin() as connection:
        rows = [{"id": f"p{n}", "name": f"P {n}", "created_ms": 0} for n in range(6, 12)]
        connection.execute(insert(players), rows)
    names = [f"p{n}" for n in range(1, number + 1)]
    for name in names:  # each with another browser
        await daily(database, f"of-{name}", name, "2001:db8::1", client=name)
        await from_network(database, f"of-{name}", b"n")
    await daily(database, "elsewhere", "p11", "192.0.2.7")
    await from_network(database, "elsewhere", b"m")
    await scan(scanner)
    expected = {f"of-{name}" for name in names} if is_flagged else set()
    assert await flagged_by_network(database) == expected


@pytest.mark.parametrize(
    ("scout", "is_flagged"),
    [
        ({"unconfirmed": "guest", "verdict": "unsolved"}, True),
        ({"unconfirmed": "new_name", "verdict": "open"}, True),
        ({"unconfirmed": "guest", "verdict": "solved"}, False),
        ({"unconfirmed": None, "verdict": "unsolved"}, False),
    ],
)
async def test_one_guest_who_gave_up_in_the_same_network_is_a_signal(
    database, scanner, scout, is_flagged
):
    await daily(database, "guests", "p1", "192.0.2.7", client="another browser")
    await from_network(database, "guests", b"n", **scout)
    await daily(database, "winners", "p2", "192.0.2.7")
    await from_network(database, "winners", b"n")
    await scan(scanner)
    assert await flagged_by_network(database) == ({"winners"} if is_flagged else set())
    found = await database.read(lambda c: find_signals(c, "winners"))
    text = " ".join(each.text for each in found if each.signal is Signal.SAME_NETWORK)
    assert ("1 guest or new name started" in text) is is_flagged
    assert ("A family" in text) is is_flagged


async def test_games_are_filtered_by_flag(database, vera):
    await store(database, "even", [1000] * 40)
    await store(database, "plain", human(), word="t2-t3")
    await store(database, "twin", human(), word="t3-t4", ended_ms=BEGAN + 10**7)
    for game_id, signals in (
        ("even", Signal.EVEN_GAPS.bit),
        ("twin", Signal.DUPLICATE_GAME.bit | Signal.EVEN_GAPS.bit),
    ):
        flagged = update(games).where(games.c.id == game_id).values(flags=signals)
        await database.write(lambda c, flagged=flagged: c.execute(flagged))

    async def found(query):
        criteria = parse_filter(dict(part.split("=") for part in query.split("&")))
        page = await database.read(lambda c: find_page(c, criteria, None, 50))
        assert f"?{query}" == criteria.to_query()
        return [game.id for game in page.games]

    assert await found("flag=any") == ["twin", "even"]
    assert await found("flag=even") == ["twin", "even"]
    assert await found("flag=twin") == ["twin"]
    assert await found("flag=device") == []
    assert await found("flag=any&sort=length") == ["twin", "even"]
    assert await found("q=p1&flag=twin") == ["twin"]
    page = (await vera.get("/admin/games?flag=twin")).text
    assert "even gaps, same moves" in page
    assert "/admin/games/plain" not in page
    assert (await vera.get("/admin/games?flag=guilty")).status_code == 422


async def test_games_can_be_filtered_by_every_signal(database, vera):
    assert set(Flag) == {"any", *Signal}
    await store(database, "plain", human(), word="t2-t3")
    flagged = update(games).where(games.c.id == "plain")
    for signal in Signal:
        await database.write(lambda c, bit=signal.bit: c.execute(flagged.values(flags=bit)))
        for flag in Signal:
            answer = await vera.get("/admin/games", params={"flag": flag})
            assert answer.status_code == 200
            assert ("/admin/games/plain" in answer.text) is (flag is signal)


async def test_only_staff_pages_show_signals(browsers, database, scanner, vera):
    await store(database, "even", [1000] * 40, word="t1-t2")
    paul = await browsers.player("Paul")
    paul_id = await id_of(paul)
    given = update(games).where(games.c.id == "even").values(owner_id=paul_id)
    await database.write(lambda c: c.execute(given))
    await scan(scanner)
    game = (await vera.get("/admin/games/even")).text
    assert "vary by 0%" in game
    assert "Signals prove nothing." in game
    assert "even gaps" in (await vera.get(f"/admin/players/{paul_id}")).text
    for path in ("/me", "/me/export", "/players/Paul", "/api/v1/players/Paul"):
        answer = await paul.get(path)
        assert answer.status_code == 200
        for word in ("flags", "even gaps", "signal", "verdict"):
            assert word not in answer.text.lower()
