"""Pages of a new site with nothing on them yet: they say what will be there, and give one next step."""

from __future__ import annotations

import re

import pytest
from httpx import AsyncClient

from app.folders import static_folder

pytestmark = pytest.mark.anyio

# Where the picture is no drawing: a table that plays, and the week of an example.
PICTURES = {"/watch": ("nothing-yet", 'id="table"'), "/leagues": ("gathered", 'class="circles"')}


@pytest.mark.parametrize(
    ("path", "words", "step"),
    [
        ("/watch", "you can replay finished games", r"/watch/[a-z-]+"),
        ("/ratings", "You can be the first.", "/daily"),
        ("/daily/archive", "The first results are out on", "/daily"),
        ("/leagues", "Start one and send its link to your friends", "/league/new"),
    ],
)
async def test_an_empty_page_gives_one_next_step(
    visitor: AsyncClient, path: str, words: str, step: str
):
    name = {"name": "Ada", "password": "correct horse battery"}
    assert (await visitor.post("/api/v1/me/claim", json=name)).is_success
    await visitor.get("/daily")
    page = (await visitor.get(path)).text
    section, picture = PICTURES.get(path, ("nothing-yet", "img/scenes.svg#"))
    empty = page[page.index(f'class="{section}') :].partition("</section>")[0]
    assert picture in empty
    assert words in empty
    (found,) = re.findall(r'class="primary"\s+href="([^"]+)"', page)
    assert re.fullmatch(step, found)
    assert (await visitor.get(found)).is_success


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/me/statistics", "Finish a game, and its result appears here."),
        ("/players/Ada", "Finish a game, and others see its result here."),
    ],
)
async def test_without_a_finished_game_the_first_deal_is_one_tap_away(
    visitor: AsyncClient, path: str, words: str
):
    name = {"name": "Ada", "password": "correct horse battery"}
    assert (await visitor.post("/api/v1/me/claim", json=name)).is_success
    page = (await visitor.get(path)).text
    step = page[page.index('class="panel first-step"') :].partition("</section>")[0]
    assert "You haven&#39;t finished a game yet" in step or "You haven't finished" in step
    assert words in step
    assert "img/scenes.svg#" in step
    assert '<a class="secondary" href="/games">' in step
    (ruleset,) = re.findall(r'class="primary"\s+name="ruleset"\s+value="([^"]+)"', page)
    dealt = await visitor.post("/play", data={"ruleset": ruleset})
    assert re.fullmatch(r"/games/\w+", dealt.headers["location"])


async def test_each_empty_page_has_a_drawing_of_its_own(visitor: AsyncClient):
    name = {"name": "Ada", "password": "correct horse battery"}
    assert (await visitor.post("/api/v1/me/claim", json=name)).is_success
    there = set(
        re.findall(r'<symbol id="([^"]+)"', (static_folder() / "img/scenes.svg").read_text())
    )
    shown = []
    for path in ("/ratings", "/daily/archive", "/me/statistics", "/players/Ada"):
        page = (await visitor.get(path)).text
        before = "panel first-step" if "first-step" in page else "nothing-yet"
        empty = page[page.index(f'class="{before}"') :].partition("</section>")[0]
        shown += re.findall(r"img/scenes\.svg[^#]*#([a-z-]+)", empty)
    assert len(shown) == len(set(shown)) == 4, shown
    assert set(shown) <= there


async def test_an_empty_list_shows_to_the_eyes_alone_what_it_will_be(visitor: AsyncClient):
    page = (await visitor.get("/ratings")).text
    (example,) = re.findall(
        r'<table class="example" aria-hidden="true">.*?</table>', page, re.DOTALL
    )
    assert "Example" in example
    assert example.count("<tr>") == 3
    page = (await visitor.get("/leagues")).text
    assert re.search(r'aria-hidden="true">Example</p>', page)
    for part in ("circles", "discs figures"):
        assert len(re.findall(rf'class="{part}"\s+aria-hidden="true"', page)) == 1
    page = (await visitor.get("/me")).text
    assert len(re.findall(r'class="[^"]*\bexample\b[^"]*"\s+aria-hidden="true"', page)) == 4
    assert re.findall(r'class="primary"\s+href="([^"]+)"', page) == ["/games"]


async def test_the_page_of_another_player_without_games_says_what_will_be_there(
    visitor: AsyncClient,
):
    name = {"name": "Ada", "password": "correct horse battery"}
    assert (await visitor.post("/api/v1/me/claim", json=name)).is_success
    visitor.cookies.clear()
    page = (await visitor.get("/players/Ada")).text
    assert "Ada has no finished games yet. Their results appear here." in page
    assert '<a class="secondary" href="/daily">' in page
