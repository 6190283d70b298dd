from __future__ import annotations

import re

import pytest
from sqlalchemy import insert, text

from app.admin.audit_log import AuditAction, list_entries
from app.admin.integrity.access_records import CONNECT, device_hash
from app.clock import DAY_MS, month_of
from app.db.schema import sightings
from app.games.model import Kind
from app.rulesets import find_ruleset
from tests.sharing.games import acting, played
from tests.support.archives import TakenMonth
from tests.support.known import CODE
from tests.support.races import RaceServer

pytestmark = pytest.mark.anyio


@pytest.fixture
def games(site):
    return site.state.services.games


@pytest.fixture
async def anna(site):
    player, _ = await site.state.services.sessions.new_guest("Firefox on Linux")
    return player


def faces(page: str) -> set[str]:
    return set(
        re.findall(
            r"cards\.svg#([\w-]+)", page.partition('id="table"')[2].partition("step-text")[0]
        )
    )


async def reveals(site, game_id):
    lines = await site.state.services.database.read(
        lambda connection: list_entries(connection, None, 50, subject=game_id)
    )
    return [line.note for line in lines if line.action is AuditAction.REVEAL]


async def test_a_game_of_an_archived_month_says_so(site, games, anna, vera):
    game = await played(games, anna.id, "bristol-won")
    month = TakenMonth(site.state.services.database, game.started_ms)
    await month.take_out()
    page = await vera.get(f"/admin/games/{game.id}")
    assert page.status_code == 200
    assert "in the site&#39;s archive" in page.text
    assert "Step 0 of 0" in page.text
    await month.put_back()
    assert (
        f"Step {game.version} of {game.version}" in (await vera.get(f"/admin/games/{game.id}")).text
    )


async def test_every_step_has_its_board_and_its_page_of_the_timeline(site, games, anna, vera):
    game = await played(games, anna.id, "rouge-et-noir-won")
    last = game.version
    end = (await vera.get(f"/admin/games/{game.id}")).text
    assert f"Step {last} of {last}" in end
    assert "The game is won." in end
    assert anna.name in end
    assert "Firefox on Linux" in end
    opening = (await vera.get(f"/admin/games/{game.id}?at=0")).text
    assert "The opening." in opening
    assert faces(opening) != faces(end)
    rows = re.findall(r"<td class=\"number\">\s*<a href=\"\?at=(\d+)", opening)
    assert rows == [str(step) for step in range(101)]
    later = (await vera.get(f"/admin/games/{game.id}?at=101")).text
    rows = re.findall(r"<td class=\"number\">\s*<a href=\"\?at=(\d+)", later)
    assert rows == [str(step) for step in range(101, min(last, 200) + 1)]


async def test_a_step_beyond_the_end_is_the_end(games, anna, vera):
    game = await acting(games, await games.start(anna.id, "bristol", CODE), "deal")
    assert "Step 1 of 1" in (await vera.get(f"/admin/games/{game.id}?at=99")).text
    assert (await vera.get(f"/admin/games/{game.id}?at=-1")).status_code == 422
    assert (await vera.get("/admin/games/nothing")).status_code == 404


async def test_refused_actions_are_in_the_timeline(site, games, anna, vera):
    game = await games.start(anna.id, "bristol", CODE)
    await games.act(game.id, anna.id, 0, "deal")
    await games.act(game.id, anna.id, 1, "f1-t1")
    await games.act(game.id, anna.id, 0, "deal")
    await games.act(game.id, anna.id, 1, "redo")
    page = (await vera.get(f"/admin/games/{game.id}")).text
    assert "stale" not in page
    await site.state.services.admin.refused_actions.flush()
    page = (await vera.get(f"/admin/games/{game.id}")).text
    kinds = re.findall(r'<tr data-what="(\w+)"', page)
    assert kinds == ["start", "deal", "refused", "stale", "impossible"]
    assert "It was meant for version 0." in page
    assert (await games.log.load(game.id)).version == 1


async def test_no_refused_action_can_take_the_others_with_it(site, games, anna, vera, browsers):
    """A click on an old page may send any text, and PostgreSQL can't store a NUL."""
    game = await games.start(anna.id, "bristol", CODE)
    await games.act(game.id, anna.id, 0, "t1-t1")
    rosa = await browsers.player("Rosa")
    hers = await games.start(await browsers.id_of(rosa), "bristol", CODE)
    await games.act(hers.id, hers.owner_id, 0, "deal")
    answer = await rosa.post(f"/games/{hers.id}/click", data={"version": 0, "clicked": "\0"})
    assert answer.status_code == 422
    refusals = site.state.services.admin.refused_actions
    refused = await games.act(hers.id, hers.owner_id, 0, "deal")
    refusals.record(hers.owner_id, 0, "\0deal", refused)
    await refusals.flush()
    kinds = re.findall(r'<tr data-what="(\w+)"', (await vera.get(f"/admin/games/{game.id}")).text)
    assert kinds == ["start", "refused"]


async def test_the_page_shows_what_the_player_saw_until_every_card_is_revealed(
    site, games, anna, vera
):
    game = await games.start(anna.id, "rouge-et-noir", CODE)
    hidden = {
        card.text
        for pile in game.position.piles
        for card in pile.cards[: pile.down]
        if pile.cards[pile.down :]
    }
    assert hidden
    path = f"/admin/games/{game.id}"
    page = (await vera.get(f"{path}?truth=on")).text
    assert "Show every card" in page
    seen = {card.text for pile in game.position.piles for card in pile.face_up}
    assert {face for face in faces(page) if "-" not in face} <= seen
    assert await reveals(site, game.id) == []
    answer = await vera.post(f"{path}/reveal", data={"at": 0})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{path}?at=0&truth=on")
    page = (await vera.get(answer.headers["location"])).text
    assert hidden <= faces(page)
    assert "<mark>" in page
    assert await reveals(site, game.id) == ["at step 0 of 0, still open"]


async def test_cards_are_revealed_to_one_staff_member_only(site, games, anna, vera, browsers):
    game = await games.start(anna.id, "rouge-et-noir", CODE)
    await vera.post(f"/admin/games/{game.id}/reveal", data={"at": 0})
    other = await browsers.staff_member("Otto", "moderator")
    page = (await other.get(f"/admin/games/{game.id}?truth=on")).text
    assert "<mark>" not in page


async def test_staff_cannot_reveal_the_cards_of_their_own_open_game(site, games, vera):
    state = (await vera.post("/api/v1/games", json={"ruleset": "rouge-et-noir"})).json()
    path = f"/admin/games/{state['id']}"
    assert "Show every card" not in (await vera.get(path)).text
    assert (await vera.post(f"{path}/reveal", data={"at": 0})).status_code == 403
    assert await reveals(site, state["id"]) == []


async def test_the_seed_of_a_sealed_deal_is_never_shown(site, games, anna, vera):
    rules = find_ruleset("bristol")
    assert rules
    seed = bytes(range(32))
    game = await games.deal_out(anna.id, rules, seed, Kind.DAILY)
    page = (await vera.get(f"/admin/games/{game.id}")).text
    assert "daily, sealed" in page
    assert seed.hex() not in page


async def test_an_invalid_log_is_shown_up_to_the_first_impossible_event(site, games, anna, vera):
    game = await acting(games, await games.start(anna.id, "bristol", CODE), "deal")
    made_up = text(
        "INSERT INTO events (game_id, seq, action, actor_id, at_ms, month) VALUES (:g, 2, 'f1-t1', :p, 0, :m)"
    )
    await site.state.services.database.write(
        lambda c: c.execute(made_up, {"g": game.id, "p": anna.id, "m": month_of(game.started_ms)})
    )
    grown = text("UPDATE games SET version = 2 WHERE id = :g")
    await site.state.services.database.write(lambda c: c.execute(grown, {"g": game.id}))
    page = (await vera.get(f"/admin/games/{game.id}")).text
    assert "Event 2, f1-t1, can&#39;t follow" in page
    assert "Step 1 of 1" in page


async def test_moderators_see_games_and_players_do_not(games, anna, browsers):
    game = await games.start(anna.id, "bristol", CODE)
    path = f"/admin/games/{game.id}"
    moderator = await browsers.staff_member("Mona", "moderator")
    assert (await moderator.get(path)).status_code == 200
    player = await browsers.player("Paul")
    assert (await player.get(path)).status_code == 404
    assert (await player.post(f"{path}/reveal", data={"at": 0})).status_code == 404


async def test_rows_of_a_shared_table_name_the_player(site, games, anna, vera, browsers):
    rosa = await browsers.player("Rosa")
    game = await games.start(anna.id, "bristol", CODE)
    tables = site.state.services.shared_tables
    await tables.share(game.id, anna.id)
    rosa_id = await browsers.id_of(rosa)
    await tables.join((await tables.load(game.id)).token, rosa_id)
    await games.act(game.id, anna.id, 0, "deal")
    await games.act(game.id, rosa_id, 1, "deal")
    await games.act(game.id, rosa_id, 2, "t1-t1")
    await site.state.services.admin.refused_actions.flush()
    page = (await vera.get(f"/admin/games/{game.id}")).text
    lines = re.findall(r'<tr data-what="([\w ]+)".*?<td class="who">(.*?)</td>', page, re.DOTALL)
    assert lines == [("start", ""), ("deal", anna.name), ("deal", "Rosa"), ("refused", "Rosa")]
    assert "as a guest" not in page
    seats = page.partition("<dt>Players</dt>")[2].partition("</dd>")[0]
    assert f"{anna.name}; Rosa" in seats


async def test_the_search_for_a_player_finds_shared_tables_where_they_moved(
    site, games, anna, vera, browsers
):
    rosa = await browsers.player("Rosa")
    game = await games.start(anna.id, "bristol", CODE)
    tables = site.state.services.shared_tables
    await tables.share(game.id, anna.id)
    rosa_id = await browsers.id_of(rosa)
    await tables.join((await tables.load(game.id)).token, rosa_id)
    assert game.id not in (await vera.get("/admin/games?q=Rosa")).text
    await games.act(game.id, rosa_id, 0, "deal")
    assert game.id in (await vera.get("/admin/games?q=Rosa&kind=shared&sort=started")).text


async def test_staff_cannot_reveal_cards_that_they_play_in_another_game(
    site, games, anna, vera, browsers
):
    """Otherwise a moderator could see today's cards in another player's game."""
    vera_id = await browsers.id_of(vera)
    theirs = await games.start(anna.id, "bristol", CODE)
    await acting(games, theirs, "resign")
    mine = await games.start(vera_id, "bristol", CODE)
    answer = await vera.post(f"/admin/games/{theirs.id}/reveal", data={"at": "0"})
    assert answer.status_code == 403
    assert "Show every card" not in (await vera.get(f"/admin/games/{theirs.id}")).text
    assert await reveals(site, theirs.id) == []
    await acting(games, mine, "resign")
    answer = await vera.post(f"/admin/games/{theirs.id}/reveal", data={"at": "0"})
    assert answer.status_code == 303


async def test_staff_who_begin_to_play_the_cards_that_they_revealed_see_them_no_more(
    games, anna, vera, browsers
):
    """Otherwise they could look first, and follow the other game while they play."""
    game = await games.start(anna.id, "rouge-et-noir", CODE)
    revealed = f"/admin/games/{game.id}?at=0&truth=on"
    await vera.post(f"/admin/games/{game.id}/reveal", data={"at": 0})
    shown = faces((await vera.get(revealed)).text)
    mine = await games.start(await browsers.id_of(vera), "rouge-et-noir", CODE)
    hidden = faces((await vera.get(revealed)).text)
    assert hidden < shown
    await games.act(mine.id, mine.owner_id, 0, "resign")
    assert faces((await vera.get(revealed)).text) == shown


async def test_staff_cannot_reveal_the_cards_of_a_shared_table_they_play_at(
    site, games, anna, vera, browsers
):
    vera_id = await browsers.id_of(vera)
    game = await games.start(anna.id, "bristol", CODE)
    tables = site.state.services.shared_tables
    await tables.share(game.id, anna.id)
    await tables.join((await tables.load(game.id)).token, vera_id)
    answer = await vera.post(f"/admin/games/{game.id}/reveal", data={"at": "0"})
    assert answer.status_code == 403


async def test_refused_actions_have_the_time_since_the_step_before(
    site, games, anna, vera, monkeypatch
):
    began = 1_760_000_000_000
    monkeypatch.setattr(games, "_clock", lambda: began)
    game = await games.start(anna.id, "bristol", CODE)
    monkeypatch.setattr(games.log, "_clock", lambda: began + 2_000)
    await acting(games, game, "deal")
    refusals = site.state.services.admin.refused_actions
    monkeypatch.setattr(refusals, "_clock", lambda: began + 3_250)
    await games.act(game.id, anna.id, 1, "t1-t1")
    await refusals.flush()
    page = (await vera.get(f"/admin/games/{game.id}")).text
    refused = page.partition('data-what="refused"')[2].partition("</tr>")[0]
    assert "1.250 s" in refused


# --- races


@pytest.fixture
async def server(site):
    """The services of races on the site's database, with a clock of their own."""
    server = RaceServer(site.state.services.database)
    await server.add_players("anna", "ben", "cleo")
    return server


async def test_a_game_links_to_the_race_and_the_other_games(server, vera):
    code = await server.race("anna", "ben")
    mine = await server.act(code, "anna", "deal")
    theirs = await server.act(code, "ben", "deal", "deal")
    listed = (await vera.get("/admin/games?kind=race")).text
    assert mine.id in listed
    assert theirs.id in listed
    page = (await vera.get(f"/admin/games/{mine.id}")).text
    section = page.partition('id="race"')[2].partition("</section>")[0]
    assert f'href="/race/{code}"' in section
    games = re.findall(
        r"<li( aria-current=\"true\")?>\s*<a href=\"/admin/games/([^\"]+)\"", section
    )
    assert games == [(' aria-current="true"', mine.id), ("", theirs.id)]
    assert "playing after 2 moves" in section
    events = section.partition("<ol>")[2]
    assert all(word in events for word in ("Anna", "Ben"))


async def test_a_race_shows_which_games_were_opened_on_devices_that_look_the_same(
    site, server, vera
):
    code = await server.race("anna", "ben", "cleo")
    database = site.state.services.database

    async def opened(player, address, at_ms):
        game = await server.act(code, player, "deal")
        place = device_hash(at_ms, address, "Firefox")
        row = {"game_id": game.id, "what": CONNECT, "client": "Firefox"}
        row |= {"place": place, "at_ms": at_ms}
        await database.write(lambda connection: connection.execute(insert(sightings), row))
        return game.id

    midnight = 20_000 * DAY_MS
    for at_ms in (midnight - 1, midnight):
        anna, _ = await opened("anna", "192.0.2.7", at_ms), await opened("ben", "192.0.2.8", at_ms)
    assert "Same kind of browser" not in (await vera.get(f"/admin/games/{anna}")).text
    for at_ms in (midnight - 1, midnight):
        await opened("cleo", "192.0.2.7", at_ms)
    page = (await vera.get(f"/admin/games/{anna}")).text
    section = page.partition('id="race"')[2].partition("</section>")[0]
    assert section.count("Same kind of browser, same network, same day: Anna, Cleo.") == 1
    assert "A family, a class or an office looks the same." in section


async def test_the_deal_of_a_game_is_not_shown(site, server, vera):
    code = await server.race("anna", "ben")
    game = await server.act(code, "anna", "deal")
    seed = (await site.state.services.games.log.load(game.id)).code
    page = (await vera.get(f"/admin/games/{game.id}")).text
    assert seed is None
    assert "race, sealed" in page


async def test_staff_cannot_reveal_the_cards_of_a_race_they_run_in(site, server, vera, browsers):
    vera_id = await browsers.id_of(vera)
    code = await server.race("anna", vera_id)
    theirs = await server.act(code, "anna", "deal")
    answer = await vera.post(f"/admin/games/{theirs.id}/reveal", data={"at": "0"})
    assert answer.status_code == 403
    otto = await browsers.staff_member("Otto", "administrator")
    answer = await otto.post(f"/admin/games/{theirs.id}/reveal", data={"at": "0"})
    assert answer.status_code == 303


async def test_other_games_show_no_race(site, server, vera):
    game = await site.state.services.games.start("anna", "bristol", None)
    assert 'id="race"' not in (await vera.get(f"/admin/games/{game.id}")).text
