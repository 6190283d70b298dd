"""The difficulty of deals: chosen, stepping up with the wins of a game, and said."""

from __future__ import annotations

import re

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import delete, update

from app.db.schema import deal_grades, games
from app.deals import repository
from app.deals.first_deals import first_deals
from app.engine.shuffle import parse_code
from app.rulesets.bristol import BRISTOL
from app.rulesets.klondike import KLONDIKE
from app.rulesets.spider import SPIDER
from tests.deals.dealing import CODES, NEXT, code_of, end
from tests.games.playing import start_game, win
from tests.golden.records import RECORDS
from tests.support.daily_site import play_moves
from tests.support.patience import PATIENCE
from tests.support.serving import visiting
from tests.support.stocks import open_deal, put

pytestmark = pytest.mark.anyio


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
    site.state.services.deals.proof_seconds = PATIENCE
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


async def test_what_is_found_of_a_random_deal_during_a_game_is_not_said_before_its_end(
    proving: FastAPI, visitor: AsyncClient
):
    """A grade with a win tells that the deal can be won: the answer to a question that marks a game as assisted."""
    record = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "lost"))
    assert record.code
    address = await start_game(visitor, "bristol", record.code)
    found = open_deal(BRISTOL, record.code, wins=7).grade
    database = proving.state.services.database
    await database.write(lambda connection: repository.keep_grade(connection, found))
    for path in (address, f"/deal/bristol/{record.code}"):
        assert "Difficulty: hard" not in (await visitor.get(path)).text
    assert "<summary>random<" in (await visitor.get(address)).text
    assert "Hard" not in (await visitor.get("/")).text
    await play_moves(visitor, address.removeprefix("/games/"), *record.moves)
    stuck = (await visitor.get(address)).text
    assert "No moves left" in stuck
    assert "deal can be won" not in stuck
    assert "it can be won" not in stuck
    assert "<summary>random<" in stuck
    turn = {"version": len(record.moves)}
    await visitor.post(f"/api/v1{address}/resign", json=turn)
    over = (await visitor.get(address)).text
    both = '<summary title="Difficulty">random<span class="spared"> deal</span> · hard</summary>'
    assert both in over, "a random deal stays one when its difficulty is known"
    assert "it can be won" in over


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


async def test_a_deal_is_said_not_to_be_gentle_only_to_who_asked_for_one(
    proving: FastAPI, visitor: AsyncClient
):
    deals = [open_deal(SPIDER, code, wins=0) for code in CODES]
    await put(proving.state.services.database, *deals)

    async def dealt(**asked: str) -> str:
        answer = await visitor.post("/play", data={"ruleset": "spider", **asked})
        return (await visitor.get(answer.headers["location"])).text

    # "Gentle, then harder" is the default: the first table says where to begin instead, and later ones say nothing.
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
