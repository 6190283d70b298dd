"""Conflicting requests of one player in two windows, on two processes."""

import pytest
from sqlalchemy import func, select

from app.admin.audit_log import AuditAction
from app.admin.auth.repository import Role
from app.admin.auth.service import StaffMember
from app.admin.moderation.actions import REASONS
from app.admin.moderation.service import Justification
from app.db.schema import accounts, players, table_seats
from app.identity.model import Player
from tests.support.interleaving import Hold, Process, meet
from tests.support.known import PASSWORD

pytestmark = pytest.mark.anyio


async def test_a_guest_who_is_being_deleted_claims_no_name(here, there):
    await here.deal()
    await there.be(here)
    hold = Hold(here.database, "DELETE FROM sessions")
    deleted, claimed = await meet(
        hold, here.visitor.request("DELETE", "/api/v1/me", json={}), there.create_account("Anna")
    )
    assert deleted.is_success
    assert claimed.status_code == 403
    assert here.stored(select(players.c.name)) == "deleted player"
    assert here.stored(select(func.count()).select_from(accounts)) == 0


async def test_a_guest_who_is_claiming_a_name_is_not_deleted(here, there):
    await here.deal()
    await there.be(here)
    hold = Hold(here.database, "INSERT INTO accounts")
    claimed, deleted = await meet(
        hold, here.create_account("Anna"), there.visitor.request("DELETE", "/api/v1/me", json={})
    )
    assert claimed.is_success
    assert deleted.status_code == 403
    assert here.stored(select(players.c.name)) == "Anna"


async def test_a_rename_does_not_restore_a_deleted_player(here, there):
    await here.create_account("Anna")
    await there.be(here)
    hold = Hold(here.database, "DELETE FROM accounts")
    deleted, renamed = await meet(
        hold,
        here.visitor.request("DELETE", "/api/v1/me", json={"password": PASSWORD}),
        there.visitor.patch("/api/v1/me", json={"name": "Berta"}),
    )
    assert deleted.is_success
    assert not renamed.is_success
    assert here.stored(select(players.c.name)) == "deleted player"


async def test_a_claimed_name_is_not_lost_to_another_friendly_one(here, there):
    await here.deal()
    await there.be(here)
    hold = Hold(here.database, "INSERT INTO accounts")
    claimed, renamed = await meet(
        hold, here.create_account("Anna"), there.visitor.post("/me/another-name")
    )
    assert claimed.is_success
    assert renamed.status_code == 409
    assert here.stored(select(players.c.name)) == "Anna"


async def test_a_name_that_was_changed_meanwhile_is_not_taken_away(here, there):
    await here.create_account("Rude")
    await there.create_account("Vera")
    rude, vera = await here.me(), await there.me()
    staff = StaffMember(Player(vera, "Vera", is_named=True), Role.ADMINISTRATOR, 0)
    why = Justification(next(iter(REASONS[AuditAction.RENAME])), "rude")
    await meet(
        Hold(here.database, "UPDATE players"),
        here.visitor.patch("/api/v1/me", json={"name": "Nice"}),
        there.site.state.services.moderation.apply(staff, AuditAction.RENAME, rude, why),
    )
    assert here.stored(select(players.c.name).where(players.c.id == rude)) == "Nice"


async def test_a_deleted_player_gets_no_seat_from_an_account_merge(here, there, host):
    await there.create_account("Anna")
    anna = await there.me()
    token = await host.share(await host.deal())
    assert (await here.visitor.post(f"/api/v1/together/{token}")).is_success
    hold = Hold(here.database, "INSERT INTO former_guests")
    entered, deleted = await meet(
        hold,
        here.sign_in("Anna"),
        there.visitor.request("DELETE", "/api/v1/me", json={"password": PASSWORD}),
    )
    assert entered.status_code == 303
    assert deleted.is_success
    assert here.stored(select(table_seats.c.state).where(table_seats.c.player_id == anna)) == "left"
    assert here.stored(select(players.c.name).where(players.c.id == anna)) == "deleted player"


@pytest.mark.parametrize(
    ("what", "statement"),
    [
        ("daily", "SELECT daily_attempts.*WHERE daily_attempts.player_id"),
        ("ghost", "FROM games.*ghost_tries.*WHERE.*ghost_tries.player_id"),
        ("table", "SELECT seats.state, seats.moved"),
    ],
)
async def test_signing_in_while_starting_the_same_elsewhere_works(
    here: Process, there: Process, host: Process, what: str, statement: str
):
    await there.create_account("Anna")
    await here.deal()
    game = await host.deal()
    match what:
        case "daily":
            address = "/api/v1/daily/today/bristol/attempt"
        case "ghost":
            await host.visitor.post(f"/api/v1/games/{game}/resign", json={"version": 0})
            made = await host.visitor.post(f"/api/v1/games/{game}/ghost")
            address = f"/challenge/{made.json()['token']}"
        case _:
            address = f"/api/v1/together/{await host.share(game)}"
    assert not (await here.visitor.post(address)).is_error
    entered, begun = await meet(
        Hold(here.database, statement), here.sign_in("Anna"), there.visitor.post(address)
    )
    assert entered.status_code == 303
    assert not begun.is_error
