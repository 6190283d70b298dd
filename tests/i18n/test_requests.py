"""The language of a request: by address, account, cookie and header; and what answers say of it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.i18n.languages import offer_pseudo
from app.settings import Settings
from tests.support.serving import running_site, visiting

pytestmark = pytest.mark.anyio

PSEUDO = {"Accept-Language": "en-XA"}


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[FastAPI]:
    settings = Settings(database_url=sqlite_url, proof_seconds=0, pseudo_language=True)
    async with running_site(settings) as app:
        yield app
    offer_pseudo(is_offered=False)


@pytest.fixture
async def visitor(site: FastAPI) -> AsyncIterator[AsyncClient]:
    async with visiting(site) as client:
        yield client


def language_of(page: str) -> str:
    return page.partition('lang="')[2].partition('"')[0]


async def test_by_header(visitor: AsyncClient):
    answer = await visitor.get("/games", headers=PSEUDO)
    assert language_of(answer.text) == answer.headers["content-language"] == "en-XA"
    assert "[Gáméś" in answer.text.replace("s", "ś")
    assert {"Accept-Language", "Cookie"} <= {
        one.strip() for line in answer.headers.get_list("vary") for one in line.split(",")
    }
    assert language_of((await visitor.get("/games")).text) == "en"


async def test_the_cookie_comes_before_the_header(visitor: AsyncClient):
    form = {"language": "en-XA", "back": "/games"}
    answer = await visitor.post("/language", data=form)
    assert (answer.status_code, answer.headers["location"]) == (303, "/games")
    assert language_of((await visitor.get("/", headers={"Accept-Language": "en"})).text) == "en-XA"
    await visitor.post("/language", data={"language": "en"})
    assert language_of((await visitor.get("/", headers=PSEUDO)).text) == "en"


async def test_among_the_settings_it_is_chosen_without_leaving_them(visitor: AsyncClient):
    page = (await visitor.get("/settings?back=/games")).text
    _, form = page.split('action="/language"')  # once: not in the footer, too
    assert page.count("js/language") == 1
    assert '<label for="language-setting">Language</label>' in form
    assert '<select id="language-setting" name="language">' in form
    (back,) = re.findall(r'name="back" value="([^"]*)"', form.split("</form>")[0])
    answer = await visitor.post("/language", data={"language": "en-XA", "back": back})
    page = (await visitor.get(answer.headers["location"])).text
    assert 'value="/games"' in page  # where "Done" leads
    assert language_of(page) == "en-XA"


async def test_a_language_that_is_not_offered_is_refused_in_words(visitor: AsyncClient):
    answer = await visitor.post("/language", data={"language": "tlh"})
    assert answer.status_code == 422
    assert "This site isn&#39;t available in that language." in answer.text


async def test_the_account_comes_before_the_cookie(site: FastAPI, visitor: AsyncClient):
    name = {"name": "Anna", "password": "seven ravens sleep", "again": "seven ravens sleep"}
    await visitor.post("/join", data=name)
    await visitor.post("/language", data={"language": "en-XA"})
    async with visiting(site) as elsewhere:
        await elsewhere.post("/language", data={"language": "en"})
        await elsewhere.post("/login", data=name)
        assert language_of((await elsewhere.get("/me")).text) == "en-XA"


async def test_a_public_page_has_an_address_in_each_language(visitor: AsyncClient):
    page = await visitor.get("/en-XA/rules/bristol")
    assert page.status_code == 200
    assert language_of(page.text) == "en-XA"
    english = (await visitor.get("/rules/bristol")).text
    assert language_of(english) == "en"
    own = "/rules/bristol"
    for tag, path in [("en", own), ("en-XA", f"/en-XA{own}"), ("x-default", own)]:
        found = english.replace("\n", " ").split(f'hreflang="{tag}"')[1].split(">")[0]
        assert found.strip().endswith(f'{path}"')


@pytest.mark.parametrize(
    "path", ["/en-XA/me", "/en-XA/api/v1/rulesets", "/xx/games", "/en-XA/games/abc", "/en-XA"]
)
async def test_other_pages_have_none(visitor: AsyncClient, path: str):
    answer = await visitor.get(path)
    assert answer.status_code == (200 if path == "/en-XA" else 404)


async def test_a_problem_is_told_in_the_language_and_keeps_its_code(visitor: AsyncClient):
    english = (await visitor.get("/api/v1/games/none")).json()
    told = (await visitor.get("/api/v1/games/none", headers=PSEUDO)).json()
    assert told["code"] == english["code"] == "not_found"
    assert told["type"] == english["type"]
    assert told["title"].startswith("[")
    assert told["detail"].startswith("[")


async def test_a_move_is_answered_in_the_language_of_its_player(visitor: AsyncClient):
    game = (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    headers = {**PSEUDO, "HX-Request": "true"}
    answer = await visitor.post(
        f"/games/{game}/move", data={"version": "0", "move": "deal"}, headers=headers
    )
    assert answer.status_code == 200
    assert "[Déált" in answer.text
    again = await visitor.get(f"/games/{game}", headers={"Accept-Language": "en"})
    assert "[" not in again.text.partition("<main")[2].partition('id="notice"')[0]


async def test_every_page_offers_the_languages(visitor: AsyncClient):
    page = (await visitor.get("/privacy")).text
    assert '<option value="en-XA"' in page
    assert 'name="back" value="/privacy"' in page
