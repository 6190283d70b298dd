"""The Atom feed of closed days."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date, datetime
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from httpx import AsyncClient
from sqlalchemy import Connection

from app.clock import DAY_MS
from app.daily import repository
from app.daily.closed_counts import COUNTED_MS
from app.daily.feed import atom_feed
from app.daily.preparing import new_deal
from app.rulesets.bristol import BRISTOL
from app.settings import Settings
from tests.support.dailies import DAY, WINNABLE_SEED, winning_moves
from tests.support.daily_site import Site, open_site, play_moves, start_attempt
from tests.support.serving import daily_work, started, visiting

pytestmark = pytest.mark.anyio

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    async with open_site(f"sqlite:///{tmp_path / 'feed.db'}") as found:
        await daily_work(found.app)  # so that no deal of the day is still to come
        yield found


async def read_feed(client: AsyncClient) -> ET.Element:
    answer = await client.get("/daily/feed.atom")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    return ET.fromstring(answer.content)


def text(parent: ET.Element, name: str) -> str:
    (found,) = parent.findall(ATOM + name)
    return found.text or ""


def links(parent: ET.Element) -> dict[str, str]:
    return {link.get("rel", ""): link.get("href", "") for link in parent.findall(ATOM + "link")}


async def test_an_open_day_is_not_in_the_feed(site: Site):
    async with visiting(site.app) as client:
        game = await start_attempt(client)
        await play_moves(client, game, *winning_moves())
        feed = await read_feed(client)
    assert feed.tag == f"{ATOM}feed"
    assert feed.findall(f"{ATOM}entry") == []


async def test_a_closed_day_has_an_entry_with_its_winners(site: Site):
    async with visiting(site.app) as client, visiting(site.app) as other:
        await play_moves(client, await start_attempt(client), *winning_moves())
        await play_moves(other, await start_attempt(other), "resign")
        before = await read_feed(client)
        await site.close_day()
        feed = await read_feed(client)
        (entry,) = feed.findall(f"{ATOM}entry")
        url = links(entry)["alternate"]
        assert url == f"http://fairdeal.test/daily/{DAY.isoformat()}"
        assert (await client.get(url)).status_code == 200
    lines = text(entry, "content").splitlines()
    assert "Bristol: 2 players, 1 won." in lines
    assert "Signora: no one played." in lines
    assert "10" in text(entry, "title")
    assert text(feed, "id") == text(before, "id") != text(entry, "id")
    for element in (feed, entry):
        assert text(element, "id").startswith("urn:uuid:")
        assert datetime.fromisoformat(text(element, "updated")).tzinfo is not None
    assert text(feed, "updated") == text(entry, "updated")
    assert links(feed)["self"] == "http://fairdeal.test/daily/feed.atom"
    (author,) = feed.findall(f"{ATOM}author")
    assert text(author, "name") == "Fair Deal"


async def test_ids_are_the_same_wherever_the_site_is_reached(site: Site):
    await site.close_day()
    async with visiting(site.app) as client, visiting(site.app, "https") as secure:
        ids = [
            [found.text for found in (await read_feed(each)).iter(f"{ATOM}id")]
            for each in (client, secure)
        ]
    assert ids[0] == ids[1]
    assert len(set(ids[0])) == 2


async def test_a_closed_day_is_not_counted_for_every_reader(
    site: Site, monkeypatch: pytest.MonkeyPatch
):
    counted: list[object] = []
    count_results = repository.count_results

    def count(connection: Connection, first: date, last: date) -> object:
        counted.append((first, last))
        return count_results(connection, first, last)

    monkeypatch.setattr(repository, "count_results", count)
    async with visiting(site.app) as client:
        await play_moves(client, await start_attempt(client), *winning_moves())
        await read_feed(client)
        assert counted == []
        await site.close_day()
        for _ in range(3):
            (entry,) = (await read_feed(client)).findall(f"{ATOM}entry")
            assert "Bristol: 1 player, 1 won." in text(entry, "content")
        assert counted == [(DAY, DAY)]
        site.clock.now += COUNTED_MS + 1  # what was hidden since is noticed
        await read_feed(client)
        assert len(counted) == 2


async def test_days_leave_the_feed_after_a_month(site: Site):
    await site.close_day()
    async with visiting(site.app) as client:
        site.clock.now += 28 * DAY_MS
        assert len((await read_feed(client)).findall(f"{ATOM}entry")) == 1
        site.clock.now += 3 * DAY_MS
        assert (await read_feed(client)).findall(f"{ATOM}entry") == []


async def test_a_feed_that_has_not_changed_is_not_sent_again(site: Site):
    async with visiting(site.app) as client:
        first = await client.get("/daily/feed.atom")
        assert first.headers["cache-control"] == "private, max-age=900"
        known = {"If-None-Match": first.headers["etag"]}
        again = await client.get("/daily/feed.atom", headers=known)
        assert (again.status_code, again.content) == (304, b"")
        await site.close_day()
        assert (await client.get("/daily/feed.atom", headers=known)).status_code == 200


async def test_caches_may_share_the_feed_when_the_names_of_the_site_are_listed(sqlite_url: str):
    listed = Settings(database_url=sqlite_url, allowed_hosts="fairdeal.test")
    async with started(listed) as app, visiting(app) as client:
        answer = await client.get("/daily/feed.atom")
        assert answer.headers["cache-control"] == "public, max-age=900"


async def test_the_pages_of_the_daily_deal_name_the_feed(site: Site):
    async with visiting(site.app) as client:
        for path in ("/daily", "/daily/archive", "/daily/check"):
            page = (await client.get(path)).text
            assert 'type="application/atom+xml"' in page
            assert 'href="/daily/feed.atom"' in page


def test_the_name_of_the_site_is_escaped():
    origin = "http://a&b<c>'\""
    deal = new_deal(BRISTOL, DAY, 0, WINNABLE_SEED)
    feed = ET.fromstring(atom_feed(origin, [[deal]], {}, [deal]))
    assert links(feed)["self"] == f"{origin}/daily/feed.atom"
    (entry,) = feed.findall(f"{ATOM}entry")
    assert links(entry)["alternate"] == f"{origin}/daily/{DAY.isoformat()}"
    assert text(entry, "content") == "Bristol: no one played."
