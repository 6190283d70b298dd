"""The rules page of a game."""

import re

import pytest
from httpx import AsyncClient

from app.engine.deal import opening
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed
from app.engine.vocabulary import Zone
from app.games.mini_drawing import CARD_HEIGHT
from app.games.mini_table import mini_table, zone_labels
from app.rulesets import RULESETS

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(("ruleset", "deals"), [("klondike", True), ("freecell", False)])
async def test_only_games_with_a_stock_name_the_key_that_deals(
    visitor: AsyncClient, ruleset: str, *, deals: bool
):
    page = (await visitor.get(f"/rules/{ruleset}")).text
    assert ("deal from the stock" in page) == deals
    keys = " ".join(page[page.index('id="keys"') :].split())
    for names, does in [
        (("u", "z", "Ctrl+Z"), "undo"),
        (("r", "Ctrl+Y"), "redo"),
        (("h",), "hint; Enter then plays it"),
    ]:
        key = "".join(f"<kbd>{name}</kbd> " for name in names)
        assert f"<dt>{key}</dt><dd>{does}</dd>" in keys, "one row for each"


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_the_picture_numbers_every_part_of_the_table(rules: Ruleset):
    position = opening(rules, deck_of_seed(bytes(32), rules.decks))
    table = mini_table(rules, position, columns=10)
    labels = zone_labels(table)
    zones = {label.zone for label in labels}
    assert len(zones) == len(labels)
    expected = set(rules.layout.zones)
    if not rules.has_stock:
        expected -= {Zone.STOCK, Zone.WASTE}
    assert zones == expected
    for label in labels:
        assert 0 < label.x < table.width
        assert 0 < label.y <= table.height
    tableau = table.piles[-len(rules.layout.tableau)]
    assert labels[-1].y == tableau.cards[-1].y + CARD_HEIGHT, "at its foot, off the ranks"


async def test_the_page_begins_with_the_game_in_short_and_ends_with_details(visitor: AsyncClient):
    page = " ".join((await visitor.get("/rules/canfield")).text.split())
    order = ["In short", "The deal", "Columns", "Foundations", "Stock and waste", "The end"]
    places = [page.index(f"{each}</h2>") for each in order]
    assert places == sorted(places)
    lead, table = page.index('class="lead"'), page.index('class="parts"')
    assert lead < table < places[0], "the table comes right after what is said of the game"
    parts = page[page.index('class="parts"') : page.index("</figure>")]
    for number in range(1, parts.count("<li>") + 1):
        assert f">{number}</text>" in page
    (section,) = re.findall('<a href="#(part-[0-9])">Reserve</a>', parts)
    heading = f'<details class="part[^"]*" id="{section}"[^>]*> <summary> <h2>Reserve</h2>'
    assert re.search(heading, page)
    assert len(re.findall('<details class="part pictured" id="part-[0-9]" open>', page)) == 1


async def test_in_short_are_goal_columns_and_stock_and_an_ace_needs_no_section(
    visitor: AsyncClient,
):
    page = " ".join((await visitor.get("/rules/klondike")).text.split())
    short = re.findall("<li>(.*?)</li>", page[page.index('class="short"') :])[:5]
    assert short == [
        "Move all 52 cards (one deck) to the foundations.",
        "Build the foundations up in suit, starting with an ace.",
        "Build the columns down in alternating colors.",
        "Only a king, or a run that starts with one, can go to an empty column.",
        (
            "A deal moves one card from the stock to the waste, face up. When the stock is empty, you"
            " can turn the waste over to make a new stock, as often as you like."
        ),
    ]
    assert "The base</h2>" not in page
    parts = page[page.index('class="parts"') : page.index("</figure>")]
    names = re.findall("<li> (?:<a [^>]*>)?([A-Z][a-z]+)", parts)
    assert sorted(names) == ["Columns", "Foundations", "Stock", "Waste"]


@pytest.mark.parametrize(
    ("ruleset", "rule"),
    [
        ("freecell", "Park a card in one of the four cells."),
        ("yukon", "Any face-up card moves, with all the cards on it."),
        ("spider", "Only a run in one suit moves together."),
    ],
)
async def test_in_short_is_also_the_rule_that_makes_the_game(
    visitor: AsyncClient, ruleset: str, rule: str
):
    page = (await visitor.get(f"/rules/{ruleset}")).text
    short = page[page.index('class="short"') :]
    assert f"<li>{rule}</li>" in short[: short.index("</ul>")]


async def test_who_came_from_a_game_can_go_back_to_it_first(visitor: AsyncClient):
    started = await visitor.post("/play", data={"ruleset": "klondike"})
    table = await visitor.get(started.headers["location"])
    (link,) = set(re.findall(r'href="(/rules/[^"]*)"', table.text))
    page = " ".join((await visitor.get(link)).text.split())
    back = f'<a class="primary" href="{table.url.path}">Back to the game</a>'
    assert page.index(back) < page.index("In short")
    assert "New deal of Klondike" in page
    assert "Play Klondike" not in page


@pytest.mark.parametrize("back", ["", "//games.example/games/", "https://games.example", "/me"])
async def test_only_a_table_is_led_back_to(visitor: AsyncClient, back: str):
    page = (await visitor.get("/rules/klondike", params={"back": back})).text
    assert "Back to the game" not in page
    assert "Play Klondike" in page


async def test_the_source_of_the_rules_is_a_link_to_another_tab(visitor: AsyncClient):
    page = (await visitor.get("/rules/klondike")).text
    source = "en.wikipedia.org/wiki/Klondike_(solitaire)"
    assert (
        f'<a href="https://{source}" rel="noopener noreferrer" target="_blank">{source}</a>' in page
    )
