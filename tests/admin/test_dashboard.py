from __future__ import annotations

import re
from datetime import UTC, date, datetime
from functools import partial

import pytest
from sqlalchemy import func, insert, select
from sqlalchemy.exc import OperationalError

from app.admin.dashboard.counters import KEPT_MS, Counters, DailyCounter
from app.admin.dashboard.repository import ActiveNow, DayTraffic, HourTraffic, load_overview
from app.db.schema import game_days, games, traffic
from app.http.monitoring import RequestStats
from tests.sharing.games import acting

pytestmark = pytest.mark.anyio

DAY_MS = 86_400_000
NOON_MS = int(datetime(2026, 3, 10, 12, tzinfo=UTC).timestamp()) * 1000
GAME = {"revision": 1, "deal_version": 1, "kind": "open", "code": "X", "version": 1}


async def anna(site) -> str:
    player, _ = await site.state.services.sessions.new_guest()
    found: str = player.id
    return found


async def dealt(site, owner, begun_ms, ended_ms=None, status="playing", *, ruleset="bristol"):
    """Insert a game as if it had been played at that time."""

    def add(connection):
        number = connection.scalar(select(func.count()).select_from(games))
        row = {"id": f"g{number}", "owner_id": owner, "ruleset": ruleset, "status": status}
        times = {"started_ms": begun_ms, "updated_ms": ended_ms or begun_ms}
        connection.execute(insert(games), GAME | row | times)

    await site.state.services.database.write(add)


async def overview(site, now_ms: int = NOON_MS):
    return await site.state.services.database.read(
        lambda connection: load_overview(connection, date(2026, 1, 1), now_ms)
    )


async def counted(site, *now_ms: int):
    for at_ms in now_ms:
        await DailyCounter(site.state.services.database, partial(int, at_ms)).run()
    found = (await overview(site)).games
    return {day: {name: tuple(sums) for name, sums in own.items()} for day, own in found.items()}


async def test_games_are_counted_by_the_day_they_started_and_ended_on(site):
    one, two = await anna(site), await anna(site)
    yesterday = NOON_MS - DAY_MS
    await dealt(site, one, yesterday, NOON_MS - 1, "won")
    await dealt(site, one, yesterday, yesterday + 5, "lost", ruleset="signora")
    await dealt(site, one, yesterday)
    await dealt(site, two, NOON_MS - 5, NOON_MS, "resigned")
    await dealt(site, two, NOON_MS - 3 * DAY_MS)
    assert await counted(site, NOON_MS) == {
        "2026-03-07": {"": (1, 0, 0, 1), "bristol": (1, 0, 0, 0)},
        "2026-03-08": {"": (0, 0, 0, 0)},
        "2026-03-09": {"": (3, 1, 0, 1), "bristol": (2, 0, 0, 0), "signora": (1, 1, 0, 0)},
        "2026-03-10": {"": (1, 2, 1, 2), "bristol": (1, 2, 1, 0)},
    }


async def test_today_is_counted_again_and_a_day_that_is_over_only_once_more(site):
    one = await anna(site)
    await dealt(site, one, NOON_MS)
    assert (await counted(site, NOON_MS))["2026-03-10"][""] == (1, 0, 0, 1)
    await dealt(site, one, NOON_MS + 1)
    assert (await counted(site, NOON_MS + 2))["2026-03-10"][""] == (2, 0, 0, 1)
    await dealt(site, one, NOON_MS + 3)
    assert (await counted(site, NOON_MS + DAY_MS))["2026-03-10"][""] == (3, 0, 0, 1)
    await dealt(site, one, NOON_MS + 4)  # as if a clock had been wrong
    assert (await counted(site, NOON_MS + DAY_MS + 1))["2026-03-10"][""] == (3, 0, 0, 1)


async def test_midnight_belongs_to_the_day_that_begins(site):
    midnight = NOON_MS // DAY_MS * DAY_MS
    await dealt(site, await anna(site), midnight - 1)
    await dealt(site, await anna(site), midnight)
    found = await counted(site, NOON_MS)
    assert [own[""][0] for own in found.values()] == [1, 1]


async def test_an_old_site_is_counted_a_few_hundred_days_at_a_time(site):
    await dealt(site, await anna(site), NOON_MS - 600 * DAY_MS)
    days = DailyCounter(site.state.services.database, lambda: NOON_MS)
    query = select(func.count()).select_from(game_days).where(game_days.c.ruleset == "")
    for expected in (400, 601, 601):
        await days.run()
        assert await site.state.services.database.read(lambda c: c.scalar(query)) == expected


async def test_active_games_had_a_move_within_minutes(site):
    one, two = await anna(site), await anna(site)
    await dealt(site, one, NOON_MS - 3_600_000, NOON_MS - 299_000)
    await dealt(site, one, NOON_MS - 3_600_000, NOON_MS - 1000, "won")
    await dealt(site, two, NOON_MS - 3_600_000, NOON_MS - 301_000)
    assert (await overview(site)).active == ActiveNow(2, 1)


async def test_processes_add_to_the_same_counters(site):
    def process(seconds: float, status: int, name: str) -> Counters:
        stats = RequestStats(lambda: NOON_MS / 1000)
        stats.record("GET", "/", 200, seconds, name)
        stats.record("GET", "/", status, 0.001, f"{name}-fault")
        return Counters(site.state.services.database, lambda: NOON_MS, stats)

    first, second = process(0.25, 500, "first"), process(0.5, 200, "second")
    first.count_accepted()
    second.count_accepted()
    for sums in (first, second, first):
        await sums.flush()
    found = await overview(site, NOON_MS + 60_000)
    assert found.traffic == {"2026-03-10": DayTraffic(4, 1, 2, 0, 0)}
    assert found.hours == {NOON_MS: HourTraffic(4, 1)}
    (line,) = found.slowest
    assert (line.route, line.requests, line.faults) == ("GET /", 4, 1)
    assert (line.slowest_ms, line.slowest_id, line.fault_id) == (500.0, "second", "first-fault")
    assert line.mean_ms == pytest.approx(188.0)
    assert found.failing == found.slowest


async def test_accepted_refused_and_late_actions_are_counted(site):
    play, sums = site.state.services.games, site.state.services.admin.counters
    one = await anna(site)
    game = await acting(play, await play.start(one, "bristol", None), "deal", "undo")
    await play.act(game.id, one, 2, "f1-t1")
    await play.act(game.id, one, 1, "deal")
    await sums.flush()
    (counted,) = (await overview(site, site.state.services.clock())).traffic.values()
    assert counted[2:] == (2, 1, 1)


async def test_old_counters_are_deleted(site):
    for at_ms in range(NOON_MS - KEPT_MS - 7_200_000, NOON_MS - KEPT_MS + 1_200_000, 600_000):
        stats = RequestStats(partial(float, at_ms / 1000))
        stats.record("GET", "/", 200, 0.1, "a")
        await Counters(site.state.services.database, lambda: NOON_MS, stats).flush()
    await Counters(site.state.services.database, lambda: NOON_MS, RequestStats()).delete_old()
    query = select(traffic.c.minute_ms).order_by(traffic.c.minute_ms)
    left = await site.state.services.database.read(
        lambda connection: list(connection.scalars(query))
    )
    assert left == [NOON_MS - KEPT_MS, NOON_MS - KEPT_MS + 600_000]


async def test_the_overview_has_a_table_for_every_chart(site, vera, browsers):
    play = site.state.services.games
    one = await anna(site)
    game = await acting(play, await play.start(one, "bristol", None), "deal")
    await play.act(game.id, one, 1, "f1-t1")
    await acting(play, game, "resign")
    await site.state.services.admin.daily_counter.run()
    await vera.get("/admin/games")
    await site.state.services.admin.counters.flush()
    answer = await vera.get("/admin/overview")
    assert answer.status_code == 200
    assert "no-store" in answer.headers["cache-control"]
    page = answer.text
    assert page.count("<svg role=") == page.count("<details>") == 8
    assert "style=" not in page
    today = datetime.fromtimestamp(site.state.services.clock() / 1000, UTC).date().isoformat()
    assert f"<title>{today}: 1 games</title>" in page
    assert f"<title>{today}: 1 not won</title>" in page
    assert f"<title>{today}: 33.3% of all moves</title>" in page
    assert "<code>GET /admin/games</code>" in page
    assert "None in the last 24 hours." in page
    for days, places in ((90, 90), (365, 365), (7, 30)):
        shown = (await vera.get(f"/admin/overview?days={days}")).text
        assert set(re.findall(r'viewBox="0 0 (\d+) 100"', shown)) == {str(places * 10), "240"}
    guest = await browsers.visitor()
    assert (await guest.get("/admin/overview")).status_code == 404


async def test_counts_that_could_not_be_written_are_added_later(site, monkeypatch):
    database = site.state.services.database
    stats = RequestStats(lambda: NOON_MS / 1000)
    sums = Counters(database, lambda: NOON_MS, stats)
    write = database.write

    async def fail(_work):
        raise OperationalError("", {}, Exception("the disk is full"))

    for _ in range(2):
        stats.record("GET", "/", 200, 0.1, "a")
        sums.count_accepted()
        monkeypatch.setattr(database, "write", fail)
        with pytest.raises(OperationalError):
            await sums.flush()
    monkeypatch.setattr(database, "write", write)
    for _ in range(2):
        await sums.flush()
    assert (await overview(site)).traffic == {"2026-03-10": DayTraffic(2, 0, 2, 0, 0)}
