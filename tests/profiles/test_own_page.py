"""A player's own page: figures, recent games and a calendar, for guests, too."""

import re

import pytest
from sqlalchemy import event

from app.profiles.own_page import record_lines
from app.profiles.records import OwnRecord
from tests.games.playing import post, start_game
from tests.golden.records import RECORDS

pytestmark = pytest.mark.anyio

CLAIM = {"name": "Anna", "password": "correct horse battery", "again": "correct horse battery"}


def test_a_record_is_a_line_in_the_order_of_the_games():
    lines = record_lines(
        {"terrace": OwnRecord(3, 0, None, None), "bristol": OwnRecord(3, 2, 60, 100)}
    )
    assert [(each.title, each.share, each.best_moves, each.best_time) for each in lines] == [
        ("Bristol", 66, "60", "1:40"),
        ("Terrace", 0, "–", "–"),
    ]


async def test_a_visitor_is_told_what_will_be_here(visitor):
    page = (await visitor.get("/me")).text
    assert "You aren't signed in." in page
    assert "Your streak" in page
    assert 'href="/games"' in page
    figures = re.findall(r'<dd class="example.*?</dd>', page, re.DOTALL)
    said = [figure for figure in figures if "<svg" not in figure]
    assert len(said) == 3
    assert all("<small>Example</small>" in figure for figure in said), "none is the visitor's"


async def test_a_new_guest_sees_as_much_in_one_column_as_in_the_other(visitor):
    await start_game(visitor)
    page = (await visitor.get("/me")).text
    assert page.count('id="recent"') == 1
    assert page.index('id="recent"') < page.index('id="claim"')


async def test_a_guest_sees_their_own_figures_and_one_way_to_keep_them(visitor):
    won = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "won"))
    address = await start_game(visitor, code=won.code)
    for version, move in enumerate(won.moves):
        await post(visitor, f"{address}/move", version=version, move=move)
    daily = (await visitor.post("/api/v1/daily/today/bristol/attempt")).json()
    await visitor.post(f"/api/v1/games/{daily['id']}/moves", json={"move": "deal", "version": 0})
    await visitor.post(f"/api/v1/games/{daily['id']}/resign", json={"version": 1})
    answer = await visitor.get("/me")
    page = " ".join(answer.text.split())
    assert "You are playing as a guest, under a name we made up. 2 games finished, 1 won." in page
    assert re.search(rf"<td>1 of 2</td>.*<td>{len(won.moves)}</td>", page)
    # An attempt at today's deal, too: for nobody else's eyes.
    replays = re.findall(r'href="/games/([\w-]+)/replay"', page)
    assert replays == [daily["id"], address.removeprefix("/games/")]
    assert "Daily deals" in page
    assert page.index('id="claim"') < page.index('id="recent"')
    assert page.count('href="/join"') == 1
    assert answer.headers["cache-control"] == "no-store"


async def test_a_player_with_a_name_is_asked_nothing(visitor):
    await start_game(visitor)
    await visitor.post("/join", data=CLAIM)
    page = (await visitor.get("/me?done=joined")).text
    assert "The name is yours." in page
    assert 'href="/players/Anna"' in page
    assert 'href="/join"' not in page
    assert "<input" not in page.partition("<footer")[0]


async def test_more_games_cost_no_more_queries(site, visitor):
    queries: list[str] = []
    engine = site.state.services.database.engine

    async def count() -> int:
        queries.clear()
        await visitor.get("/me")
        return len(queries)

    async def resign() -> None:
        address = await start_game(visitor)
        await post(visitor, f"{address}/move", version=0, move="deal")
        await post(visitor, f"{address}/resign", version=1)

    await resign()
    event.listen(engine, "before_cursor_execute", lambda *args: queries.append(args[2]))
    before = await count()
    for _ in range(3):
        await resign()
    assert await count() == before > 0


async def test_only_who_has_played_has_links_to_pages_of_their_own(visitor):
    paths = (
        "/me",
        "/me/account",
        "/me/calendar",
        "/me/name",
        "/me/statistics",
        "/me/unfinished",
        "/settings",
    )
    for path in paths:
        assert '<nav class="local own"' not in (await visitor.get(path)).text, path
    await start_game(visitor)
    for path in paths:
        assert '<nav class="local own"' in (await visitor.get(path)).text, path
