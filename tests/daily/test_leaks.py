"""While a sealed game is open, no answer depends on a card that its player cannot see."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.routing import Route

from app.daily import repository
from app.engine.actions import parse_action
from app.engine.cards import fresh_deck
from app.engine.deal import opening
from app.engine.history import History
from app.engine.position import hidden_cards
from app.engine.ruleset import Ruleset
from app.games.clicks import Grip, Nothing, Release, Select, read_click
from app.rulesets import DAILY_RULESETS
from tests.support.known import HTMX
from tests.support.leaks import (
    NOON,
    Visit,
    deck_for,
    hidden_places,
    look_alike_decks,
    sample_actions,
    site_dealing,
)

pytestmark = pytest.mark.anyio

LENGTH = 14
WITH_HIDDEN_CARDS = [
    rules for rules in DAILY_RULESETS if hidden_cards(opening(rules, fresh_deck(rules.decks)))
]
# These are requested elsewhere, or would reveal a card. A stream never ends.
PLAYED_ON = ("/moves", "/move", "/click", "/deal", "/redo", "/undo", "/resign", "/stream")


@pytest.mark.parametrize("rules", WITH_HIDDEN_CARDS, ids=lambda rules: rules.id)
def test_look_alike_decks_differ_only_in_hidden_cards(rules: Ruleset):
    deck = deck_for(rules)
    actions = sample_actions(rules, deck, LENGTH)
    another_process = look_alike_decks(rules, deck, actions)
    hidden = hidden_places(rules, deck, actions)
    assert sorted(another_process, key=str) == sorted(deck, key=str)
    changed = [place for place in range(len(deck)) if another_process[place] is not deck[place]]
    assert set(changed) <= set(hidden)
    assert len(changed) > 10


@pytest.mark.parametrize("rules", WITH_HIDDEN_CARDS, ids=lambda rules: rules.id)
async def test_every_response_is_the_same_for_look_alike_decks(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    deck = deck_for(rules)
    actions = sample_actions(rules, deck, LENGTH)
    heard = []
    for name, dealt in (("one", deck), ("two", look_alike_decks(rules, deck, actions))):
        url = f"sqlite:///{tmp_path / name}.db"
        async with site_dealing(dealt, url, monkeypatch) as visit:
            await play_and_request_everything(visit, rules, actions)
            heard.append(visit.responses)
    assert len(heard[0]) > 100
    for one, two in zip(*heard, strict=True):
        assert one == two, one[0]


async def test_no_response_contains_a_secret_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    rules = DAILY_RULESETS[0]
    deck = deck_for(rules)
    url = f"sqlite:///{tmp_path / 'one'}.db"
    async with site_dealing(deck, url, monkeypatch) as visit:
        await play_and_request_everything(visit, rules, sample_actions(rules, deck, LENGTH))
        dealt = await visit.app.state.services.database.read(
            lambda connection: repository.list_deals(connection, date.min, date.max)
        )
    assert len(dealt) == 8 * len(DAILY_RULESETS)
    everything = b"".join(body for _, _, _, body in visit.responses)
    for deal in dealt:
        assert deal.commitment.encode() in everything
        for written in (deal.seed.hex().encode(), base64.b64encode(deal.seed)[:40], deal.seed):
            assert written not in everything


async def test_the_comparison_would_notice_a_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    rules = DAILY_RULESETS[0]
    deck = deck_for(rules)
    actions = sample_actions(rules, deck, LENGTH)
    heard = []
    for name, dealt in (("one", deck), ("two", look_alike_decks(rules, deck, actions))):
        url = f"sqlite:///{tmp_path / name}.db"
        async with site_dealing(dealt, url, monkeypatch) as visit:
            await play_and_request_everything(visit, rules, [*actions, "deal"])
            heard.append(visit.responses)
    assert any(one != two for one, two in zip(*heard, strict=False))


async def play_and_request_everything(visit: Visit, rules: Ruleset, actions: list[str]) -> None:
    """Play a daily deal as its owner, with requests to every route on the way."""
    begun = await visit.ask("POST", f"/daily/{rules.id}/play")
    game = begun.headers["location"].removeprefix("/games/")
    for version, action in enumerate(actions):
        await request_refused_moves(visit, rules, game, version)
        if version % 2:
            path, body = f"/api/v1/games/{game}/moves", {"version": version, "move": action}
            answer = await visit.ask("POST", path, json=body)
        else:
            form = {"version": str(version), "move": action}
            address = f"/games/{game}/" + ("deal" if action == "deal" else "move")
            answer = await visit.ask("POST", address, data=form, headers=HTMX)
        assert answer.status_code == 200, (action, answer.text)
    await request_views(visit, rules, game)
    for pile in quiet_piles(rules, actions):
        form = {"version": str(len(actions)), "clicked": pile}
        await visit.ask("GET", f"/games/{game}", params={"held": pile})
        await visit.ask("POST", f"/games/{game}/click", data=form, headers=HTMX)
    await request_all_routes(visit, game, len(actions))
    await visit.ask("POST", f"/api/v1/games/{game}/resign", json={"version": len(actions)})
    await request_views(visit, rules, game)
    await request_all_routes(visit, game, len(actions) + 1)


async def request_all_routes(visit: Visit, game: str, version: int) -> None:
    """Request every other route of a game, including routes that are added later."""
    for method, path in addresses_of_games(visit.app):
        address = path.replace("{game_id}", game).replace("{step}", "1")
        if path.startswith("/api/") or method == "GET":
            body = {"version": version, "at": 1, "audience": "public", "topic": "winnable"}
            await visit.ask(method, address, **({} if method == "GET" else {"json": body}))
        else:
            form = {"version": str(version), "at": "1", "audience": "public"}
            await visit.ask(method, address, data=form, headers=HTMX)


def addresses_of_games(app: FastAPI) -> Iterator[tuple[str, str]]:
    """Every route with a game ID and no other parameter, except those that play the game."""
    for context in iter_route_contexts(app.router.routes):
        route = context.original_route
        if not isinstance(route, Route) or "{game_id}" not in route.path:
            continue
        others = {name for name in route.param_convertors if name not in {"game_id", "step"}}
        if others or route.path.endswith(PLAYED_ON):
            continue
        for method in sorted(route.methods or ()):
            yield method, route.path


def quiet_piles(rules: Ruleset, actions: list[str]) -> list[str]:
    """The piles on which a click is not a move."""
    line = History.start(rules, deck_for(rules))
    for action in actions:
        line = line.apply(parse_action(rules.layout, action))
    clicks = {pile: read_click(rules, line.position, Grip(pile), None) for pile in rules.layout.ids}
    return [pile for pile, meant in clicks.items() if isinstance(meant, Select | Nothing | Release)]


async def request_refused_moves(visit: Visit, rules: Ruleset, game: str, version: int) -> None:
    """Request moves that the rules, the version or the format forbid."""
    first, last = rules.layout.ids[0], rules.layout.ids[-1]
    for move in (f"{first}-{last}", f"{last}-f1", f"{last}-{first}", f"{last}-t1:9", "x"):
        body = {"version": version, "move": move}
        if move.startswith("stock") and rules.stock.face_up:
            continue  # there it may be a legal move
        if move.endswith("-f1"):
            continue  # so may this
        await visit.ask("POST", f"/api/v1/games/{game}/moves", json=body)
    stale = {"version": version + 7, "move": "deal"}
    await visit.ask("POST", f"/api/v1/games/{game}/moves", json=stale)
    await visit.ask("POST", f"/api/v1/games/{game}/restart", json={"version": version})


async def request_views(visit: Visit, rules: Ruleset, game: str) -> None:
    """Request every page and resource that shows the game."""
    day = "2026-03-10"
    api = f"/api/v1/games/{game}"
    for path in (
        *(f"/games/{game}", f"/games/{game}/board", f"/games/{game}/replay"),
        *(f"/games/{game}/record.txt", f"/games/{game}/picture.png"),
        *(api, f"{api}?since=0", f"{api}/events", f"{api}/replay", f"{api}/record"),
        *("/", "/me", "/daily", "/daily/check", "/daily/archive"),
        *(f"/daily/{day}/{rules.id}", f"/daily/of/{game}", f"/daily/{day}"),
        *("/api/v1/daily", "/api/v1/daily/promises", f"/api/v1/daily/{day}/{rules.id}"),
        *(
            f"/api/v1/daily/{day}/{rules.id}/{what}"
            for what in ("board", "unsolved", "record.json")
        ),
        *("/api/v1/me", "/api/v1/me/export", "/me/export"),
        *(f"/deal/{rules.id}/{game}", "/daily/2026-03-11", f"/daily/2026-03-11/{rules.id}"),
    ):
        await visit.ask("GET", path)
    await visit.ask("HEAD", f"/games/{game}")
    await visit.ask("GET", f"/games/{game}/board", headers=HTMX)
    await visit.listen(f"{api}/stream")


def test_the_day_of_these_tests_is_the_one_that_they_name():
    assert NOON // 86_400_000 == 20522
