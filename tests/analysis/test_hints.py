"""Hints name a good move and the reason, and use no more than the player sees."""

import re
from pathlib import Path

import pytest
from httpx import AsyncClient

from app.analysis import hints as analysis_help
from app.analysis.hints import hint_after
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed
from app.rulesets import RULESETS
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.solver.hints import View
from tests.analysis.helpers import HTMX, sit_down, table_at
from tests.support.leaks import Visit, look_alike_decks, sample_actions, site_dealing

pytestmark = pytest.mark.anyio

EVERY_GAME = pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
LENGTH = 14
WITH_A_CHOICE = "00000-00003"


async def hear(visit: Visit, rules: Ruleset, actions: list[str]) -> None:
    """Ask for every hint in every way, all along a line of play."""
    begun = await visit.ask("POST", "/play", data={"ruleset": rules.id, "code": ""})
    game = begun.headers["location"].removeprefix("/games/")
    for version in range(len(actions) + 1):
        for given in range(4):
            form = {"version": str(version), "hint": str(given)}
            await visit.ask("POST", f"/games/{game}/help/hint", data=form, headers=HTMX)
            await visit.ask("GET", f"/api/v1/games/{game}/hint", params={"after": given})
        await visit.ask("POST", f"/games/{game}/help/hint", data={"version": str(version)})
        await visit.ask("POST", f"/api/v1/games/{game}/finish", json={"version": version})
        await visit.ask("GET", f"/api/v1/games/{game}")
        if version < len(actions):
            body = {"version": version, "move": actions[version]}
            answer = await visit.ask("POST", f"/api/v1/games/{game}/moves", json=body)
            assert answer.status_code == 200


async def heard_of_twins(rules, tmp_path, monkeypatch):
    deck = deck_of_seed(bytes(range(32)), rules.decks)
    actions = sample_actions(rules, deck, LENGTH)
    heard = []
    for name, dealt in (("one", deck), ("two", look_alike_decks(rules, deck, actions))):
        async with site_dealing(dealt, f"sqlite:///{tmp_path / name}.db", monkeypatch) as visit:
            await hear(visit, rules, actions)
            heard.append(visit.responses)
    return heard


@EVERY_GAME
async def test_tables_that_look_alike_get_the_same_help_to_the_byte(
    rules: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    one, two = await heard_of_twins(rules, tmp_path, monkeypatch)
    assert len(one) > 100
    for first, second in zip(one, two, strict=True):
        assert first == second, first[0]


async def test_the_comparison_would_notice_a_hint_that_peeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def peep(position) -> View:
        return tuple(tuple(pile.cards) for pile in position.piles)

    monkeypatch.setattr(analysis_help, "observe", peep)
    heard = await heard_of_twins(ROUGE_ET_NOIR, tmp_path, monkeypatch)
    assert any(one != two for one, two in zip(*heard, strict=True))


async def test_each_hint_is_legal_and_the_last_says_that_it_is_the_last(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    legal = (await visitor.get(f"/api/v1/games/{game}")).json()["legal_moves"]
    seen, after = [], 0
    while True:
        answer = (await visitor.get(f"/api/v1/games/{game}/hint?after={after}")).json()
        assert answer["version"] == 0
        assert answer["why"].endswith(".")
        seen.append(answer["move"])
        if answer["next"] is None:
            break
        assert answer["next"] == after + 1
        after = answer["next"]
    assert len(seen) > 1
    assert len(set(seen)) == len(seen)
    assert set(seen) <= set(legal)
    beyond = (await visitor.get(f"/api/v1/games/{game}/hint?after={len(seen)}")).json()
    assert (beyond["move"], beyond["next"]) == (None, None)
    assert beyond["why"] == "There are no more good moves to suggest."


async def test_a_hint_highlights_the_card_and_its_target_without_a_move(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    told = (await visitor.get(f"/api/v1/games/{game}/hint")).json()
    source, target = told["move"].split("-")
    form = {"version": "0", "held": "", "hint": "0"}
    answer = await visitor.post(f"/games/{game}/help/hint", data=form, headers=HTMX)
    assert answer.status_code == 200
    assert re.search(rf'value="{source}" class="advised"', answer.text)
    assert re.search(rf'id="{target}" class="pile advised"', answer.text)
    assert answer.text.count('class="advised"') == 1
    assert '<input type="hidden" name="hint" value="1">' in answer.text
    assert told["why"] in answer.text
    plain = await visitor.post(f"/games/{game}/help/hint", data=form)
    assert plain.status_code == 200
    assert "<!DOCTYPE html>" in plain.text
    assert re.search(rf'value="{source}" class="advised"', plain.text)
    assert (await visitor.get(f"/api/v1/games/{game}")).json()["version"] == 0


async def test_pressing_again_offers_the_next_best_and_then_starts_over(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    said, given = [], "0"
    for _ in range(20):
        form = {"version": "0", "hint": given}
        answer = await visitor.post(f"/games/{game}/help/hint", data=form, headers=HTMX)
        said += re.findall(r'<span class="">([^<]*)</span>', answer.text)
        found = re.search(r'name="hint" value="(\d+)"', answer.text)
        given = found[1] if found else "0"
        if said.count(said[0]) == 2:
            break
    assert said[0] == said[-1]
    assert said[-2] == "There are no more good moves to suggest."
    assert len(set(said)) == len(said) - 1 > 2
    assert [one.endswith(" Ask again for another.") for one in said[:-2]] == [
        *[True] * (len(said) - 3),
        False,
    ]


async def test_a_hint_for_a_table_that_has_moved_on_shows_the_table(visitor: AsyncClient):
    game = await sit_down(visitor, "bristol", WITH_A_CHOICE)
    answer = await visitor.post(f"/games/{game}/help/hint", data={"version": "5"}, headers=HTMX)
    assert answer.status_code == 409
    assert "has changed" in answer.text
    assert "advised" not in answer.text


def test_when_nothing_looks_good_the_hint_says_so_and_names_what_costs_least():
    told = hint_after(table_at("bristol", "t1: 5C KH\nt2: 6D AD 6C\nt3: 7S 6S 5S"), 0)
    assert told.why.startswith("No move looks good. This one costs the least. Tableau ")
    assert told.action is not None
    assert not told.has_next


def test_what_leads_back_to_where_one_was_is_no_hint():
    table = table_at("bristol", "t1: 6C 5D\nt2: 6H", "t1-t2")
    assert hint_after(table, 0).why.startswith(
        "Every move from here leads back to an earlier position."
    )
    assert hint_after(table, 0).action is None


def test_a_lost_table_gets_the_way_back():
    told = hint_after(table_at("bristol", "t1: KH\nt2: KD"), 0)
    assert (told.action, told.why) == (None, "No moves left. Undo to try another way.")
