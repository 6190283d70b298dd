"""The games page: its filters, and what its tiles say."""

import re

import pytest
from httpx import AsyncClient
from markupsafe import Markup

from app.engine.phrases import count_word
from app.games.catalog import list_offers
from app.lobby.search import find_match
from app.rulesets import RULESETS
from app.rulesets.families import FAMILIES
from app.rulesets.games_not_here import NEAREST_GAMES, WHY_UNLIKE
from app.settings import Settings
from tests.games.playing import post, start_game
from tests.support.serving import running_site, visiting

pytestmark = pytest.mark.anyio

GRADES = ("Gentle", "Medium", "Hard", "Fiendish")


def _share(words: str) -> int:
    """The percentage in what a tile says."""
    return int("".join(filter(str.isdecimal, words)))


async def shown(visitor: AsyncClient, query: str = "") -> set[str]:
    page = (await visitor.get(f"/games{query}")).text
    return set(re.findall(r'name="ruleset"\s+value="([^"]+)"', page))


async def choices(visitor: AsyncClient, query: str = "") -> set[str]:
    page = (await visitor.get(f"/games{query}")).text
    filters = page.split('aria-label="Filters"', 1)[1].split("</nav>", 1)[0]
    return {title.strip() for title in re.findall(r">([^<>]+)(?: <small.*?</small>)?</a>", filters)}


@pytest.mark.parametrize("name", ["decks", "length"])
async def test_each_choice_of_a_filter_tells_some_games_from_others(visitor, name):
    values = {"decks": ("one", "two"), "length": ("short", "long")}
    first, second = [await shown(visitor, f"?{name}={value}") for value in values[name]]
    assert first
    assert second
    assert not first & second


async def test_a_game_of_a_quarter_of_an_hour_is_neither_short_nor_long(visitor):
    page = (await visitor.get("/games")).text
    for value, means in (("short", "Up to 10 minutes"), ("long", "20 minutes or more")):
        assert re.search(rf'id="filter-length-{value}"[^>]*\stitle="{means}"', page)
    short, long = [await shown(visitor, f"?length={value}") for value in ("short", "long")]
    assert short == {offer.id for offer in list_offers() if offer.minutes <= 10}
    assert long == {offer.id for offer in list_offers() if offer.minutes >= 20}
    assert "klondike" not in short | long


async def test_the_filter_of_games_often_won_follows_the_percentages_of_the_tiles(visitor):
    often = {offer.id for offer in list_offers() if _share(str(offer.wins)) >= 60}
    assert 0 < len(often) < len(RULESETS)
    assert await shown(visitor, "?won=often") == often


async def test_a_choice_that_would_change_nothing_is_not_offered(visitor):
    assert "Never tried" not in await choices(visitor)
    game = await start_game(visitor)
    await post(visitor, f"{game}/move", version=0, move="deal")
    await post(visitor, f"{game}/resign", version=1)
    assert "Never tried" in await choices(visitor)


async def test_a_choice_that_would_leave_nothing_keeps_its_place(visitor):
    """So no filter moves under the pointer while one types."""
    page = (await visitor.get("/games?q=scorpion")).text
    assert re.search(
        r'<span class="none"\s+id="filter-decks-two">Two decks <small[^>]*>0</small>', page
    )
    for query in ("", "?q=scorpion", "?decks=one"):
        found = (await visitor.get(f"/games{query}")).text
        assert re.findall(r'id="filter-([a-z]+-[a-z]+)"', found) == [
            "won-often",
            "deals-open",
            "decks-one",
            "decks-two",
            "length-short",
            "length-long",
        ]


async def test_a_choice_that_is_made_can_be_taken_back(visitor):
    assert "Never tried" in await choices(visitor, "?tried=never")


async def test_how_often_a_game_is_won_is_told_with_its_rules(visitor):
    for offer in list_offers():
        rules = (await visitor.get(f"/rules/{offer.id}")).text
        assert len(re.findall(r"Careful players win \d+%", rules)) == 1, offer.id


async def test_each_tile_says_by_one_measure_how_often_its_game_is_won(visitor):
    said: dict[str, int] = {}
    for kind in ("first", "random"):
        await post(visitor, "/new-deals", kind=kind)
        for path in ("/", "/games"):
            page = (await visitor.get(path)).text
            assert page.count("random deals that careful players win without undo.") == 1
            assert "What “% won” means</summary>" in page, "said to those who ask"
            tiles = page.split('<form class="tile')[1:]
            assert len(tiles) >= 8
            for tile in tiles:
                game = re.search(r'name="ruleset"\s+value="([^"]+)"', tile)
                chance = re.findall(r'class="chance">(\d+)% won<', tile)
                assert game
                assert len(chance) == 1, game[1]
                assert "Nearly always hard" not in tile
                assert not [grade for grade in GRADES if f"You get a {grade.lower()} deal" in tile]
                said[game[1]] = int(chance[0])
    assert set(said) == {rules.id for rules in RULESETS}
    assert said["bristol"] == 97
    assert said["generals-patience"] == 1, "nothing is certain"


async def test_only_who_gets_winnable_deals_reads_that_every_new_one_can_be_won(sqlite_url):
    settings = Settings(database_url=sqlite_url, proof_seconds=1)
    async with running_site(settings) as site, visiting(site) as guest:
        for kind, says_so in (("first", True), ("easier", True), ("random", False)):
            await post(guest, "/new-deals", kind=kind)
            page = (await guest.get("/games")).text
            assert ("random: each can be won." in page) == says_so
            assert ("The first ones are the gentlest" in page) == (kind == "first")
        assert "random: each can be won." not in (await guest.get("/")).text


async def test_a_tile_says_before_it_is_chosen_what_is_dealt_if_no_such_deal_is_there(sqlite_url):
    settings = Settings(database_url=sqlite_url, proof_seconds=1)
    async with running_site(settings) as site, visiting(site) as guest:

        async def lacking(words: str, path: str) -> set[str]:
            tiles = (await guest.get(path)).text.split('<form class="tile')[1:]
            found = [
                re.search(r'name="ruleset"\s+value="([^"]+)"', each)
                for each in tiles
                if words in each
            ]
            return {game[1] for game in found if game}

        fiendish, hard = {"spider", "generals-patience"}, {"spider-two-suits", "rouge-et-noir"}
        for kind, words, games in (
            ("first", "You get a fiendish deal: the gentlest we have", fiendish),
            (
                "first",
                "You get a hard deal: the gentlest we have",
                {*hard, "rouge-et-noir-classic"},
            ),
            ("first", "is a gentler start", {"spider", "spider-two-suits", "generals-patience"}),
            ("first", "is hard to win", set()),
            ("first", "You get a gentle deal", set()),
            ("easier", "You get a gentle deal", set()),
            ("hardest", "You get a fiendish deal", set()),
            ("easier", "You get a fiendish deal: the gentlest we have", fiendish),
            (
                "easier",
                "You get a hard deal: the gentlest we have",
                {*hard, "rouge-et-noir-classic"},
            ),
            ("easier", "You get a medium deal", set()),
            ("hardest", "You get a gentle deal: the hardest we have", {"eight-off"}),
            *(
                (kind, f"{grade.lower()} deal", set())
                for kind in ("any", "random")
                for grade in GRADES
            ),
        ):
            await post(guest, "/new-deals", kind=kind)
            for path in ("/games", "/challenge"):
                assert await lacking(words, path) == games, (kind, words, path)
        await post(guest, "/new-deals", kind="hardest")
        assert "eight-off" in await lacking("You get a gentle deal", "/games")


async def test_what_a_tile_deals_instead_is_said_in_the_visitors_language(sqlite_url):
    settings = Settings(database_url=sqlite_url, proof_seconds=1)
    async with running_site(settings) as site, visiting(site) as guest:
        await post(guest, "/new-deals", kind="easier")
        page = (await guest.get("/games", headers={"Accept-Language": "de"})).text
        assert "Du bekommst eine schwere Mischung" in page
        assert "You get" not in page


async def test_a_search_finds_games_by_the_words_of_their_tiles(visitor):
    found = {"blondes-and-brunettes-till-dawn", "falling-star"}  # which is told to be like it
    assert await shown(visitor, "?q=DAWN++till") == found
    longer = await shown(visitor, "?q=Blondes+and+Brunettes+till+Dawn")  # its whole name
    assert longer == {"blondes-and-brunettes-till-dawn"}
    assert await shown(visitor, "?q=two+decks&length=short") < await shown(visitor, "?q=two+decks")
    assert await shown(visitor, "?q=zzz") == await shown(
        visitor, "?q=yyy"
    )  # what is offered instead


async def test_a_search_shows_names_that_begin_so_first_and_no_insides_of_other_words(visitor):
    async def found(search: str) -> list[str]:
        page = (await visitor.get(f"/games?q={search}")).text
        return re.findall(r'<form class="tile[^>]*id="game-([^"]+)"', page)

    assert await found("sig") == ["signora"], "not what is played with all cards in sight"
    spiders = await found("sp")
    assert set(spiders[:2]) < {"spider-one-suit", "spider-two-suits", "spider", "spike"}
    assert "spike" in spiders
    assert spiders.index("spike") < spiders.index("simple-simon"), "which has it from its family"
    assert "klondike" in await found("deck"), "of one deck, as it says"
    assert "signora" in await found("igno"), "inside a name it counts"


async def test_what_matches_is_one_grid_with_its_number_and_all_games_are_families(visitor):
    for query in ("?q=spider", "?length=short", "?q=spider&decks=two"):
        page = (await visitor.get(f"/games{query}")).text
        found = page[page.index('id="found"') : page.index('class="by-code"')]
        games = len(await shown(visitor, query))
        assert re.findall(r"<h2[^>]*>([^<]+)</h2>", found) == [f"{games} games"], query
        assert re.search(rf"<span>\s*{games} games\s*</span>", found), query
    page = (await visitor.get("/games")).text
    assert all(re.search(rf'<h2 id="{family.id}"\s*>', page) for family in FAMILIES)


async def test_a_search_and_the_filters_keep_each_other(visitor):
    page = (await visitor.get("/games?q=spider&decks=two")).text
    assert 'rel="expect"' not in page, "what it waits for is on the page of all games only"
    assert 'href="/games?q=spider&amp;decks=two&amp;length=' in page
    assert re.search(r'type="hidden"\s+name="decks"\s+value="two"', page)


@pytest.mark.parametrize(
    ("search", "game"),
    [
        ("Araña", "spider"),
        ("arana", "spider"),
        ("Vierzig Räuber", "forty-thieves"),
        ("bakers game", "bakers-game"),
        ("napoleon at st helena", "forty-thieves"),
        ("patience", "klondike"),
        ("ソリティア", "klondike"),
    ],
)
async def test_a_search_finds_games_by_the_names_they_have_elsewhere(visitor, search, game):
    assert game in await shown(visitor, f"?q={search}")


@pytest.mark.parametrize("search", ["solitaire", "Patience", "Solitär", "ソリティア"])
async def test_a_word_for_all_games_finds_them_all(visitor, search):
    assert await shown(visitor, f"?q={search}") == {rules.id for rules in RULESETS}
    page = (await visitor.get(f"/games?q={search}")).text
    assert "Show all games" not in page, "they are all here"
    found = await shown(visitor, "?q=spider")
    assert found <= await shown(visitor, f"?q=spider+{search}") < {rules.id for rules in RULESETS}


@pytest.mark.parametrize(
    ("search", "title"),
    [("spyder", "Spider"), ("fricell", "FreeCell"), ("klondaik", "Klondike"), ("demn", "Canfield")],
)
async def test_a_search_that_finds_nothing_suggests_what_is_spelled_nearly_so(
    visitor, search, title
):
    page = (await visitor.get(f"/games?q={search}")).text
    suggested = page.split("Did you mean:</h2>", 1)[1].split("</section>", 1)[0]
    assert re.search(rf'class="name">{title}<', suggested), "a tile"
    assert 1 <= suggested.count('<form class="tile') <= 3
    assert "Short games to try instead" not in page  # one offer at a time
    # A search for the first would find these.
    assert "Two Suits" not in suggested
    assert "Draw Three" not in suggested


async def test_nothing_is_suggested_for_what_is_like_no_name(visitor):
    assert "Did you mean" not in (await visitor.get("/games?q=xyzzy")).text
    assert "Did you mean" not in (await visitor.get("/games?q=spider")).text


@pytest.mark.parametrize("search", ["Cruel", "la belle lucie"])
async def test_a_search_for_a_known_game_that_is_not_here_offers_the_nearest(visitor, search):
    page = (await visitor.get(f"/games?q={search}")).text
    assert f"There is no game called “<bdi>{search}</bdi>” here yet." in page
    assert "The closest games here" in page
    assert "Did you mean" not in page
    assert await shown(visitor, f"?q={search}") == {"bristol", "belvedere"}


@pytest.mark.parametrize(
    ("search", "why"),
    [
        (
            "Pyramid",
            "In that game you clear cards away. In the games here, you build on foundations.",
        ),
        (
            "golf",
            "In that game you build up or down on a single waste. In the games here, you build on foundations.",
        ),
        (
            "tripeaks",
            "In that game you build up or down on a single waste. In the games here, you build on foundations.",
        ),
    ],
)
async def test_a_search_for_a_game_like_none_here_says_so_and_offers_short_ones(
    visitor, search, why
):
    page = (await visitor.get(f"/games?q={search}")).text
    said = page.split(f"There is no game called “<bdi>{search}</bdi>” here yet.")[1]
    assert said.split("</span>")[0].strip() == why
    assert "The closest games here" not in page
    assert "Short games to try instead" in page
    assert await shown(visitor, f"?q={search}") == await shown(visitor, "?q=xyzzy")


def test_no_game_that_is_elsewhere_is_here_too():
    here = {name.casefold() for offer in list_offers() for name in (offer.title, *offer.names)}
    assert not here & {*NEAREST_GAMES, *WHY_UNLIKE}
    assert not set(NEAREST_GAMES) & set(WHY_UNLIKE)
    assert {game for nearest in NEAREST_GAMES.values() for game in nearest} <= {
        rules.id for rules in RULESETS
    }


@pytest.mark.parametrize("search", ["blitzkrieg", "xyzzy"])
async def test_a_search_for_a_game_that_is_not_here_offers_two_short_ones(visitor, search):
    page = (await visitor.get(f"/games?q={search}")).text
    assert f"There is no game called “<bdi>{search}</bdi>” here yet." in page
    offered = await shown(visitor, f"?q={search}")
    assert len(offered) == 2
    minutes = {offer.id: offer.minutes for offer in list_offers()}
    assert max(minutes[game] for game in offered) <= min(
        minutes[each] for each in ("klondike", "freecell", "spider")
    )
    assert '<a href="/games">Clear the search</a>' in page
    kept = (await visitor.get(f"/games?q={search}&decks=two")).text
    assert '<a href="/games?decks=two">Clear the search</a>' in kept


async def test_what_was_searched_is_shown_as_it_is(visitor):
    page = (await visitor.get("/games", params={"q": "<b>golf</b>"})).text
    assert "“<bdi>&lt;b&gt;golf&lt;/b&gt;</bdi>”" in page


async def test_each_choice_says_how_many_games_it_leaves(visitor):
    page = (await visitor.get("/games?decks=two")).text
    links = re.findall(r'href="(/games\?decks=two&amp;[^"]+)"\s*>([^<]+) <small[^>]*>(\d+)', page)
    assert links
    for path, title, count in links:
        found = await shown(visitor, path.removeprefix("/games").replace("&amp;", "&"))
        assert len(found) == int(count) > 0, title


async def test_filters_that_leave_nothing_say_which_one_to_drop(visitor):
    empty = "/games?q=spider&decks=one&length=long"
    page = (await visitor.get(empty)).text
    assert "The filters hide all" in page
    drops = re.findall(r'<a href="([^"]+)">Without “([^”]+)”: (\d+) game', page)
    assert drops
    for path, title, count in drops:
        found = await shown(visitor, path.removeprefix("/games").replace("&amp;", "&"))
        assert len(found) == int(count) > 0, title


async def test_an_endless_search_is_refused(visitor):
    assert (await visitor.get("/games", params={"q": "a" * 61})).status_code == 422


async def test_games_stand_below_the_heading_of_their_family(visitor):
    page = (await visitor.get("/games")).text
    marks = re.findall(r'<h2 id="([^"]+)"|name="ruleset"\s+value="([^"]+)"', page)
    assert [heading or game for heading, game in marks if heading != "by-code"] == [
        name for family in FAMILIES for name in (family.id, *(one.id for one in family.rulesets))
    ]
    for family in FAMILIES:
        assert f'<a href="#{family.id}">{family.title}</a>' in page.replace("&#39;", "'")


async def test_a_search_finds_the_relatives_of_a_game_and_its_other_names(visitor):
    assert await shown(visitor, "?q=freecell") >= {"freecell", "eight-off"}
    assert "blondes-and-brunettes" in await shown(visitor, "?q=wood")


async def test_games_can_be_chosen_by_what_is_hidden(visitor):
    assert "freecell" in await shown(visitor, "?deals=open")
    assert "klondike" not in await shown(visitor, "?deals=open")


@pytest.mark.parametrize(
    ("search", "filters", "rest"),
    [
        ("easy", "won=often", ""),
        ("Short", "length=short", ""),
        ("2 decks", "decks=two", ""),
        ("spider one deck", "decks=one", "spider"),
        ("easy 1 deck", "won=often&decks=one", ""),
    ],
)
async def test_a_word_of_a_search_that_is_a_filter_makes_that_choice(
    visitor, search, filters, rest
):
    page = (await visitor.get("/games", params={"q": search})).text
    for chosen in filters.split("&"):
        name, value = chosen.split("=")
        assert re.search(
            rf'id="filter-{name}-{value}"\s+href="[^"]*"\s+aria-current="true"', page
        ), chosen
    form = page[page.index('<form class="search') :].partition("</form>")[0]
    assert f'value="{search}"' in form
    assert "hidden" not in form, "the choice goes with its word"
    query = f"?{filters}" + (f"&q={rest}" if rest else "")
    assert await shown(visitor, f"?q={search}") == await shown(visitor, query)
    german = (await visitor.get("/games?q=leicht", headers={"Accept-Language": "de"})).text
    assert re.search(r'id="filter-won-often"\s+href="[^"]*"\s+aria-current="true"', german)


async def test_a_digit_of_a_search_finds_the_word_for_it(visitor):
    assert "klondike-draw-three" in await shown(visitor, "?q=draw+3")
    found = await shown(visitor, "?q=spider+1+suit")
    assert "spider-one-suit" in found
    assert "spider-two-suits" not in found
    assert "spider-two-suits" in await shown(visitor, "?q=2+suits")


async def test_the_choice_of_new_deals_is_no_filter(visitor, monkeypatch):
    monkeypatch.setattr("app.lobby.games.difficulty_section", lambda *_: Markup("<b>choice</b>"))
    page = (await visitor.get("/games")).text
    assert re.search(
        r"</nav>\s*<details class=\"measure.*?</details>\s*</div>\s*<b>choice</b>\s*</details>",
        page,
        re.DOTALL,
    )


async def test_the_pages_with_all_games_stay_small(visitor):
    # Without compression: a page with its pictures inside weighed 120 KB.
    for path in ("/", "/games"):
        assert len((await visitor.get(path)).content) < 65_000


async def test_the_search_has_a_button(visitor: AsyncClient):
    page = (await visitor.get("/games")).text
    form = page[page.index('class="search"') :].split("</form>")[0]
    assert re.search(r"<button>Search</button>", form)


async def test_names_of_variants_are_translated_and_found_in_both_languages(visitor):
    german = {"Accept-Language": "de"}
    for search in ("Spider eine Farbe", "Spider (One Suit)", "Spider, One Suit"):
        page = (await visitor.get("/games", params={"q": search}, headers=german)).text
        assert "Spider (eine Farbe)" in page
        assert 'class="name">Spider (eine Farbe)<' in page
        assert 'class="name">Spider (zwei Farben)<' not in page
    assert (await visitor.get("/rules/spider-one-suit", headers=german)).text.count("One Suit") == 0
    folded = (await visitor.get("/games", headers=german)).text
    assert re.search(r"3 weitere Spiele wie Spider</span>\s*<small><bdi>zwei Farben<", folded)
    # What programs read has its English name.
    listed = (await visitor.get("/api/v1/rulesets", headers=german)).text
    assert "Spider (One Suit)" in listed


def test_searches_for_numbers_fill_no_memory():
    offer = list_offers()[0]
    for number in range(10_000, 12_000):
        assert find_match(offer, str(number)) is None
    assert count_word.cache_info().currsize < 1_000


@pytest.mark.parametrize(
    ("search", "game"),
    [
        ("thief", "forty-thieves"),
        ("forty thief", "forty-thieves"),
        ("spiders", "spider"),
        ("castles", "beleaguered-castle"),
        ("terraces", "terrace"),
        ("blonde and brunette", "blondes-and-brunettes"),
    ],
)
async def test_a_search_finds_the_singular_and_the_plural(visitor, search: str, game: str):
    assert game in await shown(visitor, f"?q={search.replace(' ', '+')}")


async def test_where_the_filters_hide_what_a_search_finds_that_is_said(visitor):
    page = (await visitor.get("/games?q=canfield&decks=two&length=short")).text
    assert "There is no game called" not in page
    assert re.search(
        r"The filters hide (the only game that matches|all \d+ games that match)\.", page
    )


async def test_what_only_the_filters_hide_is_shown_with_a_way_to_clear_them(visitor):
    """In the page itself, so without a script, too. The search stays."""
    query = "?q=canfield&decks=two&length=short"
    alone = await shown(visitor, "?q=canfield")
    page = (await visitor.get(f"/games{query}")).text
    assert await shown(visitor, query) == alone
    assert '<h2 id="instead">Without filters</h2>' in page
    assert '<a href="/games?q=canfield">Clear the filters</a>' in page
    assert "Clear the filters" not in (await visitor.get("/games?q=canfield")).text


async def test_a_search_for_nothing_with_a_filter_leads_to_all_games(visitor):
    page = (await visitor.get("/games?q=zzzz&decks=two")).text
    assert "There is no game called" in page
    assert "Clear the filters" not in page, "that would find nothing, too"
    assert '<a href="/games">Show all games</a>' in page
    assert '<a href="/games">Show all games</a>' not in (await visitor.get("/games?q=zzzz")).text


@pytest.mark.parametrize(
    ("language", "variants"),
    [
        ("en", ["Draw Three", "One Pass", "Three Passes"]),
        ("de", ["drei Karten", "ein Durchgang", "drei Durchgänge"]),
    ],
)
async def test_a_folded_family_names_what_tells_its_games_from_the_first(
    visitor, language, variants
):
    page = (await visitor.get("/games", headers={"Accept-Language": language})).text
    (names,) = re.findall(r'id="more-klondike">.*?<small>(.*?)</small>', page, re.DOTALL)
    assert re.findall(r"<bdi>(.*?)</bdi>", names) == variants
