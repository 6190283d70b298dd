"""Today's deals on the home page: the picture of one of them, and the viewer's week."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta
from html import unescape
from itertools import pairwise

import pytest
from httpx import AsyncClient

from app.daily import repository
from app.daily.featured import FEATURED, featured_rulesets, headline_ruleset
from app.daily.preparing import new_deal
from app.engine.deal import opening
from app.engine.position import Pile, Position
from app.engine.shuffle import deck_of_seed
from app.games.mini_table import mini_table
from app.rulesets import (
    DAILY_RULESETS,
    FIRST_RULESET,
    HOUSE_RULESETS,
    RULESETS,
    WELL_KNOWN_RULESETS,
    find_ruleset,
)
from app.solver.solve import Budget, solve
from tests.support.dailies import DAY, HOUR, WINNABLE_SEED
from tests.support.daily_site import Site, play_moves, start_attempt
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

WELL_KNOWN = {rules.id for rules in WELL_KNOWN_RULESETS}


def _with_other_hidden_cards(position: Position) -> Position:
    piles = [
        Pile((*reversed(pile.cards[: pile.down]), *pile.face_up), pile.down)
        for pile in position.piles
    ]
    return position._replace(piles=tuple(piles))


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
def test_the_picture_of_a_deal_tells_nothing_of_hidden_cards(rules):
    position = opening(rules, deck_of_seed(WINNABLE_SEED, rules.decks))
    other = _with_other_hidden_cards(position)
    assert other != position or not any(pile.down > 1 for pile in position.piles)
    assert mini_table(rules, position).svg("") == mini_table(rules, other).svg("")


def test_the_headline_of_each_day_is_a_game_that_everybody_knows_and_never_the_one_of_yesterday():
    headlines = [headline_ruleset(DAY + timedelta(n)) for n in range(30)]
    assert Counter(headlines) == dict.fromkeys(WELL_KNOWN_RULESETS, 10)
    assert all(one != other for one, other in pairwise(headlines))


def test_each_day_features_two_games_that_everybody_knows_and_one_of_the_house_in_turn():
    turns = len(HOUSE_RULESETS)
    first = DAY.toordinal() // turns * turns
    days = [date.fromordinal(first + n) for n in range(turns)]
    featured = [featured_rulesets(day) for day in days]
    assert all(len(set(found)) == FEATURED == 3 for found in featured)
    assert [found[0] for found in featured] == [headline_ruleset(day) for day in days]
    assert all(found[1] in WELL_KNOWN_RULESETS for found in featured)
    assert Counter(found[2] for found in featured) == dict.fromkeys(HOUSE_RULESETS, 1)
    later = [featured_rulesets(day + timedelta(len(days)))[2] for day in days]
    assert later != [found[2] for found in featured]


async def test_three_deals_are_featured_and_the_others_one_tap_away(client: AsyncClient):
    names = [rules.id for rules in featured_rulesets(DAY)]
    others = [rules.id for rules in DAILY_RULESETS if rules.id not in names]
    home = (await client.get("/")).text
    assert _headline(home) == names[0]
    assert "hx-get" not in home, "nothing is waited for"
    scene = re.search(r'<a class="scene" href="/daily/.*?</a>', home, re.DOTALL)
    assert scene
    assert 'preserveAspectRatio="xMidYMin meet"' in scene[0], "all of it, with no column cut"
    small = home[home.index('<ul class="others of-3"') :]  # beside a newcomer's first game
    assert re.findall(rf'href="/daily/{DAY}/([a-z-]+)"', small) == names[1:]
    assert "<b>All 11 deals</b>" in small
    today = (await client.get("/daily")).text
    listed = today[today.index('id="deals"') :]
    assert re.findall(rf'<h2>\s*<a href="/daily/{DAY}/([a-z-]+)"', listed) == [*names, *others]
    pictures = re.findall(r'class="picture"\s+href="/daily/', listed)
    assert len(pictures) == len(DAILY_RULESETS)
    assert listed.count(" min</span>") == len(DAILY_RULESETS)
    assert today.index(">Today's deals<") < today.index(">Also today<")
    assert (await client.get("/api/v1/daily")).json()["featured"] == names
    game = await start_attempt(client, others[0])
    await client.post(f"/api/v1/games/{game}/resign", json={"version": 0})
    assert "Still to play" not in small, "all of them"
    home = (await client.get("/")).text
    assert re.search(r"<b>All 11 deals</b>\s*<span[^>]*>Still to play: 10</span>", home)


async def test_the_headline_is_the_same_for_everyone_until_they_have_finished_it(
    site: Site, client: AsyncClient
):
    names = [rules.id for rules in featured_rulesets(DAY)]
    await client.get("/daily")  # creates the deals
    for game in (names[1], *WELL_KNOWN):
        await client.post("/play", data={"ruleset": game})
        assert _headline((await client.get("/")).text) == names[0]
    await start_attempt(client, names[1])  # an attempt under way does not take its place
    page = (await client.get("/")).text
    assert _headline(page) == names[0]
    assert "in progress" in page[page.index('class="others ') :]
    async with visiting(site.app) as newcomer:
        assert _headline((await newcomer.get("/")).text) == names[0]


def _headline(page: str, day: date = DAY) -> str:
    found = re.search(rf'class="featured">\s+<a class="scene" href="/daily/{day}/([a-z-]+)"', page)
    assert found
    return found[1]


async def _resign(client: AsyncClient, ruleset: str) -> None:
    game = await start_attempt(client, ruleset)
    await client.post(f"/api/v1/games/{game}/resign", json={"version": 0})


async def test_a_newcomer_is_led_to_a_first_game_and_no_press_spends_the_daily(client: AsyncClient):
    page = (await client.get("/")).text
    assert "Play a gentle Klondike" in page
    assert page.index("dealt fairly</h2>") < page.index("Today's deal")
    today = page[page.index('id="today"') : page.index('id="games"')]
    assert "<button" not in today
    path = f"/daily/{DAY}/{_headline(page)}"
    assert f'href="{path}"' in today
    before = (await client.get(path)).text
    assert "<li>One attempt</li>" in before
    assert "Your results aren't ranked yet." in before
    assert f'href="/join?back={path}"' in before
    assert "Practice " in before
    assert 'class="mini-table"' in before
    listed = (await client.get("/daily")).text
    assert "/play" not in listed[listed.index('id="deals"') :]


async def test_each_hour_newcomers_are_led_to_another_deal(site: Site, client: AsyncClient):
    codes = []
    for _ in range(3):
        codes += re.findall('name="code" value="([^"]+)"', (await client.get("/")).text)
        site.clock.now += HOUR
    assert len(set(codes)) == len(codes) == 3


async def test_beside_a_newcomers_first_game_stands_a_deal_of_another_game(
    site: Site, client: AsyncClient
):
    days = next(n for n in range(9) if headline_ruleset(DAY + timedelta(n)) is FIRST_RULESET)
    assert days
    day = DAY + timedelta(days)
    site.clock.now += days * 24 * HOUR
    await client.get("/daily")  # creates the deals
    first, second, third = (rules.id for rules in featured_rulesets(day))
    assert first == FIRST_RULESET.id
    for shown in ([second, first, third], [first, second, third]):
        page = (await client.get("/")).text
        assert _headline(page, day) == shown[0]
        assert '<a href="/daily">Today\'s deals</a>' in page
        row = page[page.index('<ul class="others') : page.index('id="games"')]
        assert re.findall(rf'href="/daily/{day}/([a-z-]+)"', row)[-2:] == shown[1:]
        assert (await _listed(client, day))[:3] == shown, "the page of the day begins with the same"
        await client.post("/play", data={"ruleset": second})  # no newcomer any more


async def _listed(client: AsyncClient, day: date) -> list[str]:
    """The deals on the page of today's, in their order."""
    page = (await client.get("/daily")).text
    listed = page[page.index('id="deals"') :]
    return re.findall(rf'<h2>\s*<a href="/daily/{day}/([a-z-]+)"', listed)


async def test_a_deal_says_once_when_it_ends_and_what_undo_costs(
    client: AsyncClient,
):
    page = (await client.get(f"/daily/{DAY}/bristol")).text
    (folded,) = re.findall('<details class="ranking">.*?</details>', page, re.DOTALL)
    times = "Start before 00:00 UTC and finish by 02:00 UTC."
    for sentence in (
        times,
        "You can see the results so far once you win, or once you have no moves and no undo left.",
        "If you resign, you can only see them when everyone can.",
        "Everyone can see the results from 02:01 UTC.",
    ):
        assert sentence in re.sub(r"<[^>]+>", "", folded)
        assert re.sub(r"<[^>]+>", "", page).count(sentence) == 1
    assert page.count("Undo and redo count as moves") == 1
    page = (await client.get("/daily")).text
    (folded,) = re.findall('<details class="ranking">.*?</details>', page, re.DOTALL)
    assert times in re.sub(r"<[^>]+>", "", folded)
    assert "The fewest moves rank first" in folded


async def test_with_a_name_nothing_is_said_of_guests(client: AsyncClient):
    await client.post("/api/v1/me/claim", json={"name": "Ada", "password": "correct horse battery"})
    page = (await client.get(f"/daily/{DAY}/bristol")).text
    assert "<li>One attempt</li>" in page
    assert "Guests keep" not in page


async def test_the_headline_leads_to_its_page_also_for_who_knows_the_game_and_the_daily_deals(
    client: AsyncClient,
):
    """A habitual press never spends the one attempt."""
    rules, other, _ = featured_rulesets(DAY)
    await _resign(client, other.id)
    made = (await client.post("/api/v1/games", json={"ruleset": rules.id})).json()
    await play_moves(client, made["id"], made["legal_moves"][0], "resign")
    page = (await client.get("/")).text
    assert _headline(page) == rules.id
    today = page[page.index('id="today"') : page.index('id="also"')]
    assert f"Play today's {rules.title}</a>" in today
    assert "<form" not in today


async def test_the_picture_of_the_headline_follows_the_attempt(client: AsyncClient):
    rules = featured_rulesets(DAY)[0]
    await client.post("/play", data={"ruleset": rules.id})  # no newcomer any more
    page = (await client.get("/")).text
    assert f"Play today's {rules.title}" in unescape(page)
    assert "Play a gentle" not in page
    picture = page[page.index('class="cloth ') : page.index('class="about"')]
    game = await start_attempt(client, rules.id)
    page = (await client.get("/")).text
    assert 'id="open"' not in page, "one button continues it, and no second one"
    state = (await client.get(f"/api/v1/games/{game}")).json()
    await play_moves(client, game, state["legal_moves"][0])
    page = (await client.get("/")).text
    assert f"Continue {rules.title}" in page
    assert f'href="/games/{game}"' in page
    assert picture not in page


async def test_the_time_left_is_told(client: AsyncClient):
    assert "12 h 0 min left</time>" in (await client.get("/")).text


async def test_a_finished_headline_gives_its_place_to_the_next_deal_and_is_told_above_it(
    client: AsyncClient,
):
    assert 'class="begun"' not in (await client.get("/")).text
    rules, other, third = featured_rulesets(DAY)
    await _resign(client, rules.id)
    page = (await client.get("/")).text
    assert '<i class="unsolved"' in page
    assert 'aria-label="Your last seven days"' in page
    assert _headline(page) == other.id
    assert f"Play today's {other.title}</a>" in page
    assert "You got " not in page, "the largest words of the page are no reproach"
    row = page[page.index('class="others ') :]
    assert re.findall(rf'href="/daily/{DAY}/([a-z-]+)"', row) == [third.id]
    line = page[page.index('<p class="done unsolved"') : page.index('class="featured"')]
    told = rf"<b>Today's deal: {re.escape(rules.title)}</b>\s*<span>You resigned.</span>"
    assert re.search(told, unescape(line))
    assert '<a href="/daily">Next today</a>' in line, "only one deal is called the one of the day"
    listed = (await client.get("/daily")).text
    first, rest = re.split("<h2[^>]*>Also today</h2>", listed)
    assert f">{rules.title}</a>" in first[first.index(">Today's deal</h2>") :]
    assert rest.index(f">{other.title}</a>") < rest.index(f">{third.title}</a>")
    assert 'class="kind"' not in rest, "one heading for all that is left"
    assert f'href="/daily/{DAY}/{rules.id}">Your attempt</a>' in line, "the board is hidden"


async def test_a_won_headline_leads_to_its_board(site: Site, client: AsyncClient):
    days = next(n for n in range(9) if headline_ruleset(DAY + timedelta(n)).id == "freecell")
    day = DAY + timedelta(days)
    site.clock.now += days * 24 * HOUR
    rules = find_ruleset("freecell")
    assert rules
    deal = new_deal(rules, day, 0, WINNABLE_SEED)
    await site.app.state.services.database.write(
        lambda connection: repository.add_deal(connection, deal)
    )
    way = solve(rules, deck_of_seed(WINNABLE_SEED, rules.decks), Budget(200_000)).actions
    await play_moves(client, await start_attempt(client, "freecell"), *map(str, way))
    page = (await client.get("/")).text
    line = page[page.index('<p class="done solved"') : page.index('class="featured"')]
    assert re.search(r"<b>Today's deal: FreeCell</b>\s*<span>You won: \d+ moves, ", line)
    assert f'href="/daily/{day}/freecell">Leaderboard</a>' in line
    assert _headline(page, day) != "freecell"


async def test_after_all_featured_deals_any_other_of_the_day_is_next(client: AsyncClient):
    featured = [rules.id for rules in featured_rulesets(DAY)]
    for ruleset in featured:
        await _resign(client, ruleset)
    page = (await client.get("/")).text
    assert _headline(page) not in featured
    row = page[page.index('class="others ') :]
    assert re.findall(rf'href="/daily/{DAY}/([a-z-]+)"', row) == featured[1:]


async def test_the_game_that_one_played_last_is_first_among_the_other_deals(
    site: Site, client: AsyncClient
):
    names = [rules.id for rules in featured_rulesets(DAY)]
    spare = [rules.id for rules in DAILY_RULESETS if rules.id not in names]
    for ruleset in (spare[0], spare[1], names[0], "gotham"):
        site.clock.now += 1000
        await client.post("/play", data={"ruleset": ruleset, "deal": "any"})
    page = (await client.get("/")).text
    assert _headline(page) == names[0], "the same for everyone"
    assert _row(page) == [spare[1], *names[1:]]
    assert 'class="others of-4"' in page
    await _resign(client, spare[1])
    assert _row((await client.get("/")).text) == [spare[0], *names[1:]]
    for ruleset in names:
        await _resign(client, ruleset)
    page = (await client.get("/")).text
    assert _headline(page) == spare[0]
    assert _row(page) == names[1:]


def _row(page: str) -> list[str]:
    return re.findall(rf'href="/daily/{DAY}/([a-z-]+)"', page[page.index('class="others ') :])


async def test_the_list_of_the_day_stands_in_every_state_of_the_page(client: AsyncClient):
    names = [rules.id for rules in featured_rulesets(DAY)]

    async def listed() -> list[str]:
        page = (await client.get("/")).text
        assert "<b>All 11 deals</b>" in page
        return _row(page)[-2:]

    assert await listed() == names[1:], "a newcomer"
    left = (await client.post("/api/v1/games", json={"ruleset": "gotham"})).json()
    await play_moves(client, left["id"], left["legal_moves"][0])
    assert await listed() == names[1:], "with a game to continue"
    await client.post(f"/api/v1/games/{left['id']}/resign", json={"version": 1})
    assert await listed() == names[1:], "with a new deal"
    await start_attempt(client, names[0])
    page = (await client.get("/")).text
    assert await listed() == names[1:], "with the day's deal under way"
    assert 'class="front day-leads"' in page


async def test_home_and_the_page_of_the_day_show_how_far_the_viewer_is(
    site: Site, client: AsyncClient
):
    rules = featured_rulesets(DAY)[0]
    game = await start_attempt(client, rules.id)
    state = (await client.get(f"/api/v1/games/{game}")).json()
    untouched = await _cards(client, "/daily", rules.id)
    await play_moves(client, game, state["legal_moves"][0])
    shown = await _cards(client, "/daily", rules.id)
    assert shown != untouched
    page = (await client.get("/")).text
    scene = page[page.index('class="scene"') :].partition("</svg>")[0]
    assert re.findall('#([^"]+)"', scene) == shown
    async with visiting(site.app) as other:
        assert await _cards(other, "/daily", rules.id) == untouched, "only the player sees it"


async def _cards(client: AsyncClient, path: str, ruleset: str) -> list[str]:
    page = (await client.get(path)).text
    drawn = page[page.index(f'href="/daily/{DAY}/{ruleset}"') :].partition("</svg>")[0]
    return re.findall('#([^"]+)"', drawn)


async def test_after_all_deals_of_the_day_any_game_is_next(client: AsyncClient):
    for rules in DAILY_RULESETS:
        await _resign(client, rules.id)
    page = (await client.get("/")).text
    assert "You have played all of today's deals. New ones in 12 h 0 min." in page
    assert '<a class="primary" href="/games">Choose a game</a>' in page
    assert "Today's results" in page


async def test_a_day_ends_once_and_its_results_are_out_later(client: AsyncClient):
    for path in ("/daily", f"/daily/{DAY}/bristol"):
        page = re.sub(r"<[^>]+>", "", (await client.get(path)).text)
        assert "day closes" not in page
        assert "If you resign, you can only see them when everyone can." in page
    assert "When the results are out, we publish the cards and every game" in page


async def test_a_guest_is_told_by_the_kind_of_game_that_hints_are_off(client: AsyncClient):
    started = await client.post("/daily/bristol/play", follow_redirects=True)
    assert 'data-say-no-help="Hints are off in daily deals."' in started.text
    assert "in a ranked game" not in started.text


async def test_who_resigns_a_deal_of_today_is_led_to_the_next_one(client: AsyncClient):
    names = [rules.id for rules in featured_rulesets(DAY)]
    await client.get("/daily")  # creates the deals
    game = await start_attempt(client, names[0])
    await client.post(f"/api/v1/games/{game}/resign", json={"version": 0})
    ending = (await client.get(f"/games/{game}")).text.split('class="choices"', 1)[1]
    [(path, title)] = re.findall(
        r'<a class="primary" href="([^"]+)">(Play today&#39;s [^<]+)</a>', ending
    )
    assert path.startswith(f"/daily/{DAY}/")
    assert path != f"/daily/{DAY}/{names[0]}"
    assert ">This deal's page</a>" in unescape(ending)
    following = await start_attempt(client, path.rpartition("/")[2])
    ending = (await client.get(f"/games/{game}")).text.split('class="choices"', 1)[1]
    assert f'<a class="primary" href="/games/{following}">{title}</a>' in ending
    for rules in DAILY_RULESETS:
        if rules.id != names[0]:
            await _resign(client, rules.id)
    ending = (await client.get(f"/games/{game}")).text.split('class="choices"', 1)[1]
    assert '<a class="primary" href="/games">Choose a game</a>' in ending


async def test_who_resigned_can_practice_the_game_or_go_on_with_the_next_daily(client: AsyncClient):
    game = await start_attempt(client)
    page = (await client.get(f"/games/{game}")).text
    assert "Practice Bristol" not in page
    await play_moves(client, game, "deal", "resign")
    page = (await client.get(f"/games/{game}")).text
    ending = page[page.index('class="ending') : page.index('<form id="practice"')]
    assert ">More<" not in ending, "it would hide one link only"
    assert ">Replay<" in ending
    assert '<button form="practice" class="secondary">Practice Bristol</button>' in ending
    assert '<form id="practice" method="post" action="/play" hidden>' in page
    form = {"ruleset": "bristol", "level": "easier", "once": "true"}
    for name, value in form.items():
        assert f'<input type="hidden" name="{name}" value="{value}">' in page
    assert (await client.post("/play", data=form)).status_code == 303


async def test_an_attempt_among_the_open_games_says_that_its_clock_runs(
    site: Site, client: AsyncClient
):
    game = await start_attempt(client)
    await play_moves(client, game, "deal")
    site.clock.now += HOUR + 62_000
    for path in ("/", "/me/unfinished"):
        page = (await client.get(path)).text
        card = re.search(rf'<a href="/games/{game}">.*?</a>', page, re.DOTALL)
        assert card, path
        assert 'class="when clock">clock running<' in card[0]
    await play_moves(client, other := await _open_game(client), "deal")
    page = (await client.get("/me/unfinished")).text
    own = page.partition(f'href="/games/{other}"')[2].partition("</a>")[0]
    assert '<span class="when">just now</span>' in own, "a clock that pauses"


async def _open_game(client: AsyncClient) -> str:
    answer = await client.post("/api/v1/games", json={"ruleset": "bristol"})
    return str(answer.json()["id"])
