from __future__ import annotations

import re
from urllib.parse import parse_qsl

import pytest

from app.admin.game_log.filters import GameFilter, Sort, parse_cursor, parse_filter
from app.admin.game_log.repository import find_page
from app.db.schema import players
from app.errors import MalformedError
from app.games.game_row import GameRow
from app.games.model import Kind, Status
from app.games.repository import add_game

pytestmark = pytest.mark.anyio

DAY = 86_400_000
RULESETS = ("bristol", "signora", "terrace")
STATUSES = (Status.WON, Status.LOST, Status.PLAYING, Status.RESIGNED)


def made_up(number: int) -> GameRow:
    """Games of three days; four start in the same millisecond."""
    started_ms = (number // 4) * (DAY // 20)
    is_daily = number % 10 == 0
    return GameRow(
        id=f"game{number:03}",
        ruleset=RULESETS[number % 3],
        revision=1,
        deal_version=1,
        kind=Kind.DAILY if is_daily else Kind.OPEN,
        code=None if is_daily else f"{number % 7}KQ4M-2XWTP",
        seed=b"secret" if is_daily else None,
        owner_id=f"p{number % 5}",
        started_ms=started_ms,
        updated_ms=started_ms + number * 37 % 1000,
        version=100 - number % 7,  # undo counts; it selects and sorts nothing
        moves=number * 13 % 50,
        status=STATUSES[number % 4],
    )


ROWS = [made_up(number) for number in range(240)]


@pytest.fixture
async def database(site):
    def fill(connection):
        names = ["Anna", "Ben", "Calm Otter", "Calm Otter", "Eve"]
        connection.execute(
            players.insert(),
            [{"id": f"p{n}", "name": name, "created_ms": 0} for n, name in enumerate(names)],
        )
        for row in ROWS:
            add_game(connection, row)

    await site.state.services.database.write(fill)
    return site.state.services.database


async def all_pages(database, criteria, limit=7, max_scan=50):
    """All games that a filter finds, page by page."""
    found, cursor, pages = [], None, 0
    while True:
        page = await database.read(lambda c, a=cursor: find_page(c, criteria, a, limit, max_scan))
        assert len(page.games) <= limit
        found += [game.id for game in page.games]
        cursor, pages = page.cursor, pages + 1
        assert pages < 500
        if cursor is None:
            return found


def expected(fits, key, *, ascending=False):
    rows = sorted(filter(fits, ROWS), key=lambda row: (key(row), row.id), reverse=not ascending)
    return [row.id for row in rows]


FILTERS = {
    "": lambda _: True,
    "order=up": lambda _: True,
    "ruleset=signora": lambda row: row.ruleset == "signora",
    "status=won": lambda row: row.status == "won",
    "kind=daily": lambda row: row.kind == "daily",
    "kind=open&ruleset=terrace": lambda row: row.kind == "open" and row.ruleset == "terrace",
    "kind=daily&ruleset=bristol&status=lost": lambda row: (
        (row.kind, row.ruleset, row.status) == ("daily", "bristol", "lost")
    ),
    "code=3kq4m2xwtp": lambda row: row.code == "3KQ4M-2XWTP",
    "q=Ben": lambda row: row.owner_id == "p1",
    "q=p4&status=playing": lambda row: row.owner_id == "p4" and row.status == "playing",
    "q=Calm+Otter": lambda row: row.owner_id in {"p2", "p3"},
    "q=game017": lambda row: row.id == "game017",
    "q=nobody": lambda _: False,
    "from=1970-01-02&to=1970-01-02": lambda row: DAY <= row.started_ms < 2 * DAY,
    "shortest=40&longest=45": lambda row: 40 <= row.moves <= 45,
    "shortest=49&status=won&q=Anna": lambda row: (
        row.moves >= 49 and row.status == "won" and row.owner_id == "p0"
    ),
}


@pytest.mark.parametrize("query", FILTERS)
async def test_a_filter_finds_exactly_the_matching_games_in_order(database, query):
    criteria = parse_filter(dict(parse_qsl(query)))
    ids = expected(FILTERS[query], lambda row: row.started_ms, ascending="order=up" in query)
    assert await all_pages(database, criteria) == ids


@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize(
    ("sort", "key"),
    [(Sort.ENDED, lambda row: row.updated_ms), (Sort.LENGTH, lambda row: row.moves)],
)
@pytest.mark.parametrize("q", ["", "Anna"])
async def test_only_ended_games_are_sorted_by_columns_that_change_with_every_move(
    database, sort, key, ascending, q
):
    criteria = GameFilter(sort=sort, is_ascending=ascending, search=q, min_moves=5)
    ids = expected(
        lambda row: row.status != "playing" and row.moves >= 5 and (not q or row.owner_id == "p0"),
        key,
        ascending=ascending,
    )
    assert await all_pages(database, criteria) == ids


async def test_a_scan_that_finds_nothing_has_a_cursor(database):
    criteria = GameFilter(min_moves=1000)
    page = await database.read(lambda c: find_page(c, criteria, None, 50, 100))
    assert (page.games, page.is_cut) == ([], True)
    assert page.cursor
    assert page.cursor.id == "game140"


def test_a_filter_survives_its_query():
    query = (
        "q=Anna&ruleset=bristol&status=won&kind=daily&code=7KQ4M-2XWTP&from=2026-01-02"
        "&to=2026-03-04&shortest=5&longest=500&sort=length&order=up"
    )
    assert parse_filter(dict(parse_qsl(query))).to_query() == f"?{query}"
    assert GameFilter().to_query() == ""


@pytest.mark.parametrize(
    "query",
    [
        *("ruleset=chess", "status=cheated", "kind=relay", "code=x", "from=yesterday"),
        *("shortest=-1", "longest=9999999999", "sort=id;drop", "sort=version"),
        *("q=%00", "q=a%0ab", f"q={'x' * 201}"),
    ],
)
async def test_invalid_filters_are_refused(vera, query):
    with pytest.raises(MalformedError):
        parse_filter(dict(parse_qsl(query)))
    assert (await vera.get(f"/admin/games?{query}")).status_code == 422


@pytest.mark.parametrize("after", ["x", "1", "1.", "1.a b", "-1.game", "1.game' OR 1=1"])
def test_invalid_cursors_are_refused(after):
    with pytest.raises(MalformedError):
        parse_cursor(after)


async def test_the_list_leads_from_page_to_page_and_to_each_game(database, vera):
    seen, query = [], "?ruleset=bristol"
    while query:
        page = (await vera.get(f"/admin/games{query}")).text
        seen += re.findall(r'href="/admin/games/(game\d+)"', page)
        found = re.search(r'href="(\?[^"]*)">Next page', page)
        query = found[1].replace("&amp;", "&") if found else ""
    assert seen == expected(lambda row: row.ruleset == "bristol", lambda row: row.started_ms)


async def test_names_are_printed_as_text(database, vera):
    def rename(connection):
        connection.execute(players.update().values(name="<script>alert(1)</script>"))

    await database.write(rename)
    page = (await vera.get("/admin/games")).text
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page


async def test_the_chosen_rules_stay_chosen_in_any_language(vera):
    """The name of a parameter is no text to translate."""
    page = await vera.get("/admin/games?ruleset=terrace", headers={"Accept-Language": "de"})
    assert 'lang="de"' in page.text
    assert re.search(r'<option value="terrace"\s+selected', page.text)
