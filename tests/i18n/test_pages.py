"""Every page in pseudo-English: a word outside of brackets was never given to a catalog."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.rulesets import RULESETS
from tests.support.addresses import fixed_pages
from tests.support.games import UNLIKE
from tests.support.pseudo import PSEUDO, english_in
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

_EXAMPLES = ("Ada", "Grace")  # players in the faded examples of empty pages


async def test_pages_without_parameters(pseudo_site: FastAPI, anna: AsyncClient):
    found: dict[str, list[str]] = {}
    seen = 0
    for path in fixed_pages(pseudo_site):
        answer = await anna.get(path)
        if answer.headers.get("content-type", "").startswith("text/html"):
            seen += 1
            if english := english_in(answer.text, *_EXAMPLES):
                found[path] = english
    assert seen >= 30
    assert found == {}


@pytest.mark.parametrize("ruleset", [rules.id for rules in RULESETS])
async def test_rules(anna: AsyncClient, ruleset: str):
    page = await anna.get(f"/rules/{ruleset}")
    rules = next(one for one in RULESETS if one.id == ruleset)
    names = [*(alias.title() for alias in rules.aliases), rules.source]
    assert english_in(page.text, *names) == []


@pytest.mark.parametrize("ruleset", [rules.id for rules in UNLIKE])
async def test_a_table(anna: AsyncClient, ruleset: str):
    """A fresh table, a refusal, a few moves, an undo, and the end by resigning."""
    game = (await anna.post("/api/v1/games", json={"ruleset": ruleset})).json()
    path, headers = f"/games/{game['id']}", {"HX-Request": "true"}
    pages = [await anna.get(path)]
    refused = {"version": "0", "move": "f1-t1"}
    pages.append(await anna.post(f"{path}/move", data=refused, headers=headers))
    version = 0
    for _ in range(3):
        state = (await anna.get(f"/api/v1{path}")).json()
        if not state["legal_moves"]:
            break
        move = {"version": str(version), "move": state["legal_moves"][0]}
        pages.append(await anna.post(f"{path}/move", data=move, headers=headers))
        version += 1
    undo = {"version": str(version)}
    pages.append(await anna.post(f"{path}/undo", data=undo, headers=headers))
    state = (await anna.get(f"/api/v1{path}")).json()
    resign = {"version": str(state["version"])}
    pages.append(await anna.post(f"{path}/resign", data=resign, headers=headers))
    pages += [await anna.get(f"{path}/replay?at=1"), await anna.get(path)]
    assert [english_in(page.text) for page in pages] == [[] for _ in pages]


async def test_playing_together(pseudo_site: FastAPI, anna: AsyncClient):
    api = "/api/v1"
    game = (await anna.post(f"{api}/games", json={"ruleset": "bristol"})).json()["id"]
    table = (await anna.post(f"{api}/games/{game}/together")).json()["invitation"]
    room = (await anna.post(f"{api}/races", json={"ruleset": "bristol", "minutes": 3})).json()
    await anna.post(f"{api}/races/{room['code']}/listing", json={"listed": True})
    body = {"name": "Herons", "games": ["bristol"]}
    league = (await anna.post(f"{api}/leagues", json=body)).json()["link"]
    paths = [
        f"/games/{game}",
        f"/race/{room['code']}",
        *("/race/open", "/together", "/race"),
        f"/league/{league}",
        "/deal/bristol/7KQ4M-2XWTP",
    ]
    async with visiting(pseudo_site, headers=PSEUDO) as ben:
        pages = [await anna.get(path) for path in paths] + [await ben.get(path) for path in paths]
        pages.append(await ben.get(f"/together/{table.rpartition('/')[2]}"))
        assert [english_in(page.text, "Herons") for page in pages] == [[] for _ in pages]


@pytest.mark.parametrize(
    "path", ["/nothing", "/games/none", "/race/ZZZZZZ", "/rules/none", "/daily/2020-01-01"]
)
async def test_errors(anna: AsyncClient, path: str):
    answer = await anna.get(path)
    assert answer.status_code == 404
    assert english_in(answer.text) == []
