"""A game has one number of moves, on every page: without what was undone, unless the game is one that is ranked."""

import re
from html import unescape

import pytest
from sqlalchemy import select

from app.admin.integrity.verify import verify_games
from app.db.schema import games
from tests.games.playing import post, read, start_game
from tests.golden.records import RECORDS
from tests.support.dailies import winning_moves
from tests.support.daily_site import open_site, play_moves, start_attempt
from tests.support.known import CODE
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

NAME = "Wren"
CLAIM = {"name": NAME, "password": "seven ravens sleep"}
WON = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "won"))
DETOUR = ("deal", "undo", "redo", "undo")
"""Actions that lead nowhere: more than the moves of the game, as much as its log."""


async def played(visitor, address, *actions):
    """Play the actions of a game from its start, in the browser's way; the last answer."""
    answer = None
    for version, action in enumerate(actions):
        form = {"version": version}
        if action in {"undo", "redo", "restart", "resign"}:
            answer = await post(visitor, f"{address}/{action}", **form)
        else:
            answer = await post(visitor, f"{address}/move", **form, move=action)
        assert answer.status_code == 200, action
    return answer


def words(html):
    """The text of a page, in one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


async def stored(site, address):
    """The moves in a game's row, which agree with its log."""
    database = site.state.services.database
    game_id = address.removeprefix("/games/")
    async for report in verify_games(database, [game_id]):
        assert report.faults == {}
    query = select(games.c.version, games.c.moves).where(games.c.id == game_id)
    return tuple(await database.read(lambda connection: connection.execute(query).one()))


async def test_every_page_tells_the_same_number_of_moves(visitor, site):
    assert (await visitor.post("/api/v1/me/claim", json=CLAIM)).is_success
    actions = (*DETOUR, *WON.moves)
    for _ in range(2):  # an average needs three wins
        await played(visitor, await start_game(visitor, code=WON.code), *actions)
    address = await start_game(visitor, code=WON.code)
    public = {"audience": "public"}
    assert (await visitor.put(f"/api/v1{address}/audience", json=public)).is_success
    last = await played(visitor, address, *actions)
    assert len(WON.moves) == 68
    assert await stored(site, address) == (72, 68)

    table = (await visitor.get(address)).text
    assert '<p id="status"><span>68<span class="spared"> moves</span>' in table
    for panel in (last.text, table):
        assert "Moves 68 best: 68 Time" in words(panel)
    pages = {
        f"{address}/replay": "You won in 68 moves, ",
        "/me": "Bristol 3 of 3 100% 68 ",
        "/me/statistics": "Best Average Moves 68 68 Time",
        f"/players/{NAME}": "Bristol 3 3 100% 3 3 68 ",
        f"/deal/bristol/{WON.code}": f"1. {NAME} (you) won 68 ",
        "/watch": f"{NAME} won in 68 moves, ",
    }
    for path, told in pages.items():
        page = words((await visitor.get(path)).text)
        assert told in page, (path, page[200:900])
        # A replay has a step for every action.
        assert path.endswith("/replay") or not re.search(r"\b72\b", page), path
    for path in ("/me", f"/players/{NAME}"):
        page = words((await visitor.get(path)).text)
        assert re.search(r"Bristol \d+ \w+ \d{4} won · 68 moves, ", page), page


async def test_programs_are_told_both_numbers(visitor):
    assert (await visitor.post("/api/v1/me/claim", json=CLAIM)).is_success
    address = await start_game(visitor, code=WON.code)
    await played(visitor, address, *DETOUR, *WON.moves)
    state = (await visitor.get(f"/api/v1{address}")).json()
    replay = (await visitor.get(f"/api/v1{address}/replay")).json()
    (result,) = (await visitor.get(f"/api/v1/deals/bristol/{WON.code}/results")).json()
    player = (await visitor.get(f"/api/v1/players/{NAME}")).json()
    for one in (state, replay, result, player["recent"][0]):
        assert (one["actions"], one["moves"]) == (72, 68)
    assert (player["games"][0]["best_actions"], player["games"][0]["best_moves"]) == (72, 68)


async def test_fewer_moves_rank_first_however_many_were_undone(visitor, site):
    await played(visitor, await start_game(visitor), "deal", "deal", "undo", "resign")
    async with visiting(site) as other:
        await played(other, await start_game(other), "deal", "deal", "resign")
        results = (await other.get(f"/api/v1/deals/bristol/{CODE}/results")).json()
    found = [(each["place"], each["moves"], each["actions"]) for each in results]
    assert found == [(1, 1, 4), (2, 2, 3)]


@pytest.mark.parametrize(
    ("actions", "moves"),
    [
        (("deal", "deal", "undo", "undo", "redo"), 1),
        (("deal", "deal", "restart"), 0),
        (("deal", "deal", "restart", "redo", "resign"), 1),
        (("resign",), 0),
    ],
)
async def test_a_row_has_the_moves_that_led_there(visitor, site, actions, moves):
    address = await start_game(visitor)
    await played(visitor, address, *actions)
    assert await stored(site, address) == (len(actions), moves)


async def test_imports_and_forks_begin_with_their_moves(visitor, site):
    address = await start_game(visitor)
    await played(visitor, address, "deal", "deal", "undo", "resign")
    record = (await visitor.get(f"/api/v1{address}/record")).text
    for path, form in (("/records", {"record": record}), (f"{address}/fork", {"at": 3})):
        made = (await visitor.post(f"/api/v1{path}", json=form)).json()
        found = await stored(site, f"/games/{made['id']}")
        assert found == ((4, 1) if path == "/records" else (1, 1))


async def test_a_game_that_becomes_a_shared_table_keeps_its_number(visitor, site):
    address = await start_game(visitor)
    await played(visitor, address, "deal", "deal", "undo")
    assert (await post(visitor, f"{address}/together/share")).status_code == 303
    assert await stored(site, address) == (3, 1)
    await post(visitor, f"{address}/redo", version=3)
    assert await stored(site, address) == (4, 2)
    assert "2 moves so far" in (await visitor.get("/together")).text


async def test_in_a_daily_every_action_is_a_move_but_to_resign(sqlite_url):
    async with open_site(sqlite_url) as site, visiting(site.app) as guest:
        game = await start_attempt(guest)
        moves = winning_moves()
        moves = moves[: next(n for n, move in enumerate(moves, 1) if move != "deal")]
        await play_moves(guest, game, *moves)
        n = len(moves)
        await post(guest, f"/games/{game}/undo", version=n)
        await post(guest, f"/games/{game}/redo", version=n + 1)
        shown = read(r'id="status"><span[^>]*>(\d+)<', (await guest.get(f"/games/{game}")).text)
        assert await stored(site.app, f"/games/{game}") == (n + 2, int(shown)) == (n + 2, n + 2)
        await post(guest, f"/games/{game}/resign", version=n + 2)
        assert await stored(site.app, f"/games/{game}") == (n + 3, n + 2)
