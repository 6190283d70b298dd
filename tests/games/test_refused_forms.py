"""A form of a table that is refused leads back to the table, with the sentence, and not to a page about an error."""

from __future__ import annotations

import re

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.settings import Settings
from tests.games.playing import start_game
from tests.support.serving import HOST, started, visiting

pytestmark = pytest.mark.anyio

FORM = re.compile(r'<form[^>]*\saction="(/[^"]+)"')
BUTTON = re.compile(r'\sformaction="(/[^"]+)"')
TOO_LATE = "Choose before the first move whether spectators see the chance to win."


def from_page(path: str) -> dict[str, str]:
    return {"Referer": f"http://{HOST}{path}"}


async def begin(visitor: AsyncClient) -> str:
    game = await start_game(visitor)
    answer = await visitor.post(f"{game}/deal", data={"version": 0})
    assert answer.status_code == 303
    return game


async def post_too_late(visitor: AsyncClient, game: str, came_from: str | None):
    headers = from_page(came_from) if came_from else {}
    return await visitor.post(f"{game}/watch/chance", headers=headers)


@pytest.mark.parametrize("place", ["", "?held=t1", "/deal", "/help/hint", "/watch/chance"])
async def test_the_table_says_why(visitor: AsyncClient, place: str):
    game = await begin(visitor)
    answer = await post_too_late(visitor, game, game + place)
    assert answer.status_code == 409
    assert f'<span class="why">{TOO_LATE}</span>' in answer.text
    assert f'data-address="{game}"' in answer.text
    assert "possible now</h1>" not in answer.text
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("place", [None, "/replay", "/replay?at=2", "/help/review", "/explorer"])
async def test_a_form_of_another_page_does_not_lead_to_the_table(
    visitor: AsyncClient, place: str | None
):
    game = await begin(visitor)
    answer = await post_too_late(visitor, game, None if place is None else game + place)
    assert answer.status_code == 409
    assert TOO_LATE in answer.text
    assert 'id="table"' not in answer.text


async def test_no_table_is_shown_to_who_may_not_see_it(site: FastAPI, visitor: AsyncClient):
    game = await begin(visitor)
    await visitor.post(f"{game}/watch/audience", data={"audience": "nobody"})
    async with visiting(site) as stranger:
        await start_game(stranger)
        answer = await post_too_late(stranger, game, game)
    assert answer.is_client_error
    assert 'id="table"' not in answer.text


async def test_the_table_says_when_to_try_again(sqlite_url: str):
    settings = Settings(database_url=sqlite_url, games_per_minute=1)
    async with started(settings) as app, visiting(app) as visitor:
        game = await begin(visitor)
        answer = await visitor.post("/play", data={"ruleset": "bristol"}, headers=from_page(game))
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    assert f'data-address="{game}"' in answer.text


async def test_whatever_form_of_its_page_is_refused(site: FastAPI, visitor: AsyncClient):
    game = await begin(visitor)
    await visitor.post(f"{game}/watch/audience", data={"audience": "public"})
    page = (await visitor.get(game)).text
    addresses = {*FORM.findall(page), *BUTTON.findall(page)}
    refused = set()
    async with visiting(site) as watcher:
        await start_game(watcher)
        for address in sorted(addresses):
            answer = await watcher.post(address, headers=from_page(game))  # with none of its fields
            if answer.is_error:
                refused.add(address)
                assert f'data-address="{game}"' in answer.text, address
    assert {
        f"{game}/{word}" for word in ("click", "undo", "resign", "watch/audience", "together/share")
    } <= refused
