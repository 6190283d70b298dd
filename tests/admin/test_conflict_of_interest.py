"""Staff play too: games of a deal that they have yet to finish, or that they race on, are withheld from them."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import update

from app.admin.audit_log import AuditAction, AuditEntry, list_entries
from app.admin.integrity.signals import Signal
from app.db.schema import games
from app.races.limits import COUNTDOWN_MS
from tests.admin.browsers import Browsers
from tests.support.races import RaceServer

pytestmark = pytest.mark.anyio

ATTEMPT = "/api/v1/daily/today/bristol/attempt"
TELLING = ("status=playing", "shortest=1", "longest=9", "sort=length", "sort=ended", "flag=any")


@pytest.fixture
async def anna(browsers: Browsers) -> AsyncClient:
    return await browsers.player("Anna")


@pytest.fixture
async def game(anna: AsyncClient) -> str:
    """Anna's game of today's deal, after two actions."""
    game: str = (await anna.post(ATTEMPT)).json()["id"]
    await act(anna, game, "deal", "deal")
    return game


async def act(client: AsyncClient, game: str, *actions: str) -> None:
    for action in actions:
        version = (await client.get(f"/api/v1/games/{game}")).json()["version"]
        path, body = ("resign", {}) if action == "resign" else ("moves", {"move": action})
        answer = await client.post(
            f"/api/v1/games/{game}/{path}", json={**body, "version": version}
        )
        assert answer.status_code == 200, answer.text


async def views(site: FastAPI, game: str) -> list[AuditEntry]:
    found: list[AuditEntry] = await site.state.services.database.read(
        lambda connection: list_entries(connection, None, 50, game, AuditAction.VIEW)
    )
    return found


def row_of(page: str, game: str) -> str:
    """The row of a game in the list."""
    (row,) = (row for row in page.split("<tr>") if f"/admin/games/{game}" in row)
    return row


async def assert_withheld(vera: AsyncClient, site: FastAPI, game: str, player_id: str) -> None:
    """Vera learns that there is a game, and nothing else."""
    for path in (
        f"/admin/games/{game}",
        f"/admin/games/{game}?at=1",
        f"/admin/games/{game}/log.csv",
    ):
        answer = await vera.get(path)
        assert (answer.status_code, path) == (403, path)
        assert "You haven&#39;t finished this deal yourself" in answer.text
        assert "<h1>You can&#39;t see this game yet</h1>" in answer.text
        assert "deal" not in answer.headers.get("content-disposition", "")
    revealed = await vera.post(f"/admin/games/{game}/reveal", data={"at": 0})
    assert revealed.status_code == 403
    for query in ("", f"?q={game}", f"?q={player_id}"):
        listed = (await vera.get(f"/admin/games{query}")).text
        assert (
            "Withheld: you haven&#39;t finished this deal yourself, or you are racing on it."
            in listed
        )
        row = row_of(listed, game)
        assert "withheld" in row
        assert "playing" not in row
        assert 'data-unit="moves"></td>' in row
    for query in TELLING:
        for search in ("", f"&q={game}", f"&q={player_id}"):
            listed = (await vera.get(f"/admin/games?{query}{search}")).text
            assert f'/admin/games/{game}"' not in listed, query
            assert game not in (await vera.get(f"/admin/games/export.csv?{query}{search}")).text
    for form in ("csv", "jsonl"):
        text = (await vera.get(f"/admin/games/export.{form}")).text
        (line,) = (line for line in text.splitlines() if game in line)
        assert "withheld" in line
        assert '"events":[]' in line or ",,,," in line
    assert await views(site, game) == []


async def assert_seen(vera: AsyncClient, game: str) -> None:
    assert (await vera.get(f"/admin/games/{game}")).status_code == 200
    assert (await vera.get(f"/admin/games/{game}/log.csv")).text.count("deal") >= 2
    assert "withheld" not in row_of((await vera.get("/admin/games")).text, game)
    assert f'/admin/games/{game}"' in (await vera.get("/admin/games?shortest=1")).text


async def test_a_game_is_withheld_until_the_staff_member_has_finished_the_deal(
    site: FastAPI, browsers: Browsers, anna: AsyncClient, vera: AsyncClient, game: str
):
    anna_id = await browsers.id_of(anna)
    await assert_withheld(vera, site, game, anna_id)
    own = (await vera.post(ATTEMPT)).json()["id"]
    await assert_withheld(vera, site, game, anna_id)
    await act(vera, own, "resign")
    await assert_seen(vera, game)
    assert "Withheld" not in (await vera.get("/admin/games")).text


async def test_an_ended_game_shows_no_result_and_no_signals_on_the_page_of_its_player(
    site: FastAPI, browsers: Browsers, anna: AsyncClient, vera: AsyncClient, game: str
):
    page = f"/admin/players/{await browsers.id_of(anna)}"
    assert "1 playing" not in (await vera.get(page)).text
    await act(anna, game, "resign")
    flagged = update(games).where(games.c.id == game).values(flags=Signal.SAME_NETWORK.bit)
    await site.state.services.database.write(lambda connection: connection.execute(flagged))
    shown = (await vera.get(page)).text
    assert "Withheld: you haven" in shown
    for told in ("unsolved", "3 moves", "cards home", "1 resigned", "same network"):
        assert told not in shown
    own = (await vera.post(ATTEMPT)).json()["id"]
    await act(vera, own, "resign")
    shown = (await vera.get(page)).text
    for told in ("unsolved: 3 moves", "cards home", "1 resigned", "same network"):
        assert told in shown


async def test_the_form_to_hide_a_result_does_not_say_whether_the_game_has_ended(
    browsers: Browsers, anna: AsyncClient, vera: AsyncClient, game: str
):
    page, action = f"/admin/players/{await browsers.id_of(anna)}", f"/admin/acts/hide/{game}"
    why = {"reason": "program", "note": "So fast."}

    async def shown() -> tuple[bool, int, str]:
        form = await vera.get(action)
        return action in (await vera.get(page)).text, form.status_code, form.text

    running = await shown()
    assert running[:2] == (True, 200)
    assert (await vera.post(action, data=why)).status_code == 409
    await act(anna, game, "resign")
    assert await shown() == running
    assert (await vera.post(action, data=why)).status_code == 303


async def test_a_game_of_another_deal_is_not_withheld_by_that(
    browsers: Browsers, anna: AsyncClient, vera: AsyncClient, site: FastAPI, game: str
):
    other = (await vera.post("/api/v1/daily/today/signora/attempt")).json()["id"]
    await act(vera, other, "resign")
    await assert_withheld(vera, site, game, await browsers.id_of(anna))
    game = (await anna.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    await act(anna, game, "deal", "deal")
    await assert_seen(vera, game)


async def test_runs_of_a_closed_day_are_open_to_staff(
    site: FastAPI, anna: AsyncClient, vera: AsyncClient, game: str
):
    def close(connection: Any) -> None:
        connection.exec_driver_sql("UPDATE daily_deals SET closed_ms = 1")

    await site.state.services.database.write(close)
    await assert_seen(vera, game)


async def test_runs_of_a_race_are_withheld_from_staff_who_race(
    site: FastAPI, browsers: Browsers, vera: AsyncClient
):
    server = RaceServer(site.state.services.database)
    await server.add_players("anna")
    mona = await browsers.staff_member("Mona", "administrator")
    code = await server.race("anna", await browsers.id_of(vera))
    server.clock.advance(COUNTDOWN_MS)
    game = await server.act(code, "anna", "deal", "deal")
    await assert_withheld(vera, site, game.id, "anna")
    await assert_seen(mona, game.id)
    await server.races.resign(code, "anna")
    await server.races.resign(code, await browsers.id_of(vera))
    await assert_seen(vera, game.id)


async def test_each_look_at_a_game_in_progress_is_audited(
    site: FastAPI, anna: AsyncClient, vera: AsyncClient, game: str
):
    own = (await vera.post(ATTEMPT)).json()["id"]
    await act(vera, own, "resign")
    assert await views(site, game) == []
    for path in ("", "?at=1", "?at=1", "?at=0"):
        assert (await vera.get(f"/admin/games/{game}{path}")).status_code == 200
    notes = [(entry.actor, entry.note) for entry in await views(site, game)]
    assert notes == [("Vera", f"step {step} of 2") for step in (0, 1, 2)]
    await act(anna, game, "deal")
    await vera.get(f"/admin/games/{game}")
    assert (await views(site, game))[0].note == "step 3 of 3"
    await act(anna, game, "resign")  # others still play the deal
    await vera.get(f"/admin/games/{game}")
    assert (await views(site, game))[0].note == "step 4 of 4"


async def test_a_look_at_an_ended_open_game_is_not_audited(
    site: FastAPI, anna: AsyncClient, vera: AsyncClient
):
    game = (await anna.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    await vera.get(f"/admin/games/{game}")
    assert len(await views(site, game)) == 1
    await act(anna, game, "resign")
    await vera.get(f"/admin/games/{game}")
    assert len(await views(site, game)) == 1


async def test_the_audit_log_does_not_say_how_far_a_withheld_game_is(
    site: FastAPI, browsers: Browsers, vera: AsyncClient, game: str
):
    mona = await browsers.staff_member("Mona", "administrator")
    own = (await mona.post(ATTEMPT)).json()["id"]
    await act(mona, own, "resign")
    await mona.get(f"/admin/games/{game}")
    assert "step 2 of 2" in (await mona.get("/admin/audit")).text
    log = (await vera.get("/admin/audit")).text
    assert f"/admin/games/{game}" in log
    assert "step 2 of 2" not in log
