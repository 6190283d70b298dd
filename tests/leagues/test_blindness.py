"""Until a day closes, no answer about a league depends on what its members did that day; then all do."""

from __future__ import annotations

import re
from contextlib import AsyncExitStack
from typing import NamedTuple

import pytest
from fastapi.routing import iter_route_contexts
from httpx import AsyncClient
from starlette.routing import Route

from app.daily import repository
from app.daily.model import closes_ms, settled_ms
from app.daily.schedule import DailySchedule
from app.leagues.account_merge import leave_leagues
from app.rulesets import DAILY_RULESETS
from tests.leagues.league_api import API, found, give_up, join, player, read, solve
from tests.support.dailies import DAY, MINUTE
from tests.support.daily_site import Site, start_attempt
from tests.support.serving import id_of, visiting

pytestmark = pytest.mark.anyio


class Viewers(NamedTuple):
    """Everybody who may open a page of one league; ``actor`` is the member who plays."""

    link: str
    actor: AsyncClient
    others: dict[str, AsyncClient]


def addresses(site: Site) -> list[str]:
    """Every route that shows leagues to their readers."""
    found = set()
    for context in iter_route_contexts(site.app.router.routes):
        route = context.original_route
        if isinstance(route, Route) and "league" in route.path and "GET" in (route.methods or ()):
            found.add(route.path)
    assert {"/league/{link}", "/leagues", f"{API}/{{link}}", API} <= found
    return [
        *sorted(found),
        "/",
        "/together",
        f"{API}/{{link}}?week=2026-W11",
        "/league/{link}?week=2026-W11",
    ]


async def everything(site: Site, viewers: Viewers) -> dict[tuple[str, str], str]:
    """What every viewer reads at every address."""
    heard = {}
    for name, client in viewers.others.items():
        for address in addresses(site):
            answer = await client.get(address.replace("{link}", viewers.link))
            assert answer.status_code in {200, 404}, (name, address)
            heard[name, address] = f"{answer.status_code} {len(answer.content)} {answer.text}"
    return heard


async def gather(stack: AsyncExitStack, site: Site) -> Viewers:
    """A league of an owner, a member, a guest and the one who plays, with a removed member and a stranger."""
    owner, member, removed, stranger = [
        await player(stack, site, name) for name in ("Olga", "Martin", "Rufus", "Stella")
    ]
    guest, actor = await player(stack, site), await player(stack, site)
    link = await found(owner)
    await join(link, member, guest, removed, actor)
    them = {"player": await id_of(removed)}
    assert (await owner.post(f"{API}/{link}/remove", json=them)).is_success
    others = {"owner": owner, "member": member, "guest": guest, "removed": removed}
    anyone = await stack.enter_async_context(visiting(site.app))
    return Viewers(link, actor, {**others, "stranger": stranger, "anyone": anyone})


async def test_nothing_that_a_member_does_today_shows_before_the_day_closes(site: Site):
    async with AsyncExitStack() as stack:
        viewers = await gather(stack, site)
        before = await everything(site, viewers)
        now = site.clock.now
        for act in (start_attempt, lambda actor: solve(site, actor)):
            await act(viewers.actor)
            site.clock.now = now
            assert await everything(site, viewers) == before
        await give_up(viewers.actor, "signora")
        assert await everything(site, viewers) == before
        # After midnight an attempt can be finished for two hours, and the closing takes its time.
        site.clock.now = closes_ms(DAY) + MINUTE
        midnight = await everything(site, viewers)
        await hide_attempts(site, "bristol")
        assert await everything(site, viewers) == midnight
        await site.close_day()
        after = await everything(site, viewers)
        changed = {
            name for name, address in after if after[name, address] != midnight[name, address]
        }
        assert changed >= {"owner", "member", "guest"}
        board = (await read(viewers.others["member"], viewers.link))["board"]
        assert board["closed"] == [DAY.isoformat()]


async def hide_attempts(site: Site, ruleset: str) -> None:
    """What a moderator does must not show on an open day, either."""
    services = site.app.state.services

    def hide(connection):
        connection.exec_driver_sql(
            "UPDATE daily_attempts SET verdict = 'hidden', stood = verdict, reason = 'x'"
            f" WHERE ruleset = '{ruleset}'"
        )

    await services.database.write(hide)


async def test_a_day_shows_when_its_last_deal_is_closed(
    site: Site, monkeypatch: pytest.MonkeyPatch
):
    # The test closes the day, not the schedule that the requests wake.
    monkeypatch.setattr(DailySchedule, "wake_if_due", lambda _self: None)
    async with AsyncExitStack() as stack:
        viewers = await gather(stack, site)
        await solve(site, viewers.actor)
        site.clock.now = settled_ms(DAY)
        owner = viewers.others["owner"]
        assert (await read(owner, viewers.link))["board"]["closed"] == []

        services = site.app.state.services
        deals = await services.database.read(
            lambda connection: repository.list_deals(connection, DAY, DAY)
        )
        assert len(deals) == len(DAILY_RULESETS)
        for number, deal in enumerate(deals):
            board = (await read(owner, viewers.link))["board"]
            assert (board["closed"], board["results"]) == ([], []), number
            await services.database.write(
                lambda connection, deal=deal: repository.close_deal(
                    connection, deal, site.clock.now, "record"
                )
            )
        board = (await read(owner, viewers.link))["board"]
        assert board["closed"] == [DAY.isoformat()]
        assert [one["points"] for one in board["results"]] == [6]


async def test_a_member_sees_their_own_results_of_an_open_day(site: Site):
    async with AsyncExitStack() as stack:
        viewers = await gather(stack, site)
        page = (await viewers.actor.get(f"/league/{viewers.link}")).text
        assert "won: " not in page
        await solve(site, viewers.actor)
        page = (await viewers.actor.get(f"/league/{viewers.link}")).text
        assert "won: " in page
        board = (await read(viewers.actor, viewers.link))["board"]
        assert (board["results"], {row["total"] for row in board["rows"]}) == ([], {0})


async def test_a_closed_day_shows_results_and_unconfirmed_ones_with_the_mark(site: Site):
    async with AsyncExitStack() as stack:
        # A name claimed today makes results unconfirmed, as a guest's are.
        site.clock.now -= 24 * 60 * MINUTE
        anna = await player(stack, site, "Anna")
        site.clock.now += 24 * 60 * MINUTE
        ben, cleo = await player(stack, site), await player(stack, site, "Cleo")
        link = await found(anna, games=["bristol"])
        await join(link, ben, cleo)
        await solve(site, ben)
        await solve(site, anna, detours=1)
        await give_up(cleo)
        await site.close_day()
        board = (await read(cleo, link))["board"]
        rows = [(one["rank"], one["total"]) for one in board["rows"]]
        assert rows == [(1, 6), (2, 5), (3, 0)]
        found_days = [one["days"][DAY.isoformat()]["is_confirmed"] for one in board["rows"]]
        assert found_days == [False, True, True]
        page = await cleo.get(f"/league/{link}", params={"day": DAY.isoformat()})
        assert "Tuesday, 10 March 2026" in page.text
        assert "6*" in page.text
        ranks = re.findall(r'class="number rank">([^<]+)<', page.text)
        assert ranks == ["1", "2", "–"], "no rank without a point"
        assert (
            page.text.count("unconfirmed</span>") == 2
        )  # the guest's, and that of a name of today
        for row in board["results"][:2]:
            assert row["verdict"] == "solved"
        [replay, *_] = [one for one in page.text.split('"') if one.endswith("/replay")]
        assert (await cleo.get(replay)).status_code == 200
        # Next week the board is empty, and this one a link away.
        site.clock.now += 7 * 24 * 60 * MINUTE
        page = await cleo.get(f"/league/{link}")
        assert "No points yet" in page.text
        assert f"/league/{link}?week=2026-W11" in page.text


async def test_who_leaves_takes_their_results_along(site: Site):
    async with AsyncExitStack() as stack:
        viewers = await gather(stack, site)
        await solve(site, viewers.actor)
        await site.close_day()
        owner = viewers.others["owner"]
        assert len((await read(owner, viewers.link))["board"]["results"]) == 1
        actor = await id_of(viewers.actor)
        await site.app.state.services.database.write(
            lambda connection: leave_leagues(connection, actor)
        )
        board = (await read(owner, viewers.link))["board"]
        assert (board["results"], len(board["rows"])) == ([], 3)
