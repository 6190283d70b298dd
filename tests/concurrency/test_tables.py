"""Concurrent requests at one shared table, on two processes."""

import pytest
from sqlalchemy import select

from app.db.schema import table_seats
from tests.support.interleaving import Hold, double_click, meet

pytestmark = pytest.mark.anyio


async def test_two_simultaneous_requests_to_share_a_table_succeed(here, there):
    address = f"/api/v1/games/{await here.deal()}/together"
    found = await double_click(here, there, "INSERT INTO seats", address)
    assert [response.status_code for response in found] == [201, 201]


async def test_a_player_leaves_while_being_removed(here, there):
    game = await here.deal()
    token = await here.share(game)
    assert (await there.visitor.post(f"/api/v1/together/{token}")).is_success
    guest = await there.me()
    found = await meet(
        Hold(there.database, "UPDATE seats"),
        there.visitor.post(f"/api/v1/games/{game}/together/leave"),
        here.visitor.post(f"/api/v1/games/{game}/together/unseat", json={"player": guest}),
    )
    assert not any(response.is_server_error for response in found)
    assert (
        here.stored(select(table_seats.c.state).where(table_seats.c.player_id == guest)) != "seated"
    )


async def test_a_player_removed_while_signing_in_stays_removed(here, there, host):
    await there.create_account("Anna")
    anna = await there.me()
    game = await host.deal()
    token = await host.share(game)
    for visitor in (here.visitor, there.visitor):
        assert (await visitor.post(f"/api/v1/together/{token}")).is_success
    await meet(
        Hold(here.database, "SELECT seats.state, seats.moved"),
        here.sign_in("Anna"),
        host.visitor.post(f"/api/v1/games/{game}/together/unseat", json={"player": anna}),
    )
    assert (
        here.stored(select(table_seats.c.state).where(table_seats.c.player_id == anna)) == "removed"
    )
