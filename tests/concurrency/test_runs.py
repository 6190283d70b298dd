"""Runs that are requested, ended or merged twice at once, on two processes."""

from dataclasses import dataclass

import pytest
from sqlalchemy import func, select

from app.challenges import service as challenge_service
from app.challenges.service import ChallengeService
from app.db.engine import Database
from app.db.schema import challenge_attempts, challenges, daily_attempts, games
from app.races.limits import COUNTDOWN_MS
from tests.support.interleaving import Hold, double_click, meet, stored
from tests.support.races import RaceServer

pytestmark = pytest.mark.anyio


@dataclass
class Pair:
    """Two processes without HTTP."""

    one: Database
    two: Database


@pytest.fixture
async def pair(postgres_url: str):
    found = Pair(Database(postgres_url), Database(postgres_url))
    yield found
    await found.one.close()
    await found.two.close()


async def test_a_double_click_on_a_question_submits_it_once(here, there):
    address = f"/api/v1/games/{await here.deal()}/winnable"
    found = await double_click(here, there, "INSERT INTO assists", address, {"version": 0})
    assert [response.status_code for response in found] == [202, 202]


async def test_a_double_click_makes_one_challenge(here, there):
    game = await here.deal()
    assert (await here.visitor.post(f"/api/v1/games/{game}/resign", json={"version": 0})).is_success
    address = f"/api/v1/games/{game}/ghost"
    found = await double_click(here, there, "INSERT INTO ghosts", address)
    assert here.stored(select(func.count()).select_from(challenges)) == 1
    assert found[0].json()["token"] == found[1].json()["token"]


async def test_the_limit_of_attempts_at_a_challenge_holds(pair, monkeypatch):
    monkeypatch.setattr(challenge_service, "MAX_ATTEMPTS", 1)
    server = RaceServer(pair.one)
    await server.add_players("anna", "ben", "cleo")
    run = await server.games.start("anna", "bristol", None)
    await server.games.act(run.id, "anna", 0, "resign")
    one = ChallengeService(pair.one, server.games, server.clock)
    two = ChallengeService(pair.two, RaceServer(pair.two, server.clock).games, server.clock)
    challenge = await one.create(run.id, "anna")
    await meet(
        Hold(pair.one, "INSERT INTO ghost_tries"),
        one.start_attempt(challenge.token, "ben"),
        two.start_attempt(challenge.token, "cleo"),
    )
    assert stored(pair.one, select(func.count()).where(challenge_attempts.c.counts)) == 1


async def test_a_game_that_ends_during_a_claim_is_ranked(here, there):
    begun = await here.visitor.post("/api/v1/daily/today/bristol/attempt")
    await there.be(here)
    game = begun.json()["id"]
    await meet(
        Hold(here.database, "UPDATE daily_attempts"),
        here.create_account("Anna"),
        there.visitor.post(f"/api/v1/games/{game}/resign", json={"version": 0}),
    )
    assert here.stored(select(daily_attempts.c.listed)) is True


async def test_a_guest_signs_in_while_their_daily_game_ends(here, there, host):
    await host.create_account("Anna")
    begun = await here.visitor.post("/api/v1/daily/today/bristol/attempt")
    await there.be(here)
    game = begun.json()["id"]
    ended, entered = await meet(
        Hold(there.database, "UPDATE games"),
        there.visitor.post(f"/api/v1/games/{game}/resign", json={"version": 0}),
        here.sign_in("Anna"),
    )
    assert not ended.is_error
    assert entered.status_code == 303


async def test_a_guest_who_signs_in_during_the_deal_keeps_their_game(pair):
    server = RaceServer(pair.one)
    other = RaceServer(pair.two, server.clock)
    await server.add_players("anna", "gus", "ben")
    room = await server.gather("anna", "gus")
    await server.races.start(room.code, "anna")
    server.clock.advance(COUNTDOWN_MS)
    await meet(
        Hold(pair.one, "INSERT INTO race_events"),
        server.races.snapshot(room.code),
        pair.two.write(lambda connection: other.account_merge.move_seats(connection, "gus", "ben")),
    )
    seat = (await other.races.snapshot(room.code)).room.seat_of("ben")
    assert seat
    owner = select(games.c.owner_id).where(games.c.id == seat.game_id)
    assert stored(pair.one, owner) == "ben"
