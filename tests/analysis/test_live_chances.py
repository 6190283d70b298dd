"""The chance to win for those who watch: chosen before the first move, from the players' sight, computed once."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from app.analysis import live_chance_pages, live_chances, repository, tasks
from app.engine.ruleset import Ruleset
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.settings import Settings
from app.solver.sight import Sight
from tests.analysis.sample_games import sit_down
from tests.jobs.work import count_until_stopped
from tests.support.games import UNLIKE_WITH_HIDDEN_CARDS
from tests.support.known import CODE, HTMX
from tests.support.leaks import Visit, on_look_alikes, site_dealing
from tests.support.scenes import open_scene
from tests.support.serving import HOST, started, visiting
from tests.support.workers import DIRECT

pytestmark = pytest.mark.anyio

LENGTH = 8


@pytest.fixture(autouse=True)
def _little_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_CHANCE_BUDGET", 1_000)
    monkeypatch.setattr(live_chances, "PATIENT", 60.0)
    monkeypatch.setattr(live_chance_pages, "AT_ONCE", 60.0)


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[FastAPI]:
    """A site whose chances never depend on how busy the machine is."""
    async with started(Settings(database_url=sqlite_url), DIRECT) as app:
        yield app


@pytest.fixture
async def watcher(site: FastAPI) -> AsyncIterator[AsyncClient]:
    async with visiting(site) as client:
        yield client


@pytest.fixture
async def game(visitor: AsyncClient) -> str:
    """A game whose spectators see the chance."""
    game = await sit_down(visitor, "bristol", CODE)
    assert (await visitor.put(chance_of(game))).status_code == 204
    return game


def chance_of(game: str) -> str:
    return f"/api/v1/games/{game}/chance"


async def deal(player: AsyncClient, game: str, version: int) -> None:
    move = {"version": version, "move": "deal"}
    (await player.post(f"/api/v1/games/{game}/moves", json=move)).raise_for_status()


async def is_assisted(player: AsyncClient, game: str) -> bool:
    version = (await player.get(f"/api/v1/games/{game}")).json()["version"]
    body = {"version": version}
    (await player.post(f"/api/v1/games/{game}/resign", json=body)).raise_for_status()
    return bool((await player.get(f"/api/v1/games/{game}/replay")).json()["assisted"])


async def test_those_who_watch_see_the_chance_and_players_do_not(
    visitor: AsyncClient, watcher: AsyncClient, game: str
):
    for version in range(2):
        found = (await watcher.get(chance_of(game))).json()
        assert found["version"] == version
        assert 0 < found["chance"] < 1
        number = f"{round(100 * found['chance'])}%"
        for path in (f"/games/{game}", f"/games/{game}/watch/chance"):
            page = " ".join((await watcher.get(path)).text.split())
            shown = re.search(r'data-version="(\d+)" *> *<p id="chance".*?<b[^>]*>([^<]+)', page)
            assert shown, page
            assert shown.groups() == (str(version), number)
        own = (await visitor.get(f"/games/{game}")).text
        assert 'id="chance"' not in own
        assert "Spectators see the chance to win" in own
        assert ">assisted<" in own
        for path in (chance_of(game), f"/games/{game}/watch/chance"):
            answer = await visitor.get(path)
            assert answer.status_code == 403
        assert (await visitor.get(chance_of(game))).json()["code"] == "forbidden"
        await deal(visitor, game, version)


async def test_such_a_game_counts_as_assisted(visitor: AsyncClient, game: str):
    await deal(visitor, game, 0)
    assert await is_assisted(visitor, game)


async def test_unless_the_owner_chooses_it_nothing_is_shown(
    visitor: AsyncClient, watcher: AsyncClient
):
    game = await sit_down(visitor, "bristol", CODE)
    assert "Show it to spectators" in (await visitor.get(f"/games/{game}")).text
    page = (await watcher.get(f"/games/{game}")).text
    assert "Show it to spectators" not in page
    assert "chance" not in page
    refused = await watcher.get(chance_of(game))
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
    refused = await watcher.put(chance_of(game))
    assert (refused.status_code, refused.json()["code"]) == (403, "not_your_game")
    await deal(visitor, game, 0)
    assert not await is_assisted(visitor, game)


async def test_it_is_chosen_before_the_first_move_and_for_good(
    visitor: AsyncClient, watcher: AsyncClient
):
    late = await sit_down(visitor, "bristol", CODE, "deal")
    refused = await visitor.put(chance_of(late))
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert "Show it to spectators" not in (await visitor.get(f"/games/{late}")).text
    game = await sit_down(visitor, "bristol", CODE)
    assert (await visitor.post(f"/games/{game}/watch/chance")).status_code == 303
    await deal(visitor, game, 0)
    for audience in ("nobody", "public"):
        audiences = f"/api/v1/games/{game}/audience"
        await visitor.put(audiences, json={"audience": audience})
        assert (await visitor.put(chance_of(game))).status_code == 204  # as it is already
    assert (await watcher.get(chance_of(game))).status_code == 200
    assert await is_assisted(visitor, game)


async def test_help_asked_for_before_does_not_hide_it(visitor: AsyncClient, watcher: AsyncClient):
    game = await sit_down(visitor, "bristol", CODE)
    asked = await visitor.post(f"/api/v1/games/{game}/winnable", json={"version": 0})
    assert asked.status_code == 202
    assert (await visitor.put(chance_of(game))).status_code == 204
    assert (await watcher.get(chance_of(game))).status_code == 200


@pytest.mark.parametrize("kind", ["daily", "race", "attempt"])
async def test_what_is_compared_with_others_never_shows_it(database_url: str, kind: str):
    async with open_scene(database_url) as scene:
        await scene.build(kind)
        address = chance_of(scene.game_id)
        refused = await scene.anna.put(address)
        assert (refused.status_code, refused.json()["code"]) == (403, "no_help")
        page = (await scene.anna.get(f"/games/{scene.game_id}")).text
        assert "Show it to spectators" not in page
        refused = await scene.others["stranger"].get(address)
        expected = {"daily": "not_your_game", "race": "not_your_game", "attempt": "not_found"}
        assert refused.json()["code"] == expected[kind]


async def test_whoever_sits_at_a_shared_table_is_a_player(database_url: str):
    async with open_scene(database_url) as scene:
        await scene.build("shared")
        database = scene.app.state.services.database
        await database.write(
            lambda connection: repository.show_chances(connection, scene.game_id, 0, 0)
        )
        refused = await scene.ben.get(chance_of(scene.game_id))
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
        assert 'id="chance"' not in (await scene.ben.get(f"/games/{scene.game_id}")).text
        answer = await scene.others["stranger"].get(chance_of(scene.game_id))
        assert answer.status_code == 200


async def test_a_position_is_judged_once_for_all_who_watch(
    site: FastAPI, visitor: AsyncClient, game: str, monkeypatch: pytest.MonkeyPatch
):
    judged: list[Sight] = []

    def count(ruleset: str, revision: int, sight: Sight) -> float:
        judged.append(sight)
        return tasks.find_chance(ruleset, revision, sight)

    monkeypatch.setattr(live_chances, "find_chance", count)
    for version in range(2):
        async with visiting(site) as one, visiting(site) as two:
            answers = await asyncio.gather(
                *(who.get(chance_of(game)) for who in (one, two) for _ in range(5)),
                *(who.get(f"/games/{game}") for who in (one, two)),
            )
        assert {answer.status_code for answer in answers} == {200}
        assert len(judged) == version + 1
        await deal(visitor, game, version)


def never(*_sight: object) -> float:
    return float(bool(count_until_stopped()))


async def test_a_page_does_not_wait_for_a_chance_that_takes_long(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(live_chances, "find_chance", never)
    monkeypatch.setattr(live_chances, "PATIENT", 0.01)
    monkeypatch.setattr(live_chance_pages, "AT_ONCE", 0.01)
    async with (
        started(Settings(database_url=sqlite_url)) as app,
        visiting(app) as player,
        visiting(app) as watcher,
    ):
        game = await sit_down(player, "bristol", CODE)
        await player.put(chance_of(game))
        page = (await watcher.get(f"/games/{game}")).text
        assert "Working out the chance to win" in page
        assert (await watcher.get(chance_of(game))).json() == {"version": 0, "chance": None}


# --- nothing hidden


async def seen_by_a_watcher(
    rules: Ruleset, dealt: Any, actions: list[str], url: str, monkeypatch: pytest.MonkeyPatch
) -> list[Any]:
    """Every answer about the chance, all along a game."""
    async with site_dealing(dealt, url, monkeypatch, environment=DIRECT) as player:
        new = {"ruleset": rules.id, "code": CODE}
        game = (await player.ask("POST", "/api/v1/games", json=new)).json()["id"]
        assert (await player.ask("PUT", chance_of(game))).status_code == 204
        client = AsyncClient(transport=ASGITransport(player.app), base_url=f"http://{HOST}")
        async with client:
            watcher = Visit(player.app, client)
            for version, action in enumerate([*actions, ""]):
                for path in (chance_of(game), f"/games/{game}", f"/games/{game}/watch/chance"):
                    await watcher.ask("GET", path, headers=HTMX if "watch" in path else {})
                if action:
                    move = {"version": version, "move": action}
                    await player.ask("POST", f"/api/v1/games/{game}/moves", json=move)
        return [*player.responses, *watcher.responses]


@pytest.mark.parametrize("rules", UNLIKE_WITH_HIDDEN_CARDS, ids=lambda rules: rules.id)
async def test_deals_that_look_alike_give_spectators_equal_bytes(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tasks, "_CHANCE_BUDGET", 1_000)
    one, two = await on_look_alikes(
        rules,
        LENGTH,
        tmp_path,
        lambda dealt, actions, url: seen_by_a_watcher(rules, dealt, actions, url, monkeypatch),
    )
    assert sum(b'"chance":0.' in answer[3] for answer in one) >= LENGTH / 2
    for first, second in zip(one, two, strict=True):
        assert first == second, first[0]


async def test_the_comparison_would_notice_a_chance_that_peeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def peep(game: Any) -> Sight:
        piles = game.position.piles
        return Sight(tuple(pile.cards for pile in piles), tuple(pile.down for pile in piles))

    monkeypatch.setattr(tasks, "_CHANCE_BUDGET", 1_000)
    monkeypatch.setattr(live_chances, "sight_of", peep)
    one, two = await on_look_alikes(
        ROUGE_ET_NOIR,
        LENGTH,
        tmp_path,
        lambda dealt, actions, url: seen_by_a_watcher(
            ROUGE_ET_NOIR, dealt, actions, url, monkeypatch
        ),
    )
    assert one != two
