from __future__ import annotations

import pytest
from sqlalchemy import func, select, update

from app.admin.retention import Retention
from app.clock import now_ms
from app.db.engine import Database
from app.db.schema import admin_entries, daily_attempts, refused_actions, sessions, tallies
from app.identity.model import ClientInfo
from app.settings import Settings
from tests.support.plans import plans_of

pytestmark = pytest.mark.anyio

DAY_MS = 86_400_000


async def count(site, game) -> int:
    query = select(func.count()).select_from(game)
    found: int = await site.state.services.database.read(
        lambda connection: connection.scalar(query)
    )
    return found


def run_after(site, days: float) -> Retention:
    return Retention(
        site.state.services.database,
        lambda: int(site.state.services.clock() + days * DAY_MS),
        Settings(),
    )


async def test_refused_actions_expire(site):
    play = site.state.services.games
    anna, _ = await site.state.services.sessions.new_guest()
    game = await play.start(anna.id, "bristol", None)
    for _ in range(1200):  # more than are dropped at once
        await play.act(game.id, anna.id, 0, "undo")
    await site.state.services.admin.refused_actions.flush()
    await run_after(site, 29.9).run()
    assert await count(site, refused_actions) == 1200
    await run_after(site, 30.1).run()
    assert await count(site, refused_actions) == 0


async def test_sessions_of_accounts_are_deleted_when_they_have_ended(site):
    services = site.state.services
    await services.sessions.new_guest()
    await services.accounts.create_account(None, "Anna", "seven ravens sleep", ClientInfo("", ""))
    await run_after(site, 179).run()
    assert await count(site, sessions) == 2
    await run_after(site, 181).run()
    assert await count(site, sessions) == 1  # the guest's


async def test_the_networks_of_daily_attempts_are_forgotten(site):
    services = site.state.services
    anna, _ = await services.sessions.new_guest()
    game, _ = await services.daily.start(anna.id, "bristol", None, "192.0.2.7")
    assert await network_of_attempt(site, game.id)
    await run_after(site, 29).run()
    assert await network_of_attempt(site, game.id)
    await run_after(site, 31.1).run()
    assert await network_of_attempt(site, game.id) is None


async def network_of_attempt(site, game_id) -> bytes | None:
    query = select(daily_attempts.c.network).where(daily_attempts.c.game_id == game_id)
    found: bytes | None = await site.state.services.database.read(lambda c: c.scalar(query))
    return found


async def test_unused_sessions_expire(site):
    service = site.state.services.sessions
    _, away = await service.new_guest()
    _, back = await service.new_guest()
    long_ago = site.state.services.clock() - 399 * DAY_MS
    old = update(sessions).values(seen_ms=long_ago)
    await site.state.services.database.write(lambda connection: connection.execute(old))
    assert await service.find(back)
    service.forget_token(back)
    assert await service.find(back)  # and is noted as seen
    await run_after(site, 0).run()
    assert await count(site, sessions) == 2
    await run_after(site, 1.5).run()
    assert await count(site, sessions) == 1
    service.forget_token(away)
    assert await service.find(away) is None


async def test_known_networks_expire(site, browsers):
    await browsers.player("Vera")
    client = await browsers.visitor()
    form = {"name": "Vera", "password": "a long and quiet evening"}
    assert (await client.post("/login", data=form)).status_code == 303
    assert await count(site, tallies) > 1
    await run_after(site, 1).run()
    assert await count(site, tallies) == 1  # that Vera is known there
    await run_after(site, 30.1).run()
    assert await count(site, tallies) == 0


async def test_expired_step_up_sessions_are_deleted(site, vera):
    assert await count(site, admin_entries) == 1
    await run_after(site, 0).run()
    assert await count(site, admin_entries) == 1
    await run_after(site, 1).run()
    assert await count(site, admin_entries) == 0


async def test_expired_sessions_are_found_by_an_index(database: Database):
    plans = await plans_of(database, Retention(database, now_ms, Settings()).run, "sessions")
    assert "ix_sessions_seen_ms" in plans[0]
    assert "ix_sessions_created_ms" in plans[1]
