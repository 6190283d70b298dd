"""The home page, the rules pages, new games and appearance."""

import re
from html import unescape

import pytest
from httpx import AsyncClient
from sqlalchemy import update

from app.db.schema import games
from app.deals.first_deals import first_deals
from app.engine.deal import opening
from app.engine.move_captions import caption
from app.engine.move_examples import move_examples
from app.engine.shuffle import deck_of_code, parse_code
from app.games.catalog import find_offer
from app.games.mini_table import mini_table
from app.games.model import Game
from app.rulesets import FIRST_RULESET, RULESETS
from app.rulesets.families import FAMILIES
from app.rulesets.klondike import KLONDIKE
from app.settings import Settings
from tests.games.playing import moves, post, start_game
from tests.golden.records import RECORDS
from tests.support.daily_site import play_moves
from tests.support.known import CODE
from tests.support.serving import running_site, visiting

pytestmark = pytest.mark.anyio


def text_of(page: str) -> str:
    """The words of a page, one space between them."""
    return " ".join(unescape(re.sub(r"<[^>]+>", "", page)).split())


def games_on(page: str) -> list[str]:
    """The games of the tiles."""
    return re.findall(r'<form[^>]* id="game-([^"]+)"', page)


async def test_the_home_page_offers_games_that_everybody_knows(visitor: AsyncClient):
    page = await visitor.get("/")
    assert page.status_code == 200
    known = [family.rulesets[0].id for family in FAMILIES]
    assert known[0] == FIRST_RULESET.id, "the page leads with it, and does not say it again"
    assert games_on(page.text) == known[1:9]
    assert f"All {len(RULESETS)} games" in page.text
    assert "set-cookie" not in page.headers
    assert 'property="og:image"' in page.text
    assert "http://fairdeal.test/preview.png" in page.text


async def test_the_openings_show_a_face_up_stock_and_a_dealt_base(visitor):
    squared_face = re.compile(r'<g class="squared"><use href="[^"#]*#[A2-9TJQK][CDHS]"')
    faces = {}
    for rules in RULESETS:
        opening, _pictures = (await visitor.get(f"/rules/{rules.id}")).text.split(
            'class="moves ', 1
        )
        faces[rules.id] = len(squared_face.findall(opening))
    assert faces["signora"] == 0
    assert faces["blondes-and-brunettes"] == 1
    assert faces["blondes-and-brunettes-till-dawn"] == 2
    assert faces["terrace"] == 1


async def test_the_home_page_lists_unfinished_games_only(visitor: AsyncClient):
    waiting, ended, untouched = [await start_game(visitor) for _ in range(3)]
    await post(visitor, f"{waiting}/move", version=0, move="deal")
    await post(visitor, f"{ended}/resign", version=0)
    page = (await visitor.get("/")).text
    assert waiting in page
    told = re.search(r'1 move</span>\s+<span class="when">([^<]+)</span>', page)
    assert told, "the time has a line of its own"
    assert told[1] == "just now"
    assert ended not in page
    assert untouched not in page, "nothing was done there"


async def test_a_guest_reads_what_the_letters_in_the_header_are(visitor: AsyncClient):
    await start_game(visitor)
    page = (await visitor.get("/")).text
    assert re.search(
        r'title="You are playing as a guest: [^"]+"\s+aria-label="Your profile, as guest [^"]+"',
        page,
    )
    assert "You are playing as a guest, under a name we made up." in (await visitor.get("/me")).text


async def test_the_home_page_leaves_out_games_whose_moves_are_in_the_archive(sqlite_url: str):
    settings = Settings(database_url=sqlite_url)
    async with running_site(settings) as site, visiting(site) as visitor:
        archived, there = await start_game(visitor), await start_game(visitor)
        for game in (there, archived):
            await post(visitor, f"{game}/move", version=0, move="deal")
        database = site.state.services.database
        await database.write(
            lambda connection: connection.execute(
                update(games)  # as if an event were not there
                .where(games.c.id == archived.removeprefix("/games/"))
                .values(version=2)
            )
        )
        cookies = visitor.cookies
    async with running_site(settings) as site, visiting(site) as visitor:
        visitor.cookies = cookies
        assert (await visitor.get(archived)).status_code == 404
        page = await visitor.get("/")
        assert page.status_code == 200
        assert there in page.text
        assert archived not in page.text


async def test_the_home_page_has_one_order_and_what_was_left_comes_first(sqlite_url: str):
    settings = Settings(database_url=sqlite_url)
    async with running_site(settings) as site, visiting(site) as visitor:
        newcomer = (await visitor.get("/")).text
        assert newcomer.index('id="today"') < newcomer.index('id="games"')
        assert newcomer.index('id="games"') < newcomer.index('id="together"')
        game = await start_game(visitor)
        await post(visitor, f"{game}/move", version=0, move="deal")
        order = ("Continue where you left off", 'id="today"', 'id="games"', 'id="together"')
        page = (await visitor.get("/")).text
        assert sorted(order, key=page.index) == list(order)
        await site.state.services.database.write(
            lambda connection: connection.execute(
                update(games).values(updated_ms=games.c.updated_ms - 25 * 3600 * 1000)
            )
        )
        page = (await visitor.get("/")).text
        assert sorted(order, key=page.index) == list(order)


async def test_a_game_of_long_ago_is_still_there_to_continue(visitor: AsyncClient):
    left = await start_game(visitor)
    await post(visitor, f"{left}/move", version=0, move="deal")
    for _ in range(14):
        await post(visitor, f"{await start_game(visitor)}/resign", version=0)
    assert left in (await visitor.get("/")).text


async def test_a_game_with_every_move_taken_back_is_the_next_deal(visitor: AsyncClient):
    game = await start_game(visitor)
    await post(visitor, f"{game}/move", version=0, move="deal")
    assert game in (await visitor.get("/")).text
    await post(visitor, f"{game}/undo", version=1)
    page = (await visitor.get("/")).text
    assert f'<a href="{game}">' in page[page.index('<h2 id="next">') : page.index('id="today"')]
    assert game not in (await visitor.get("/me/unfinished")).text


async def test_a_game_without_a_move_says_so_until_it_can_go_on(
    visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    lost = next(record for record in RECORDS if record.name == "bristol-lost")
    game = await start_game(visitor, "bristol", code=lost.code)
    *before, last = lost.moves
    await play_moves(visitor, game.removeprefix("/games/"), *before)
    page = (await visitor.get("/")).text
    assert f"{len(before)} moves" in page
    assert '<span class="go">Continue</span>' in page
    await post(visitor, f"{game}/move", version=len(before), move=last)
    page = (await visitor.get("/")).text
    assert "· No moves left" in text_of(page)
    assert '<span class="go">Look again</span>' in page
    assert '<span class="go">Continue</span>' not in page
    with monkeypatch.context() as patched:
        patched.setattr(Game, "can_undo", property(lambda _: False))
        assert game not in (await visitor.get("/")).text, "there is nothing left to do in it"
    await post(visitor, f"{game}/undo", version=len(lost.moves))
    assert '<span class="go">Continue</span>' in (await visitor.get("/")).text


async def test_two_open_games_of_a_kind_say_which_is_which(visitor: AsyncClient):
    gentle = await visitor.post("/play", data={"ruleset": "klondike", "level": "easier"})
    replayed = await start_game(visitor, ruleset="klondike")
    for game in (gentle.headers["location"].partition("?")[0], replayed):
        await post(visitor, f"{game}/move", version=0, move="deal")
    page = text_of((await visitor.get("/")).text)
    assert "Gentle · 1 move" in page
    assert "Random · 1 move" in page
    await post(visitor, f"{replayed}/resign", version=1)
    forked = await visitor.post(f"{replayed}/replay/fork", data={"at": 1})
    again = forked.headers["location"].partition("?")[0]
    await post(visitor, f"{again}/move", version=1, move="deal")
    assert "From a replay · 2 moves" in text_of((await visitor.get("/")).text)


async def test_a_game_without_a_move_is_a_row_below_what_can_be_played(visitor: AsyncClient):
    lost = next(record for record in RECORDS if record.name == "bristol-lost")
    begun = await start_game(visitor, "klondike")
    await post(visitor, f"{begun}/move", version=0, move="deal")
    stuck = await start_game(visitor, "bristol", code=lost.code)
    await play_moves(visitor, stuck.removeprefix("/games/"), *lost.moves)
    page = (await visitor.get("/")).text
    assert re.search(rf'<li class="[^"]* large">\s*<a href="{begun}">', page), "it was left before"
    assert page.index(begun) < page.index(stuck)
    await post(visitor, f"{begun}/resign", version=1)
    page = (await visitor.get("/")).text
    assert "Continue where you left off" not in page
    assert 'class="large' not in page
    assert re.findall(r'<li class="([a-z]+)[^"]* large">', page) == ["anew"]
    order = ("Next deal", "New deal of Bristol", stuck, "No moves left", 'id="today"')
    assert sorted(order, key=page.index) == list(order)


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
async def test_every_game_has_its_rules_page(visitor: AsyncClient, rules):
    page = await visitor.get(f"/rules/{rules.id}")
    assert page.status_code == 200
    assert rules.title in unescape(page.text)
    assert "Where these rules come from" in page.text
    top, end = re.findall(
        r'<button class="primary"\s+name="ruleset"\s+value="([a-z-]+)"', page.text
    )
    assert top == end == rules.id


async def test_an_alias_leads_to_the_rules_of_its_game(visitor: AsyncClient):
    answer = await visitor.get("/rules/wood")
    assert answer.headers["location"] == "/rules/blondes-and-brunettes"


async def test_another_name_of_a_game_stands_once(visitor: AsyncClient):
    page = (await visitor.get("/rules/klondike")).text
    assert page.count("Also known as") == 1
    assert "Also known as Solitaire, Patience." in page


@pytest.mark.parametrize(
    ("ruleset", "names"),
    [
        ("spider", "Spider (Four Suits)"),
        ("forty-thieves", "Napoleon at St Helena"),
        ("freecell", "Free Cell"),
    ],
)
async def test_another_name_of_a_game_is_written_in_words(visitor: AsyncClient, ruleset, names):
    page = (await visitor.get(f"/rules/{ruleset}")).text
    assert f"Also known as {names}." in page


async def test_the_tab_called_today_has_that_address_too(visitor: AsyncClient):
    answer = await visitor.get("/today")
    assert (answer.status_code, answer.headers["location"]) == (308, "/daily")


async def test_who_has_played_before_is_offered_a_new_deal_and_welcomed_back_on_another_day(
    sqlite_url: str,
):
    settings = Settings(database_url=sqlite_url)
    async with running_site(settings) as site, visiting(site) as visitor:
        ended = await start_game(visitor, ruleset="terrace")
        await post(visitor, f"{ended}/resign", version=0)
        page = (await visitor.get("/")).text
        assert "Welcome back" not in page, "they never left"
        assert '<h2 id="next">Next deal</h2>' in page
        await site.state.services.database.write(
            lambda connection: connection.execute(
                update(games).values(updated_ms=games.c.updated_ms - 25 * 3600 * 1000)
            )
        )
        page = (await visitor.get("/")).text
    box = page[page.index("Welcome back") : page.index('id="today"')]
    assert "New deal of Terrace" in box
    assert "You won 0 of" not in box, "nobody is greeted with that"
    assert find_offer("terrace").tagline not in unescape(box), "who comes back knows the game"
    assert "<svg" in box
    assert "No sign-up needed" not in page


async def test_a_new_deal_is_pictured_face_down(visitor: AsyncClient):
    ended = await start_game(visitor, ruleset="klondike")
    await post(visitor, f"{ended}/resign", version=0)
    page = (await visitor.get("/")).text
    box = page[page.index('id="next"') : page.index('id="today"')]
    assert not re.findall('#[0-9AJQKTCDHS]{2}"', box), "it is not dealt yet"
    assert box.count('#back"') == 1 + 28, "the stock, and the cards of the columns"


async def test_a_deal_that_was_opened_last_and_not_begun_comes_next_for_a_day(sqlite_url: str):
    """The very cards that its player saw, not others."""
    async with running_site(Settings(database_url=sqlite_url)) as site, visiting(site) as visitor:

        async def next_deal() -> str:
            page = (await visitor.get("/")).text
            box = page[page.index('<h2 id="next">') : page.index('id="today"')]
            found = re.search(r'<a href="(/games/[^"]+)">', box)
            return found[1] if found else ""

        older = await start_game(visitor, ruleset="bristol")
        opened = await start_game(visitor, ruleset="klondike")
        assert await next_deal() == opened
        page = (await visitor.get("/")).text
        assert "Your deal of Klondike" in page
        box = page[page.index('id="next"') : page.index('id="today"')]
        table = mini_table(
            KLONDIKE, opening(KLONDIKE, deck_of_code(parse_code(CODE), KLONDIKE.decks))
        )
        cards = '#([0-9AJQKTCDHS]{2}|back)"'
        assert re.findall(cards, box) == re.findall(cards, str(table.svg("x")))
        begun = await start_game(visitor, ruleset="bristol")
        await post(visitor, f"{begun}/move", version=0, move="deal")
        assert "Continue where you left off" in (await visitor.get("/")).text
        await post(visitor, f"{begun}/resign", version=1)
        assert not await next_deal(), "the last one was begun, and the others are left as they were"
        again = await start_game(visitor, ruleset="klondike")
        assert await next_deal() == again
        await site.state.services.database.write(
            lambda connection: connection.execute(
                update(games).values(
                    updated_ms=games.c.updated_ms - 24 * 3600 * 1000,
                    started_ms=games.c.started_ms - 24 * 3600 * 1000,
                )
            )
        )
        assert not await next_deal(), "that is long ago"
        ended = await start_game(visitor, ruleset="klondike")
        await post(visitor, f"{ended}/resign", version=0)
        assert not await next_deal(), "it is over"
        assert older not in (await visitor.get("/")).text


async def test_a_next_deal_says_how_hard_it_is_and_how_long_it_takes(sqlite_url: str):
    settings = Settings(database_url=sqlite_url, proof_seconds=1)
    async with running_site(settings) as site, visiting(site) as visitor:

        async def said() -> str:
            page = (await visitor.get("/")).text
            box = page[page.index('id="next"') : page.index('id="today"')]
            found = re.search(r'<span class="muted figures">([^<]+)</span>', box)
            assert found
            return found[1]

        game = await start_game(visitor, ruleset="bristol")
        assert await said() == "Random · 5 min"
        await post(visitor, f"{game}/resign", version=0)
        assert await said() == "Gentle · 5 min"
        await post(visitor, "/new-deals", kind="random")
        assert await said() == "One deck · 5 min", "any difficulty may come"
        await visitor.post("/new-deals", data={"kind": "first"})
        other = await start_game(visitor, ruleset="spider")
        await post(visitor, f"{other}/resign", version=0)
        assert await said() == "Fiendish · 25 min"


async def test_a_game_that_was_given_up_is_not_offered_before_one_that_was_won(
    visitor: AsyncClient,
):
    won = next(record for record in RECORDS if record.name == "freecell-won")
    game = await start_game(visitor, ruleset="freecell", code=won.code)
    await play_moves(visitor, game.split("/")[-1], *won.moves)
    given_up = await start_game(visitor, ruleset="bristol")
    await post(visitor, f"{given_up}/resign", version=0)
    page = (await visitor.get("/")).text
    assert "New deal of FreeCell" in page
    assert "New deal of Bristol" not in page


async def test_the_deal_that_was_given_up_last_is_offered_again_for_a_day(sqlite_url: str):
    """Beside the heading of a new deal, which may be of another game."""
    won = next(record for record in RECORDS if record.name == "freecell-won")
    async with running_site(Settings(database_url=sqlite_url)) as site, visiting(site) as visitor:

        async def offered() -> str:
            page = (await visitor.get("/")).text
            form = re.search(r'<form class="again".*?</form>', page, re.DOTALL)
            return form[0] if form else ""

        given_up = await start_game(visitor, ruleset="bristol")
        assert not await offered(), "it may go on"
        await post(visitor, f"{given_up}/resign", version=0)
        form = await offered()
        assert "Try the last deal again" in form
        fields = dict(re.findall(r'name="([^"]+)"\s+value="([^"]+)"', form))
        assert fields == {"ruleset": "bristol", "code": CODE}
        anew = (await visitor.post("/play", data=fields)).headers["location"]
        assert CODE in (await visitor.get(anew)).text
        await post(visitor, f"{anew}/resign", version=0)
        await site.state.services.database.write(
            lambda connection: connection.execute(
                update(games).values(updated_ms=games.c.updated_ms - 24 * 3600 * 1000)
            )
        )
        assert not await offered(), "that is long ago"
        game = await start_game(visitor, ruleset="freecell", code=won.code)
        await play_moves(visitor, game.split("/")[-1], *won.moves)
        assert not await offered(), "a win is done"


async def test_a_newcomer_gets_the_gentle_deal_of_the_picture(visitor: AsyncClient):
    page = (await visitor.get("/")).text
    start = page[page.index('class="featured"') : page.index('id="today"')]
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]+)"', start))
    code = fields["code"]
    assert code in first_deals(KLONDIKE)
    table = mini_table(KLONDIKE, opening(KLONDIKE, deck_of_code(code, KLONDIKE.decks)))
    cards = '#([0-9AJQKTCDHS]{2}|back)"'
    scene = start[: start.index('class="about"')]
    assert re.findall(cards, scene) == re.findall(cards, str(table.svg("x")))
    dealt = await visitor.post("/play", data=fields)
    game = await visitor.get(dealt.headers["location"])
    assert code in game.text
    assert "fd_deals" not in dealt.headers.get("set-cookie", ""), "other new deals are as before"


async def test_what_was_played_last_comes_first_then_favorites(visitor: AsyncClient):
    for name in ("new-york", "terrace"):
        await visitor.post("/favorites", data={"add": name})
    played = ["yukon", "scorpion", "canfield", "spider", "gotham"]
    for name in played:
        ended = await start_game(visitor, ruleset=name)
        await post(visitor, f"{ended}/resign", version=0)
    page = (await visitor.get("/")).text
    assert "New deal of Gotham" in page
    own = ["spider", "canfield", "scorpion"]
    assert games_on(page)[:7] == [*own, "new-york", "terrace", "yukon", "klondike"], (
        "the next deal stands above, and not here once more"
    )


async def test_a_game_of_long_ago_comes_before_those_that_everybody_knows(visitor: AsyncClient):
    for name in ("gotham", *["terrace"] * 12):
        ended = await start_game(visitor, ruleset=name)
        page = (await visitor.get(f"/api/v1{ended}")).json()
        await post(visitor, f"{ended}/move", version=0, move=page["legal_moves"][0])
        await post(visitor, f"{ended}/resign", version=1)
    assert games_on((await visitor.get("/")).text)[:2] == ["gotham", "klondike"]


async def test_how_deals_are_checked_is_linked_once(visitor: AsyncClient):
    assert (await visitor.get("/")).text.count('href="/daily/check"') == 1
    assert 'href="/daily/check"' in (await visitor.get("/games")).text


async def test_the_footer_leads_to_the_rules_of_all_games(visitor: AsyncClient):
    assert '<a href="/rules">Rules</a>' in (await visitor.get("/")).text
    page = (await visitor.get("/rules")).text
    assert re.findall(r'<a href="/rules/([a-z-]+)">', page) == [
        rules.id for family in FAMILIES for rules in family.rulesets
    ]
    assert RULESETS[0].tagline in unescape(page)
    assert 'action="/play"' not in page, "none deals a game"


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"ruleset": "whist"}, 404),
        ({"ruleset": "bristol", "code": "no-such-code"}, 404),
        ({"ruleset": "bristol", "code": "x" * 41}, 422),
        ({}, 422),
    ],
)
async def test_a_game_that_cannot_start_is_explained(visitor, form, status):
    answer = await visitor.post("/play", data=form, follow_redirects=True)
    assert answer.status_code == status
    assert 'href="/"' in answer.text


async def test_a_code_deals_the_same_cards_again(visitor: AsyncClient):
    first, second = await start_game(visitor), await start_game(visitor, code=" 7kq4m 2xwtp ")
    assert first != second
    assert await moves(visitor, first) == await moves(visitor, second)
    assert CODE in (await visitor.get(second)).text


async def test_appearance_is_saved_in_a_cookie_and_leads_back(visitor: AsyncClient):
    form = {"theme": "dark", "suits": "four", "hand": "left", "back": "/rules/bristol"}
    answer = await visitor.post("/look", data=form)
    assert (answer.status_code, answer.headers["location"]) == (303, "/rules/bristol")
    page = (await visitor.get("/")).text
    for attribute in ('data-theme="dark"', 'data-suits="four"', 'data-hand="left"'):
        assert attribute in page


@pytest.mark.parametrize(
    "back", ["//elsewhere.example", "https://elsewhere.example", "/\\evil", ""]
)
async def test_saving_appearance_never_redirects_to_another_site(visitor: AsyncClient, back):
    form = {"theme": "auto", "suits": "two", "hand": "right", "back": back}
    assert (await visitor.post("/look", data=form)).headers["location"] == "/"


async def test_an_unknown_appearance_is_refused_and_a_forged_cookie_ignored(visitor):
    assert (await visitor.post("/look", data={"theme": "pink"})).status_code == 422
    page = await visitor.get("/", headers={"Cookie": 'fd_look="><script>'})
    assert 'data-theme="auto"' in page.text


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.id)
async def test_the_rules_have_a_picture_for_each_example(visitor, rules):
    page = (await visitor.get(f"/rules/{rules.id}")).text
    captions = [
        unescape(text) for text in re.findall(r"<span>(You can.*?|A deal.*?|Once.*?)</span>", page)
    ]
    assert captions == [caption(rules, example) for example in move_examples(rules)]
    assert page.count('<figure class="') == 1 + len(captions)  # the first is of the whole table
    refused = sum(1 for example in move_examples(rules) if example.refused)
    assert page.count('<figure class="illegal') == refused


@pytest.mark.parametrize("seconds", [0, 1])
async def test_no_deal_is_called_proven_where_none_is_proven(sqlite_url, seconds):
    settings = Settings(database_url=sqlite_url, proof_seconds=seconds)
    async with running_site(settings) as site, visiting(site) as guest:
        page = (await guest.get("/")).text
    assert ("proven winnable" in page) == (seconds > 0)
    # A first deal needs no proof: computer players won it.
    assert "Play a gentle Klondike" in page


async def test_a_newcomer_reads_nothing_of_removed_results(visitor: AsyncClient):
    assert "Removed results" not in (await visitor.get("/")).text
    assert 'href="/removals"' in (await visitor.get("/daily/check")).text


@pytest.mark.parametrize(
    ("path", "on"),
    [
        *((path, "/") for path in ("/watch", "/ratings", "/privacy", "/settings")),
        ("/removals", "/ratings"),
    ],
)
async def test_a_page_has_the_name_of_the_link_that_leads_to_it(
    visitor: AsyncClient, path: str, on: str
):
    links = re.findall(
        rf'<a[^>]* href="{path}"[^>]*>(.*?)</a>', (await visitor.get(on)).text, re.DOTALL
    )
    names = {re.sub(r"<[^>]+>", "", link).strip() for link in links}
    page = (await visitor.get(path)).text
    (heading,) = re.findall(r"<h1>(.*?)</h1>", page)
    assert heading in names
    assert f"<title>{heading}" in page


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ("solitaire", "patience")),
        ("de", ("solitär", "patience")),
        ("fr", ("solitaire", "réussite")),
        ("es", ("solitario",)),
        ("pl", ("pasjans",)),
        ("pt-BR", ("paciência", "solitaire")),
        ("ja", ("ソリティア",)),
        ("ar", ("سوليتير",)),
    ],
)
async def test_title_heading_and_description_say_what_people_search_for(
    visitor: AsyncClient, language: str, words: tuple[str, ...]
):
    page = (await visitor.get("/", headers={"Accept-Language": language})).text.casefold()
    title = page.split("<title>")[1].split("</title>")[0]
    heading = page.split('id="first-title">')[1].split("</h2>")[0]
    description = re.search(r'name="description"\s+content="([^"]+)"', page)
    assert description
    for word in words:
        assert word in title
        assert word in heading
        assert word in description[1]


async def test_also_today_shows_the_pictures_of_its_games_as_files(visitor: AsyncClient):
    """Which are loaded only where they are shown, and never hold up the page."""
    await visitor.get("/daily")
    page = (await visitor.get("/")).text
    listed = page[page.index('id="also"') :].partition("</section>")[0]
    found = re.findall(r'<img src="([^"]+)" alt="" loading="lazy">', listed)
    assert len(found) == listed.count("<li") - 1 > 0, "all but the way to the other deals"
    for address in found:
        assert (await visitor.get(address)).headers["content-type"].startswith("image/svg+xml")
