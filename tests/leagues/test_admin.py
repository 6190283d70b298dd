"""Administrators replace the name of a league, and the audit log says so."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest
from httpx import AsyncClient

from tests.admin.browsers import Browsers
from tests.leagues.league_api import found, read
from tests.support.daily_site import Site

pytestmark = pytest.mark.anyio

NOTE = {"note": "Two players complained."}


@pytest.fixture
async def browsers(site: Site) -> AsyncIterator[Browsers]:
    async with Browsers(site.app) as made:
        yield made


@pytest.fixture
async def vera(browsers: Browsers) -> AsyncClient:
    return await browsers.staff_member("Vera", "administrator")


async def address(staff: AsyncClient, words: str) -> str:
    """Where the form of the only league with these words in its name posts to."""
    answer = await staff.get("/admin/leagues", params={"q": words})
    assert answer.status_code == 200, answer.text
    (path,) = re.findall(r'action="(/admin/leagues/\w+/name)"', answer.text)
    return str(path)


async def test_a_league_gets_a_neutral_name_or_a_chosen_one(browsers: Browsers, vera: AsyncClient):
    anna = await browsers.player("Anna")
    link = await found(anna, "Rotten Apples")
    await found(anna, "Card club")
    path = await address(vera, "rotten")
    answer = await vera.post(path, data=NOTE)
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin/leagues")
    given = (await read(anna, link))["name"]
    assert re.fullmatch(r"League \d{4}", given)
    log = (await vera.get("/admin/audit")).text
    assert "rename-league" in log
    assert f"Rotten Apples is {given} now. Two players complained." in log
    await vera.post(path, data={**NOTE, "name": "Ripe Apples"})
    assert (await read(anna, link))["name"] == "Ripe Apples"


async def test_a_search_ignores_the_case_of_all_letters(browsers: Browsers, vera: AsyncClient):
    anna = await browsers.player("Anna")
    await found(anna, "Äpfel und ÖL")
    await found(anna, "Card club")
    for words in ("äpfel", "ÄPFEL", "öl"):
        assert await address(vera, words)


@pytest.mark.parametrize("form", [{}, {"note": "  "}, {**NOTE, "name": "!"}])
async def test_a_name_stays_without_a_note_or_for_a_bad_one(
    browsers: Browsers, vera: AsyncClient, form: dict[str, str]
):
    anna = await browsers.player("Anna")
    link = await found(anna, "Rotten Apples")
    answer = await vera.post(await address(vera, "rotten"), data=form)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert (await read(anna, link))["name"] == "Rotten Apples"
    assert "rename-league" not in (await vera.get("/admin/audit")).text


async def test_only_administrators_find_and_rename_leagues(browsers: Browsers, vera: AsyncClient):
    anna, mona = (
        await browsers.player("Anna"),
        await browsers.staff_member("Mona", "moderator"),
    )
    link = await found(anna, "Rotten Apples")
    path = await address(vera, "rotten")
    for client, status in ((mona, 403), (anna, 404)):
        assert (await client.get("/admin/leagues")).status_code == status
        assert (await client.post(path, data=NOTE)).status_code == status
    assert (await read(anna, link))["name"] == "Rotten Apples"
    assert link not in (await vera.get("/admin/leagues")).text


async def test_a_league_that_is_not_there_is_not_found(vera: AsyncClient):
    assert (await vera.post("/admin/leagues/none/name", data=NOTE)).status_code == 404
