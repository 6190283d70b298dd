"""New games of winnable deals, through the doors of the site."""

from __future__ import annotations

import asyncio
import re
from urllib.parse import unquote

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import delete, update
from starlette.requests import Request

from app.db.schema import deal_grades, games
from app.deals import service
from app.deals.first_deals import first_deals
from app.deals.service import SearchState
from app.deals.starters import starter_deals
from app.engine.shuffle import parse_code
from app.games.levels import Level
from app.games.new_game import OPTIONS, difficulty_section
from app.jobs.admission import TooManyJobsError
from app.rulesets.bristol import BRISTOL
from app.rulesets.klondike import KLONDIKE
from app.rulesets.spider import ONE_SUIT, SPIDER
from app.solver.difficulty import Grade
from tests.games.playing import start_game, win
from tests.golden.records import RECORDS
from tests.support.daily_site import play_moves
from tests.support.patience import PATIENCE
from tests.support.serving import visiting
from tests.support.stocks import open_deal, put

pytestmark = pytest.mark.anyio

CODES = [str(parse_code(f"{n:010d}")) for n in range(4)]
NEXT = re.compile(r'<button form="again" class="primary"><span>Next deal <small>([^<]+)<')
MAIN_BUTTON = re.compile(r'<button[^>]*class="primary[ "][^>]*>([^<]+)<')
CHOSEN = re.compile(r'<option value="(\w+)"\s+data-note="[^"]*"\s+selected>')


@pytest.fixture
def proving(site: FastAPI, monkeypatch: pytest.MonkeyPatch) -> FastAPI:
    """A site that proves deals only on request, and has no deals that come with the program."""
    monkeypatch.setattr(service, "first_deals", lambda _: {})
    monkeypatch.setattr(service, "starter_deals", lambda _: {})
    monkeypatch.setattr(service, "PATIENCE_SECONDS", PATIENCE)
    monkeypatch.setattr(service, "WAIT_SECONDS", PATIENCE)
    site.state.services.deals._seconds = PATIENCE
    return site


async def code_of(client: AsyncClient, address: str) -> str:
    state = (await client.get(f"/api/v1{address}")).json()
    return str(state["code"])


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
    site.state.services.deals._seconds = 15
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

    monkeypatch.setattr(stock, "_store_result", never_done)
    assert (await visitor.post("/play", data={"ruleset": "bristol"})).status_code == 303
    assert "every 1s" in (await visitor.get("/new/bristol")).text
    now = stock._clock()
    monkeypatch.setattr(stock, "_clock", lambda: now + 1000 * (PATIENCE + 1))
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
    monkeypatch.setattr(service, "PATIENCE_SECONDS", 5)

    def too_many(*_, **__):
        raise TooManyJobsError(5)

    monkeypatch.setattr(stock._jobs, "submit", too_many)
    await visitor.post("/play", data={"ruleset": "bristol"})
    assert "every 1s" in (await visitor.get("/new/bristol")).text
    now = stock._clock()
    monkeypatch.setattr(stock, "_clock", lambda: now + 6000)
    assert "might not be winnable" in (await visitor.get("/new/bristol")).text


async def test_a_search_that_failed_long_ago_says_nothing_about_the_next_one(
    proving: FastAPI, visitor: AsyncClient, monkeypatch
):
    stock = proving.state.services.deals

    async def nothing(*_):
        return False

    monkeypatch.setattr(stock, "_store_result", nothing)
    await visitor.post("/play", data={"ruleset": "bristol"})
    now = stock._clock()
    monkeypatch.setattr(stock, "_clock", lambda: now + 3_600_000)
    assert "every 1s" in (await visitor.get("/new/bristol")).text


async def test_with_an_empty_stock_a_player_gets_the_proven_deals_that_come_with_the_program(
    site: FastAPI, visitor: AsyncClient
):
    site.state.services.deals._seconds = PATIENCE
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


async def test_the_difficulty_is_shown_at_the_table_and_on_the_deal_page(
    proving: FastAPI, visitor: AsyncClient
):
    await put(proving.state.services.database, open_deal(BRISTOL, CODES[0], wins=7))
    dealt = await visitor.post("/play", data={"ruleset": "bristol"})
    table = (await visitor.get(dealt.headers["location"])).text
    tries = "The computer sees only what you see, and won this deal in 7 of 20 tries."
    # At the word beside the name, and not in the menu, which has to be short.
    said = table.index(f"<b>Difficulty: hard.</b> {tries}")
    assert said < table.index('id="menu-game"')
    assert table.count(tries) == 1
    meaning = re.search(r'<a href="(/\w+)#(\w+)">What this means</a>', table)
    assert meaning
    explained = (await visitor.get(meaning[1])).text
    assert f'id="{meaning[2]}"' in explained
    assert "The percentage of a hint is something else:" in explained
    page = (await visitor.get(f"/deal/bristol/{CODES[0]}")).text
    assert f"Difficulty: hard. {tries}" in page


async def test_new_deals_are_of_the_difficulty_that_was_chosen(
    proving: FastAPI, visitor: AsyncClient
):
    wins = {CODES[0]: 20, CODES[1]: 20, CODES[2]: 7, CODES[3]: 11}
    await put(
        proving.state.services.database,
        *(open_deal(BRISTOL, code, wins=count) for code, count in wins.items()),
    )
    chosen = await visitor.post("/new-deals", data={"level": "harder", "back": "/games"})
    assert (chosen.status_code, chosen.headers["location"]) == (303, "/games")
    # Every "New deal" respects it, and the waiting page does.
    dealt = await visitor.post("/play", data={"ruleset": "bristol"})
    assert await code_of(visitor, dealt.headers["location"]) == CODES[2]
    once = {"ruleset": "bristol", "level": "easier", "once": "true"}
    dealt = await visitor.post("/play", data=once)
    assert await code_of(visitor, dealt.headers["location"]) in CODES[:2]
    assert "is ready" not in (await visitor.get(dealt.headers["location"])).text
    # There is no such one any more: never a deal of another difficulty without a word.
    dealt = await visitor.post("/play", data={"ruleset": "bristol"})
    page = (await visitor.get(dealt.headers["location"])).text
    assert "No hard deal of Bristol is ready. This one is medium." in page


async def end(site: FastAPI, code: str, status: str) -> None:
    ended = update(games).where(games.c.code == code).values(status=status)
    await site.state.services.database.write(lambda connection: connection.execute(ended))


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
        choices = page[page.index('class="choices"') :]
        assert MAIN_BUTTON.findall(choices) == [
            "Undo" if status == "lost" else "Try this deal again"
        ]
        assert ">New deal</button>" in choices, "there is no easier one"
        async with visiting(proving) as viewer:
            assert known not in (await viewer.get(address)).text


@pytest.mark.parametrize(("wins", "is_offered"), [(7, True), (20, False)])
async def test_who_gave_up_is_offered_an_easier_deal_where_there_is_one(
    proving: FastAPI, visitor: AsyncClient, wins: int, is_offered: bool
):
    played, easier = CODES[:2]
    database = proving.state.services.database
    await put(database, open_deal(BRISTOL, played, wins=wins), open_deal(BRISTOL, easier, wins=20))
    address = await start_game(visitor, "bristol", played)
    await play_moves(visitor, address.removeprefix("/games/"), "deal", "resign")
    page = (await visitor.get(address)).text
    button = (
        '<button form="again" class="secondary" name="easier" value="true">An easier deal</button>'
    )
    assert (button in page) == is_offered
    answer = await visitor.post("/play", data={"ruleset": "bristol", "easier": "true"})
    assert await code_of(visitor, answer.headers["location"]) == easier
    assert "fd_level" not in answer.headers.get("set-cookie", ""), "for this once"


async def test_deals_of_a_game_get_harder_over_the_first_five_wins_and_a_loss_changes_nothing(
    proving: FastAPI, visitor: AsyncClient
):
    """By wins of twenty, a deal of Bristol is gentle from 16, medium from 10, hard from 6, and else fiendish."""
    many = [str(parse_code(f"{n:010d}")) for n in range(20)]
    wins = dict(zip(many, (20, 18, 12, 7, 0) * 4, strict=True))
    await put(
        proving.state.services.database,
        *(open_deal(BRISTOL, code, count) for code, count in wins.items()),
    )
    met = []
    for status in ("lost", "won", "lost", "won", "won", "resigned", "won", "won"):
        dealt = await visitor.post("/play", data={"ruleset": "bristol"})
        code = await code_of(visitor, dealt.headers["location"])
        met.append(wins[code])
        await end(proving, code, status)
    assert all(count >= 16 for count in met[:4])
    assert met[4:] == [12, 12, 12, 12]
    # From then on, any deal comes: the first by fingerprint, as for a player who wants any.
    left = sorted(many, key=lambda code: open_deal(BRISTOL, code).grade.fingerprint)
    dealt = await visitor.post("/play", data={"ruleset": "bristol"})
    code = await code_of(visitor, dealt.headers["location"])
    taken = await visitor.post("/play", data={"ruleset": "bristol", "level": "any"})
    following = await code_of(visitor, taken.headers["location"])
    assert left.index(code) < left.index(following)


async def test_a_chosen_difficulty_counts_from_the_first_game_on(
    proving: FastAPI, visitor: AsyncClient
):
    wins = dict(zip(CODES, (20, 12, 0, 7), strict=True))
    await put(
        proving.state.services.database,
        *(open_deal(BRISTOL, code, count) for code, count in wins.items()),
    )
    dealt = await visitor.post("/play", data={"ruleset": "bristol", "level": "hardest"})
    assert wins[await code_of(visitor, dealt.headers["location"])] == 0


@pytest.mark.parametrize("level", ["", "any"], ids=["no choice", "mixed"])
async def test_the_first_five_wins_never_meet_a_hard_deal_while_there_is_a_gentler_one(
    site: FastAPI, visitor: AsyncClient, level: str
):
    """The stock is full of hard deals: gentle and medium ones come from those of the program, too."""
    hard = [str(parse_code(f"{n:010d}")) for n in range(12)]
    await put(
        site.state.services.database,
        *(open_deal(KLONDIKE, code, n % 2) for n, code in enumerate(hard)),
    )
    site.state.services.deals._seconds = PATIENCE
    dealt_hard = []
    for _ in range(5):
        form = {"ruleset": "klondike"} | ({"level": level} if level else {})
        dealt = await visitor.post("/play", data=form)
        code = await code_of(visitor, dealt.headers["location"].split("?")[0])
        dealt_hard.append(code in hard)
        await end(site, code, "won")
    assert dealt_hard == [bool(level)] * 5


async def test_a_hard_deal_comes_early_only_where_nothing_gentler_is_left_and_says_so(
    proving: FastAPI, visitor: AsyncClient
):
    await put(proving.state.services.database, *(open_deal(BRISTOL, code, 0) for code in CODES[:2]))
    dealt = await visitor.post("/play", data={"ruleset": "bristol"})
    page = (await visitor.get(dealt.headers["location"])).text
    assert '<summary title="Difficulty">fiendish</summary>' in page


async def test_a_random_deal_is_called_one_beside_its_game_until_its_difficulty_is_known(
    proving: FastAPI, visitor: AsyncClient
):
    mark = "<summary>random<"
    dealt = await visitor.post("/play", data={"ruleset": "bristol", "deal": "any", "once": "1"})
    assert mark in (await visitor.get(dealt.headers["location"])).text
    database = proving.state.services.database
    await put(database, open_deal(BRISTOL, CODES[0]))
    proven = await start_game(visitor, code=CODES[0])
    assert 'title="Difficulty"' in (await visitor.get(proven)).text
    await database.write(lambda connection: connection.execute(delete(deal_grades)))
    proving.state.services.difficulty._known.clear()
    assert 'class="occasion"' not in (await visitor.get(proven)).text, "proven before it was dealt"
    assert mark in (await visitor.get(await start_game(visitor, code=CODES[2]))).text


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


@pytest.mark.parametrize("choice", [{"level": "harder"}, {"deal": "any"}], ids=["hard", "random"])
async def test_who_chose_a_difficulty_is_told_of_no_other(
    visitor: AsyncClient, choice: dict[str, str]
):
    await visitor.post("/new-deals", data=choice)
    game = await win(visitor)
    assert not NEXT.search((await visitor.get(game)).text)


async def test_on_a_new_site_the_first_deals_of_a_game_are_gentle_and_nobody_gets_one_twice(
    site: FastAPI, visitor: AsyncClient
):
    known = first_deals(BRISTOL)
    assert len(known) >= 3
    dealt = []
    for _ in known:
        answer = await visitor.post("/play", data={"ruleset": "bristol"})
        address = answer.headers["location"]
        dealt.append(await code_of(visitor, address))
        page = await visitor.get(address)
        assert '<summary title="Difficulty">gentle</summary>' in page.text
    assert sorted(dealt) == sorted(known)
    won = update(games).where(games.c.ruleset == "bristol").values(status="won")
    await site.state.services.database.write(lambda connection: connection.execute(won))
    async with visiting(site) as other:  # who asks for gentle deals gets them, too
        answer = await other.post("/play", data={"ruleset": "bristol", "level": "easier"})
        assert await code_of(other, answer.headers["location"]) in known


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


async def test_a_deal_is_said_not_to_be_gentle_only_to_who_asked_for_one(
    proving: FastAPI, visitor: AsyncClient
):
    deals = [open_deal(SPIDER, code, wins=0) for code in CODES]
    await put(proving.state.services.database, *deals)

    async def dealt(**asked: str) -> str:
        answer = await visitor.post("/play", data={"ruleset": "spider", **asked})
        return (await visitor.get(answer.headers["location"])).text

    # "Easiest first" is the default: the first table says where to begin instead, and later ones say nothing.
    page = await dealt()
    assert "Spider is hard to win. Spider (One Suit) is a gentler start." in page
    assert re.search(r'value="spider-one-suit">Play a gentle Spider \(One Suit\)<', page)
    assert 'class="nearest"' not in await dealt()
    page = await dealt(level="easier", once="true")
    assert "No gentle deal of Spider is ready. This one is fiendish." in page
    assert "nearest to" not in page
    # Spider has no gentle deals, but a game of its family has.
    button = re.search(r'name="ruleset"\s+value="(.+)">Play a gentle Spider \(One Suit\)<', page)
    assert button, page
    assert button[1] == "spider-one-suit"
    page = await dealt(level="harder", once="true")
    assert "No hard deal of Spider is ready. This one is fiendish." in page
    assert "Play a gentle" not in page


async def test_a_level_is_one_of_five_and_a_choice_is_never_empty(
    proving: FastAPI, visitor: AsyncClient
):
    for data in ({}, {"level": "impossible"}, {"deal": "easier"}):
        assert (await visitor.post("/new-deals", data=data)).status_code == 422, data
    away = await visitor.post("/new-deals", data={"level": "any", "back": "//elsewhere.test"})
    assert away.headers["location"] == "/"
    dealt = await visitor.post("/play", data={"ruleset": "bristol", "code": CODES[0]})
    page = await visitor.get(f"{dealt.headers['location']}?asked=impossible")
    assert page.status_code == 200
    assert "is ready" not in page.text


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
    proving.state.services.deals._seconds = 0
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
    proving.state.services.deals._seconds = 0  # nothing is known of new deals
    assert await rows() == []


async def test_the_menu_promises_the_difficulty_that_wins_have_led_to(
    proving: FastAPI, visitor: AsyncClient
):
    database = proving.state.services.database
    await put(database, open_deal(BRISTOL, CODES[0], 20), open_deal(BRISTOL, CODES[1], 12))
    notes = []
    for _ in range(6):
        game = await start_game(visitor)
        menu = (await visitor.get(game)).text.split('id="menu-game"')[1]
        notes.append(re.findall(r"<small>([^<]*)</small>", menu)[0])
        await end(proving, await code_of(visitor, game), "won")
    gentle, medium = ["Gentle, can be won"], ["Medium, can be won"]
    assert notes == [*gentle * 2, *medium * 3, "Can be won"]


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


async def test_programs_may_ask_for_a_difficulty(proving: FastAPI, visitor: AsyncClient):
    wins = {CODES[0]: 20, CODES[1]: 0}
    await put(
        proving.state.services.database,
        *(open_deal(BRISTOL, code, wins=count) for code, count in wins.items()),
    )
    body = {"ruleset": "bristol", "deal": "winnable", "difficulty": "hardest"}
    first = (await visitor.post("/api/v1/games", json=body)).json()
    assert (first["code"], first["difficulty"], first["difficulty_note"]) == (
        CODES[1],
        "fiendish",
        None,
    )
    second = (await visitor.post("/api/v1/games", json=body)).json()
    assert (second["code"], second["difficulty"]) == (CODES[0], "gentle")
    assert "No fiendish deal of Bristol is ready" in second["difficulty_note"]
    for wrong in ({"deal": "any"}, {"code": CODES[0]}, {"difficulty": "impossible"}):
        refused = await visitor.post("/api/v1/games", json=body | wrong)
        assert (refused.status_code, refused.json()["code"]) == (422, "malformed")
