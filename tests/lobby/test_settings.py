"""The settings page: what it saves, and what a browser with an old cookie sees."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from httpx import AsyncClient

from app.http.cloths import BY_GAME, cloth_colors
from app.http.preferences import CHOICES, COOKIE, Appearance
from app.rulesets import RULESETS
from tests.games.playing import start_game

pytestmark = pytest.mark.anyio

CHOSEN = {
    "theme": "dark",
    "suits": "four",
    "hand": "left",
    "cloth": "night",
    "card_back": "stars",
    "speed": "fast",
    "sound": "on",
    "vibration": "on",
    "clock": "on",
    "keys": "off",
    "safe_home": "on",
    "runs_home": "off",
    "finish": "on",
}


class CheckedRadios(HTMLParser):
    """The chosen value of each group of radio buttons."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "input" and "checked" in values:
            self.found[str(values["name"])] = str(values["value"])


async def test_everything_chosen_is_chosen_when_the_page_comes_back(visitor: AsyncClient):
    answer = await visitor.post("/settings", data=CHOSEN)
    assert (answer.status_code, answer.headers["location"]) == (303, "/settings?saved=yes")
    page = (await visitor.get("/settings?saved=yes")).text
    assert CheckedRadios(page).found == CHOSEN
    assert "Saved." in page
    for attribute in (
        'data-cloth="night"',
        'data-back="stars"',
        'data-speed="fast"',
        'data-keys="off"',
    ):
        assert attribute in page


async def test_every_setting_has_a_default(visitor: AsyncClient):
    page = (await visitor.get("/settings")).text
    assert CheckedRadios(page).found.keys() == CHOSEN.keys()
    assert 'data-sound="off"' in page


async def test_safe_cards_are_said_to_stay_where_ranked_rules_hold(visitor: AsyncClient):
    """A challenge has the rules of the run it is compared with: see ``Kind.has_ranked_rules``."""
    page = (await visitor.get("/settings")).text
    assert "Off in daily deals, in races, and in challenges made from them." in page


async def test_saving_goes_back_to_where_one_came_from(visitor: AsyncClient):
    page = (await visitor.get("/settings?back=/rules/bristol")).text
    assert 'value="/rules/bristol"' in page
    answer = await visitor.post("/settings", data=CHOSEN | {"back": "/rules/bristol"})
    assert answer.headers["location"] == "/rules/bristol"


@pytest.mark.parametrize("back", ["//elsewhere.example", "https://elsewhere.example", "/\\evil"])
async def test_saving_never_redirects_to_another_site(visitor: AsyncClient, back: str):
    assert "elsewhere" not in (await visitor.get("/settings", params={"back": back})).text
    answer = await visitor.post("/settings", data=CHOSEN | {"back": back})
    assert answer.headers["location"] == "/"


async def test_an_unknown_value_is_refused_and_nothing_is_saved(visitor: AsyncClient):
    answer = await visitor.post("/settings", data=CHOSEN | {"cloth": "tartan"})
    assert answer.status_code == 422
    assert "set-cookie" not in answer.headers


async def test_a_cookie_from_before_keeps_its_three_settings(visitor: AsyncClient):
    page = (await visitor.get("/settings", headers={"Cookie": "fd_look=dark.four.left"})).text
    found = CheckedRadios(page).found
    assert (found["theme"], found["suits"], found["hand"]) == ("dark", "four", "left")
    assert (found["cloth"], found["sound"], found["keys"]) == ("game", "off", "on")


async def test_the_short_form_leaves_the_other_settings_alone(visitor: AsyncClient):
    await visitor.post("/settings", data=CHOSEN)
    await visitor.post("/look", data={"theme": "light", "suits": "two", "hand": "right"})
    found = CheckedRadios((await visitor.get("/settings")).text).found
    assert found == CHOSEN | {"theme": "light", "suits": "two", "hand": "right"}


async def test_a_table_wears_the_cloth_of_its_game(visitor: AsyncClient):
    page = (await visitor.get(await start_game(visitor, "freecell"))).text
    assert 'data-cloth="game"' in page
    assert re.search(r'<body class="[^"]*by-game cloth-freecell own-cloth-freecell', page)
    assert 'content="#3b5e83"' in page
    visitor.cookies.set(COOKIE, str(Appearance(cloth="plum")))
    page = (await visitor.get(await start_game(visitor, "freecell"))).text
    assert 'data-cloth="plum"' in page
    assert 'content="#6b4059"' in page


async def test_every_picture_of_a_game_lies_on_its_cloth(visitor: AsyncClient):
    game = await start_game(visitor, "freecell")
    move = re.search(r'data-moves="(\S+)', (await visitor.get(game)).text)
    assert move
    await visitor.post(f"{game}/move", data={"version": 0, "move": move[1]})
    race = (await visitor.post("/race", data={"ruleset": "freecell"})).headers["location"]
    cloth = "by-game cloth-freecell own-cloth-freecell"
    for page, picture in (
        ("/", rf'<li class="{cloth}">\s*<a href="{game}">'),
        ("/games", rf'class="tile {cloth}"'),
        ("/rules/freecell", rf'class="opening {cloth}"'),
        ("/rules/freecell", rf'class="moves {cloth} '),
        (f"{game}/help/winnable", rf'class="preview {cloth}"'),
        (race, rf'class="opening {cloth}"'),
    ):
        assert re.search(picture, (await visitor.get(page)).text), page


CLOTHS = [(BY_GAME, rules.id) for rules in RULESETS] + [
    (chosen, "klondike") for chosen in CHOICES["cloth"] if chosen != BY_GAME
]


@pytest.mark.parametrize(("chosen", "ruleset"), CLOTHS)
def test_what_is_written_on_cloth_can_be_read(chosen, ruleset):
    """In the words of WCAG: a contrast of at least 4.5, for the softer of two inks."""
    for color, ink in zip(cloth_colors(chosen, ruleset), ("#d3e0d7", "#b5c4ba"), strict=True):
        assert contrast(color, ink) >= 4.5


def test_each_cloth_has_colors_of_its_own():
    found = {cloth_colors(chosen, "klondike") for chosen in CHOICES["cloth"] if chosen != BY_GAME}
    assert len(found) == len(CHOICES["cloth"]) - 1


def contrast(first: str, second: str) -> float:
    def luminance(color: str) -> float:
        parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


async def test_they_are_found_on_every_page_but_at_a_table_in_its_menu(visitor: AsyncClient):
    gear = re.compile(r'<a class="gear"\s+href="/settings"\s+title="Settings"')
    tab = re.compile(r'<a href="/settings"\s*(aria-current="page")?>Settings</a>')
    assert gear.search((await visitor.get("/")).text)
    game = await start_game(visitor, "freecell")
    assert not gear.search((await visitor.get(game)).text)
    for path in ("/me", "/me/statistics", "/me/calendar", "/me/account", "/settings"):
        page = (await visitor.get(path)).text
        own = page[page.index('<nav class="local own"') :]
        found = tab.search(own[: own.index("</nav>")])
        assert found, path
        assert bool(found[1]) == (path == "/settings")
