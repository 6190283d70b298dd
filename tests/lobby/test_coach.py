"""Who sees the bubbles of a first game, and dismissing them."""

from __future__ import annotations

import re

import pytest

from app.daily import repository
from app.daily.preparing import new_deal
from app.games import descriptions
from app.lobby.coach import COOKIE
from app.rulesets import RULESETS
from app.rulesets.bristol import BRISTOL
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.rulesets.spider import SPIDER
from app.rulesets.terrace import TERRACE
from tests.games.helpers import start_game
from tests.support.dailies import DAY, WINNABLE_SEED, winning_moves
from tests.support.daily_site import open_site, play_moves, start_attempt
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
async def test_a_first_game_has_bubbles_until_they_are_dismissed(visitor, rules):
    path = await start_game(visitor, rules.id)
    page = (await visitor.get(path)).text
    topics = re.findall('<template data-topic="(.*?)"', page)
    assert topics == ["goal", "move", *(["deal"] if rules.has_stock else []), "undo"]
    assert f'<p class="words" aria-hidden="true">{descriptions.aim(rules)}</p>' in page
    assert "js/coach.js" in page
    answer = await visitor.post("/guided", data={"back": path})
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    assert f"{COOKIE}=yes" in answer.headers["set-cookie"]
    page = (await visitor.get(path)).text
    assert "coach" not in page


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (
            BRISTOL,
            (
                "The goal: bring all 52 cards to the foundations, up from the ace,"
                " regardless of suit."
            ),
        ),
        (
            ROUGE_ET_NOIR,
            (
                "The goal: bring all 104 cards to the foundations, one by one up from the ace,"
                " in one color, or as whole runs."
            ),
        ),
        (
            TERRACE,
            (
                "The goal: bring all 104 cards to the foundations, up from the rank you choose,"
                " in alternating colors."
            ),
        ),
        (
            SPIDER,
            "The goal: bring eight whole runs, from king to ace in suit, to the foundations.",
        ),
    ],
    ids=["bristol", "rouge-et-noir", "terrace", "spider"],
)
def test_the_first_bubble_names_the_goal(rules, sentence):
    assert descriptions.aim(rules) == sentence


@pytest.mark.parametrize(
    ("ruleset", "words"),
    [
        ("klondike", "to deal."),
        ("terrace", ": its card is played where it fits, or else dealt."),
        ("new-york", "to play its card."),
    ],
)
async def test_the_stock_has_words_for_a_mouse_and_for_touch(visitor, ruleset, words):
    page = (await visitor.get(await start_game(visitor, ruleset))).text
    assert f'<span class="by-mouse">Click the stock{"" if words[0] == ":" else " "}{words}' in page
    assert f'<span class="by-touch">Tap the stock{"" if words[0] == ":" else " "}{words}' in page


async def test_the_sentences_of_the_line_without_a_script_stand_apart(visitor):
    page = (await visitor.get(await start_game(visitor, "klondike"))).text
    (line,) = re.findall(r'class="coach-line".*?<p>(.*?)</p>', page, re.DOTALL)
    said = re.sub('<span class="by-touch">.*?</span>|<[^>]*>', "", line)
    assert not re.search(r"[.][A-Z]", said), said


async def test_dismissing_never_leads_to_another_site(visitor):
    answer = await visitor.post("/guided", data={"back": "//evil.example"})
    assert answer.headers["location"] == "/"


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (
            BRISTOL,
            "Build the foundations up from the ace and the columns down, both regardless of suit.",
        ),
        (
            ROUGE_ET_NOIR,
            (
                "Build the foundations up from the ace in one color or by whole runs,"
                " and the columns down in alternating colors."
            ),
        ),
        (
            TERRACE,
            "Then build the foundations up and the columns down, both in alternating colors.",
        ),
    ],
    ids=["bristol", "rouge-et-noir", "terrace"],
)
def test_the_goal_says_what_to_build_where(rules, sentence):
    assert descriptions.goal(rules) == sentence


async def test_a_newcomers_first_daily_says_its_goal_until_the_first_action(sqlite_url):
    goal = f'<p class="notice goal">{descriptions.goal(BRISTOL)}</p>'
    async with open_site(sqlite_url) as site, visiting(site.app) as guest:
        first = await start_attempt(guest)
        page = (await guest.get(f"/games/{first}")).text
        assert goal in page
        assert re.findall('data-topic="([a-z]+)"', page) == ["clock", "deal", "undo"]
        assert 'data-card=""' in page, "nothing in ranked play advises a move"
        assert "This is your one attempt, and the clock is running." in page
        await play_moves(guest, first, *winning_moves())
        assert goal not in (await guest.get(f"/games/{first}")).text
        site.clock.advance(24 * 3_600_000)
        second = await start_attempt(guest)
        assert goal not in (await guest.get(f"/games/{second}")).text


async def test_a_first_daily_says_what_is_first_before_its_goal(sqlite_url):
    async with open_site(sqlite_url) as site, visiting(site.app) as guest:
        deal = new_deal(TERRACE, DAY, 0, WINNABLE_SEED)
        await site.app.state.services.database.write(
            lambda connection: repository.add_deal(connection, deal)
        )
        page = (await guest.get(f"/games/{await start_attempt(guest, TERRACE.id)}")).text
    (line,) = re.findall('<p class="notice goal">(.*?)</p>', page)
    assert line.startswith("<span>Start the foundations with the top card of a column.</span>")
    assert line.endswith(f' <span class="then">{descriptions.goal(TERRACE)}</span>')
