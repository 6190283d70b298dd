"""Who sees the bubbles of a first game, and dismissing them."""

from __future__ import annotations

import re
from html import unescape

import pytest

from app.daily import repository
from app.daily.preparing import new_deal
from app.engine.deal import opening
from app.engine.position import Position
from app.engine.rules_page import describe
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, parse_code
from app.games import guidance
from app.games.coach import COOKIE
from app.rulesets import RULESETS, find_ruleset
from app.rulesets.blondes_and_brunettes_till_dawn import TILL_DAWN
from app.rulesets.bristol import BRISTOL
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.rulesets.spider import SPIDER
from app.rulesets.terrace import TERRACE
from tests.games.playing import start_game, win
from tests.support.dailies import DAY, WINNABLE_SEED
from tests.support.daily_site import open_site, start_attempt
from tests.support.known import CODE
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio


def opening_of(rules: Ruleset) -> Position:
    """The opening of the deal that ``start_game`` starts."""
    return opening(rules, deck_of_code(parse_code(CODE), rules.decks))


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
async def test_a_first_game_has_bubbles_until_they_are_dismissed(visitor, rules):
    path = await start_game(visitor, rules.id)
    page = (await visitor.get(path)).text
    topics = re.findall('<template data-topic="(.*?)"', page)
    is_said = guidance.first_move(rules, opening_of(rules))
    move = [] if is_said else ["move"]
    assert topics == ["goal", *move, "undo", *(["deal"] if rules.has_stock else [])]
    assert (
        f'<p class="words" aria-hidden="true">{guidance.goal(rules, opening_of(rules))}</p>' in page
    )
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
            TILL_DAWN,
            (
                "The goal: bring all 104 cards to the foundations, up from the eight (the base),"
                " in alternating colors."
            ),
        ),
        (
            SPIDER,
            "The goal: bring eight whole runs, from king to ace in suit, to the foundations.",
        ),
    ],
    ids=["bristol", "rouge-et-noir", "terrace", "till-dawn", "spider"],
)
def test_the_first_bubble_names_the_goal(rules, sentence):
    assert guidance.goal(rules, opening_of(rules)) == sentence


@pytest.mark.parametrize(
    ("ruleset", "words"),
    [
        ("klondike", "to deal."),
        ("terrace", "to play its card, or to deal it if it doesn't fit."),
        ("new-york", "to play its card."),
    ],
)
async def test_the_stock_has_words_for_a_mouse_and_for_touch(visitor, ruleset, words):
    page = unescape((await visitor.get(await start_game(visitor, ruleset))).text)
    assert f'<span class="by-mouse">Click the stock {words}' in page
    assert f'<span class="by-touch">Tap the stock {words}' in page


async def test_the_sentences_of_the_line_without_a_script_stand_apart(visitor):
    page = (await visitor.get(await start_game(visitor, "klondike"))).text
    (line,) = re.findall(r'class="coach-line".*?<p>(.*?)</p>', page, re.DOTALL)
    said = re.sub('<span class="by-touch">.*?</span>|<[^>]*>', "", line)
    assert not re.search(r"[.][A-Z]", said), said


@pytest.mark.parametrize("ruleset", ["signora", "terrace"])
async def test_what_the_table_says_of_the_first_card_is_said_once(visitor, ruleset):
    page = unescape((await visitor.get(await start_game(visitor, ruleset))).text)
    assert re.findall('<template data-topic="(.*?)"', page)[:2] == ["goal", "undo"]
    assert '<p class="first" aria-hidden="true">Start the foundations with' in page
    assert "start the foundations" not in page


async def test_dragging_is_taught_where_a_script_can_do_it(visitor):
    page = (await visitor.get(await start_game(visitor, "klondike"))).text
    (line,) = re.findall(r'class="coach-line".*?<p>(.*?)</p>', page, re.DOTALL)
    assert "Click a card to move it." in line
    assert "drag" not in line
    bubble = re.findall(r'<template data-topic="move">(.*?)</template>', page, re.DOTALL)[0]
    assert "Click a card, or drag it." in bubble
    assert "Tap a card, or drag it." in bubble


async def test_what_is_alike_in_another_game_is_not_told_again(visitor):
    path = await start_game(visitor, "klondike")
    told = {"back": path, "ruleset": "klondike", "done": "goal.move.deal.undo"}
    await visitor.post("/guided", data=told)
    assert "coach" not in (await visitor.get(path)).text
    assert await bubbles(visitor, "klondike-draw-three") == []
    page = (await visitor.get(await start_game(visitor, "spider"))).text
    assert re.findall('<template data-topic="(.*?)"', page) == ["goal", "move", "deal"]
    assert "Click the stock to deal onto the columns." in text_of(page)
    built = "Build the columns down regardless of suit. Only a run in one suit moves together."
    assert built in page
    assert "Click a card, or drag it." not in page
    assert await bubbles(visitor, "yukon") == ["goal", "move"]
    await visitor.post("/guided", data=told | {"ruleset": "yukon", "done": "goal.move"})
    assert await bubbles(visitor, "russian-solitaire") == ["move"]  # it builds in suit
    assert await bubbles(visitor, "scorpion") == ["goal", "move", "deal"]


async def test_a_cousin_whose_foundations_go_up_otherwise_has_a_goal_of_its_own(visitor):
    """Bristol's go up regardless of suit, those of Dover in suit."""
    told = {"back": "/games", "ruleset": "bristol", "done": "goal.move"}
    await visitor.post("/guided", data=told)
    assert "goal" not in await bubbles(visitor, "bristol")
    assert "goal" in await bubbles(visitor, "dover")


async def test_what_a_cookie_from_before_tells_is_kept(visitor):
    visitor.cookies.set(COOKIE, "goal.move.deal.undo")
    page = (await visitor.get(await start_game(visitor, "klondike"))).text
    assert re.findall('<template data-topic="(.*?)"', page) == ["goal", "move"]
    assert "Click a card, or drag it." not in page


async def test_the_line_without_a_script_dismisses_what_it_says(visitor):
    page = (await visitor.get(await start_game(visitor, "freecell"))).text
    (form,) = re.findall(r'<form class="coach-line".*?</form>', page, re.DOTALL)
    fields = dict(re.findall('<input type="hidden" name="(.*?)" value="(.*?)">', form))
    await visitor.post("/guided", data=fields)
    assert await bubbles(visitor, "freecell") == []
    assert await bubbles(visitor, "spider") == ["goal", "move", "deal"]


async def test_who_has_finished_a_game_is_not_told_what_it_teaches(visitor):
    await win(visitor)
    assert await bubbles(visitor, "bristol") == []
    assert await bubbles(visitor, "klondike") == ["goal", "move"]


async def test_a_game_under_way_has_no_bubbles(visitor):
    path = await start_game(visitor)
    for version in range(10):
        assert "data-topic" in (await visitor.get(path)).text
        action = "undo" if version % 2 else "deal"
        await visitor.post(f"{path}/{action}", data={"version": version})
    assert "data-topic" not in (await visitor.get(path)).text


async def test_who_has_dealt_is_not_told_how(visitor):
    path = await start_game(visitor)
    await visitor.post(f"{path}/deal", data={"version": 0})
    page = (await visitor.get(path)).text
    assert re.findall('<template data-topic="(.*?)"', page) == ["goal", "move", "undo"]


@pytest.mark.parametrize(
    ("ruleset", "said"),
    [
        ("yukon", "Any face-up card moves, with all the cards on it."),
        ("freecell", "Park a card in one of the four cells."),
        (
            "blondes-and-brunettes-till-dawn",
            "The stock is face up: when a column is empty, you choose what fills it.",
        ),
        ("blondes-and-brunettes", "An empty column fills itself."),
        ("bristol", "An empty column can&#39;t be refilled."),
    ],
)
async def test_who_can_move_cards_is_told_what_is_special_in_a_game(visitor, ruleset, said):
    told = {"back": "/games", "ruleset": "klondike", "done": "goal.move.deal.undo"}
    await visitor.post("/guided", data=told)
    assert said in (await visitor.get(await start_game(visitor, ruleset))).text


@pytest.mark.parametrize(
    ("ruleset", "said"),
    [
        ("freecell", "in alternating colors. Park a card in one of the four cells. "),
        ("eight-off", "in suit. Park a card in one of the eight cells. "),
        ("yukon", "in alternating colors. Any face-up card moves, with all the cards on it. "),
        ("spider", "regardless of suit. Only a run in one suit moves together. "),
        ("spider-one-suit", "down. A run of cards in order moves together. "),
        ("klondike", "in alternating colors. "),
    ],
)
async def test_a_first_game_is_told_the_rule_that_makes_it(visitor, ruleset, said):
    page = (await visitor.get(await start_game(visitor, ruleset))).text
    (bubble,) = re.findall(r'<template data-topic="move">(.*?)</template>', page)
    assert said + '<span class="by-mouse">Click a card, or drag it.' in bubble


OF_ONE_SUIT = {"spider-one-suit", *(rules.id for rules in RULESETS if rules.has_one_suit)}


@pytest.mark.parametrize("name", [*sorted(OF_ONE_SUIT), "spider"])
def test_a_game_of_one_suit_does_not_speak_of_suits(name):
    rules = find_ruleset(name)
    assert rules
    tips = (guidance.building(rules), guidance.what_to_build(rules, opening_of(rules)))
    said = [*tips, *(text for section in describe(rules) for text in section.paragraphs)]
    told = [text for text in said if "regardless of suit" in text or "one suit" in text]
    assert bool(told) is (name == "spider")


async def bubbles(visitor, ruleset):
    """What the bubbles of a new game are about."""
    page = (await visitor.get(await start_game(visitor, ruleset))).text
    return re.findall('<template data-topic="(.*?)"', page)


def text_of(page):
    return re.sub("<[^>]*>", "", page)


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
        (
            TILL_DAWN,
            (
                "Build the foundations up from the eight (the base) and the columns down,"
                " both in alternating colors."
            ),
        ),
    ],
    ids=["bristol", "rouge-et-noir", "terrace", "till-dawn"],
)
def test_the_goal_says_what_to_build_where(rules, sentence):
    assert guidance.what_to_build(rules, opening_of(rules)) == sentence


async def test_a_daily_says_what_to_build_before_its_clock_runs_and_covers_nothing_then(sqlite_url):
    async with open_site(sqlite_url) as site, visiting(site.app) as guest:
        deal = new_deal(TERRACE, DAY, 0, WINNABLE_SEED)
        await site.app.state.services.database.write(
            lambda connection: repository.add_deal(connection, deal)
        )
        before = " ".join(unescape((await guest.get(f"/daily/{DAY}/terrace")).text).split())
        game = await start_attempt(guest, TERRACE.id)
        page = unescape((await guest.get(f"/games/{game}")).text)
        after = unescape((await guest.get(f"/daily/{DAY}/terrace")).text)
    build = guidance.what_to_build(TERRACE, opening_of(TERRACE))
    first = "Start the foundations with the top card of a column: it sets the base of all."
    assert f'<p class="how"> {first} {build} <a href="/rules/terrace">' in before
    assert ">Start<" in before
    assert first not in after
    assert 'id="coach"' not in page
    assert build not in page


async def test_the_page_before_a_daily_says_the_rule_that_makes_the_game(sqlite_url):
    async with open_site(sqlite_url) as site, visiting(site.app) as guest:
        rules = find_ruleset("freecell")
        assert rules
        deal = new_deal(rules, DAY, 0, WINNABLE_SEED)
        await site.app.state.services.database.write(
            lambda connection: repository.add_deal(connection, deal)
        )
        page = (await guest.get(f"/daily/{DAY}/freecell")).text
    assert " Park a card in one of the four cells. <a" in page
