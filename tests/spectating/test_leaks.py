"""Viewers receive nothing that depends on a card that the player cannot see."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient

from app.engine.ruleset import Ruleset
from app.rulesets import RULESETS
from tests.support.games import UNLIKE_WITH_HIDDEN_CARDS
from tests.support.known import HTMX
from tests.support.leaks import Visit, deck_for, on_look_alikes, sample_actions, site_dealing
from tests.support.serving import HOST
from tests.support.streams import first_poll, listening

pytestmark = pytest.mark.anyio

LENGTH = 14


@pytest.mark.parametrize("rules", UNLIKE_WITH_HIDDEN_CARDS, ids=lambda rules: rules.id)
async def test_equal_boards_give_viewers_equal_bytes(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    length = len(sample_actions(rules, deck_for(rules), LENGTH))
    one, two = await on_look_alikes(
        rules,
        length,
        tmp_path,
        lambda dealt, actions, url: watched(rules, dealt, actions, url, monkeypatch),
    )
    assert one.count("event: change") == length > 0
    assert one == two


async def test_the_comparison_would_notice_a_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    rules = RULESETS[0]
    one, two = await on_look_alikes(
        rules,
        LENGTH,
        tmp_path,
        lambda dealt, actions, url: watched(rules, dealt, [*actions, "deal"], url, monkeypatch),
    )
    assert one != two


async def watched(
    rules: Ruleset, dealt, actions: list[str], url: str, monkeypatch: pytest.MonkeyPatch
) -> str:
    """Play an open game with a viewer; everything that the viewer receives, in order."""
    async with site_dealing(dealt, url, monkeypatch) as player:
        new = {"ruleset": rules.id, "code": "7KQ4M-2XWTP"}
        game = (await player.ask("POST", "/api/v1/games", json=new)).json()["id"]
        shown = {"audience": "public"}
        await player.ask("PUT", f"/api/v1/games/{game}/audience", json=shown)
        client = AsyncClient(transport=ASGITransport(player.app), base_url=f"http://{HOST}")
        async with client, listening(player.app, game, query="since=0") as (stream, _):
            viewer = Visit(player.app, client)
            await first_poll(player.app, game)
            for version, action in enumerate(actions):
                move = {"version": version, "move": action}
                answer = await player.ask("POST", f"/api/v1/games/{game}/moves", json=move)
                assert answer.status_code == 200, answer.text
                await stream.until(f'"version": {version + 1}, "html"')
                if version % 4 == 0 or version == len(actions) - 1:
                    await look(viewer, game, version)
        people = re.sub(r"event: here\ndata: .*\n\n", "", stream.text)
        return people + "".join(map(repr, viewer.responses))


async def look(viewer: Visit, game: str, version: int) -> None:
    api = f"/api/v1/games/{game}"
    for path in (
        *(f"/games/{game}", f"/games/{game}/board?since={version}", "/watch", "/"),
        *(api, f"{api}?since={version}", f"{api}/events", "/api/v1/watch"),
    ):
        await viewer.ask("GET", path)
    await viewer.ask("GET", f"/games/{game}/board", headers=HTMX)
