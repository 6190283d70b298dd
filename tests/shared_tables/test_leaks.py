"""No response at a shared table reveals a face-down card, neither to players nor to spectators."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from httpx import ASGITransport, AsyncClient

from app.engine.cards import Card
from app.engine.ruleset import Ruleset
from app.rulesets import RULESETS
from tests.support.games import UNLIKE_WITH_HIDDEN_CARDS
from tests.support.known import HTMX
from tests.support.leaks import Responses, Visit, differing, on_look_alikes, site_dealing
from tests.support.serving import HOST

pytestmark = pytest.mark.anyio

API = "/api/v1"
LENGTH = 8


@pytest.mark.parametrize("rules", UNLIKE_WITH_HIDDEN_CARDS[::2], ids=lambda rules: rules.id)
async def test_responses_do_not_depend_on_face_down_cards(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = await on_look_alikes(
        rules,
        LENGTH,
        tmp_path,
        lambda dealt, actions, url: shared(rules, dealt, actions, url, monkeypatch),
    )
    assert len(one) > 5 * LENGTH
    assert differing(one, two) == []


async def test_the_comparison_detects_a_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = RULESETS[0]
    one, two = await on_look_alikes(
        rules,
        LENGTH,
        tmp_path,
        lambda dealt, actions, url: shared(rules, dealt, [*actions, "deal"], url, monkeypatch),
    )
    assert differing(one, two)


async def shared(
    rules: Ruleset,
    dealt: Sequence[Card],
    actions: Sequence[str],
    url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> Responses:
    """All responses to two players, who also move too late, and a spectator."""
    async with site_dealing(dealt, url, monkeypatch) as anna:
        ben, watcher = (
            Visit(
                anna.app, AsyncClient(transport=ASGITransport(anna.app), base_url=f"http://{HOST}")
            )
            for _ in range(2)
        )
        new = {"ruleset": rules.id, "code": "7KQ4M-2XWTP"}
        game = (await anna.ask("POST", f"{API}/games", json=new)).json()["id"]
        table = (await anna.ask("POST", f"{API}/games/{game}/together")).json()
        token = table["invitation"].rpartition("/")[2]
        seat = await ben.ask("POST", f"{API}/together/{token}")
        assert seat.status_code == 200, seat.text
        path = f"{API}/games/{game}"
        for version, action in enumerate(actions):
            mover, other = (anna, ben) if version % 2 else (ben, anna)
            move = {"version": version, "move": action}
            moved = await mover.ask("POST", f"{path}/moves", json=move)
            assert moved.status_code == 200, moved.text
            late = await other.ask("POST", f"{path}/moves", json=move)
            assert late.status_code in {409, 422} or late.json()["version"] > version + 1
            if version in {0, len(actions) - 1}:
                for who in (anna, ben, watcher):
                    await request_all(who, game, version)
        await ben.ask("POST", f"{path}/together/point", json={"place": "stock"})
        await ben.ask("POST", f"{path}/undo", json={"version": len(actions)})
        for who in (anna, ben, watcher):
            await request_all(who, game, len(actions))
        invitation = await watcher.ask("GET", f"/together/{token}")
        assert "mini-table" in invitation.text
        await ben.client.aclose()
        await watcher.client.aclose()
        return [*anna.responses, *ben.responses, *watcher.responses]


async def request_all(visit: Visit, game: str, version: int) -> None:
    page, api = f"/games/{game}", f"{API}/games/{game}"
    for path in (
        *(page, f"{page}/board?since={version}", f"{page}/together/people", f"{page}/record.txt"),
        *(api, f"{api}/events", f"{api}/together", f"{api}/hint", f"{page}/replay", "/"),
    ):
        await visit.ask("GET", path)
    await visit.ask("GET", f"{page}/board", headers=HTMX)
