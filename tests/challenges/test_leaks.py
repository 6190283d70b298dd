"""An attempt reveals no face-down card: neither the challenge, nor the game, nor the result to beat."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from httpx import ASGITransport, AsyncClient

from app.engine.cards import Card
from app.engine.ruleset import Ruleset
from app.rulesets import RULESETS
from tests.support.games import UNLIKE_WITH_HIDDEN_CARDS
from tests.support.known import CODE, HTMX
from tests.support.leaks import Responses, Visit, differing, on_look_alikes, site_dealing
from tests.support.serving import HOST

pytestmark = pytest.mark.anyio

API = "/api/v1"
LENGTH = 8


@pytest.mark.parametrize("rules", UNLIKE_WITH_HIDDEN_CARDS[::2], ids=lambda rules: rules.id)
async def test_equal_looks_get_equal_bytes_in_a_challenge(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = await on_look_alikes(
        rules,
        LENGTH,
        tmp_path,
        lambda dealt, actions, url: challenged(
            Game(rules, dealt, actions, actions), url, monkeypatch
        ),
    )
    assert len(one) > 5 * LENGTH
    assert differing(one, two) == []


async def test_the_comparison_would_notice_a_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = RULESETS[0]
    one, two = await on_look_alikes(
        rules,
        LENGTH,
        tmp_path,
        lambda dealt, actions, url: challenged(
            Game(rules, dealt, actions, [*actions, "deal"]), url, monkeypatch
        ),
    )
    assert one != two


async def test_the_game_to_beat_has_seen_more_and_tells_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game has dealt half of the stock, the attempt only a little."""
    rules = RULESETS[0]
    one, two = await on_look_alikes(
        rules,
        1,
        tmp_path,
        lambda dealt, seen, url: challenged(
            Game(rules, dealt, ["deal"] * 5, seen), url, monkeypatch
        ),
    )
    assert differing(one, two) == []


class Game(NamedTuple):
    """What is dealt, and how the two play it."""

    rules: Ruleset
    dealt: Sequence[Card]
    played: Sequence[str]
    tried: Sequence[str]


async def challenged(game: Game, url: str, monkeypatch: pytest.MonkeyPatch) -> Responses:
    """Everything that the site sends to a player during an attempt."""
    rules, dealt, played, tried = game
    async with site_dealing(dealt, url, monkeypatch) as host:
        new = {"ruleset": rules.id, "code": CODE}
        old = (await host.ask("POST", f"{API}/games", json=new)).json()["id"]
        await play(host, old, played)
        await host.ask("POST", f"{API}/games/{old}/resign", json={"version": len(played)})
        made = await host.ask("POST", f"{API}/games/{old}/ghost")
        token = made.json()["token"]
        client = AsyncClient(transport=ASGITransport(host.app), base_url=f"http://{HOST}")
        async with client:
            friend = Visit(host.app, client)
            await look(friend, token)
            mine = (await friend.ask("POST", f"{API}/ghosts/{token}")).json()["id"]
            await look(friend, token, mine)
            for version, action in enumerate(tried):
                await play(friend, mine, [action], version)
                if version in {0, len(tried) - 1}:
                    await look(friend, token, mine, version)
            await friend.listen(f"{API}/games/{mine}/stream")
        return friend.responses


async def play(visit: Visit, game: str, actions: Sequence[str], first: int = 0) -> None:
    for version, action in enumerate(actions, first):
        move = {"version": version, "move": action}
        answer = await visit.ask("POST", f"{API}/games/{game}/moves", json=move)
        assert answer.status_code == 200, answer.text


async def look(visit: Visit, token: str, game: str = "", version: int = 0) -> None:
    """Look into every corner, and ask for what is not given."""
    for path in (f"/challenge/{token}", f"{API}/ghosts/{token}", "/", "/me", f"{API}/me/export"):
        await visit.ask("GET", path)
    if not game:
        return
    page, api = f"/games/{game}", f"{API}/games/{game}"
    for path in (
        *(page, f"{page}/board?since={version}", f"{page}/ghost/line", f"/challenge/of/{game}"),
        *(f"{page}/replay", f"{page}/record.txt", api, f"{api}/events", f"{api}/hint"),
        *(f"{page}/help/winnable", f"{page}/help/review", f"{api}/replay", f"{api}/record"),
    ):
        await visit.ask("GET", path)
    await visit.ask("GET", f"{page}/board", headers=HTMX)
    await visit.ask("POST", f"{page}/help/winnable", data={"version": str(version)})
    for path in ("replay/fork", "ghost/make", "together/share"):
        await visit.ask("POST", f"{page}/{path}", data={"at": "0"})
