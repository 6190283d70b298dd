"""In no language does a response reveal a face-down card."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from app.engine.cards import Card
from app.engine.ruleset import Ruleset
from app.i18n.languages import offered
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from tests.support.known import HTMX
from tests.support.leaks import Responses, Visit, differing, on_look_alikes, site_dealing

pytestmark = pytest.mark.anyio

LENGTH = 6


@pytest.mark.parametrize("tag", [info.tag for info in offered()])
async def test_responses_do_not_depend_on_face_down_cards(
    tag: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(dealt: Sequence[Card], actions: list[str], url: str) -> Responses:
        async with site_dealing(dealt, url, monkeypatch) as anna:
            anna.client.headers["Accept-Language"] = tag
            await play_on(anna, ROUGE_ET_NOIR, actions)
        return anna.responses

    one, two = await on_look_alikes(ROUGE_ET_NOIR, LENGTH, tmp_path, play)
    assert len(one) > 2 * LENGTH
    assert differing(one, two) == []
    assert any(f'lang="{tag}"'.encode() in body for *_, body in one)


async def play_on(anna: Visit, rules: Ruleset, actions: Sequence[str]) -> None:
    """A game from its first page to its record, with refusals on the way."""
    new = {"ruleset": rules.id, "code": "7KQ4M-2XWTP"}
    game = (await anna.ask("POST", "/api/v1/games", json=new)).json()["id"]
    await anna.ask("GET", f"/games/{game}")
    for version, action in enumerate(actions):
        refused = {"version": version, "move": "f1-t1"}
        await anna.ask("POST", f"/games/{game}/move", data=refused, headers=HTMX)
        await anna.ask("POST", f"/api/v1/games/{game}/moves", json=refused)
        move = {"version": version, "move": action}
        await anna.ask("POST", f"/games/{game}/move", data=move, headers=HTMX)
    await anna.ask("GET", f"/games/{game}")
    await anna.ask("GET", f"/games/{game}/record.txt")
