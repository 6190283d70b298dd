"""The pages of a race room: what they say to the host, the other players and spectators."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser

import pytest
from httpx import AsyncClient

from app.races.limits import AWAY_MS, COUNTDOWN_MS, IDLE_MINUTES, IDLE_MS
from tests.races.conftest import RaceApp
from tests.support.races import Clock, winning_moves
from tests.support.serving import HOST, visiting

pytestmark = pytest.mark.anyio


@dataclass
class Site:
    """A site with a room of Robin's, which Marian has not joined yet."""

    clock: Clock
    robin: AsyncClient
    marian: AsyncClient
    room: str

    async def attributes(self, visitor: AsyncClient, element: str) -> Mapping[str, str | None]:
        """The attributes of an element of the room's page, a second later."""
        return attributes_of((await self.page(visitor)), element)

    async def page(self, visitor: AsyncClient) -> str:
        self.clock.advance(1000)
        return (await visitor.get(self.room)).text

    async def marian_comes(self) -> None:
        await self.marian.post(f"{self.room}/join", data={"name": "Marian"})


@pytest.fixture
async def site(race_app: RaceApp) -> AsyncIterator[Site]:
    app, clock = race_app
    async with (
        visiting(app) as robin,
        visiting(app) as marian,
    ):
        new = {"ruleset": "bristol", "minutes": "5", "name": "Robin"}
        room = (await robin.post("/race", data=new)).headers["location"]
        yield Site(clock, robin, marian, room)


def attributes_of(page: str, element: str) -> Mapping[str, str | None]:
    found: dict[str, str | None] = {}

    class Finder(HTMLParser):
        def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if ("id", element) in attrs:
                found.update(attrs)

    Finder().feed(page)
    assert found, element
    return found


async def play_a_while(racer: AsyncClient, room: str) -> None:
    """The first moves of a win, until some cards are home."""
    table = (await racer.get(f"{room}/play")).headers["location"]
    for version, move in enumerate(winning_moves()[:20]):
        said = {"version": version, "move": move}
        assert (await racer.post(f"/api/v1{table}/moves", json=said)).status_code == 200


async def test_a_shared_link_has_a_picture_of_the_game(site: Site):
    page = await site.page(site.marian)
    assert f'property="og:image" content="http://{HOST}/preview/bristol.png"' in page


async def test_the_options_are_settled_once_another_player_has_joined(site: Site):
    alone = await site.attributes(site.robin, "room")
    assert "data-alone" in alone
    assert "data-settled" not in alone
    assert "data-no-join" in alone
    await site.marian_comes()
    together = await site.attributes(site.robin, "room")
    assert "data-settled" in together
    assert "data-no-join" in together
    assert "data-alone" not in together


async def test_the_word_for_a_race_is_race(site: Site):
    for address in ("/race", site.room):
        page = (await site.robin.get(address)).text
        main = page.partition("<main")[2].partition("</main>")[0]
        assert not re.search(r"\broom\b", re.sub(r"<[^>]*>", " ", main), re.IGNORECASE)


async def test_everyone_in_the_room_sees_a_picture_of_the_game(site: Site):
    for visitor in (site.robin, site.marian):
        assert "An example, not the cards of this race" in await site.page(visitor)


async def test_who_has_finished_may_race_again_and_who_plays_may_not(site: Site):
    await site.marian_comes()
    await site.robin.post(f"{site.room}/start")
    site.clock.advance(COUNTDOWN_MS)
    await site.page(site.robin)
    await site.robin.post(f"{site.room}/resign")
    again = f'action="{site.room}/rematch"'
    assert again in await site.page(site.robin)
    assert again not in await site.page(site.marian)
    following = (await site.robin.post(f"{site.room}/rematch")).headers["location"]
    assert following != site.room
    assert (await site.robin.get(following)).status_code == 200


async def test_who_watched_can_race_again_only_where_those_who_raced_go(
    site: Site, race_app: RaceApp
):
    await site.marian_comes()
    await site.robin.post(f"{site.room}/start")
    site.clock.advance(COUNTDOWN_MS)
    await site.page(site.robin)
    for racer in (site.robin, site.marian):
        await racer.post(f"{site.room}/resign")
    again = f'action="{site.room}/rematch"'
    async with visiting(race_app[0]) as watcher:
        assert again not in await site.page(watcher)
        assert 'href="/race?game=' in await site.page(watcher)
        refused = await watcher.post(f"/api/v1{site.room.replace('race', 'races')}/rematch")
        assert (refused.status_code, refused.json()["code"]) == (403, "not_in_race")
        await site.robin.post(f"{site.room}/rematch")
        assert again in await site.page(watcher)


async def test_to_join_and_to_start_is_all_there_is_to_do(site: Site):
    alone = await site.page(site.robin)
    assert "Waiting for others." in alone
    assert "Start the race" not in alone
    await site.marian_comes()
    assert "The host starts the race." in await site.page(site.marian)
    assert "I'm ready" not in await site.page(site.marian)
    ready = await site.page(site.robin)
    assert "Everyone is ready." in ready
    assert ready.count('<span class="status">ready</span>') == 2, "the host, too"
    assert "Lock the race" in ready
    started = await site.robin.post(f"{site.room}/start")
    assert started.status_code == 303
    assert f'href="{site.room}/play"' not in await site.page(site.robin)
    site.clock.advance(COUNTDOWN_MS)
    assert f'href="{site.room}/play"' in await site.page(site.robin)
    for player in (site.robin, site.marian):
        assert (await player.get(f"{site.room}/play")).status_code == 303


async def test_the_panel_shows_the_own_count_beside_those_of_the_others(site: Site):
    await site.marian_comes()
    await site.robin.post(f"{site.room}/start")
    site.clock.advance(COUNTDOWN_MS)
    table = (await site.robin.get(f"{site.room}/play")).headers["location"]
    for version in range(2):
        await site.robin.post(f"{table}/deal", data={"version": version})
    # In the same second: the own numbers are those of the table.
    page = (await site.robin.post(f"{site.room}/here", data={"tab": "z"})).text
    racers = re.findall(
        r'<bdi>(\w+)</bdi>.*?home(?:<span class="sr-only">)?, (\d+) (moves?)',
        page,
        re.DOTALL,
    )
    assert racers == [("You", "2", "moves"), ("Marian", "0", "moves")]
    # Marian has not moved, so it is known exactly what she has.
    assert re.findall(r'<b class="figures full">([^<]*)</b>', page) == [
        "0 of 52",
        "0 of 52",
    ]
    assert "figures short" not in page
    assert "You: 0 of 52 home, 2 moves" in page
    assert "Marian: 0 of 52 home, 0 moves" in page
    assert '<b aria-hidden="true">0 cards home</b>' in await site.page(site.robin)
    other = (await site.marian.post(f"{site.room}/here", data={"tab": "y"})).text
    # What she knows of Robin is a range. Its bar is empty: he may have no card home.
    assert '<b class="figures full">up to 3 of 52</b>' in other
    assert re.findall(r'<rect(?: class="most")? width="(\d+)"', other) == ["0", "0", "0", "0"]
    assert "Robin: up to 3 of 52 home, 2 moves" in other
    above, _, below = (await site.robin.get(table)).text.partition("<main")
    assert above.count('<li class="racer-') == 2, "the racers are in the line above the board"
    assert above.count('<svg class="bar"') == 2, "each with a bar of the cards home"
    assert '<li class="racer-' not in below, "and nowhere else"


async def test_a_racer_is_told_once_of_thirty_and_of_ten_seconds(site: Site):
    await site.marian_comes()
    await site.robin.post(f"{site.room}/start")
    site.clock.advance(COUNTDOWN_MS)
    table = (await site.robin.get(f"{site.room}/play")).headers["location"]
    await site.marian.get(f"{site.room}/play")
    await site.robin.post(f"{table}/deal", data={"version": 0})

    async def told(racer: AsyncClient) -> list[tuple[str, str]]:
        here = (await racer.post(f"{site.room}/here", data={"tab": "z"})).text
        return re.findall(r'<template data-news="left-(\d+)"\s+data-quiet>\s*(.*?)\.\s', here)

    site.clock.advance(269_000)
    assert await told(site.robin) == []
    site.clock.advance(2_000)
    assert await told(site.robin) == [("30", "30 seconds left")]
    site.clock.advance(20_000)
    assert await told(site.robin) == [("10", "10 seconds left")]
    await site.robin.post(f"{site.room}/resign")
    site.clock.advance(1_000)
    assert await told(site.robin) == [], "who has finished needs no haste"
    assert await told(site.marian) == [("10", "10 seconds left")]
    site.clock.advance(20_000)
    assert await told(site.marian) == []


async def test_a_racer_who_makes_no_move_knows_when_the_game_ends(site: Site):
    rule = f"If you make no move for {IDLE_MINUTES} minutes, your game ends."
    new = {"ruleset": "bristol", "minutes": "10", "name": "Robin"}
    site.room = (await site.robin.post("/race", data=new)).headers["location"]
    for address in ("/race", site.room):
        assert rule in (await site.robin.get(address)).text
    await site.marian_comes()
    await site.robin.post(f"{site.room}/start")
    site.clock.advance(COUNTDOWN_MS)
    table = (await site.robin.get(f"{site.room}/play")).headers["location"]
    await site.marian.get(f"{site.room}/play")

    async def is_told(racer: AsyncClient) -> bool:
        here = (await racer.post(f"{site.room}/here", data={"tab": "z"})).text
        return '<template data-news="idle">' in here and rule in here

    site.clock.advance(IDLE_MS - 31_000)
    assert not await is_told(site.robin)
    site.clock.advance(2_000)
    assert await is_told(site.robin)
    assert await is_told(site.marian)
    await site.robin.post(f"{table}/deal", data={"version": 0})
    site.clock.advance(2_000)
    assert not await is_told(site.robin)
    assert await is_told(site.marian)
    site.clock.advance(27_000)
    assert "didn&#39;t play" in await site.page(site.marian)
    # At its end the race itself runs out first, and its clock says so.
    site.clock.advance(IDLE_MS - 30_000)
    assert not await is_told(site.robin)


async def test_of_four_each_has_a_name_and_a_number_and_its_place_in_the_line(
    site: Site, race_app: RaceApp
):
    await site.marian_comes()
    async with visiting(race_app[0]) as alan, visiting(race_app[0]) as tuck:
        for racer, name in ((alan, "Alan a Dale"), (tuck, "Friar Tuck")):
            await racer.post(f"{site.room}/join", data={"name": name})
        await site.robin.post(f"{site.room}/start")
        site.clock.advance(COUNTDOWN_MS)
        await play_a_while(tuck, site.room)
        site.clock.advance(1000)
        panel = (await site.robin.post(f"{site.room}/here", data={"tab": "z"})).text
    said = re.findall(
        r"<bdi>([^<]+)</bdi>\s*<b class=\"figures short\" dir=\"ltr\">([^<]+)</b>", panel
    )
    assert [name for name, _ in said] == ["You", "Marian", "Alan a Dale", "Friar Tuck"]
    assert [number for _, number in said][:3] == ["0", "0", "0"]
    assert said[3][1] != "0", "who is furthest stays last in the line"


async def test_the_host_is_as_ready_as_the_others(site: Site):
    await site.marian_comes()
    page = await site.page(site.robin)
    assert len(re.findall(r'<li class="racer-\d ready">', page)) == 2
    assert "Lock the race" in page


async def test_to_resign_is_no_move_for_those_who_play_on_either(site: Site):
    await site.marian_comes()
    await site.robin.post(f"{site.room}/start")
    site.clock.advance(COUNTDOWN_MS)
    table = (await site.marian.get(f"{site.room}/play")).headers["location"]
    for version in range(2):
        await site.marian.post(f"{table}/deal", data={"version": version})
    await site.marian.post(f"{site.room}/give-up")  # the address of before
    panel = (await site.robin.post(f"{site.room}/here", data={"tab": "z"})).text
    found = re.search(r"Marian: (\d) of 52 home, 2 moves, resigned", panel)
    assert found
    assert "Marian resigned." in panel
    assert "Only you are still playing." not in panel, "the banner tells who left them alone"
    row = panel[panel.index('gave_up"') :]
    status, *home = re.findall(r'class="(?:status|figures)"[^>]*>([^<]+)<', row)
    assert (status, home) == ("resigned", [found[1]])
    own = (await site.marian.post(f"{site.room}/here", data={"tab": "y"})).text
    assert f"You: {found[1]} of 52 home, 2 moves, resigned" in own
    for player in (site.robin, site.marian):
        assert re.search(r"of 52 home, 2 moves\s*</span>", await site.page(player))
        assert "3 moves" not in await site.page(player)


async def test_an_older_window_of_a_race_that_is_over_knows_both(site: Site):
    await site.marian_comes()
    await site.robin.post(f"{site.room}/start")
    site.clock.advance(COUNTDOWN_MS)
    await site.robin.get((await site.robin.get(f"{site.room}/play")).headers["location"])
    await site.robin.post(f"{site.room}/here", data={"tab": "z"})
    for player in (site.robin, site.marian):
        await player.post(f"{site.room}/resign")
    site.clock.advance(1000)
    page = (await site.robin.post(f"{site.room}/here", data={"tab": "a"})).text
    assert {"data-elsewhere", "data-over"} <= attributes_of(page, "race").keys()


async def test_the_end_is_told_on_the_room_and_at_the_table(site: Site):
    await site.marian_comes()
    await site.robin.post(f"{site.room}/start")
    site.clock.advance(COUNTDOWN_MS)
    table = (await site.marian.get(f"{site.room}/play")).headers["location"]
    for racer in (site.robin, site.marian):
        await play_a_while(racer, site.room)
    await site.marian.post(f"{site.room}/resign")
    page = (await site.marian.get(table)).text
    assert "Robin is still playing." in page
    row = re.search(r'<a href="/race/of/[^"]+"><svg.*?#([a-z-]+)"', page, re.DOTALL)
    assert row
    assert row[1] == "place-together", "the sign of where races are"
    choices = page.partition('class="choices"')[2].partition("</section>")[0]
    assert re.search(r'<a class="primary" href="/race/of/[^"]+">See the race</a>', choices)
    assert "Race again" not in choices, "first this one is played to its end"
    await site.robin.post(f"{site.room}/resign")
    page = (await site.marian.get(table)).text
    choices = page.partition('class="choices"')[2].partition("</section>")[0]
    assert re.search(r'<button form="again" class="primary">Race again</button>', choices)
    assert "still playing" not in page
    assert re.search(r"You and Robin tied with \d+ cards home each\.", page)
    room = (await site.marian.get(site.room)).text
    assert "Most cards home first, then who had them home sooner" in room
    room = await site.page(site.marian)
    assert re.search(r'<h1 id="outcome">\s*A draw', room)
    assert "podium" not in room
    # One thing to do first.
    assert len(re.findall(r'class="primary"', room)) == 1
    assert "Race again" in room
    assert "<span>Pause</span>" in room
    assert room.count("<h1") == 1


async def test_an_invited_player_reads_who_invites_them(site: Site):
    page = await site.page(site.marian)
    assert re.search(r"<h1><bdi>Robin</bdi> invites you to race at Bristol</h1>", page)
    await site.marian_comes()
    for term in (
        "No hints",
        "Undo and redo count as moves",
        "You can't undo a move that turned up a card",
    ):
        assert f"<li>{term}</li>" in page
    assert "invites you to race" not in await site.page(site.marian)


async def test_the_countdown_says_what_counts_to_all_who_race(site: Site, race_app: RaceApp):
    await site.marian_comes()
    await site.robin.post(f"{site.room}/start")
    terms = ("<li>No hints</li>", "<li>Undo and redo count as moves</li>")
    for racer in (site.robin, site.marian):
        page = await site.page(racer)
        assert 'data-phase="countdown"' in page
        count = page.index('class="count figures"')
        assert [page.count(term, count) for term in terms] == [1, 1]
    async with visiting(race_app[0]) as watcher:
        page = await site.page(watcher)
        assert 'data-phase="countdown"' in page
        assert not any(term in page for term in terms)


@pytest.mark.parametrize(("ruleset", "turns"), [("freecell", False), ("klondike", True)])
async def test_a_move_that_turned_up_a_card_is_named_where_cards_are_turned(
    site: Site, ruleset: str, turns: bool
):
    new = {"ruleset": ruleset, "minutes": "5", "name": "Robin"}
    room = (await site.robin.post("/race", data=new)).headers["location"]
    page = (await site.robin.get(room)).text
    assert "Undo and redo count as moves" in page
    assert ("You can't undo a move that turned up a card" in page) is turns


async def test_the_form_does_not_say_whether_the_deal_is_proven_and_the_race_does(site: Site):
    form = " ".join((await site.robin.get("/race")).text.split())
    main = form.partition("<main")[2].partition("</main>")[0]
    assert "proven" not in main
    assert "random" not in main
    assert "The same cards for everyone, proven winnable" in await site.page(site.robin)


async def test_a_player_of_a_room_of_before_can_still_get_ready(site: Site):
    await site.marian_comes()
    await site.marian.post(f"{site.room}/ready", data={"is_ready": "false"})
    page = await site.page(site.robin)
    assert "You can start as soon as another player is ready." in page
    assert re.search(r"<button [^>]*disabled[^>]*>Start the race", page)
    assert "I'm ready" in await site.page(site.marian)


async def test_the_invitation_is_the_hosts_the_others_can_unfold_it(site: Site):
    invited = await site.page(site.marian)
    assert invited.index("Join the race") < invited.index('id="room"')
    assert "Invite friends" not in invited
    await site.marian_comes()
    host, guest = await site.page(site.robin), await site.page(site.marian)
    link = host.index('class="copy"')
    folded = re.search(r'<details class="code">\s*<summary>QR code, for another device<', host)
    assert folded, "in sight only where there is room"
    assert link < folded.start() < host.index("qr.svg")
    assert "qr.svg" not in guest
    assert re.search(r"<details[^>]*>\s*<summary>Invite friends", guest)


async def test_the_host_reads_that_a_player_is_away(site: Site):
    await site.marian_comes()
    site.clock.advance(AWAY_MS + 1000)
    away = "1 player is away, but will race too unless you remove them."
    assert away in await site.page(site.robin)
    await site.page(site.marian)
    assert away not in await site.page(site.robin)


async def test_the_other_racer_reads_of_a_rematch_on_every_page(site: Site):
    await site.marian_comes()
    await site.robin.post(f"{site.room}/start")
    site.clock.advance(COUNTDOWN_MS)
    table = (await site.marian.get(f"{site.room}/play")).headers["location"]
    for racer in (site.robin, site.marian):
        await racer.post(f"{site.room}/resign")
    assert "wants a rematch" not in await site.page(site.marian)
    following = (await site.robin.post(f"{site.room}/rematch")).headers["location"]
    assert "Marian can see that you want a rematch." in (await site.robin.get(following)).text
    room = await site.page(site.marian)
    assert '<p class="wanted" role="status">Robin wants a rematch</p>' in room
    assert "Join the rematch" in room
    for address in (table, "/", "/together"):
        assert "Robin wants a rematch" in (await site.marian.get(address)).text, address
        assert "wants a rematch" not in (await site.robin.get(address)).text
    for address in ("/", "/together"):
        assert f'href="{following}"' in (await site.marian.get(address)).text
    here = (await site.marian.post(f"{site.room}/here", data={"tab": "1"})).text
    assert f'action="{site.room}/rematch"' in here
    await site.marian.post(f"{site.room}/rematch")
    for address in (table, site.room, following):
        assert "wants a rematch" not in (await site.marian.get(address)).text, address


async def test_a_race_that_nobody_played_has_dashes_and_no_chart(site: Site):
    await site.marian_comes()
    await site.robin.post(f"{site.room}/start")
    site.clock.advance(COUNTDOWN_MS)
    await site.page(site.robin)
    for racer in (site.robin, site.marian):
        await racer.post(f"{site.room}/resign")
    page = await site.page(site.robin)
    assert "You both resigned" in page
    assert page.count('<td class="state">resigned</td>') == 2
    assert len(re.findall(r'<td class="number"><span aria-hidden="true">–</span>', page)) == 2
    assert "How it went" not in page
    assert 'class="plot"' not in page


async def test_a_race_in_which_no_card_got_home_has_tables_and_no_chart(site: Site):
    await site.marian_comes()
    await site.robin.post(f"{site.room}/start")
    site.clock.advance(COUNTDOWN_MS)
    table = (await site.robin.get(f"{site.room}/play")).headers["location"]
    await site.robin.post(f"{table}/deal", data={"version": 0})
    for racer in (site.robin, site.marian):
        await racer.post(f"{site.room}/resign")
    page = await site.page(site.robin)
    assert "No one won this time" in page
    assert page.count('<td class="state">resigned</td>') == 2, "with a move, or without"
    assert f'href="{table}/help/review"' in page
    assert "help/review" not in await site.page(site.marian), "there is nothing to review"
    assert "How it went" in page
    assert 'class="plot"' not in page


async def test_who_never_acted_did_not_play(site: Site):
    await site.marian_comes()
    await site.robin.post(f"{site.room}/start")
    site.clock.advance(COUNTDOWN_MS)
    await site.page(site.robin)
    await site.robin.post(f"{site.room}/resign")
    site.clock.advance(60 * 60_000)
    page = await site.page(site.robin)
    assert page.count('<td class="state">resigned</td>') == 1
    assert page.count('<td class="state">didn&#39;t play</td>') == 1


async def test_a_wrong_code_stays_in_the_field_to_be_mended(site: Site):
    for path in ("/race/find?code=7kq%22zz", "/race/7kq%22zz"):
        answer = await site.marian.get(path)
        assert answer.status_code == 404
        field = attributes_of(answer.text, "go-code")
        assert field["value"] == '7kq"zz'
        assert attributes_of(answer.text, field["aria-describedby"] or "")
    elsewhere = (await site.marian.get("/nothing-is-here")).text
    assert attributes_of(elsewhere, "go-code")["value"] == "", "no code was typed"
