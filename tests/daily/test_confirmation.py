"""Nobody takes a confirmed place with a second look at the cards: the attacks that worked, and their variants."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from httpx import ASGITransport, AsyncClient
from sqlalchemy import select

from app.daily.account_merge import list_attempts_of, merge_attempts
from app.daily.leaderboard import ResultList
from app.daily.model import Doubt, NotFinishedError, opens_ms
from app.db.schema import daily_attempts
from app.profiles.pages import game_line
from app.profiles.statistics import CountedGame
from app.settings import Settings
from tests.support.dailies import DAY, HOUR, DailyServer, winning_moves
from tests.support.daily_site import API, Site, open_site, play_moves, start_attempt
from tests.support.serving import HOST

pytestmark = pytest.mark.anyio

TODAY = f"{API}/{DAY.isoformat()}/bristol"
PAGE = f"/daily/{DAY.isoformat()}/bristol"
PASSWORD = "correct horse battery"


@pytest.fixture
async def site(database_url: str) -> AsyncIterator[Site]:
    async with open_site(database_url) as site:
        yield site


def client_at(site: Site, address: str = "192.0.2.1", token: str = "") -> AsyncClient:
    """A client with its own cookies, or with a bearer token, at an address."""
    return AsyncClient(
        transport=ASGITransport(site.app, client=(address, 1)),
        base_url=f"http://{HOST}",
        headers={"Authorization": f"Bearer {token}"} if token else {},
    )


async def create_account(client: AsyncClient, name: str) -> None:
    answer = await client.post("/api/v1/me/claim", json={"name": name, "password": PASSWORD})
    assert answer.status_code in {200, 201}, answer.text


async def named_client(site: Site, name: str, address: str = "192.0.2.1") -> AsyncClient:
    """A player whose name was claimed the day before."""
    now = site.clock.now
    site.clock.now = opens_ms(DAY) - HOUR
    client = client_at(site, address)
    await client.post("/api/v1/players")
    await create_account(client, name)
    site.clock.now = now
    return client


async def board(client: AsyncClient) -> list[dict[str, Any]]:
    answer = await client.get(f"{TODAY}/board")
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()["rows"]
    return rows


async def solve(client: AsyncClient, site: Site, seconds: int = 5) -> str:
    game = await start_attempt(client)
    moves = winning_moves()
    await play_moves(client, game, *moves[:-1])
    site.clock.advance(seconds * 1000)
    body = {"version": len(moves) - 1, "move": moves[-1]}
    answer = await client.post(f"/api/v1/games/{game}/moves", json=body)
    assert answer.json()["status"] == "won", answer.text
    return game


async def bearer_client(site: Site) -> AsyncClient:
    """A new guest with a bearer token, as API clients are; it has no browser token."""
    async with client_at(site) as client:
        answer = await client.post("/api/v1/players")
    return client_at(site, token=answer.json()["token"])


@pytest.mark.parametrize("make", [bearer_client, None], ids=["api", "browser"])
async def test_scout_a_solution_seen_by_one_guest_wins_no_rank_for_the_next(site: Site, make):
    """Attack: a guest deals the cards out, the deal is solved elsewhere, a second guest plays it and claims a name."""
    honest = await named_client(site, "Honest")
    await solve(honest, site, seconds=600)
    scout = await make(site) if make else client_at(site)
    await play_moves(scout, await start_attempt(scout), "deal", "deal", "deal")
    second = await make(site) if make else client_at(site)
    game = await solve(second, site)
    if not make:
        assert "won, as a guest, not ranked" in (await second.get("/me")).text
    await create_account(second, "Scout")
    rows = [(row["player"], row["rank"], row["confirmed"]) for row in await board(honest)]
    assert rows == [("Scout", 1, False), ("Honest", 1, True)]
    standing = (await honest.get(TODAY)).json()["standing"]
    assert (standing["rank"], standing["ranked"]) == (1, 1)
    await site.close_day()
    profile = (await honest.get("/api/v1/players/Scout")).json()
    assert profile["games"] == []
    assert [(each["id"], each["unconfirmed"]) for each in profile["recent"]] == [(game, True)]
    profile = (await honest.get("/api/v1/players/Honest")).json()
    assert profile["games"][0]["best_seconds"] == 600
    runs = (await honest.get(f"{TODAY}/record.json")).json()["runs"]
    assert {run["player"]: run["confirmed"] for run in runs if run["listed"]} == {
        "Scout": False,
        "Honest": True,
    }


async def test_swap_a_waiting_guest_does_not_replace_a_players_own_attempt(site: Site):
    """Attack: a guest starts and waits; the player looks at the cards and resigns; the guest wins and logs in."""
    player = await named_client(site, "Anna")
    guest = client_at(site)
    waiting = await start_attempt(guest)
    site.clock.advance(1000)
    own = await start_attempt(player)
    await play_moves(player, own, "deal", "resign")
    await play_moves(guest, waiting, *winning_moves())
    entered = await guest.post("/login", data={"name": "Anna", "password": PASSWORD, "bring": "1"})
    assert entered.status_code == 303, entered.text
    for client in (player, guest):
        attempt = (await client.get(TODAY)).json()["attempt"]
        assert (attempt["game"], attempt["verdict"]) == (own, "unsolved")
    await site.close_day()
    assert await board(player) == []


@pytest.mark.parametrize(
    ("doubt", "words"),
    [
        ("guest", "resigned, as a guest, not ranked"),
        ("new_name", "resigned, ranked from the next day on"),
        ("network", "resigned, not ranked"),
        ("", "resigned"),
    ],
)
def test_a_list_of_games_says_why_one_is_not_ranked(doubt: str, words: str):
    game = CountedGame("x", "bristol", "resigned", 4, 3, 1000, 0, doubt=doubt)
    assert game_line(game, 0).end == words


async def test_a_guests_attempt_taken_over_by_a_login_stays_unconfirmed(daily: DailyServer):
    game = await daily.solve("gus")
    await daily.database.write(lambda connection: merge_attempts(connection, "gus", "anna"))
    attempt = await daily.find_attempt(game.id)
    assert (attempt.player_id, attempt.listed) == ("anna", True)
    assert attempt.doubt is Doubt.GUEST
    [row] = await daily.list_results("anna")
    assert (row.rank, row.attempt.is_ranked) == (1, False)


async def test_a_claim_during_an_attempt_does_not_confirm_it(daily: DailyServer):
    game = await daily.start("gus")
    daily.named.add("gus")
    await daily.database.write(lambda connection: list_attempts_of(connection, "gus"))
    await daily.act(game, *winning_moves())
    attempt = await daily.find_attempt(game.id)
    assert (attempt.listed, attempt.doubt) == (True, Doubt.GUEST)


@pytest.mark.parametrize(
    ("claimed_ms", "doubt"), [(opens_ms(DAY) - 1, None), (opens_ms(DAY), Doubt.NEW_NAME)]
)
async def test_a_name_has_to_be_older_than_the_day(
    daily: DailyServer, claimed_ms: int, doubt: Doubt | None
):
    daily.claimed_ms = claimed_ms
    game = await daily.start("anna")
    assert (await daily.find_attempt(game.id)).doubt is doubt


async def test_one_network_has_a_bounded_number_of_confirmed_attempts(daily: DailyServer):
    names = [f"player{number}" for number in range(10)]
    await daily.add_players(*names)

    async def start(name: str, network: str, ruleset: str = "bristol") -> Doubt | None:
        game, _ = await daily.service.start(name, ruleset, None, network)
        return (await daily.find_attempt(game.id)).doubt

    for name in names[:8]:
        assert await start(name, "2001:db8::/64") is None
        assert await start(name, "2001:db8::/64") is None  # again: the same attempt
    assert await start(names[8], "2001:db8::/64") is Doubt.NETWORK
    assert await start("gus", "2001:db8::/64") is Doubt.GUEST
    assert await start(names[8], "2001:db8::/64", "signora") is None  # another deal
    assert await start(names[9], "203.0.113.7") is None  # another network
    stored = await daily.database.read(
        lambda connection: connection.execute(select(daily_attempts.c.network)).all()
    )
    assert all(network and b"2001" not in network for [network] in stored)


async def test_attempts_that_start_at_once_are_counted_exactly(daily: DailyServer):
    names = [f"player{number}" for number in range(12)]
    await daily.add_players(*names)
    servers = [daily, daily.another_process()]
    await asyncio.gather(
        *(
            servers[number % 2].service.start(name, "bristol", None, "203.0.113.7")
            for number, name in enumerate(names)
        )
    )
    stored = await daily.database.read(
        lambda connection: list(connection.scalars(select(daily_attempts.c.unconfirmed)))
    )
    assert (stored.count(None), stored.count("network")) == (8, 4)


async def test_addresses_of_one_ipv6_network_count_together(sqlite_url: str):
    async with open_site(sqlite_url, Settings(daily_attempts_per_network=1)) as site:
        clients = [
            await named_client(site, f"Player {number}", address)
            for number, address in enumerate(["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"])
        ]
        confirmed = []
        for client in clients:
            await start_attempt(client)
            confirmed.append((await client.get(TODAY)).json()["attempt"]["unconfirmed"])
        assert confirmed == [None, "network", None]


async def test_who_resigned_sees_no_results_before_the_day_closes(site: Site):
    anna, ben = await named_client(site, "Anna"), await named_client(site, "Ben")
    theirs = await solve(anna, site)
    own = await start_attempt(ben)
    await play_moves(ben, own, "deal", "resign")
    for which in ("board", "unsolved", "removed"):
        answer = await ben.get(f"{TODAY}/{which}")
        assert (answer.status_code, answer.json()["code"]) == (403, "not_finished")
        assert "You resigned" in answer.json()["detail"]
    assert (await ben.get(TODAY)).json()["standing"] is None
    paths = ["", "/replay", "/record.txt", "/board"]
    pages = [PAGE, f"{PAGE}?list=solved", "/daily", "/", f"/games/{own}", f"/games/{own}/replay"]
    api = ["", "/events", "/stream"]
    for path in [
        *pages,
        *(f"/games/{theirs}{path}" for path in paths),
        *(f"/api/v1/games/{theirs}{path}" for path in api),
        *(API, f"{API}/today", f"{API}/days?first=today&last=today", f"{TODAY}/record.json"),
        *("/players/Anna", "/api/v1/players/Anna"),
    ]:
        answer = await ben.get(path)
        assert theirs not in answer.text.replace(path, ""), path
        assert "better than" not in answer.text.lower(), path
        if "Anna" not in path:
            assert "Anna" not in answer.text, path
    page = await ben.get(PAGE)
    assert "You can see the results from <time" in page.text
    await site.close_day()
    assert [row["player"] for row in await board(ben)] == ["Anna"]


async def test_resigning_opens_no_list_of_results(daily: DailyServer):
    await daily.solve("anna")
    await daily.act(await daily.start("ben"), "deal", "resign")
    for which in ResultList:
        with pytest.raises(NotFinishedError, match="You resigned"):
            await daily.list_results("ben", which)


async def test_the_page_marks_unconfirmed_attempts_and_says_why(site: Site):
    honest, guest = await named_client(site, "Honest"), client_at(site)
    await solve(honest, site)
    await solve(guest, site, seconds=4)
    await create_account(guest, "Newcomer")
    page = (await guest.get(PAGE)).text
    assert '<td class="number">(1)</td>' in page
    assert '<span class="unconfirmed">unconfirmed</span>' in page
    assert "2 won, 1 unconfirmed" in page
    assert '<p class="result">First of 2 so far.</p>' in page
    assert '<p class="muted">From tomorrow your daily results are ranked.</p>' in page
    page = (await honest.get(PAGE)).text
    assert "of 2 so far." in page
