"""Rankings as pages and as JSON, ratings on profiles, and the command that computes them again."""

from __future__ import annotations

import re
from asyncio import to_thread

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import update

from app.cli import main
from app.db.engine import Database
from app.db.schema import ratings
from app.ratings import service
from app.ratings.families import family_of
from app.ratings.service import RatingService
from app.rulesets.families import FAMILIES
from app.settings import variable_of
from tests.ratings.rated_days import add_players, change_attempt, close_day

pytestmark = pytest.mark.anyio

API = "/api/v1/ratings"


@pytest.fixture
async def rated(site: FastAPI, monkeypatch: pytest.MonkeyPatch) -> Database:
    """Anna, Ben and Cleo have a rank in Bristol, in this order, two on a page; Dora does not yet."""
    monkeypatch.setattr(service, "PAGE_SIZE", 2)
    database: Database = site.state.services.database
    await add_players(database, "anna", "ben", "cleo", "dora")
    for number in range(10):
        late = ["dora"] if number > 2 else []
        await close_day(database, number, ["anna", "ben", "cleo", *late])
    await site.state.services.of(RatingService).count_decided()
    return database


async def test_a_ranking_has_pages_and_leaves_out_who_is_provisional(
    rated: Database, visitor: AsyncClient
):
    first = (await visitor.get(API, params={"ruleset": "bristol"})).json()
    assert {key: first[key] for key in first if key != "rows"} == {
        "family": "bristol",
        "rulesets": [rules.id for rules in family_of("bristol").rulesets],
        "page": 1,
        "pages": 2,
        "players": 3,
    }
    assert [(row["rank"], row["player"], row["games"]) for row in first["rows"]] == [
        (1, "Anna", 10),
        (2, "Ben", 10),
    ]
    anna = first["rows"][0]
    assert anna["rating"] > 1500
    assert 50 < anna["deviation"] < 250
    second = (await visitor.get(API, params={"page": 2})).json()
    assert [(row["rank"], row["player"]) for row in second["rows"]] == [(3, "Cleo")]
    assert (await visitor.get(API, params={"page": 3})).json()["rows"] == []
    page = " ".join((await visitor.get("/ratings")).text.split())
    assert f'{anna["rating"]:,} <span class="muted">± {anna["deviation"]}</span>' in page
    assert "Page 1 of 2" in page
    assert "1 player has a provisional rating and no rank yet." in page
    further = re.search(r'href="(/ratings/bristol\?page=2)" rel="next"', page)
    assert further
    assert "Cleo" in (await visitor.get(further[1])).text
    assert "Dora" not in page


async def test_games_of_a_family_share_a_ranking(rated: Database, visitor: AsyncClient):
    found = (await visitor.get(API, params={"ruleset": "signora"})).json()
    assert (found["family"], found["players"], found["rows"]) == ("terrace", 0, [])
    page = (await visitor.get("/ratings/terrace")).text
    assert "No one has a rank here yet" in page
    assert "After 10 of them you have a rank." in page
    assert 'href="/join?back=/ratings/terrace">Create an account</a>' in page
    assert "has a provisional rating" not in page
    assert re.search(
        r"<i>Terrace</i>, <i>Signora</i>, <i>Blondes and Brunettes</i>,.* and <i>", page
    )


async def test_a_ranking_leads_to_those_of_all_families(rated: Database, visitor: AsyncClient):
    for address, here in (("/ratings", "bristol"), ("/ratings/canfield", "canfield")):
        page = (await visitor.get(address)).text
        switch = page[page.index('<nav class="families"') :].partition("</nav>")[0]
        found = re.findall(r'href="/ratings/([a-z-]+)"\s*(aria-current="page")?>([^<]+)<', switch)
        assert [(one, title) for one, _, title in found] == [
            (family.id, family.title) for family in FAMILIES
        ]
        assert [one for one, current, _ in found if current] == [here]


async def test_without_a_game_the_page_and_the_api_show_the_same_ranking(
    site: FastAPI, visitor: AsyncClient
):
    found = (await visitor.get(API)).json()  # before anybody has a rank
    assert (found["family"], found["rows"]) == ("klondike", [])
    assert "Ratings: Klondike" in (await visitor.get("/ratings")).text


async def test_a_page_beyond_the_end_leads_to_the_last_one(
    rated: Database, site: FastAPI, visitor: AsyncClient
):
    for address in ("/ratings", "/ratings/canfield", "/ratings/yukon"):
        answer = await visitor.get(f"{address}?page=9")
        assert answer.status_code == 303
        assert re.fullmatch(r"/ratings/[a-z-]+\?page=\d", answer.headers["location"])
        last = await visitor.get(answer.headers["location"])
        assert last.status_code == 200
        assert "Page 9" not in last.text


async def test_equal_ratings_share_a_rank(rated: Database, visitor: AsyncClient):
    equal = update(ratings).where(ratings.c.player_id.in_(["anna", "ben"])).values(mean=1700.2)
    await rated.write(lambda connection: connection.execute(equal))
    rows = (await visitor.get(API)).json()["rows"]
    assert [(row["rank"], row["player"]) for row in rows] == [(1, "Anna"), (1, "Ben")]
    [cleo] = (await visitor.get(API, params={"page": 2})).json()["rows"]
    assert cleo["rank"] == 3


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("page=0", 422, "malformed"),
        ("page=x", 422, "malformed"),
        ("page=99999999999999999999", 422, "malformed"),
        ("ruleset=chess", 404, "not_found"),
    ],
)
async def test_bad_questions_have_clear_answers(
    visitor: AsyncClient, query: str, status: int, code: str
):
    answer = await visitor.get(f"{API}?{query}")
    assert answer.json()["code"] == code
    assert answer.status_code in {status, 400}
    assert (await visitor.get("/ratings/chess")).status_code == 404
    for page in ("0", "x", "9" * 30):
        assert (await visitor.get(f"/ratings?page={page}")).status_code in {400, 422}


async def test_a_profile_shows_ratings_and_which_are_provisional(
    rated: Database, visitor: AsyncClient
):
    anna = (await visitor.get("/players/Anna")).text
    assert re.search(r"<span>\d,\d{3} ± \d+</span>\s*<span>10 games</span>", anna)
    assert "provisional, 7 of 10 games" in (await visitor.get("/players/Dora")).text
    assert 'href="/ratings"' in (await visitor.get("/daily")).text


async def test_the_command_verifies_and_repairs(
    rated: Database,
    sqlite_url: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv(variable_of("database_url"), sqlite_url)

    def run(*words: str) -> int:
        return main(["ratings", "rebuild", *words])

    assert await to_thread(run) == 0
    assert "4 ratings from 10 events: all equal" in capsys.readouterr().out
    await change_attempt(rated, "daily/2026-03-10/bristol", "cleo", verdict="removed")
    assert await to_thread(run) == 1
    assert "daily/2026-03-10/bristol: its results have changed" in capsys.readouterr().out
    assert await to_thread(run, "--write") == 0


async def test_an_empty_ranking_says_how_to_begin(visitor: AsyncClient) -> None:
    page = (await visitor.get("/ratings")).text
    assert re.search(r'<a class="primary" href="/daily">Today.s deals</a>', page)
