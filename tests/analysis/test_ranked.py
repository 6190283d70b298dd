"""Ranked games have no help but to finish: no button on the page, one stable error code in the API."""

from dataclasses import replace
from html import unescape

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.analysis.model import NoHelpError, check_unranked
from app.engine.history import History
from app.engine.shuffle import deck_of_code, parse_code
from app.games.model import Game, Kind
from app.games.moments import GameEvent
from app.rulesets import find_ruleset
from tests.analysis.sample_games import log_of
from tests.support.known import HTMX
from tests.support.serving import daily_work

pytestmark = pytest.mark.anyio

HINTS_ARE_OFF = "Hints are off in daily deals."
NOT_YET = "This game can't be finished automatically yet."


@pytest.fixture
async def ranked(site: FastAPI, visitor: AsyncClient) -> str:
    """The id of a daily game that the visitor has begun."""
    await daily_work(site)
    begun = await visitor.post("/daily/bristol/play")
    assert begun.status_code == 303
    game: str = begun.headers["location"].removeprefix("/games/")
    return game


async def test_programs_are_refused_with_a_code_of_its_own(visitor: AsyncClient, ranked: str):
    api = f"/api/v1/games/{ranked}"
    for answer in (
        await visitor.get(f"{api}/hint"),
        await visitor.post(f"{api}/finish", json={"version": 0}),
        await visitor.get(f"{api}/winnable"),
        await visitor.post(f"{api}/winnable", json={"version": 0}),
        await visitor.delete(f"{api}/winnable"),
        await visitor.get(f"{api}/review"),
        await visitor.post(f"{api}/review"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "no_help")


async def test_pages_are_refused_and_show_no_button(visitor: AsyncClient, ranked: str):
    page = (await visitor.get(f"/games/{ranked}")).text
    for word in ("hint", "winnable", "chance"):
        assert f"/help/{word}" not in page
    assert "/wishes" not in page
    for form, why in (("hint", HINTS_ARE_OFF), ("finish", NOT_YET)):
        for headers in ({}, HTMX):
            address = f"/games/{ranked}/help/{form}"
            answer = await visitor.post(address, data={"version": "0"}, headers=headers)
            assert answer.status_code == 403
            assert why in unescape(answer.text)
    for question in ("winnable", "review"):
        address = f"/games/{ranked}/help/{question}"
        assert (await visitor.get(address)).status_code == 403
        assert (await visitor.post(address, data={"version": "0"})).status_code == 403
    await visitor.post(f"/api/v1/games/{ranked}/resign", json={"version": 0})
    replay = await visitor.get(f"/games/{ranked}/replay")
    assert replay.status_code == 200
    assert "slip away" not in replay.text
    assert (await visitor.post(f"/api/v1/games/{ranked}/review")).json()["code"] == "no_help"
    assert not (await visitor.get(f"/api/v1/games/{ranked}/replay")).json()["assisted"]


async def test_nothing_moves_automatically_in_ranked_play(visitor: AsyncClient, ranked: str):
    await visitor.post("/wishes", data={"safe_home": "true"})
    for version in range(12):
        state = (await visitor.get(f"/api/v1/games/{ranked}")).json()
        assert not state["can_finish"]
        move = next((m for m in state["legal_moves"] if "-f" in m), state["legal_moves"][-1])
        form = {"version": str(version), "move": move}
        path = "deal" if move == "deal" else "move"
        answer = await visitor.post(f"/games/{ranked}/{path}", data=form, headers=HTMX)
        assert answer.status_code == 200
        assert len(await log_of(visitor, ranked)) == version + 1


@pytest.mark.parametrize(
    ("kind", "where"),
    [
        (Kind.DAILY, "in daily deals"),
        (Kind.RACE, "in races"),
        (Kind.RANKED_CHALLENGE, "in this challenge"),
    ],
)
async def test_a_refusal_names_only_what_this_game_is_played_for(kind: Kind, where: str):
    rules = find_ruleset("klondike")
    assert rules
    history = History.start(rules, deck_of_code(parse_code("WATCH-00000"), rules.decks))
    opened = Game.start(game_id="g", history=history, code=None, owner_id="p", at_ms=0)
    check_unranked(replace(opened, kind=Kind.CHALLENGE))  # not every challenge has ranked rules
    game = replace(opened, kind=kind)
    with pytest.raises(NoHelpError, match=f"^Hints are off {where}"):
        check_unranked(game)
    dealt = game.after(GameEvent("deal", 1, "p", None))
    assert dealt.undo_refusal.casefold().startswith(f"{where}, you can't undo")
    with pytest.raises(ValueError, match=f"(?i)^{where}, you can't undo"):
        dealt.after(GameEvent("undo", 2, "p", None))
