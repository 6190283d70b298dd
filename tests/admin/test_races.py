"""A run of a race, and those of the others, as whoever looks after the site sees them."""

from __future__ import annotations

import re

import pytest

from tests.support.races import RaceServer

pytestmark = pytest.mark.anyio


@pytest.fixture
async def server(site):
    """The services of races on the site's database, with a clock of their own."""
    server = RaceServer(site.state.services.database)
    await server.welcome("anna", "ben", "cleo")
    return server


async def test_a_run_leads_to_the_race_and_to_the_runs_of_the_others(server, vera):
    code = await server.race("anna", "ben")
    mine = await server.act(code, "anna", "deal")
    theirs = await server.act(code, "ben", "deal", "deal")
    listed = (await vera.get("/admin/games?kind=race")).text
    assert mine.id in listed
    assert theirs.id in listed
    page = (await vera.get(f"/admin/games/{mine.id}")).text
    section = page.partition('id="race"')[2].partition("</section>")[0]
    assert f'href="/race/{code}"' in section
    runs = re.findall(r"<li( aria-current=\"true\")?>\s*<a href=\"/admin/games/([^\"]+)\"", section)
    assert runs == [(' aria-current="true"', mine.id), ("", theirs.id)]
    assert "playing after 2 moves" in section
    events = section.partition("<ol>")[2]
    assert all(word in events for word in ("Anna", "Ben"))


async def test_the_page_of_a_run_does_not_spell_out_its_deal(site, server, vera):
    code = await server.race("anna", "ben")
    game = await server.act(code, "anna", "deal")
    seed = (await site.state.services.games.load(game.id)).code
    page = (await vera.get(f"/admin/games/{game.id}")).text
    assert seed is None
    assert "race, sealed" in page


async def test_a_racer_who_looks_after_the_site_sees_no_cards_of_the_others(
    site, server, vera, browsers
):
    vera_id = await browsers.id_of(vera)
    code = await server.race("anna", vera_id)
    theirs = await server.act(code, "anna", "deal")
    answer = await vera.post(f"/admin/games/{theirs.id}/reveal", data={"at": "0"})
    assert answer.status_code == 403
    otto = await browsers.staff_member("Otto", "administrator")
    answer = await otto.post(f"/admin/games/{theirs.id}/reveal", data={"at": "0"})
    assert answer.status_code == 303


async def test_a_game_that_is_no_run_has_no_race(site, server, vera):
    game = await site.state.services.games.start("anna", "bristol", None)
    assert 'id="race"' not in (await vera.get(f"/admin/games/{game.id}")).text
