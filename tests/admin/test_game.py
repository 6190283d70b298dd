from __future__ import annotations

import re

import pytest
from sqlalchemy import text

from app.admin.audit_log import AuditAction, list_entries
from app.games.model import Kind
from app.rulesets import find_ruleset
from tests.sharing.games import acting, played

pytestmark = pytest.mark.anyio

CODE = "7KQ4M-2XWTP"


@pytest.fixture
def play(site):
    return site.state.services.games


@pytest.fixture
async def anna(site):
    player, _ = await site.state.services.players.new_guest("Firefox on Linux")
    return player


def faces(page: str) -> set[str]:
    return set(
        re.findall(r"cards\.svg#([\w-]+)", page.partition('id="table"')[2].partition("told")[0])
    )


async def looks(site, game_id):
    lines = await site.state.services.database.read(
        lambda connection: list_entries(connection, None, 50, subject=game_id)
    )
    return [line.note for line in lines if line.action is AuditAction.REVEAL]


async def test_every_step_has_its_time_and_its_board(site, play, anna, vera):
    game = await played(play, anna.id, "rouge-et-noir-won")
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


async def test_a_step_beyond_the_end_is_the_end(play, anna, vera):
    game = await acting(play, await play.start(anna.id, "bristol", CODE), "deal")
    assert "Step 1 of 1" in (await vera.get(f"/admin/games/{game.id}?at=99")).text
    assert (await vera.get(f"/admin/games/{game.id}?at=-1")).status_code == 422
    assert (await vera.get("/admin/games/nothing")).status_code == 404


async def test_what_was_not_accepted_stands_beside_the_log(site, play, anna, vera):
    game = await play.start(anna.id, "bristol", CODE)
    await play.act(game.id, anna.id, 0, "deal")
    await play.act(game.id, anna.id, 1, "f1-t1")
    await play.act(game.id, anna.id, 0, "deal")
    await play.act(game.id, anna.id, 1, "redo")
    page = (await vera.get(f"/admin/games/{game.id}")).text
    assert "stale" not in page
    await site.state.services.admin.refused_actions.flush()
    page = (await vera.get(f"/admin/games/{game.id}")).text
    kinds = re.findall(r'<tr data-what="(\w+)"', page)
    assert kinds == ["start", "deal", "refused", "stale", "impossible"]
    assert "It was meant for version 0." in page
    assert (await play.load(game.id)).version == 1


async def test_the_page_shows_what_the_player_saw_until_somebody_asks_for_more(
    site, play, anna, vera
):
    game = await play.start(anna.id, "rouge-et-noir", CODE)
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
    assert await looks(site, game.id) == []
    answer = await vera.post(f"{path}/reveal", data={"at": 0})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{path}?at=0&truth=on")
    page = (await vera.get(answer.headers["location"])).text
    assert hidden <= faces(page)
    assert "<mark>" in page
    assert await looks(site, game.id) == ["at step 0 of 0, still open"]


async def test_asking_opens_the_cards_to_nobody_else(site, play, anna, vera, browsers):
    game = await play.start(anna.id, "rouge-et-noir", CODE)
    await vera.post(f"/admin/games/{game.id}/reveal", data={"at": 0})
    other = await browsers.staff_member("Otto", "moderator")
    page = (await other.get(f"/admin/games/{game.id}?truth=on")).text
    assert "<mark>" not in page


async def test_nobody_looks_under_the_cards_of_their_own_open_game(site, play, vera):
    state = (await vera.post("/api/v1/games", json={"ruleset": "rouge-et-noir"})).json()
    path = f"/admin/games/{state['id']}"
    assert "Show every card" not in (await vera.get(path)).text
    assert (await vera.post(f"{path}/reveal", data={"at": 0})).status_code == 403
    assert await looks(site, state["id"]) == []


async def test_a_sealed_deal_is_never_spelled_out(site, play, anna, vera):
    rules = find_ruleset("bristol")
    assert rules
    seed = bytes(range(32))
    game = await play.deal_out(anna.id, rules, seed, Kind.DAILY)
    page = (await vera.get(f"/admin/games/{game.id}")).text
    assert "daily, sealed" in page
    assert seed.hex() not in page


async def test_a_log_that_does_not_follow_is_shown_as_far_as_it_goes(site, play, anna, vera):
    game = await acting(play, await play.start(anna.id, "bristol", CODE), "deal")
    made_up = text(
        "INSERT INTO events (game_id, seq, action, actor_id, at_ms) VALUES (:g, 2, 'f1-t1', :p, 0)"
    )
    await site.state.services.database.write(
        lambda c: c.execute(made_up, {"g": game.id, "p": anna.id})
    )
    grown = text("UPDATE games SET version = 2 WHERE id = :g")
    await site.state.services.database.write(lambda c: c.execute(grown, {"g": game.id}))
    page = (await vera.get(f"/admin/games/{game.id}")).text
    assert "Event 2, f1-t1, can&#39;t follow" in page
    assert "Step 1 of 1" in page


async def test_moderators_see_games_and_players_do_not(play, anna, browsers):
    game = await play.start(anna.id, "bristol", CODE)
    path = f"/admin/games/{game.id}"
    moderator = await browsers.staff_member("Mona", "moderator")
    assert (await moderator.get(path)).status_code == 200
    player = await browsers.player("Paul")
    assert (await player.get(path)).status_code == 404
    assert (await player.post(f"{path}/reveal", data={"at": 0})).status_code == 404


async def test_at_a_shared_table_each_line_says_who(site, play, anna, vera, browsers):
    rosa = await browsers.player("Rosa")
    game = await play.start(anna.id, "bristol", CODE)
    tables = site.state.services.shared_tables
    await tables.share(game.id, anna.id)
    rosa_id = await browsers.id_of(rosa)
    await tables.join((await tables.load(game.id)).token, rosa_id)
    await play.act(game.id, anna.id, 0, "deal")
    await play.act(game.id, rosa_id, 1, "deal")
    await play.act(game.id, rosa_id, 2, "t1-t1")
    await site.state.services.admin.refused_actions.flush()
    page = (await vera.get(f"/admin/games/{game.id}")).text
    lines = re.findall(r'<tr data-what="([\w ]+)".*?<td class="who">(.*?)</td>', page, re.DOTALL)
    assert lines == [("start", ""), ("deal", anna.name), ("deal", "Rosa"), ("refused", "Rosa")]
    assert "as a guest" not in page
    seats = page.partition("<dt>Players</dt>")[2].partition("</dd>")[0]
    assert f"{anna.name}; Rosa" in seats


async def test_whoever_moved_at_anothers_table_finds_it_among_their_games(
    site, play, anna, vera, browsers
):
    rosa = await browsers.player("Rosa")
    game = await play.start(anna.id, "bristol", CODE)
    tables = site.state.services.shared_tables
    await tables.share(game.id, anna.id)
    rosa_id = await browsers.id_of(rosa)
    await tables.join((await tables.load(game.id)).token, rosa_id)
    assert game.id not in (await vera.get("/admin/games?q=Rosa")).text
    await play.act(game.id, rosa_id, 0, "deal")
    assert game.id in (await vera.get("/admin/games?q=Rosa&kind=shared&sort=started")).text


async def test_cards_that_one_plays_oneself_stay_hidden_in_every_game_of_the_deal(
    site, play, anna, vera, browsers
):
    """Else a moderator could look at today's cards in the game of somebody else."""
    vera_id = await browsers.id_of(vera)
    theirs = await play.start(anna.id, "bristol", CODE)
    await acting(play, theirs, "resign")
    mine = await play.start(vera_id, "bristol", CODE)
    answer = await vera.post(f"/admin/games/{theirs.id}/reveal", data={"at": "0"})
    assert answer.status_code == 403
    assert "Show every card" not in (await vera.get(f"/admin/games/{theirs.id}")).text
    assert await looks(site, theirs.id) == []
    await acting(play, mine, "resign")
    answer = await vera.post(f"/admin/games/{theirs.id}/reveal", data={"at": "0"})
    assert answer.status_code == 303


async def test_nobody_looks_under_the_cards_of_a_table_at_which_they_sit(
    site, play, anna, vera, browsers
):
    vera_id = await browsers.id_of(vera)
    game = await play.start(anna.id, "bristol", CODE)
    tables = site.state.services.shared_tables
    await tables.share(game.id, anna.id)
    await tables.join((await tables.load(game.id)).token, vera_id)
    answer = await vera.post(f"/admin/games/{game.id}/reveal", data={"at": "0"})
    assert answer.status_code == 403


async def test_what_was_not_accepted_has_the_time_since_the_move_before(
    site, play, anna, vera, monkeypatch
):
    began = 1_760_000_000_000
    monkeypatch.setattr(play, "_clock", lambda: began)
    game = await play.start(anna.id, "bristol", CODE)
    monkeypatch.setattr(play, "_clock", lambda: began + 2_000)
    await acting(play, game, "deal")
    refusals = site.state.services.admin.refused_actions
    monkeypatch.setattr(refusals, "_clock", lambda: began + 3_250)
    await play.act(game.id, anna.id, 1, "t1-t1")
    await refusals.flush()
    page = (await vera.get(f"/admin/games/{game.id}")).text
    refused = page.partition('data-what="refused"')[2].partition("</tr>")[0]
    assert "1.250 s" in refused
