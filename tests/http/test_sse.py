"""Event streams, with clients that read, read slowly, do not read, and disconnect."""

from __future__ import annotations

import asyncio

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.games.topics import game_topic
from app.http import sse
from app.settings import Settings
from tests.support.patience import PATIENCE, until
from tests.support.serving import running_site, visiting
from tests.support.streams import listening

pytestmark = pytest.mark.anyio


@pytest.fixture
async def game(visitor: AsyncClient) -> str:
    answer = await visitor.post("/api/v1/games", json={"ruleset": "bristol"})
    game: str = answer.json()["id"]
    return game


async def deal(visitor: AsyncClient, game: str, version: int) -> None:
    move = {"version": version, "move": "deal"}
    (await visitor.post(f"/api/v1/games/{game}/moves", json=move)).raise_for_status()


async def test_a_stream_begins_with_the_retry_time_and_the_current_version(
    site: FastAPI, game: str
):
    async with listening(site, game) as (stream, _):
        await stream.until('id: 0\ndata: {"version": 0}\n\n')
        assert stream.text.startswith("retry: ")


async def test_with_a_last_event_id_only_later_ones_are_sent(
    site: FastAPI, visitor: AsyncClient, game: str
):
    async with listening(site, game, last_event_id="0") as (stream, _):
        await stream.until("retry")
        await asyncio.sleep(0.1)
        await deal(visitor, game, 0)
        await stream.until('"version": 1')
        assert '"version": 0' not in stream.text


async def test_a_heartbeat_says_again_which_version_is_the_newest(
    site: FastAPI, visitor: AsyncClient, game: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 0.05)

    def beat(version: int) -> str:
        return f'event: beat\ndata: {{"versions": {{"table:{game}": {version}}}}}\n\n'

    async with listening(site, game, last_event_id="7") as (stream, _):
        await stream.until(2 * beat(0))
        await deal(visitor, game, 0)
        await stream.until(beat(1))
        assert "id: " not in stream.text  # by its own word this page has seen more than there is


async def test_a_slow_client_skips_outdated_notices(site: FastAPI, visitor: AsyncClient, game: str):
    hub, topic = site.state.services.pubsub._hub, game_topic(game)
    async with listening(site, game) as (stream, _):
        await stream.until('"version": 0')
        stream.reads.clear()
        await deal(visitor, game, 0)
        await stream.is_held.wait()
        for version in range(1, 4):
            await deal(visitor, game, version)
        await until(lambda: hub.version(topic) == 4)
        stream.reads.set()
        await stream.until('"version": 4')
        assert '"version": 1' in stream.text
        assert '"version": 2' not in stream.text
        assert '"version": 3' not in stream.text


async def test_a_client_that_never_reads_is_disconnected(
    site: FastAPI, visitor: AsyncClient, game: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(sse, "_WRITE_TIMEOUT", 0.2)
    async with listening(site, game) as (stream, task):
        await stream.until('"version": 0')
        stream.reads.clear()
        await deal(visitor, game, 0)
        async with asyncio.timeout(PATIENCE):
            await task


async def test_a_disconnected_client_is_forgotten(site: FastAPI, game: str):
    async with listening(site, game) as (stream, task):
        await stream.until('"version": 0')
        stream.disconnected.set()
        async with asyncio.timeout(PATIENCE):
            await task
    assert not list(site.state.services.pubsub._hub.ids_by_kind())
    assert not site.state.services.stream_limits._open


async def test_one_stream_too_many_is_refused_until_another_closes(tmp_path):
    settings = Settings(
        database_url=f"sqlite:///{tmp_path}/few.db", streams_per_address=2, proof_seconds=0
    )
    async with running_site(settings) as site, visiting(site) as visitor:
        answer = await visitor.post("/api/v1/games", json={"ruleset": "bristol"})
        game = answer.json()["id"]
        async with listening(site, game) as (first, _), listening(site, game) as (second, _):
            await first.until('"version": 0')
            await second.until('"version": 0')
            async with listening(site, game) as (third, _):
                await third.until("rate_limited")
                assert third.status == 429
        async with listening(site, game) as (fourth, _):
            await fourth.until('"version": 0')


async def test_the_limit_per_player_can_be_lower_than_per_address(tmp_path):
    settings = Settings(
        database_url=f"sqlite:///{tmp_path}/few.db", streams_per_player=1, proof_seconds=0
    )
    async with running_site(settings) as site, visiting(site) as visitor:
        answer = await visitor.post("/api/v1/games", json={"ruleset": "bristol"})
        game = answer.json()["id"]
        cookie = f"fd_session={visitor.cookies['fd_session']}"
        async with listening(site, game, cookie=cookie) as (first, _):
            await first.until('"version": 0')
            async with listening(site, game, cookie=cookie) as (second, _):
                await second.until("rate_limited")
            async with listening(site, game) as (another_client, _):
                await another_client.until('"version": 0')


async def test_streams_end_when_the_site_stops(site: FastAPI, game: str):
    async with listening(site, game) as (stream, task):
        await stream.until('"version": 0')
        site.state.services.pubsub.close_subscribers()
        async with asyncio.timeout(PATIENCE):
            await task


async def test_spectators_are_counted_without_the_player(
    site: FastAPI, visitor: AsyncClient, game: str
):
    cookie = f"fd_session={visitor.cookies['fd_session']}"
    async with listening(site, game, cookie=cookie) as (player, _):
        await player.until('"version": 0')
        async with listening(site, game) as (viewer, _):
            await viewer.until('event: here\ndata: {"viewers": 1, "players": 0}')
            await player.until('"viewers": 1')
        await player.until('"viewers": 0')
