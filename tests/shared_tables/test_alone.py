"""A game that was shared is its owner's own again, as long as nobody has joined."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.db.engine import Database
from app.shared_tables.service import SharedTableService
from tests.shared_tables.sample_tables import game_service, shared_game
from tests.shared_tables.test_pages import open_table
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

SHARED = "This game is now shared."
ALONE = "Play alone again"


async def test_nobody_has_joined_and_the_game_is_ones_own_again(
    site: FastAPI, visitor: AsyncClient
) -> None:
    path, invitation = await open_table(visitor)
    await visitor.post(f"{path}/deal", data={"version": 0})
    assert ALONE in (await visitor.get(path)).text
    for _ in range(2):  # a double click is no fault
        back = await visitor.post(f"{path}/together/alone")
        assert (back.status_code, back.headers["location"]) == (303, path)
    page = (await visitor.get(path)).text
    assert "Play together" in page
    assert ALONE not in page
    assert (await visitor.post(f"{path}/undo", data={"version": 1})).status_code == 303
    assert 'data-version="2"' in (await visitor.get(path)).text
    async with visiting(site) as friend:
        assert (await friend.post(invitation)).status_code == 404
    await visitor.post(f"{path}/together/share")
    again = (await visitor.get(path)).text
    assert SHARED in again
    assert invitation not in again


async def test_after_a_friend_has_joined_there_is_no_way_back_even_when_they_left(
    site: FastAPI, visitor: AsyncClient
) -> None:
    path, invitation = await open_table(visitor)
    assert SHARED not in (await visitor.get(path)).text, "nothing was one's own before"
    async with visiting(site) as friend:
        assert (await friend.post(f"{path}/together/alone")).status_code == 403
        await friend.post(invitation)
        for _ in range(2):
            assert (await friend.post(f"{path}/together/alone")).status_code == 403
            assert (await visitor.post(f"{path}/together/alone")).status_code == 409
            page = (await visitor.get(path)).text
            assert ALONE not in page
            assert SHARED not in page
            await friend.post(f"{path}/together/leave")


async def test_a_process_that_keeps_the_shared_game_lets_its_owner_go_on(
    database: Database, tables: SharedTableService
) -> None:
    games = game_service(database)
    game = await shared_game(games, tables)
    await games.log.load(game.id)
    await tables.unshare(game.id, "anna")
    outcome = await games.act(game.id, "anna", 0, "deal")
    assert outcome.game.version == 1
