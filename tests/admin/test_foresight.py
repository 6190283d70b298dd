"""The pages of foresight: for staff alone, never of an open deal, and each look is logged."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import insert, update

from app.admin.audit_log import AuditAction, list_entries
from app.db.schema import daily_deals, foresights
from app.solver.foresight import Foresight, JudgedTurn
from tests.admin.browsers import Browsers

pytestmark = pytest.mark.anyio

ATTEMPT = "/api/v1/daily/today/{}/attempt"
FOUND = Foresight(
    (
        JudgedTurn(4, agrees=True, expected=0.04, orders=25),
        JudgedTurn(9, agrees=False, expected=0.5, orders=20),
        JudgedTurn(12, agrees=True, expected=0.2, orders=25),
    )
)
PATHS = ("", "/list.json", "/{}", "/{}/turns.json")


@pytest.fixture
async def anna(browsers: Browsers) -> AsyncClient:
    return await browsers.player("Anna")


async def measured_attempt(site: FastAPI, anna: AsyncClient, ruleset: str, found: Foresight) -> str:
    """An attempt of Anna with a score. Its deal is still open."""
    game: str = (await anna.post(ATTEMPT.format(ruleset))).json()["id"]
    figures = {"z": found.z, "excess": found.excess, "variance": found.variance}
    row = {"game_id": game, **figures, "choices": str(found), "measured_ms": 0}
    await site.state.services.database.write(
        lambda connection: connection.execute(insert(foresights), row)
    )
    return game


async def close(site: FastAPI) -> None:
    await site.state.services.database.write(
        lambda connection: connection.execute(update(daily_deals).values(closed_ms=1))
    )


async def looks(site: FastAPI) -> list[tuple[str, str]]:
    entries = await site.state.services.database.read(
        lambda connection: list_entries(connection, None, 50, action=AuditAction.FORESIGHT)
    )
    return [(entry.actor, entry.subject) for entry in reversed(entries)]


async def test_only_staff_see_it(site: FastAPI, browsers: Browsers, anna: AsyncClient):
    game = await measured_attempt(site, anna, "bristol", FOUND)
    await close(site)
    for path in PATHS:
        assert (await anna.get(f"/admin/foresight{path.format(game)}")).status_code == 404
    assert await looks(site) == []
    mona = await browsers.staff_member("Mona", "moderator")
    for path in PATHS:
        assert (await mona.get(f"/admin/foresight{path.format(game)}")).status_code == 200


async def test_an_attempt_with_its_numbers_and_what_may_explain_them(
    site: FastAPI, vera: AsyncClient, anna: AsyncClient
):
    game = await measured_attempt(site, anna, "bristol", FOUND)
    await close(site)
    page = (await vera.get(f"/admin/foresight/{game}")).text
    words = " ".join(page.split())
    assert "The player agreed in 2. " in words
    assert "they would have agreed in 0.7 on average" in words
    assert page.index(f"/admin/games/{game}?at=4") < page.index(f"/admin/games/{game}?at=12")
    assert f"/admin/games/{game}?at=9" not in page  # it lowered the score
    assert "Few turns: only 3 tell us anything." in page
    answer = (await vera.get(f"/admin/foresight/{game}/turns.json")).json()
    assert answer["measured"]
    assert answer["z"] == round(FOUND.z, 3)
    assert [turn["version"] for turn in answer["turns"]] == [4, 9, 12]


async def test_the_highest_come_first_with_all_attempts_of_the_player(
    site: FastAPI, vera: AsyncClient, anna: AsyncClient
):
    low = Foresight((JudgedTurn(2, agrees=False, expected=0.5, orders=25),))
    below = await measured_attempt(site, anna, "signora", low)
    above = await measured_attempt(site, anna, "bristol", FOUND)
    await close(site)
    answer = (await vera.get("/admin/foresight/list.json")).json()
    assert [run["game_id"] for run in answer["runs"]] == [above, below]
    together = (FOUND.excess + low.excess) / (FOUND.variance + low.variance) ** 0.5
    assert {run["z_together"] for run in answer["runs"]} == {round(together, 3)}
    assert {run["runs"] for run in answer["runs"]} == {2}
    page = (await vera.get("/admin/foresight")).text
    assert page.index(above) < page.index(below)
    assert f"{together:.1f} in 2" in page


async def test_each_look_is_logged_once_for_each_time_of_entering(
    site: FastAPI, vera: AsyncClient, anna: AsyncClient
):
    game = await measured_attempt(site, anna, "bristol", FOUND)
    await close(site)
    for path in (*PATHS, *PATHS):
        await vera.get(f"/admin/foresight{path.format(game)}")
    assert await looks(site) == [("Vera", "list"), ("Vera", game)]
    log = (await vera.get("/admin/audit")).text
    assert f'href="/admin/foresight/{game}"' in log
    assert 'href="/admin/foresight"' in log


async def test_nothing_is_shown_of_a_deal_that_the_reader_can_still_play(
    site: FastAPI, vera: AsyncClient, anna: AsyncClient
):
    game = await measured_attempt(site, anna, "bristol", FOUND)
    for path in PATHS[2:]:
        answer = await vera.get(f"/admin/foresight{path.format(game)}")
        assert answer.status_code == 403
        assert "You haven&#39;t finished this deal yourself" in answer.text
    for path in PATHS[:2]:
        assert game not in (await vera.get(f"/admin/foresight{path}")).text
    await vera.post(ATTEMPT.format("bristol"))
    await close(site)
    answer = await vera.get(f"/admin/foresight/{game}")
    assert (answer.status_code, "You are playing these cards" in answer.text) == (403, True)
    assert await looks(site) == [("Vera", "list")]


async def test_an_attempt_without_figures_says_so(
    site: FastAPI, vera: AsyncClient, anna: AsyncClient
):
    game = (await anna.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    assert "This game has not been measured." in (await vera.get(f"/admin/foresight/{game}")).text
    answer = (await vera.get(f"/admin/foresight/{game}/turns.json")).json()
    assert answer == {"game_id": game, "measured": False}
    assert (await vera.get("/admin/foresight/nothing")).status_code == 404
