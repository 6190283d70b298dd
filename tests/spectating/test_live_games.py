"""The list of tables that are played in public."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI
from httpx import AsyncClient, Response
from sqlalchemy import event, text

from app.clock import DAY_MS
from app.main import create_app
from app.rulesets import WELL_KNOWN_RULESETS
from app.settings import Settings
from app.spectating.site_show import show_at
from tests.support.known import HTMX
from tests.support.serving import migrate, visiting

pytestmark = pytest.mark.anyio

MINUTE = 60_000


class Clock:
    """Goes on by a second whenever it is looked at."""

    def __init__(self) -> None:
        self.now = 1_773_144_000_000

    def __call__(self) -> int:
        self.now += 1000
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def site(database_url: str, clock: Clock) -> AsyncIterator[FastAPI]:
    await migrate(database_url)
    app = create_app(Settings(database_url=database_url, proof_seconds=0), clock=clock)
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def player(site: FastAPI) -> AsyncIterator[AsyncClient]:
    async with visiting(site) as client:
        yield client


async def a_public_game(player: AsyncClient, ruleset: str = "bristol") -> str:
    game: str = (await player.post("/api/v1/games", json={"ruleset": ruleset})).json()["id"]
    await show(player, game)
    return game


async def show(player: AsyncClient, game: str, audience: str = "public") -> None:
    answer = await player.put(f"/api/v1/games/{game}/audience", json={"audience": audience})
    answer.raise_for_status()


async def listed(player: AsyncClient) -> list[str]:
    answer = (await player.get("/api/v1/watch")).raise_for_status()
    return [game["id"] for game in answer.json()["tables"]]


async def test_the_way_to_show_a_game_is_told_as_the_menu_has_it(player: AsyncClient):
    told = (await player.get("/watch")).text
    assert "Open its menu, then “Share”, and choose “Everyone” at “Who can watch”." in told
    game: str = (await player.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    page = (await player.get(f"/games/{game}")).text
    row = page[page.index('<details class="subpage sharing">') :]
    way = (
        "Share",
        'id="audience"',
        "Who can watch",
        "<small>Anyone with the link</small>",
        "Everyone",
    )
    places = [row.index(text) for text in way]
    assert places == sorted(places)


async def test_a_table_is_listed_only_while_its_player_wants_it(site: FastAPI, player: AsyncClient):
    game: str = (await player.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    assert await listed(player) == []
    await show(player, game)
    assert await listed(player) == [game]
    page = (await player.get("/watch")).text
    assert f'<a href="/games/{game}">Bristol</a>' in page
    button = '<span class="primary" aria-hidden="true">Watch</span>'
    assert button in page, "its picture is large, and has a button"
    assert "Games the site played" in page, "one game is little to watch"
    async with visiting(site) as friend:
        other = await a_public_game(friend)
        assert button not in (await player.get("/watch")).text
        await show(friend, other, "nobody")
    assert "1 game live now" in " ".join((await player.get("/")).text.split())
    for audience in ("link", "nobody"):
        await show(player, game)
        await show(player, game, audience)
        assert await listed(player) == []
    assert "No one is playing in public" in (await player.get("/watch")).text
    assert "live now" not in (await player.get("/")).text


async def test_a_game_that_the_site_played_plays_only_while_no_player_shows_one(
    player: AsyncClient,
):
    page = (await player.get("/watch")).text
    (path,) = re.findall(r'class="show"\s+data-path="([^"]+)"', page)
    assert f'<a href="{path}">' in page
    assert page.count(f'href="{path}"') == 2, "its name and the main button, no tile"
    assert (await player.get(path, params={"at": 0}, headers=HTMX)).text.startswith("<div id")
    game = await a_public_game(player)
    assert 'class="show"' not in (await player.get("/watch")).text
    await show(player, game, "nobody")
    assert 'class="show"' in (await player.get("/watch")).text


async def test_each_day_shows_another_game_that_most_visitors_know():
    days = range(20_000, 20_000 + len(WELL_KNOWN_RULESETS))
    shown = [show_at(day * DAY_MS + hour) for day in days for hour in (0, DAY_MS - 1)]
    paths = [each.path for each in shown if each]
    assert paths[::2] == paths[1::2], "the same all day"
    assert sorted(paths[::2]) == sorted(f"/watch/{rules.id}" for rules in WELL_KNOWN_RULESETS)


async def test_a_live_game_is_drawn_without_its_hidden_cards(player: AsyncClient):
    created = await player.post("/api/v1/games", json={"ruleset": "rouge-et-noir"})
    await show(player, created.json()["id"])
    drawing = (await player.get("/watch")).text.split('class="mini-table"', 1)[1]
    drawn = re.findall(r'href="[^"]*cards[^"]*#(\w+)"', drawing.split("</svg>", 1)[0])
    cards = [card for pile in created.json()["piles"].values() for card in pile["cards"]]
    assert None in cards
    assert "back" in drawn
    assert set(drawn) & set(cards) == {name for name in drawn if name[0] in "A23456789TJQK"}


async def test_a_game_that_ends_leaves_the_list_and_stays_public(player: AsyncClient):
    game = await a_public_game(player)
    await player.post(f"/api/v1/games/{game}/resign", json={"version": 0})
    assert await listed(player) == []
    page = (await player.get(f"/games/{game}")).text
    assert 'value="public"' in page


async def play(player: AsyncClient, game: str, *actions: str) -> None:
    for version, action in enumerate(actions):
        path, body = ("moves", {"move": action}) if action == "deal" else (action, {})
        answer = await player.post(f"/api/v1/games/{game}/{path}", json={"version": version} | body)
        answer.raise_for_status()


async def asked_again(player: AsyncClient, page: str) -> Response:
    """What the script of a page gets when it asks for its list again."""
    (address,) = re.findall(r'id="live-games"\s+class="now"\s+hx-get="([^"]+)"', page)
    return await player.get(html.unescape(address), headers=HTMX)


async def test_the_list_keeps_itself_up_to_date(site: FastAPI, player: AsyncClient, clock: Clock):
    game = await a_public_game(player)
    page = (await player.get("/watch")).text
    assert (await asked_again(player, page)).status_code == 204
    await play(player, game, "deal")
    fresh = (await asked_again(player, page)).raise_for_status().text
    assert "<main" not in fresh
    assert "1 move" in fresh
    assert (await asked_again(player, fresh)).status_code == 204
    async with visiting(site) as friend:
        other = await a_public_game(friend)
        both = (await asked_again(player, fresh)).text
        assert f"/games/{other}" in both
        await show(friend, other, "nobody")
        assert (await asked_again(player, both)).text == fresh
    clock.now += 3 * MINUTE
    assert "last move" in (await asked_again(player, fresh)).text
    await show(player, game, "nobody")
    assert "No one is playing in public right now." in (await asked_again(player, fresh)).text


async def a_game_of_another(site: FastAPI, *actions: str) -> str:
    """A public game of a guest who comes for it."""
    async with visiting(site) as other:
        game = await a_public_game(other)
        await play(other, game, *actions)
    return game


async def test_of_each_player_the_last_game_is_listed(site: FastAPI, player: AsyncClient):
    games = [await a_public_game(player) for _ in range(3)]
    other = await a_game_of_another(site)
    assert await listed(player) == [other, games[-1]]
    assert "2 games live now" in " ".join((await player.get("/")).text.split())
    await show(player, games[-1], "link")
    assert await listed(player) == [other, games[1]]
    await show(player, games[0])
    assert await listed(player) == [games[0], other]


async def replays(player: AsyncClient) -> list[str]:
    """What the page of live games leads to besides them."""
    return re.findall(r'href="/games/([\w-]+)/replay"', (await player.get("/watch")).text)


LONG_ENOUGH = (*["deal"] * 10, "resign")


async def test_a_public_game_that_has_ended_is_among_the_finished_ones_for_a_day(
    player: AsyncClient, clock: Clock
):
    first, second = [await a_public_game(player, "klondike") for _ in range(2)]
    hardly_begun = ("deal", *["undo", "redo"] * 5, "resign")
    await play(player, await a_public_game(player), *hardly_begun)
    assert await replays(player) == []
    for game in (first, second):
        await play(player, game, *LONG_ENOUGH)
    assert await replays(player) == [second, first]
    page = (await player.get("/watch")).text
    order = (
        'class="nothing-yet"',
        'href="/daily/archive">Past daily deals</a>',
        'id="finished"',
        'id="by-the-site"',
    )
    assert sorted(order, key=page.index) == list(order), "what players did comes first"
    assert 'aria-label="Your profile, as guest ' in (await player.get("/watch")).text
    assert re.search("resigned after 10 moves, 0:[0-9]{2}", (await player.get("/watch")).text)
    await show(player, second, "nobody")
    assert await replays(player) == [first]
    await show(player, second, "link")
    assert await replays(player) == [first]
    clock.now += 24 * 60 * MINUTE
    assert await replays(player) == []


async def test_who_finds_nobody_is_offered_the_last_win_that_everyone_may_see(
    site: FastAPI, player: AsyncClient, clock: Clock
):
    game, other = [await a_public_game(player, "klondike") for _ in range(2)]
    for each in (game, other):
        await play(player, each, *LONG_ENOUGH)
    page = (await player.get("/watch")).text
    assert not re.search('/replay">Watch a replay', page), "nobody won"
    # What the site played is offered by its name.
    assert re.search(r'primary"\s+href="/watch/[a-z-]+">Watch a replay: [A-Z]', page)
    engine = site.state.services.database.engine
    with engine.begin() as connection:
        won = "UPDATE games SET status = 'won' WHERE id = :game"
        connection.execute(text(won), {"game": game})
    clock.now += 24 * 60 * MINUTE
    page = (await player.get("/watch")).text
    assert re.search(f'primary"\\s+href="/games/{game}/replay">Watch a replay: Klondike<', page)
    assert re.search("</bdi> won in 10 moves", page)
    await show(player, game, "link")
    assert await replays(player) == []
    await show(player, game)
    assert await replays(player) == [game], "it is no longer offered among the finished ones, too"
    clock.now += 30 * 24 * 60 * MINUTE
    assert await replays(player) == []


async def test_what_is_not_for_everyone_is_in_no_list(site: FastAPI, player: AsyncClient):
    """Even if it were listed by mistake: one function decides what everyone may see."""
    playing, ended = [await a_public_game(player, "klondike") for _ in range(2)]
    await play(player, ended, *LONG_ENOUGH)
    daily = (await player.post("/api/v1/daily/today/bristol/attempt")).json()["id"]
    await play(player, daily, "deal")
    made = (
        "UPDATE games SET kind = 'daily', code = NULL, "
        "seed = (SELECT seed FROM games WHERE id = :daily) WHERE id = :game"
    )
    assert (await listed(player), await replays(player)) == ([playing], [ended])
    engine = site.state.services.database.engine
    with engine.begin() as connection:
        for game in (playing, ended):
            connection.execute(text(made), {"daily": daily, "game": game})
    assert (await listed(player), await replays(player)) == ([], [])


async def test_another_process_draws_the_same_with_no_more_queries_for_more_games(
    site: FastAPI, player: AsyncClient, clock: Clock, database_url: str
):
    async def look() -> tuple[list[str], int]:
        app = create_app(Settings(database_url=database_url, proof_seconds=0), clock=clock)
        async with app.router.lifespan_context(app), visiting(app) as viewer:
            await viewer.get("/")
            queries: list[str] = []
            engine = app.state.services.database.engine
            event.listen(engine, "before_cursor_execute", lambda *args: queries.append(args[2]))
            return drawn((await viewer.get("/watch")).text), len(queries)

    def drawn(page: str) -> list[str]:
        return re.findall("<svg class=.mini-table.*?</small>", page, re.DOTALL)

    async def fewest() -> tuple[list[str], int]:
        """Of two processes: in one, a task in the background may ask something meanwhile."""
        (found, queries), (again, others) = await look(), await look()
        assert found == again
        return found, min(queries, others)

    await play(player, await a_public_game(player), "deal")
    before, queries = await fewest()
    assert before == drawn((await player.get("/watch")).text)
    for _ in range(3):
        await a_game_of_another(site, "deal", "undo")
    after, more_queries = await fewest()
    assert after == drawn((await player.get("/watch")).text)
    assert (len(before), len(after)) == (1, 4)
    assert more_queries == queries > 0


async def test_an_idle_table_is_not_live_until_its_next_move(player: AsyncClient, clock: Clock):
    game = await a_public_game(player)
    clock.now += 16 * MINUTE
    assert await listed(player) == []
    await player.post(f"/api/v1/games/{game}/moves", json={"version": 0, "move": "deal"})
    assert await listed(player) == [game]
    assert "last move" not in (await player.get("/watch")).text
    clock.now += 12 * MINUTE
    page = (await player.get("/watch")).text
    assert re.search(r"<small[^>]*>1 move\s*· last move 12 min ago</small>", page)


async def test_pages_follow_one_another_without_a_gap_or_a_repetition(
    site: FastAPI, player: AsyncClient
):
    made = [await a_game_of_another(site) for _ in range(30)]
    first = (await player.get("/api/v1/watch")).json()
    await a_game_of_another(site)  # what comes in between belongs before the first page
    second = (await player.get("/api/v1/watch", params={"after": first["next"]})).json()
    pages = [[game["id"] for game in page["tables"]] for page in (first, second)]
    assert pages == [made[:5:-1], made[5::-1]]
    assert second["next"] is None


@pytest.mark.parametrize("after", ["x", "1", "1e3.g", "\u0663.g", "9" * 16 + ".g"])
async def test_a_place_that_is_none_is_malformed(player: AsyncClient, after: str):
    for path in ("/watch", "/api/v1/watch"):
        assert (await player.get(path, params={"after": after})).status_code == 422


async def test_the_list_tells_who_plays_and_nothing_of_the_cards(player: AsyncClient):
    await a_public_game(player)
    row = (await player.get("/api/v1/watch")).json()["tables"][0]
    assert set(row) == {"id", "ruleset", "player", "version", "viewers"}
    assert f"<bdi>{row['player']}</bdi>" in (await player.get("/watch")).text


async def test_who_watches_reads_whose_game_it_is_and_goes_back_to_the_list(
    site: FastAPI, player: AsyncClient
):
    game = await a_public_game(player)
    name = (await player.get("/api/v1/me")).json()["name"]
    async with visiting(site) as friend:
        page = (await friend.get(f"/games/{game}")).text
    assert f'<span class="whose"><bdi>{name}</bdi></span>' in page
    assert re.search(r'class="back"\s+href="/watch"', page)
    own = (await player.get(f"/games/{game}")).text
    assert f"<bdi>{name}</bdi>" not in own
    assert re.search(r'class="back"\s+href="/"', own)
