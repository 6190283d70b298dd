"""The pages of the daily deal."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from httpx import AsyncClient
from sqlalchemy import event, select, update

from app.daily import repository
from app.daily.featured import featured_rulesets
from app.db.schema import daily_deals
from app.engine.actions import parse_action
from app.engine.deal import opening
from app.engine.shuffle import deck_of_seed
from app.engine.transition import apply
from app.games.mini_table import mini_table
from app.games.pictures import detail_of, whole_of
from app.i18n.formats import long_date
from app.rulesets import DAILY_RULESETS
from app.rulesets.bristol import BRISTOL
from app.settings import Settings
from tests.support.dailies import DAY, HOUR, WINNABLE_SEED, at, winning_moves
from tests.support.daily_site import API, Site, play_moves, start_attempt
from tests.support.serving import daily_work, running_site, visiting
from tests.support.stocks import put, sealed_deal

pytestmark = pytest.mark.anyio

TODAY = f"{API}/{DAY.isoformat()}/bristol"


async def test_the_page_of_today_lists_every_game(site: Site, client: AsyncClient):
    page = await client.get("/daily")
    assert page.status_code == 200
    for rules in DAILY_RULESETS:
        assert f'href="/daily/{DAY}/{rules.id}"' in page.text
    assert 'datetime="2026-03-11T00:00:00Z"' in page.text
    assert "00:00 UTC" in page.text


async def test_no_list_starts_a_deal_before_its_page_has_said_how_it_goes(
    site: Site, client: AsyncClient
):
    """There is one attempt, and its clock starts: also for players with a name who have played others."""
    await client.post("/api/v1/me/claim", json={"name": "Ada", "password": "correct horse battery"})
    await play_moves(client, await start_attempt(client), "resign")
    for path in ("/daily", f"/daily/{DAY}/bristol"):
        page = (await client.get(path)).text
        assert not re.search(r"/daily/[\w-]+/play", page)
        assert page.count(">Play</a>") == len(DAILY_RULESETS) - 1
    before = (await client.get(f"/daily/{DAY}/signora")).text
    assert before.index("Fewest moves rank first") < before.index('action="/daily/signora/play"')
    assert "Practice Signora first" in before


async def prove(site: Site, *rulesets: str) -> None:
    proven = update(daily_deals).where(daily_deals.c.ruleset.in_(rulesets)).values(verified=True)
    await site.app.state.services.database.write(lambda connection: connection.execute(proven))


async def test_deals_without_proofs_are_said_to_be_so_once_a_page(site: Site, client: AsyncClient):
    sentence = "we haven't proven that each can be won"
    unproven = update(daily_deals).values(verified=False)
    database = site.app.state.services.database
    await database.write(lambda connection: connection.execute(unproven))
    page = (await client.get("/daily")).text
    assert page.count(sentence) == 1
    assert "not proven" not in page
    await prove(site, "bristol")
    page = (await client.get("/daily")).text
    assert sentence not in page
    assert page.count("proven winnable") == 1
    assert page.count("not proven") == len(DAILY_RULESETS) - 1


async def test_deals_that_are_all_proven_are_said_to_be_so_once(site: Site, client: AsyncClient):
    await client.get("/daily")  # creates the deals
    await prove(site, *(rules.id for rules in DAILY_RULESETS))
    page = (await client.get("/daily")).text
    assert page.lower().count("proven winnable") == 1
    assert "Proven winnable" in page


async def test_the_facts_of_a_deal_are_separate_words(site: Site, client: AsyncClient):
    await prove(site, "bristol")
    page = (await client.get("/daily")).text
    assert "not started" not in page[page.index('id="deals"') :], "only what was begun is marked"
    await start_attempt(client)
    page = " ".join((await client.get("/daily")).text.split())
    assert "min</span> <span" in page


async def test_the_head_of_today_is_one_line_and_the_week(site: Site, client: AsyncClient):
    page = (await client.get("/daily")).text
    head = page[page.index('class="headline"') : page.index('id="deals"')]
    said = " ".join(re.sub(r"<[^>]+>", " ", head).split())
    assert "10 March 2026 · One attempt each · 12 h 0 min left" in said
    assert "UTC" not in said
    assert len(re.findall(r'<i class="fresh"', head)) == 7
    await start_attempt(client)
    head = (await client.get("/daily")).text
    assert len(re.findall(r'<i class="begun"', head)) == 1


async def test_before_an_attempt_a_few_words_come_first_and_the_details_below(
    site: Site, client: AsyncClient
):
    page = (await client.get(f"/daily/{DAY}/bristol")).text
    terms = page[page.index('<ul class="terms">') : page.index('action="/daily/bristol/play"')]
    assert re.findall(r"<li>(.+)</li>", terms) == [
        "One attempt",
        "The clock never stops",
        "Fewest moves rank first",
        "No hints",
    ]
    start = page.index(">Start</button>")
    ranking = page.index("How results")
    assert start < page.index("Practice Bristol first") < ranking
    for needed in (
        "The clock also runs while you are on other pages.",
        "Equal moves rank by time.",
        "Undo and redo count as moves.",
        "You can't undo a move that turned up a card.",
    ):
        assert start < page.index(needed) < ranking, "in sight, not folded"
    folded = page[ranking : page.index("</details>", ranking)]
    assert "Your results aren't ranked yet." in folded
    assert "Results: " in folded


async def test_today_draws_the_cards_of_today_and_folds_most_deals(site: Site, client: AsyncClient):
    page = (await client.get("/daily")).text
    deals = page[page.index('id="deals"') : page.index('id="how"')]
    seen, folded = deals.split('<details class="more-deals" >')
    featured = [rules.id for rules in featured_rulesets(DAY)]
    assert re.findall(rf'class="picture"\s+href="/daily/{DAY}/([a-z-]+)"', seen) == featured
    listed = re.findall(rf'class="picture"\s+href="/daily/{DAY}/([a-z-]+)"', folded)
    assert sorted(featured + listed) == sorted(rules.id for rules in DAILY_RULESETS)
    assert f"<summary>{len(listed)} more deals</summary>" in folded
    query = select(daily_deals.c.ruleset, daily_deals.c.seed).where(daily_deals.c.day == str(DAY))
    database = site.app.state.services.database
    seeds = dict(await database.read(lambda connection: connection.execute(query).fetchall()))
    pictures = re.findall(r'<svg class="mini-table".*?</svg>', deals, re.DOTALL)
    for draw, name, drawn in zip(
        [whole_of, detail_of, detail_of], featured, pictures, strict=False
    ):
        rules = next(rules for rules in DAILY_RULESETS if rules.id == name)
        dealt = opening(rules, deck_of_seed(seeds[name], rules.decks))
        cards = [card.name for pile in draw(rules, dealt).drawing.piles for card in pile.cards]
        assert [name for name in re.findall('#([^"]+)"', drawn) if "mark-" not in name] == cards


async def test_a_deal_that_was_begun_is_not_folded(client: AsyncClient):
    featured = [rules.id for rules in featured_rulesets(DAY)]
    other = next(rules.id for rules in DAILY_RULESETS if rules.id not in featured)
    game = await start_attempt(client, other)
    page = (await client.get("/daily")).text
    assert page.index(f'href="/games/{game}"') < page.index('class="more-deals"')
    for name in featured:
        await play_moves(client, await start_attempt(client, name), "resign")
    assert '<details class="more-deals" >' in (await client.get("/daily")).text
    await client.post(f"/api/v1/games/{game}/resign", json={"version": 0})
    page = (await client.get("/daily")).text
    assert '<details class="more-deals" >' in page
    rest = [rules.id for rules in DAILY_RULESETS if rules.id not in {*featured, other}]
    assert page.index(f'href="/daily/{DAY}/{rest[0]}"') < page.index('class="more-deals"')
    for name in rest:
        await play_moves(client, await start_attempt(client, name), "resign")
    assert '<details class="more-deals" open>' in (await client.get("/daily")).text


async def test_what_one_has_begun_comes_before_the_deal_of_the_day(client: AsyncClient):
    names = [rules.id for rules in featured_rulesets(DAY)]
    await client.get("/daily")  # creates the deals
    await start_attempt(client, names[1])
    page = (await client.get("/daily")).text
    begun, headline = page.split('<h2 class="kind">Also today</h2>')
    assert 'class="kind"' not in headline, "one heading and one sentence"
    begun = begun[begun.index(">Your clock is running.</p>") :]
    assert re.findall(rf'<h2>\s*<a href="/daily/{DAY}/([a-z-]+)"', begun) == [names[1]]
    assert 'class="primary"' in begun
    assert re.findall(rf'<h2>\s*<a href="/daily/{DAY}/([a-z-]+)"', headline)[0] == names[0]
    assert 'class="primary"' not in headline, "one main button"


async def test_the_page_of_a_deal_styles_the_table_that_it_shows(client: AsyncClient):
    """Without the style sheet of cards, the places of a small table are black."""
    address = f"/daily/{DAY}/bristol"
    await client.get("/daily")  # creates the deals
    assert "css/cards" in (await client.get(address)).text
    await start_attempt(client, "bristol")
    page = (await client.get(address)).text
    assert 'class="mini-table"' in page
    assert "css/cards" in page


async def test_today_shows_the_state_of_each_attempt(site: Site, client: AsyncClient):
    rules, other = featured_rulesets(DAY)[1:]
    done, under_way = [await start_attempt(client, one.id) for one in (rules, other)]
    await client.post(f"/api/v1/games/{done}/resign", json={"version": 0})
    for path in ("/daily", "/"):
        page = (await client.get(path)).text
        assert re.search(r"<span[^>]*>\s*resigned\s*<", page), path
        assert f'href="/games/{under_way}"' in page
    # The results come out later: until then the page has the own attempt.
    row = (await client.get("/daily")).text
    assert f'aria-label="Your attempt at {rules.title}">Your attempt</a>' in row
    assert f"Results of {rules.title}" not in row
    menu = (await client.get(f"/games/{under_way}")).text
    assert re.search(
        r"Daily deal: no hints, no starting over; undo counts as a move\."
        r" In daily deals, you can(&#39;|')t undo a move that turned up a card\.",
        menu,
    )
    assert "is ranked" not in menu


async def test_more_attempts_cost_the_page_of_today_no_more_queries(
    site: Site, client: AsyncClient
):
    queries: list[str] = []
    engine = site.app.state.services.database.engine
    event.listen(engine, "before_cursor_execute", lambda *given: queries.append(given[2]))

    async def count() -> int:
        queries.clear()
        await client.get("/daily")
        return len(queries)

    first, *others = DAILY_RULESETS[:4]
    await start_attempt(client, first.id)
    before = await count()
    for rules in others:
        await start_attempt(client, rules.id)
    assert await count() == before > 0


async def test_the_page_of_a_finished_deal_reads_today_once(
    site: Site, client: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    """The deal and its three lists need no streak, and are all of the deal that was found first."""
    read: Counter[str] = Counter()

    def note(name: str) -> None:
        found = getattr(repository, name)

        def noted(*given: Any) -> Any:
            read[name] += 1
            return found(*given)

        monkeypatch.setattr(repository, name, noted)

    for name in ("list_solved_days", "list_deals", "list_attempts"):
        note(name)
    await play_moves(client, await start_attempt(client), *winning_moves())
    read.clear()
    assert "other deals</h2>" in (await client.get(f"/daily/{DAY}/bristol")).text
    assert read["list_solved_days"] == 1
    # Of today, once for the deal and once for what is next; and of yesterday.
    assert (read["list_deals"], read["list_attempts"]) == (3, 2)


async def test_a_day_to_come_says_when_it_opens(site: Site, client: AsyncClient):
    site.clock.now = at("10:54:30")
    for later, said in (
        (1, "Tomorrow's deals open in 13 h 6 min."),
        (
            2,
            f"The deals of {long_date(DAY + timedelta(2))} aren't open yet: they open on that day.",
        ),
    ):
        day = DAY + timedelta(later)
        for path in (f"/daily/{day}", f"/daily/{day}/bristol"):
            answer = await client.get(path)
            assert answer.status_code == 404
            assert "<h1>Not open yet</h1>" in answer.text
            assert said in unescape(answer.text)
            assert re.search(
                r'<a class="primary"\s+href="/daily">Today&#39;s deals</a>', answer.text
            )
    before = (await client.get(f"/daily/{DAY - timedelta(999)}/bristol")).text
    assert "There is no deal for this day." in before


async def test_the_page_of_a_deal_before_and_after_an_attempt(site: Site, client: AsyncClient):
    path = f"/daily/{DAY}/bristol"
    assert "You can see the results so far once you win" in (await client.get(path)).text
    game = await start_attempt(client)
    await play_moves(client, game, *winning_moves())
    page = (await client.get(path)).text
    assert f"<dt>Moves</dt><dd>{len(winning_moves())}</dd>" in page
    assert page.count('<i class="full"></i>') == 10
    assert "You are the first to finish." in page
    assert (
        page.count(f'<a href="/join?back={path}">Create an account</a> to be ranked from tomorrow.')
        == 1
    )
    assert f"■■■■■■■■■■ {len(winning_moves())} moves" in page
    assert (await client.get(f"/daily/of/{game}")).headers["location"] == path


async def test_the_page_of_a_deal_shows_the_table_of_an_attempt_in_progress(
    site: Site, client: AsyncClient
):
    path = f"/daily/{DAY}/bristol"
    game = await start_attempt(client)
    tables = []
    for move in (None, *winning_moves()[:1]):
        if move:
            await play_moves(client, game, move)
        page = (await client.get(path)).text
        table = page[page.index('class="cloth opening') :].partition("</svg>")[0]
        assert f'href="/games/{game}"' in table
        tables.append(table)
    assert tables[0] != tables[1], "as it lies now"
    async with visiting(site.app) as other:
        assert f"/games/{game}" not in (await other.get(path)).text


async def test_a_guest_sees_their_own_attempt_on_the_leaderboard_and_why_it_has_no_rank(
    site: Site, client: AsyncClient
):
    path = f"/daily/{DAY}/bristol"
    game = await start_attempt(client)
    assert "won, by you" not in (await client.get(path)).text
    await play_moves(client, game, *winning_moves())
    board = await _board(client, path)
    assert "One player has won so far" in board
    assert "Fewest moves first, then the shortest time" in board
    row = re.search(r'<tr class="mine">.*?</tr>', board, re.DOTALL)
    assert row
    assert "–" in row[0]
    assert f">{len(winning_moves())}</td>" in row[0]
    assert "unconfirmed" not in row[0]
    assert "You played as a guest, so your result has no rank" in board
    assert f'<a href="/join?back={path}">Create an account</a> to be ranked from tomorrow.' in board
    async with visiting(site.app) as other:  # a guest, too
        assert "1 won" not in (await other.get(path)).text
        await play_moves(other, await start_attempt(other), *winning_moves())
        assert "2 won, guests included; 0 ranked" in await _board(other, path)
    assert "2 won, guests included; 0 ranked" in await _board(client, path)
    assert 'class="mine"' not in await _board(client, f"{path}?list=solved&after=1.1.x")
    # With a name it is listed for all, as before.
    await client.post("/api/v1/me/claim", json={"name": "Ada", "password": "correct horse battery"})
    board = await _board(client, path)
    assert "as a guest, so your run" not in board
    assert "(1)" in board
    await site.close_day()
    async with visiting(site.app) as reader:
        assert "2 won, guests included; 0 ranked" in await _board(reader, path)


async def test_the_final_leaderboard_shows_a_guest_their_attempt_without_asking_for_a_name(
    site: Site, client: AsyncClient
):
    await play_moves(client, await start_attempt(client), *winning_moves())
    await site.close_day()
    board = await _board(client, f"/daily/{DAY}/bristol")
    assert "One player won<" in board
    assert 'class="mine"' in board
    assert "You played as a guest, so your result has no rank" in board
    assert "Create an account" not in board


async def _board(client: AsyncClient, path: str) -> str:
    page = (await client.get(path)).text
    board = page[page.index('aria-labelledby="solved"') :]
    return board[: board.index("</section>")]


async def test_a_ranked_game_links_to_its_results_and_cannot_be_restarted(
    site: Site, client: AsyncClient
):
    game = await start_attempt(client)
    await play_moves(client, game, "deal", "resign")
    page = (await client.get(f"/games/{game}")).text
    assert f'href="/daily/of/{game}"' in page
    assert "New deal" not in page
    assert "Start over" not in page
    assert "This deal&#39;s page" in page, "the results are hidden from who resigned"
    assert "See " not in page[page.index('class="choices"') : page.index("This deal&#39;s page")]
    there = (await client.get(f"/daily/of/{game}", follow_redirects=True)).text
    assert "You can see the results from" in there
    assert "hints at the difficulty" not in there, "the head names it"
    out = r">02:01 UTC</time>, when the last games have ended\.\s*</p>"
    assert re.search(out, page)
    refused = await client.get(f"/games/{game}/help/review")
    assert refused.status_code == 403
    assert "You can review this game when the results are out, in 14 h 1 min." in refused.text
    assert re.search(
        rf'<a class="primary"\s+href="/games/{game}">Back to the game</a>', refused.text
    )
    card = page[page.index('class="ending whole') : page.index('class="choices"')]
    assert re.search(r"0 of 52 cards home\. 1 move, \d+:\d\d\.</p>", card)
    assert '<p class="of">Bristol · ' in card
    figures = re.findall(r"<dt>([^<]+)</dt> <dd><b>([^<]+)</b></dd>", card)
    assert figures[:2] == [("Cards home", "0"), ("Moves", "1")]
    assert 'aria-label="Your last seven days"' in card
    assert "Win one of today&#39;s deals to start a streak." in card
    assert ">Today: not won</span>" in card, "what its sign in the row of days means"
    assert "Your first daily deal in Bristol." not in card, "it says already that they resigned"
    assert "Tomorrow&#39;s first deal: " in card
    assert 'href="/reminder">Remind me tomorrow' in card
    assert "Your first daily deal in Bristol." not in there
    assert "Remind me tomorrow" in there


async def test_who_resigned_before_the_first_move_reads_no_zeros(site: Site, client: AsyncClient):
    game = await start_attempt(client)
    await play_moves(client, game, "resign")
    page = (await client.get(f"/games/{game}")).text
    card = page[page.index('class="ending whole') : page.index('class="choices"')]
    assert "You stopped before the first move. The next daily deal is a new start." in card
    assert "tally" not in card
    assert "gauge" not in card
    assert not re.search(r"\b0 (of|moves)\b", card)
    assert 'aria-label="Your last seven days"' in card


async def test_to_resign_says_first_what_it_costs(site: Site, client: AsyncClient):
    costs = "This is your only attempt at this deal. It counts as not won, and you can only see"
    game = await start_attempt(client)
    assert costs in (await client.get(f"/games/{game}")).text
    made = (await client.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    assert costs not in (await client.get(f"/games/{made}")).text


async def test_practice_that_was_given_up_can_be_tried_again(site: Site, client: AsyncClient):
    await start_attempt(client)
    await site.close_day()
    path = f"/daily/{DAY}/bristol/practice"
    for _ in range(2):
        game = (await client.post(path)).headers["location"].removeprefix("/games/")
        assert path not in (await client.get(f"/games/{game}")).text
        await play_moves(client, game, "deal", "resign")
        page = (await client.get(f"/games/{game}")).text
        assert f'form="again" class="primary" formaction="{path}">Try this deal again<' in page
        assert "It ended after 1 move." in page
    async with visiting(site.app) as viewer:
        assert path not in (await viewer.get(f"/games/{game}")).text
    # An open deal has a code, by which it is tried again.
    made = (await client.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    await play_moves(client, made, "deal", "resign")
    assert "/practice" not in (await client.get(f"/games/{made}")).text


async def test_after_a_deal_its_page_lists_the_others_until_all_are_done(
    site: Site, client: AsyncClient
):
    path = f"/daily/{DAY}/bristol"
    await client.get("/daily")
    assert "other deals" not in (await client.get(path)).text
    await play_moves(client, await start_attempt(client), "resign")
    page = (await client.get(path)).text
    assert "Today's other deals" in page
    assert f'href="/daily/{DAY}/signora"' in page
    assert 'data-countdown="2026-03-11T00:00:00Z">12 h 0 min' in page
    assert "From then on you can also review your game and play this deal again." in page
    assert "all for today" not in (await client.get("/daily")).text
    for rules in DAILY_RULESETS:
        if rules is not BRISTOL:
            await play_moves(client, await start_attempt(client, rules.id), "resign")
    for address in (path, "/daily"):
        page = (await client.get(address)).text
        assert "That's all for today" in page, address
        assert not re.search(r"/daily/[\w-]+/play", page)
    for address in ("/", "/daily"):
        assert "to start a streak" not in (await client.get(address)).text, "there is no way to"
    site.clock.advance(26 * HOUR)
    await site.app.state.services.daily_closing.close(DAY)
    page = (await client.get(path)).text
    assert "for today" not in page
    assert re.search(r'action="/games/[\w-]+/help/review">\s*<button[^>]*>Review your game', page)


async def test_an_empty_archive_says_when_the_first_results_are_out(
    site: Site, client: AsyncClient
):
    await client.get("/daily")  # makes the first deals
    page = (await client.get("/daily/archive")).text
    assert re.search(
        r"No day is over yet. The first results are out on"
        r' <time datetime="2026-03-11T02:01:00Z" data-local="day">11 March 2026, 02:01 UTC</time>',
        page,
    )
    await site.close_day()
    assert "No day is over yet" not in (await client.get("/daily/archive")).text


async def test_a_month_without_deals_leads_back_to_the_archive(client: AsyncClient):
    page = (await client.get("/daily/archive?month=2020-01")).text
    assert "<h1>No daily deals</h1>" in page
    assert re.search(r'<a class="primary"\s+href="/daily/archive"', page)


async def test_the_fingerprints_are_folded(client: AsyncClient):
    page = (await client.get("/daily/check")).text
    assert "<summary>" in page
    assert "<details open" not in page


async def test_the_archive_links_to_past_days(site: Site, client: AsyncClient):
    await client.get("/daily")
    game = await start_attempt(client)
    await play_moves(client, game, *winning_moves())
    await site.close_day()
    archive = (await client.get("/daily/archive")).text
    assert re.search(r'<a class="solved"\s+href="/daily/2026-03-10"', archive)
    assert "you won 1 of 11" in archive
    assert '<small class="figures">1</small>' in archive
    assert "The number below each day is how many of its deals you won." in archive
    assert "<h1>Archive: March 2026</h1>" in archive
    day = await client.get("/daily/2026-03-10")
    assert "The results are final" in day.text
    assert "1 of 1 player won" in day.text
    assert "no one played it" in day.text
    assert f'href="/daily/{DAY}/bristol/explorer"' in day.text
    assert f'href="/daily/{DAY}/klondike/explorer"' not in day.text
    board = (await client.get(f"/daily/{DAY}/bristol")).text
    folded = board[board.index("<summary>Fingerprints and cards") :]
    assert WINNABLE_SEED.hex() in folded
    dealt = await client.post(f"/daily/{DAY}/bristol/practice")
    assert dealt.status_code == 303


async def test_past_days_lead_to_one_another_and_no_further(site: Site, client: AsyncClient):
    """The first day of the site has no day before it, and the last past one leads to today."""
    for _ in range(3):
        assert (await client.get("/daily")).status_code == 200  # makes the deals of the day
        site.clock.advance(24 * HOUR)
    for days, links in enumerate(
        [
            {"next": "/daily/2026-03-11"},
            {"prev": "/daily/2026-03-10", "next": "/daily/2026-03-12"},
            {"prev": "/daily/2026-03-11", "next": "/daily"},
        ]
    ):
        page = (await client.get(f"/daily/{DAY + timedelta(days=days)}")).text
        shown = dict(re.findall(r'<a href="(/daily[^"]*)" rel="(prev|next)"', page))
        assert {rel: address for address, rel in shown.items()} == links
        for address in shown:
            assert (await client.get(address)).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/daily/2026-03-11",
        "/daily/2026-03-11/bristol",
        "/daily/nonsense",
        "/daily/archive?month=2026-04",
        "/daily/archive?month=0000-01",
        "/daily/archive?month=x",
        "/daily/of/nothing",
        "/daily/2026-03-10/nothing",
    ],
)
async def test_missing_pages_are_not_found(site: Site, client: AsyncClient, path: str):
    assert (await client.get(path)).status_code == 404


async def test_an_attempt_of_yesterday_is_shown_until_two_in_the_morning(
    site: Site, client: AsyncClient
):
    game = await start_attempt(client)
    site.clock.now = at("23:59:59") + 2 * HOUR
    page = (await client.get("/daily")).text
    assert "From yesterday" in page
    assert f'href="/games/{game}"' in page
    site.clock.advance(2000)
    assert "From yesterday" not in (await client.get("/daily")).text


async def test_a_past_day_says_nothing_of_results_until_they_are_published(
    site: Site, client: AsyncClient
):
    game = await start_attempt(client)
    await play_moves(client, game, *winning_moves())
    site.clock.now = at("23:59:59") + HOUR
    page = (await client.get(f"/daily/{DAY}")).text
    assert "This day is over" in page
    assert "won: " in page  # their own
    for told in ("player won", "no one played it", "/explorer"):
        assert told not in page


async def test_a_deal_that_is_being_prepared_is_not_ready_yet(sqlite_url):
    settings = Settings(database_url=sqlite_url, unproven_deals=False)
    async with running_site(settings) as app, visiting(app) as client:
        today = (await client.get(API)).json()
        assert today["deals"] == []
        assert today["preparing"] == [rules.id for rules in DAILY_RULESETS]
        answers = [
            await client.post(f"{API}/today/bristol/attempt"),
            await client.get(f"{API}/today/bristol"),
            await client.get(f"{API}/today/bristol/board"),
        ]
        for answer in answers:
            assert (answer.status_code, answer.json()["code"]) == (425, "not_ready")
            assert int(answer.headers["retry-after"]) > 0
            assert "Bristol is being prepared" in answer.json()["detail"]
        page = (await client.get("/daily")).text
        assert page.count("being prepared") == len(DAILY_RULESETS)
        assert 'http-equiv="refresh"' in page
        assert f"/daily/{DAY}/bristol" not in page
        home = (await client.get("/")).text
        assert "deals are being prepared" in home
        assert "Also today" not in home
        assert re.search(r'<section id="today"[^>]*hx-get="/" hx-trigger="every', home)
        assert "Reload this page in a minute." in home
        refused = await client.post("/daily/bristol/play")
        assert refused.status_code == 425
        assert "Try again in a moment" in refused.text

        await put(app.state.services.database, sealed_deal(BRISTOL, WINNABLE_SEED))
        await daily_work(app)
        page = (await client.get("/daily")).text
        assert page.count("being prepared") == len(DAILY_RULESETS) - 1
        assert page.count("proven winnable</span>") == 1
        assert (await client.post("/daily/bristol/play")).status_code == 303


async def test_who_lost_today_may_practice_and_is_asked_to_share_nothing(
    site: Site, client: AsyncClient
):
    path = f"/daily/{DAY.isoformat()}/bristol"
    before = (await client.get(path)).text
    assert "One attempt" in before
    assert 'class="ticks"' not in before, "what is not allowed is no benefit"
    game = await start_attempt(client)
    state = (await client.get(f"/api/v1/games/{game}")).json()
    await play_moves(client, game, state["legal_moves"][0], "resign")
    page = (await client.get(path)).text
    assert "You resigned. You got 0 of 52 cards home." in page
    assert f'<a href="/games/{game}">See the table</a>' in page
    rules, move = BRISTOL, parse_action(BRISTOL.layout, state["legal_moves"][0])
    left = apply(rules, opening(rules, deck_of_seed(WINNABLE_SEED, rules.decks)), move)
    cards = '#([0-9AJQKTCDHS]{2}|back)"'
    board = page[page.index('class="cloth opening') :].partition("</svg>")[0]
    assert re.findall(cards, board) == re.findall(cards, str(mini_table(rules, left).svg("x")))
    others = page[page.index(">Today's other deals<") :]
    assert others.count('class="mini-table"') == others.count("Play</a>") == 10
    in_sight, folded = others.split('<details class="more-deals" >')
    assert in_sight.count("Play</a>") == 4
    assert "6 more deals" in folded
    assert "Share your result" not in page
    assert re.search(r'<a class="primary"\s+href="/daily/2026-03-10/[a-z-]+">Play today', page)
    assert re.search(
        r'<button class="secondary"\s+name="ruleset"\s+value="bristol">Practice Bristol<', page
    )
    assert re.search(
        r'You can see the results from <time datetime="[^"]+" data-local="day">11 March 2026, 02:01 UTC<',
        page,
    )


async def test_the_difficulty_is_shown_once_the_day_has_closed_and_to_nobody_before(
    site: Site, client: AsyncClient
):
    deal = sealed_deal(BRISTOL, WINNABLE_SEED, wins=12)
    await put(site.app.state.services.database, deal)
    there = f"/daily/{DAY.isoformat()}/bristol"
    game = await start_attempt(client)
    pages = [f"/games/{game}", "/daily", there, "/", TODAY, f"/api/v1/games/{game}"]
    pages.append(f"/api/v1{there}")

    async def read_all() -> None:
        for page in pages:
            answer = (await client.get(page)).text
            assert "ifficulty" not in answer.replace("Difficulty: shown with", ""), page
            assert "medium" not in answer, page

    await read_all()
    await play_moves(client, game, "resign")
    await read_all()
    async with visiting(site.app) as other:
        page = (await other.get(there)).text
        assert "Difficulty: shown with the final results" in page
        assert "medium" not in page
        await site.close_day()
        for visitor in (client, other):
            page = (await visitor.get(there)).text
            assert "Difficulty: medium" in page
            assert 'title="The computer sees only what you see, and won this deal in ' in page


async def test_the_menu_promises_the_leaderboard_only_to_who_may_see_it(client: AsyncClient):
    game = await start_attempt(client)
    table = (await client.get(f"/games/{game}")).text
    assert "This deal&#39;s page" in table
    assert "leaderboard" not in table
    await play_moves(client, game, *winning_moves())
    table = (await client.get(f"/games/{game}")).text
    assert "See the leaderboard" in table
    assert "This deal&#39;s page" not in table


async def test_a_press_sends_no_card_of_a_daily_deal_to_a_cell(site: Site, client: AsyncClient):
    game = await start_attempt(client, "freecell")
    legal = (await client.get(f"/api/v1/games/{game}")).json()["legal_moves"]
    only_cells = [
        pile
        for pile in (f"t{n}" for n in range(1, 9))
        if all("-c" in move for move in legal if move.startswith(f"{pile}-"))
    ]
    assert only_cells
    for pile in only_cells:
        form = {"version": 0, "held": "", "clicked": pile}
        answer = await client.post(f"/games/{game}/click", data=form)
        assert answer.headers["location"] == f"/games/{game}?held={pile}"


async def test_a_resigned_deal_of_an_earlier_day_is_summed_up_and_leads_to_its_results(
    site: Site, client: AsyncClient
):
    game = await start_attempt(client)
    await play_moves(client, game, "deal", "resign")
    site.clock.now = at("00:30") + 24 * HOUR
    cards = []
    for _ in range(2):
        page = (await client.get(f"/games/{game}")).text
        cards.append(page[page.index('class="ending whole') :])
        await site.close_day()
    for card, said in zip(cards, ("When the results are out", "The results are out"), strict=True):
        assert (
            f"{said}{':' if said.startswith('The') else ','} this deal&#39;s page has them" in card
        )
        assert card.index("<dt>Cards home</dt>") < card.index('class="choices"')
        assert '<a class="primary" href="/daily/of/' in card
        assert 'form="practice"' in card
        assert "Your last seven days" not in card
