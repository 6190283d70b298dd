"""New games of winnable deals, through the doors of the site."""

from __future__ import annotations

import asyncio
import re
from urllib.parse import unquote

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from starlette.requests import Request

from app.deals import searches
from app.deals.first_deals import first_deals
from app.deals.searches import SearchState
from app.deals.starters import starter_deals
from app.engine.shuffle import parse_code
from app.games.levels import Level
from app.games.new_game import OPTIONS, difficulty_section
from app.jobs.admission import TooManyJobsError
from app.rulesets.bristol import BRISTOL
from app.rulesets.klondike import KLONDIKE
from app.rulesets.spider import ONE_SUIT, SPIDER
from app.solver.difficulty import Grade
from tests.deals.dealing import CODES, NEXT, code_of, end
from tests.games.playing import start_game, win
from tests.golden.records import RECORDS
from tests.support.daily_site import play_moves
from tests.support.patience import PATIENCE
from tests.support.serving import visiting
from tests.support.stocks import open_deal, put

pytestmark = pytest.mark.anyio

MAIN_BUTTON = re.compile(r'<button[^>]*class="primary[ "][^>]*>([^<]+)<')
CHOSEN = re.compile(r'<option value="(\w+)"\s+data-note="[^"]*"\s+selected>')


async def test_a_new_deal_is_one_from_the_stock_unless_any_is_wanted(
    proving: FastAPI, visitor: AsyncClient
):
    await put(proving.state.services.database, *(open_deal(BRISTOL, code) for code in CODES[:3]))
    first = await visitor.post("/play", data={"ruleset": "bristol"})
    assert await code_of(visitor, first.headers["location"]) in CODES
    any_deal = await visitor.post("/play", data={"ruleset": "bristol", "deal": "any"})
    assert await code_of(visitor, any_deal.headers["location"]) not in CODES
    # That is remembered, until told otherwise; once does not count.
    again = await visitor.post("/play", data={"ruleset": "bristol"})
    assert await code_of(visitor, again.headers["location"]) not in CODES
    once = await visitor.post(
        "/play", data={"ruleset": "bristol", "deal": "winnable", "once": "true"}
    )
    assert await code_of(visitor, once.headers["location"]) in CODES
    again = await visitor.post("/play", data={"ruleset": "bristol"})
    assert await code_of(visitor, again.headers["location"]) not in CODES
    assert (await visitor.post("/new-deals", data={"deal": "winnable"})).status_code == 303
    again = await visitor.post("/play", data={"ruleset": "bristol"})
    assert await code_of(visitor, again.headers["location"]) in CODES


@pytest.mark.parametrize(
    ("back", "address"),
    [("/games", "/games"), ("/%E2%9C%93", "/%E2%9C%93"), ("/%7F", "/"), ("/%C2%80", "/")],
)
async def test_a_script_is_sent_back_to_any_page_of_the_site(visitor: AsyncClient, back, address):
    form = {"deal": "winnable", "back": unquote(back)}
    answer = await visitor.post("/new-deals", data=form, headers={"HX-Request": "true"})
    assert (answer.status_code, answer.headers["hx-redirect"]) == (204, address)
    plain = await visitor.post("/new-deals", data=form)
    assert plain.headers["location"] == address


async def test_a_code_is_dealt_whatever_was_chosen(proving: FastAPI, visitor: AsyncClient):
    answer = await visitor.post("/play", data={"ruleset": "bristol", "code": "7KQ4M2XWTP"})
    assert await code_of(visitor, answer.headers["location"]) == "7KQ4M-2XWTP"


async def test_the_lobby_offers_the_choice_where_there_is_one(site: FastAPI, visitor: AsyncClient):
    assert "/new-deals" not in (await visitor.get("/games")).text
    site.state.services.deals.proof_seconds = 15
    fresh = (await visitor.get("/games")).text
    assert CHOSEN.findall(fresh) == ["first"]
    assert "You start with the easiest deals that are ready" in fresh
    await visitor.post("/new-deals", data={"deal": "any"})
    assert CHOSEN.findall((await visitor.get("/games")).text) == ["random"]
    back = await visitor.post("/new-deals", data={"level": "medium"})
    assert back.headers["location"] == "/games"
    assert CHOSEN.findall((await visitor.get("/games")).text) == ["medium"]
    await visitor.post("/new-deals", data={"deal": "winnable"})
    assert CHOSEN.findall((await visitor.get("/games")).text) == ["first"]


async def test_where_nothing_is_proven_a_new_deal_is_any(site: FastAPI, visitor: AsyncClient):
    answer = await visitor.post("/play", data={"ruleset": "bristol"})
    assert answer.headers["location"].startswith("/games/")
    assert (await visitor.get("/new/bristol")).headers["location"] == "/"
    body = {"ruleset": "bristol", "deal": "winnable"}
    refused = await visitor.post("/api/v1/games", json=body)
    assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
    unknown = await visitor.post("/play", data={"ruleset": "whist"})
    assert unknown.status_code == 404


async def test_with_an_empty_stock_the_player_waits_on_a_page_that_opens_the_game(
    proving: FastAPI, visitor: AsyncClient
):
    answer = await visitor.post("/play", data={"ruleset": "bristol"})
    assert answer.headers["location"] == "/new/bristol"
    page = (await visitor.get("/new/bristol")).text
    assert 'http-equiv="refresh"' in page
    assert 'hx-trigger="every 1s"' in page
    assert "deal at random" in page
    async with asyncio.timeout(PATIENCE):
        while "Deal the cards" not in (page := (await visitor.get("/new/bristol")).text):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    assert "refresh" not in page
    dealt = await visitor.post(
        "/play", data={"ruleset": "bristol", "once": "true"}, headers={"HX-Request": "true"}
    )
    assert dealt.status_code == 204
    address = dealt.headers["hx-redirect"]
    assert address.startswith("/games/")
    table = (await visitor.get(address)).text
    assert re.search(
        r"<b>Difficulty: (gentle|medium|hard|fiendish).</b> The computer sees only what you see, and won",
        table,
    )


async def test_when_none_is_proven_soon_a_random_deal_follows_and_is_said_to_be_one(
    proving: FastAPI, visitor: AsyncClient, monkeypatch
):
    stock = proving.state.services.deals
    searching = asyncio.Event()

    async def never_done(*_):
        await searching.wait()

    monkeypatch.setattr(stock.searches, "_store_result", never_done)
    assert (await visitor.post("/play", data={"ruleset": "bristol"})).status_code == 303
    assert "every 1s" in (await visitor.get("/new/bristol")).text
    now = stock.searches._clock()
    monkeypatch.setattr(stock.searches, "_clock", lambda: now + 1000 * (PATIENCE + 1))
    page = (await visitor.get("/new/bristol")).text
    assert "It might not be winnable." in page
    assert 'hx-trigger="load, submit"' in page
    assert "every 1s" not in page
    assert "refresh" not in page
    form = dict(re.findall(r'name="(\w+)"\s+value="(\w+)"', page.split('id="waiting"')[1]))
    dealt = await visitor.post("/play", data=form)
    table = (await visitor.get(dealt.headers["location"])).text
    assert '<span class="occasion">Not proven winnable</span>' in table
    # Nothing of it is remembered, and a proof that came at the last moment is used.
    await put(proving.state.services.database, open_deal(BRISTOL, CODES[0]))
    dealt = await visitor.post("/play", data=form)
    assert await code_of(visitor, dealt.headers["location"]) == CODES[0]
    assert "Not proven" not in (await visitor.get(dealt.headers["location"])).text


async def test_who_had_too_many_jobs_for_a_search_waits_no_longer_than_others(
    proving: FastAPI, visitor: AsyncClient, monkeypatch
):
    stock = proving.state.services.deals
    monkeypatch.setattr(searches, "PATIENCE_SECONDS", 5)

    def too_many(*_, **__):
        raise TooManyJobsError(5)

    monkeypatch.setattr(proving.state.services.jobs, "submit", too_many)
    await visitor.post("/play", data={"ruleset": "bristol"})
    assert "every 1s" in (await visitor.get("/new/bristol")).text
    now = stock.searches._clock()
    monkeypatch.setattr(stock.searches, "_clock", lambda: now + 6000)
    assert "might not be winnable" in (await visitor.get("/new/bristol")).text


async def test_a_search_that_failed_long_ago_says_nothing_about_the_next_one(
    proving: FastAPI, visitor: AsyncClient, monkeypatch
):
    stock = proving.state.services.deals

    async def nothing(*_):
        return False

    monkeypatch.setattr(stock.searches, "_store_result", nothing)
    await visitor.post("/play", data={"ruleset": "bristol"})
    now = stock.searches._clock()
    monkeypatch.setattr(stock.searches, "_clock", lambda: now + 3_600_000)
    assert "every 1s" in (await visitor.get("/new/bristol")).text


async def test_with_an_empty_stock_a_player_gets_the_proven_deals_that_come_with_the_program(
    site: FastAPI, visitor: AsyncClient
):
    site.state.services.deals.proof_seconds = PATIENCE
    for player in (visitor, None):
        async with visiting(site) as other:
            client = player or other
            dealt = [
                (await client.post("/play", data={"ruleset": "spider"})).headers["location"]
                for _ in starter_deals(SPIDER)
            ]
            codes = [parse_code(await code_of(client, address.split("?")[0])) for address in dealt]
            assert set(codes) == set(starter_deals(SPIDER))
            after = await client.post("/play", data={"ruleset": "spider"})
            assert after.headers["location"] == "/new/spider"


async def test_who_waits_for_much_already_waits_for_this_too_instead_of_being_refused(
    proving: FastAPI, visitor: AsyncClient, monkeypatch
):
    def too_many(*_):
        raise TooManyJobsError(5)

    monkeypatch.setattr(proving.state.services.deals, "find_or_search", too_many)
    answer = await visitor.post("/play", data={"ruleset": "bristol"})
    assert answer.headers["location"] == "/new/bristol"
    page = await visitor.get("/new/bristol")
    assert page.status_code == 200
    assert "every 1s" in page.text


async def test_programs_may_ask_for_winnable_deals(
    proving: FastAPI, visitor: AsyncClient, monkeypatch
):
    async def looking(*_):
        return SearchState.SEARCHING

    monkeypatch.setattr(proving.state.services.deals, "find_or_search", looking)
    await put(proving.state.services.database, open_deal(BRISTOL, CODES[0]))
    body = {"ruleset": "bristol"}
    made = await visitor.post("/api/v1/games", json=body)
    assert (made.status_code, made.json()["code"] == CODES[0]) == (201, False)
    made = await visitor.post("/api/v1/games", json=body | {"deal": "winnable"})
    assert (made.status_code, made.json()["code"]) == (201, CODES[0])
    later = await visitor.post("/api/v1/games", json=body | {"deal": "winnable"})
    assert (later.status_code, later.json()["code"]) == (425, "not_ready")
    assert later.headers["retry-after"] == "2"
    wrong = await visitor.post("/api/v1/games", json=body | {"deal": "easy"})
    assert wrong.status_code == 422


@pytest.mark.parametrize("wins", [7, 0], ids=["graded", "proven"])
@pytest.mark.parametrize("status", ["lost", "resigned"])
async def test_who_is_stuck_or_gave_up_learns_that_the_deal_can_be_won(
    proving: FastAPI, visitor: AsyncClient, status: str, wins: int
):
    known = "This deal is hard, but it can be won."
    lost = next(log for log in RECORDS if (log.ruleset, log.end) == ("bristol", "lost"))
    assert lost.code
    moves = lost.moves if status == "lost" else ("deal", "resign")
    for is_known in (False, True):
        if is_known:
            await put(proving.state.services.database, open_deal(BRISTOL, lost.code, wins=wins))
        address = await start_game(visitor, "bristol", lost.code)
        await play_moves(visitor, address.removeprefix("/games/"), *moves)
        page = (await visitor.get(address)).text
        assert (known in page) == is_known
        choices = page[page.index('class="choices"') : page.index('id="menu-together"')]
        assert MAIN_BUTTON.findall(choices) == [
            "Undo" if status == "lost" else "Try this deal again"
        ]
        assert ">New deal</button>" in choices, "there is no easier one"
        async with visiting(proving) as viewer:
            assert known not in (await viewer.get(address)).text


async def test_a_win_says_how_hard_the_next_deal_is(site: FastAPI, visitor: AsyncClient):
    """Of a level of which no deal is there, nothing is said."""
    game = await win(visitor)
    said = []
    for wins in range(1, 8):
        if wins == 4:
            await put(site.state.services.database, open_deal(BRISTOL, CODES[0], 12))
        said.append(NEXT.findall((await visitor.get(game)).text))
        again = await start_game(visitor, code=CODES[wins % 4])
        await end(site, await code_of(visitor, again), "won")
    gentle, medium = ["gentle"], ["medium"]
    any_deal = ["any difficulty"]
    assert said == [gentle, [], [], medium, any_deal, [], []]


async def test_newcomers_get_the_deal_of_the_picture_or_rarely_the_same_one(site: FastAPI):
    dealt, pages = set(), set()
    for _ in range(20):
        async with visiting(site) as newcomer:
            home = (await newcomer.get("/")).text
            form = home[home.index('class="featured"') : home.index("</form>")]
            pages.add(form)  # the same however often it is loaded
            fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]+)"', form))
            answer = await newcomer.post("/play", data=fields)
            assert not {"fd_level", "fd_deals"} & {*newcomer.cookies}  # nothing was chosen
            address = answer.headers["location"]
            assert 'title="Difficulty">gentle<' in (await newcomer.get(address)).text
            other = await newcomer.post("/play", data={"ruleset": "spider-one-suit"})
            dealt |= {await code_of(newcomer, one.headers["location"]) for one in (answer, other)}
    assert len(pages) <= 2  # the hour may end meanwhile
    shown = {code for page in pages for code in re.findall(r'name="code" value="([^"]+)"', page)}
    assert {*first_deals(KLONDIKE)} >= shown == dealt - {*first_deals(ONE_SUIT)}
    assert len(dealt & {*first_deals(ONE_SUIT)}) > 1  # all alike: once in 10 ** 15 times


def test_deals_are_chosen_by_the_words_that_the_tables_say():
    chosen = [
        option.words.lower() for option in OPTIONS if option.level in set(Level) - {Level.ANY}
    ]
    assert chosen == [grade.words for grade in Grade]


async def test_the_choice_shows_what_was_chosen(proving: FastAPI, visitor: AsyncClient):
    def section(cookie: str) -> str:
        scope = {"type": "http", "headers": [(b"cookie", cookie.encode())], "app": proving}
        scope |= {"state": {}, "scheme": "http"}
        return str(difficulty_section(Request(scope), "/games"))

    assert CHOSEN.findall(section("")) == ["first"]
    assert CHOSEN.findall(section("fd_level=any")) == ["any"]
    assert CHOSEN.findall(section("fd_level=harder")) == ["harder"]
    assert CHOSEN.findall(section("fd_level=harder; fd_deals=any")) == ["random"]
    assert CHOSEN.findall(section("fd_level=nonsense")) == ["first"]
    for option in OPTIONS:  # the name in the form and what is remembered belong together
        answer = await visitor.post("/new-deals", data={"kind": option.kind})
        assert answer.status_code == 303
        kept = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
        assert CHOSEN.findall(section(kept)) == [option.kind]
    proving.state.services.deals.proof_seconds = 0
    assert section("") == ""


async def test_the_menu_says_what_each_new_deal_is(proving: FastAPI, visitor: AsyncClient):
    dealt = await visitor.post("/play", data={"ruleset": "bristol", "code": CODES[0]})

    async def rows() -> list[str]:
        menu = (await visitor.get(dealt.headers["location"])).text.split('id="menu-game"')[1]
        found = re.findall(r"<span>([^<]*)<small>([^<]*)</small>", menu)
        return [f"{title.strip()}: {note}" for title, note in found if "deal" in title]

    # Of a difficulty of which there is no deal, nothing is promised.
    assert await rows() == ["New deal: Can be won", "Random deal: Might not be winnable"]
    database = proving.state.services.database
    for code, wins in zip(CODES, (20, 12, 7, 0), strict=True):
        await put(database, open_deal(BRISTOL, code, wins))
    for option in OPTIONS:
        await visitor.post("/new-deals", data={"kind": option.kind})
        new, other = await rows()
        # Nothing was won yet, and a gentle deal is there.
        note = "Gentle, can be won" if option.kind == "first" else option.in_short
        assert new == f"New deal: {note}"
        assert other == (
            "Winnable deal: Can be won"
            if option.kind == "random"
            else "Random deal: Might not be winnable"
        )
    notes = [option.in_short for option in OPTIONS if option.kind != "first"]
    assert len(set(notes)) == len(notes)
    proving.state.services.deals.proof_seconds = 0  # nothing is known of new deals
    assert await rows() == []


@pytest.mark.parametrize("kind", ["first", "harder", "random"])
async def test_another_deal_from_the_menu_is_a_one_off(
    proving: FastAPI, visitor: AsyncClient, kind: str
):
    def read_choice() -> list[str | None]:
        return [visitor.cookies.get(name) for name in ("fd_deals", "fd_level")]

    await put(proving.state.services.database, open_deal(BRISTOL, CODES[1]))
    await visitor.post("/new-deals", data={"kind": kind})
    chosen = read_choice()
    dealt = await visitor.post("/play", data={"ruleset": "bristol", "code": CODES[0]})
    menu = (await visitor.get(dealt.headers["location"])).text.split('id="menu-game"')[1]
    other = next(
        form for form in re.findall(r"<form.*?</form>", menu, re.DOTALL) if 'name="deal"' in form
    )
    form = dict(re.findall(r'name="(\w+)"\s+value="(\w+)"', other))
    assert form["deal"] == ("winnable" if kind == "random" else "any")
    await visitor.post("/play", data=form)
    assert read_choice() == chosen
    assert CHOSEN.findall((await visitor.get("/games")).text) == [kind]
