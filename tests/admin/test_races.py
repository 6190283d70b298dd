"""A run of a race, and those of the others, as whoever looks after the site sees them."""

from __future__ import annotations

import re

import pytest

from tests.support.races import Track

pytestmark = pytest.mark.anyio


@pytest.fixture
async def track(site):
    """The services of races on the site's database, with a clock of their own."""
    track = Track(site.state.services.database)
    await track.welcome("anna", "ben", "cleo")
    return track


async def test_a_run_leads_to_the_race_and_to_the_runs_of_the_others(track, vera):
    code = await track.race("anna", "ben")
    mine = await track.act(code, "anna", "deal")
    theirs = await track.act(code, "ben", "deal", "deal")
    listed = (await vera.get("/admin/games?kind=race")).text
    assert mine.id in listed
    assert theirs.id in listed
    page = (await vera.get(f"/admin/games/{mine.id}")).text
    section = page.partition('id="race"')[2].partition("</section>")[0]
    assert f'href="/race/{code}"' in section
    runs = re.findall(r"<li( aria-current=\"true\")?>\s*<a href=\"/admin/games/([^\"]+)\"", section)
    assert runs == [(' aria-current="true"', mine.id), ("", theirs.id)]
    assert "playing after 2 actions" in section
    events = section.partition("<ol>")[2]
    assert all(word in events for word in ("Anna", "Ben"))


async def test_the_page_of_a_run_does_not_spell_out_its_deal(site, track, vera):
    code = await track.race("anna", "ben")
    game = await track.act(code, "anna", "deal")
    seed = (await site.state.services.games.load(game.id)).code
    page = (await vera.get(f"/admin/games/{game.id}")).text
    assert seed is None
    assert "race, sealed" in page


async def test_a_racer_who_looks_after_the_site_sees_no_cards_of_the_others(
    site, track, vera, hands
):
    vera_id = await hands.id_of(vera)
    code = await track.race("anna", vera_id)
    theirs = await track.act(code, "anna", "deal")
    answer = await vera.post(f"/admin/games/{theirs.id}/reveal", data={"at": "0"})
    assert answer.status_code == 403
    otto = await hands.officer("Otto", "administrator")
    answer = await otto.post(f"/admin/games/{theirs.id}/reveal", data={"at": "0"})
    assert answer.status_code == 303


async def test_a_game_that_is_no_run_has_no_race(site, track, vera):
    game = await site.state.services.games.start("anna", "bristol", None)
    assert 'id="race"' not in (await vera.get(f"/admin/games/{game.id}")).text
