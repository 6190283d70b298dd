"""The page of winnability, its JSON twin, and the record that both are made from."""

from __future__ import annotations

import csv
import io
import lzma
import re
from collections import Counter

import pytest
from httpx import AsyncClient

from app.folders import static_folder
from app.rulesets import HOUSE_RULESETS, RULESETS
from app.rulesets.families import FAMILIES
from app.winnability import views
from app.winnability.record import code_of, merge, read_trials
from app.winnability.service import FILE

pytestmark = pytest.mark.anyio


async def test_page_and_api_say_what_the_record_says(visitor: AsyncClient):
    answer = (await visitor.get("/api/v1/winnability")).json()
    tried = {game["ruleset"] for game in answer["games"]}
    assert tried > {rules.id for rules in HOUSE_RULESETS}
    assert [game["ruleset"] for game in answer["games"]] == [
        rules.id for rules in RULESETS if rules.id in tried
    ]
    page = await visitor.get("/winnability")
    text = " ".join(page.text.split())
    assert f'href="{answer["record"]}"' in text

    record = await visitor.get(answer["record"])
    assert record.headers["content-type"] == "application/x-xz"
    rows = list(csv.DictReader(io.StringIO(lzma.decompress(record.content).decode())))
    found = Counter((row["ruleset"], row["verdict"]) for row in rows)
    for game in answer["games"]:
        name = game["ruleset"]
        assert found.pop((name, "won"), 0) == game["won"]
        assert found.pop((name, "unwinnable"), 0) == game["unwinnable"]
        assert found.pop((name, "undecided"), 0) == game["undecided"]
        assert game["deals"] == game["won"] + game["unwinnable"] + game["undecided"]
        assert game["low"] < game["won"] / game["deals"] <= game["high"]
        assert f'<td data-head="Tried">{game["deals"]:,}</td>' in text
        assert f'<td data-head="Undecided">{game["undecided"]:,}</td>' in text
        assert views.bounds_text(game["low"], game["high"]) in text
    assert not found
    rows_of_games = re.findall(r'<th scope="row"> <a href="/rules/([^"]+)"', text)
    assert rows_of_games == [
        rules.id for family in FAMILIES for rules in family.rulesets if rules.id in tried
    ], "in the order of the games page"
    assert f"has tried {len(rows):,} deals" in text
    limits = Counter(float(row["limit"]) for row in rows)
    (usual, _), most = limits.most_common(1)[0], max(limits)
    assert usual < most
    assert f"Most deals had {usual:g} seconds of processor time, a few up to {most:g}." in text
    for game in answer["games"]:
        assert game["usual_seconds"] == usual


async def test_the_page_is_linked_from_the_rules_and_from_how_deals_are_checked(
    visitor: AsyncClient,
):
    for path in ("/rules/bristol", "/rules/terrace", "/daily/check"):
        assert 'href="/winnability"' in (await visitor.get(path)).text
    assert 'href="/winnability"' not in (await visitor.get("/rules/scorpion")).text, "not tried"
    rules = " ".join((await visitor.get("/rules/bristol")).text.split())
    assert re.search(r'Careful players win \d+%[^<]* <a class="on" href="/winnability">', rules)


def test_the_record_has_consecutive_deals_of_every_game_each_once():
    trials = list(read_trials(static_folder() / FILE))
    assert trials == merge(trials)
    for rules in HOUSE_RULESETS:
        own = [trial for trial in trials if trial.ruleset == rules.id]
        assert [trial.code for trial in own] == [code_of(n) for n in range(len(own))]
        assert {trial.revision for trial in own} == {rules.revision}


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.99769, 0.99953, "99.76 to 99.96%"),
        (0.9869, 0.99801, "98.6 to 99.9%"),
        (0.29, 0.57, "29.0 to 57.0%"),
        (0.0, 1.0, "0.0 to 100%"),
        (0.9976, 1.0, "99.76 to 100%"),
    ],
)
def test_bounds_are_rounded_outwards(low: float, high: float, text: str):
    assert views.bounds_text(low, high) == text
