"""Founding, joining and leaving leagues, and what their owners do."""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack

import pytest

from app.daily.preparing import new_deal
from app.daily.repository import add_deal
from app.leagues import model, repository, service
from app.rulesets.signora import SIGNORA
from tests.leagues.league_api import API, found, give_up, join, names, player, read
from tests.support.dailies import DAY, WINNABLE_SEED
from tests.support.daily_site import Site
from tests.support.serving import id_of, visiting

pytestmark = pytest.mark.anyio


async def test_a_link_shows_a_league_and_one_tap_joins_it(site: Site):
    async with AsyncExitStack() as stack:
        anna = await player(stack, site, "Anna")
        form = {"name": "Card  club", "games": ["signora", "bristol"]}
        begun = await anna.post("/league/new", data=form)
        assert begun.status_code == 303
        path = begun.headers["location"]
        friend = await stack.enter_async_context(visiting(site.app))
        shown = (await friend.get(path)).text
        for text in (
            "Card club",
            "Anna",
            "Bristol and Signora",
            "Join the league",
            "a random name",
        ):
            assert text in shown
        assert 'class="week' not in shown  # the board is for members
        joined = await friend.post(path)
        assert joined.headers["location"] == path
        assert (await friend.post(path)).status_code == 303  # again: nothing changes
        shown = (await friend.get(path)).text
        assert "2 members" in shown
        assert 'class="week' in shown
        assert "Card club" in (await friend.get("/leagues")).text
        assert "Card club" in (await friend.get("/together")).text


async def test_the_list_begins_with_the_leagues_that_have_something_to_play(site: Site):
    database = site.app.state.services.database
    signora = new_deal(SIGNORA, DAY, 0, WINNABLE_SEED)
    await database.write(lambda connection: add_deal(connection, signora))
    async with AsyncExitStack() as stack:
        anna = await player(stack, site)

        async def listed() -> list[str]:
            return re.findall(r"<bdi>(.*?)</bdi>", (await anna.get("/leagues")).text)

        await found(anna, "Cats", ["bristol"])
        page = (await anna.get("/leagues")).text
        assert "1 deal left for you today" in page
        assert "only you · Bristol · 1 deal left for you today" in page
        assert "come first" not in page, "one alone has no order"
        await found(anna, "bees", ["signora"])
        await found(anna, "Ants", ["bristol"])
        assert await listed() == ["Ants", "bees", "Cats"]
        await give_up(anna)
        assert await listed() == ["bees", "Ants", "Cats"]
        page = (await anna.get("/leagues")).text
        assert "Leagues with a deal left for you today come first" in page
        assert page.count("left for you today") == 2, "for the bees, and in the sentence"


@pytest.mark.parametrize(
    ("name", "games", "sentence"),
    [
        ("ab", ["bristol"], "at least 3 characters"),
        ("x" * 25, ["bristol"], "at most 24 characters"),
        ("<b>club</b>", ["bristol"], "can't contain"),
        ("Card club", [], "Choose at least one game"),
        ("Card club", ["whist"], "no game called"),
    ],
)
async def test_names_are_checked_like_those_of_players_and_games_must_exist(
    site: Site, name: str, games: list[str], sentence: str
):
    async with AsyncExitStack() as stack:
        anna = await player(stack, site)
        answer = await anna.post(API, json={"name": name, "games": games})
        assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
        assert sentence in answer.json()["detail"]
        page = await anna.post("/league/new", data={"name": name, "games": games})
        assert page.status_code == 422
        assert 'role="alert"' in page.text
        assert (await anna.get(API)).json() == []
        if name != "Card club":
            link = await found(anna)
            answer = await anna.patch(f"{API}/{link}", json={"name": name})
            assert answer.json()["code"] == "malformed"


async def test_of_many_removals_the_last_are_remembered(
    site: Site, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(repository, "MOST_NOTES", 2)
    async with AsyncExitStack() as stack:
        anna, *others = [await player(stack, site, f"Player {name}") for name in "ABCD"]
        link = await found(anna)
        await join(link, *others)
        for other in (others[2], others[1], others[0]):
            body = {"player": await id_of(other)}
            assert (await anna.post(f"{API}/{link}/remove", json=body)).status_code == 200
        answers = [(await other.post(f"{API}/{link}/join")).status_code for other in others]
        assert answers == [403, 200, 403]


async def test_an_owner_removes_readmits_renames_renews_and_closes(site: Site):
    async with AsyncExitStack() as stack:
        anna, ben = [await player(stack, site, name) for name in ("Anna", "Bertrand")]
        link = await found(anna)
        await join(link, ben)
        them = {"player": await id_of(ben)}
        assert (await anna.post(f"{API}/{link}/remove", json=them)).status_code == 200
        assert await names(anna, link) == ["Anna"]
        again = await ben.post(f"{API}/{link}/join")
        assert (again.status_code, again.json()["code"]) == (403, "removed_from_league")
        seen = await read(ben, link)
        assert (seen["members"], seen["board"], (await ben.get(API)).json()) == ([], None, [])
        assert "The owner removed you" in (await ben.get(f"/league/{link}")).text
        assert (await anna.post(f"{API}/{link}/readmit", json=them)).status_code == 200
        await join(link, ben)
        await anna.patch(f"{API}/{link}", json={"name": "Old friends"})
        new = (await anna.post(f"{API}/{link}/renew")).json()["link"]
        assert new != link
        for gone in (f"{API}/{link}", f"/league/{link}", f"/league/{link}/qr.svg"):
            assert (await ben.get(gone)).status_code == 404
        assert (await ben.post(f"{API}/{link}/join")).json()["code"] == "not_found"
        [line] = (await ben.get(API)).json()
        assert (line["link"], line["name"], line["board"]) == (new, "Old friends", None)
        assert (await anna.delete(f"{API}/{new}")).status_code == 204
        assert (await ben.get(f"/league/{new}")).status_code == 404
        assert (await ben.get(API)).json() == []


async def test_nobody_else_does_what_owners_do(site: Site):
    async with AsyncExitStack() as stack:
        anna, ben, stranger = [await player(stack, site) for _ in range(3)]
        link = await found(anna)
        await join(link, ben)
        owner = {"player": await id_of(anna)}
        for client in (ben, stranger):
            answers = [
                await client.post(f"{API}/{link}/remove", json=owner),
                await client.post(f"{API}/{link}/readmit", json=owner),
                await client.post(f"{API}/{link}/renew"),
                await client.patch(f"{API}/{link}", json={"name": "Mine now"}),
                await client.delete(f"{API}/{link}"),
            ]
            codes = [(answer.status_code, answer.json()["code"]) for answer in answers]
            assert codes == [(403, "not_your_league")] * 5
        for path, body in (("remove", owner), ("remove", {"player": "x"}), ("readmit", owner)):
            answer = await anna.post(f"{API}/{link}/{path}", json=body)
            assert (answer.status_code, answer.json()["code"]) == (403, "not_a_member")
        assert (await stranger.post(f"{API}/{link}/leave")).json()["code"] == "not_a_member"


async def test_when_the_owner_leaves_the_next_one_owns_it_and_the_last_one_ends_it(site: Site):
    async with AsyncExitStack() as stack:
        anna, ben, cleo = [await player(stack, site) for _ in range(3)]
        link = await found(anna)
        await join(link, ben, cleo)
        assert (await anna.post(f"/league/{link}/leave")).headers["location"] == "/leagues"
        seen = await read(ben, link)
        assert seen["is_owner"]
        assert not (await read(cleo, link))["is_owner"]
        await ben.post(f"{API}/{link}/remove", json={"player": await id_of(cleo)})
        await ben.post(f"{API}/{link}/leave")
        assert (await cleo.get(f"/league/{link}")).status_code == 404


async def test_leagues_and_players_leagues_are_limited(site: Site, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(model, "MAX_MEMBERS", 3)
    monkeypatch.setattr(service, "MAX_LEAGUES", 2)
    async with AsyncExitStack() as stack:
        anna, *others = [await player(stack, site) for _ in range(6)]
        link = await found(anna)
        answers = await asyncio.gather(*(one.post(f"{API}/{link}/join") for one in others))
        codes = sorted(one.json().get("code", "joined") for one in answers)
        assert codes == ["joined"] * 2 + ["league_full"] * 3
        assert len(await names(anna, link)) == 3
        assert "This league is full" in (await visiting(site.app).get(f"/league/{link}")).text
        await found(anna, "Second one")
        body = {"name": "Third one", "games": ["bristol"]}
        answer = await anna.post(API, json=body)
        assert (answer.status_code, answer.json()["code"]) == (409, "too_many_leagues")


async def test_weeks_outside_the_league_have_no_board(site: Site):
    async with AsyncExitStack() as stack:
        anna = await player(stack, site)
        link = await found(anna)
        assert (await read(anna, link, "2026-W11"))["board"]["week"] == "2026-W11"
        for week, status in (
            *(("2026-W10", 404), ("2026-W12", 404), ("9999-W52", 404)),
            *(("2026-11", 422), ("2026-W60", 422), ("x" * 41, 422)),
        ):
            for path in (f"{API}/{link}", f"/league/{link}"):
                assert (await anna.get(path, params={"week": week})).status_code == status, week
        for day, status in (("2026-03-10", 404), ("2026-03-02", 404), ("soon", 404)):
            answer = await anna.get(f"/league/{link}", params={"day": day})
            assert answer.status_code == status
