from __future__ import annotations

import asyncio
from functools import partial

import pytest
from sqlalchemy import select

from app.admin.integrity.access_records import device_hash
from app.admin.retention import Retention
from app.clock import day_of, now_ms
from app.db.schema import sightings
from tests.support.serving import visiting
from tests.support.streams import listening

pytestmark = pytest.mark.anyio

TODAY = day_of(now_ms()).isoformat()
FIREFOX = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}
PHONE = {"User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari"}


async def flushed_records(site):
    """All access records so far."""
    await site.state.services.admin.access_records.flush()
    query = select(sightings).order_by(sightings.c.seq)
    return await site.state.services.database.read(lambda c: c.execute(query).all())


@pytest.fixture
async def paul(site):
    async with visiting(site, headers=FIREFOX) as client:
        yield client


async def test_the_device_that_starts_a_game_is_recorded_on_every_way_to_start(site, paul):
    begun = [
        await paul.post("/play", data={"ruleset": "bristol"}),
        await paul.post("/api/v1/games", json={"ruleset": "signora"}),
        await paul.post("/daily/bristol/play"),
        await paul.post(f"/api/v1/daily/{TODAY}/terrace/attempt"),
    ]
    ids = [answer.headers["location"].rpartition("/")[2] for answer in begun]
    rows = await flushed_records(site)
    assert [(row.game_id, row.what, row.client) for row in rows] == [
        (game_id, "start", "Firefox on Linux") for game_id in ids
    ]


async def test_returning_to_an_attempt_does_not_start_it_again(site, paul):
    for _ in range(2):
        assert (await paul.post("/daily/bristol/play", headers=FIREFOX)).status_code == 303
        site.state.services.admin.access_records._recent.clear()
        rows = await flushed_records(site)
    assert [row.what for row in rows] == ["start"]


async def test_moves_leave_no_access_record(site, paul):
    start = await paul.post("/api/v1/games", json={"ruleset": "bristol"})
    game = start.json()["id"]
    before = len(await flushed_records(site))
    await paul.post(f"/games/{game}/deal", data={"version": 0})
    await paul.post(f"/games/{game}/undo", data={"version": 1})
    await paul.post(f"/api/v1/games/{game}/moves", json={"version": 2, "move": "deal"})
    assert len(await flushed_records(site)) == before
    assert not site.state.services.admin.access_records._buffer


async def test_pages_that_connect_are_in_the_timeline_between_the_moves(site, paul, vera):
    answer = await paul.post("/api/v1/games", json={"ruleset": "bristol"})
    game = answer.json()["id"]
    await listen(site, paul, game)
    await a_moment_later()
    await paul.post(f"/api/v1/games/{game}/moves", json={"version": 0, "move": "deal"})
    await a_moment_later()
    await listen(site, paul, game, PHONE)
    await flushed_records(site)
    page = (await vera.get(f"/admin/games/{game}")).text
    timeline = page.partition("<tbody>")[2].partition("</tbody>")[0]
    places = [
        timeline.index(word)
        for word in (
            '"start"',
            '"started"',
            '"page opened"',
            "<code>deal</code>",
            "Safari on iPhone",
        )
    ]
    assert places == sorted(places)
    assert "<dt>Started on</dt>" in page
    log = (await vera.get(f"/admin/games/{game}/log.jsonl")).text
    assert "Firefox" not in log


async def test_other_viewers_are_not_recorded(site, paul, vera):
    answer = await paul.post("/api/v1/games", json={"ruleset": "bristol"})
    game = answer.json()["id"]
    async with visiting(site, headers=PHONE) as other:
        await other.post("/api/v1/games", json={"ruleset": "bristol"})
        await listen(site, other, game, PHONE)
    assert {row.client for row in await flushed_records(site) if row.game_id == game} == {
        "Firefox on Linux"
    }


async def test_a_reconnect_differs_from_opening_the_page(site, paul, vera):
    answer = await paul.post("/api/v1/games", json={"ruleset": "bristol"})
    game = answer.json()["id"]
    await listen(site, paul, game)
    await listen(site, paul, game, last_event_id="0")
    assert [row.what for row in await flushed_records(site)] == ["start", "connect", "reconnect"]
    assert "reconnected" in (await vera.get(f"/admin/games/{game}")).text


async def test_players_of_a_shared_table_are_recorded_by_name(site, paul, vera, browsers):
    game = (await paul.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    invitation = (await paul.post(f"/api/v1/games/{game}/together")).json()["invitation"]
    rosa = await browsers.player("Rosa")
    assert (await rosa.post(f"/api/v1{invitation}")).status_code == 200
    await listen(site, rosa, game, PHONE)
    await flushed_records(site)
    page = (await vera.get(f"/admin/games/{game}")).text
    opened = page.partition('data-what="page opened"')[2].partition("</tr>")[0]
    assert "Rosa" in opened
    assert "Safari on iPhone" in opened


async def test_access_records_expire_with_refused_actions(site, paul):
    await paul.post("/api/v1/games", json={"ruleset": "bristol"})
    assert len(await flushed_records(site)) == 1
    settings = site.state.services.settings
    for days, left in ((settings.refused_days - 1, 1), (settings.refused_days + 1, 0)):
        later_ms = now_ms() + days * 86_400_000
        await Retention(site.state.services.database, partial(int, later_ms), settings).run()
        assert len(await flushed_records(site)) == left


def test_a_device_hash_lasts_a_day_and_reveals_nothing():
    noon = 1_760_000_000_000
    place = device_hash(noon, "192.0.2.7", "Firefox on Linux")
    assert place == device_hash(noon + 1000, "192.0.2.7", "Firefox on Linux")
    assert place != device_hash(noon, "192.0.2.8", "Firefox on Linux")
    assert place != device_hash(noon, "192.0.2.7", "Chrome on Linux")
    assert place != device_hash(noon + 86_400_000, "192.0.2.7", "Firefox on Linux")
    assert b"192" not in place


async def a_moment_later():
    """Wait until the clock has moved on: what has the same time has no order."""
    await asyncio.sleep(0.005)


async def listen(site, client, game, agent=FIREFOX, **more):
    """Open the stream of a game's page for a moment."""
    cookie = f"fd_session={client.cookies['fd_session']}"
    headers = {"cookie": cookie, "user_agent": agent["User-Agent"], **more}
    async with listening(site, game, **headers) as (stream, _):
        await stream.until("retry")
