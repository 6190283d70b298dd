"""Streams of players end with what let them see the game: their session, or their seat."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from app.db.engine import Database
from app.games.service import GameService
from app.games.watch_guard import WatchGuard
from app.identity.sessions import Sessions
from app.pubsub import service as pubsub_service
from app.settings import Settings
from tests.support.daily_site import start_attempt
from tests.support.patience import PATIENCE
from tests.support.serving import running_site, visiting
from tests.support.streams import listening

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def frequent_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pubsub_service, "_ACCESS_CHECK_SECONDS", 0.1)


async def test_guards_are_asked_together(database_url: str, monkeypatch: pytest.MonkeyPatch):
    settings = Settings(database_url=database_url, proof_seconds=0)
    async with running_site(settings) as site, visiting(site) as owner, visiting(site) as friend:
        games = site.state.services.of(GameService)

        async def begin(audience: str = "public") -> str:
            answer = await owner.post("/api/v1/games", json={"ruleset": "bristol"})
            game: str = answer.json()["id"]
            await owner.put(f"/api/v1/games/{game}/audience", json={"audience": audience})
            return game

        watched, unwatched = await begin(), await begin("nobody")
        daily = await start_attempt(owner)
        shared = await begin("nobody")
        await owner.post(f"/games/{shared}/together/share")
        invitation = (await owner.get(f"/api/v1/games/{shared}/together")).json()["invitation"]
        (await friend.post(f"/api/v1{invitation}")).raise_for_status()
        sessions = site.state.services.of(Sessions)
        own = (await sessions.find(owner.cookies["fd_session"])).player.id
        guest = (await sessions.find(friend.cookies["fd_session"])).player.id

        async def signed_out() -> bool:
            return False

        allowed = [
            WatchGuard(games, watched),
            WatchGuard(games, watched, guest),
            WatchGuard(games, unwatched, own),
            WatchGuard(games, daily, own),
            WatchGuard(games, shared, guest),
        ]
        refused = [
            WatchGuard(games, "no-such-game"),
            WatchGuard(games, unwatched),
            WatchGuard(games, unwatched, guest),
            WatchGuard(games, daily),
            WatchGuard(games, daily, guest),
            WatchGuard(games, shared),
            WatchGuard(games, watched, own, signed_out),
        ]
        assert await WatchGuard.list_allowed([*allowed, *refused]) == set(allowed)

        reads = []
        read = Database.read

        async def counted(database: Database, work: Any) -> Any:
            reads.append(work)
            return await read(database, work)

        monkeypatch.setattr(Database, "read", counted)
        several = [WatchGuard(games, await begin()) for _ in range(12)]
        reads.clear()
        assert await WatchGuard.list_allowed(several) == set(several)
        assert len(reads) < 6  # two, and those of a poll that may come between


async def test_a_stream_ends_with_its_session(database_url: str):
    settings = Settings(database_url=database_url, proof_seconds=0)
    async with running_site(settings) as site, visiting(site) as player:
        game = (await player.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
        token = player.cookies["fd_session"]
        async with listening(site, game, cookie=f"fd_session={token}") as (stream, listens):
            await stream.until('"version": 0')
            await asyncio.sleep(0.5)
            assert not listens.done()
            sessions = site.state.services.of(Sessions)
            await sessions.end_other_sessions((await sessions.find(token)).player, "another")
            async with asyncio.timeout(PATIENCE):
                await listens


async def test_a_stream_ends_with_the_seat_where_watching_is_off(database_url: str):
    settings = Settings(database_url=database_url, proof_seconds=0)
    async with (
        running_site(settings) as site,
        visiting(site) as owner,
        visiting(site) as friend,
    ):
        game = (await owner.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
        await owner.post(f"/games/{game}/together/share")
        table = f"/api/v1/games/{game}/together"
        invitation = (await owner.get(table)).json()["invitation"]
        (await friend.post(f"/api/v1{invitation}")).raise_for_status()
        await owner.put(f"/api/v1/games/{game}/audience", json={"audience": "nobody"})
        token = friend.cookies["fd_session"]
        async with listening(site, game, cookie=f"fd_session={token}") as (stream, listens):
            await stream.until('"version": ')
            await asyncio.sleep(0.5)
            assert not listens.done()
            found = await site.state.services.of(Sessions).find(token)
            removed = await owner.post(f"{table}/unseat", json={"player": found.player.id})
            assert removed.status_code == 200
            async with asyncio.timeout(PATIENCE):
                await listens
