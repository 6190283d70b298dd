"""A stream as its reader meets it, and as a reader who misbehaves does."""

from __future__ import annotations

import asyncio

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.http import sse
from app.settings import Settings
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


async def test_a_stream_begins_with_a_pause_to_keep_and_the_version_of_today(
    site: FastAPI, game: str
):
    async with listening(site, game) as (stream, _):
        await stream.until('id: 0\ndata: {"version": 0}\n\n')
        assert stream.text.startswith("retry: ")


async def test_who_names_the_last_event_is_told_only_of_later_ones(
    site: FastAPI, visitor: AsyncClient, game: str
):
    async with listening(site, game, last_event_id="0") as (stream, _):
        await stream.until("retry")
        await asyncio.sleep(0.1)
        await deal(visitor, game, 0)
        await stream.until('"version": 1')
        assert '"version": 0' not in stream.text


async def test_a_quiet_stream_beats(site: FastAPI, game: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sse, "BEAT_EVERY", 0.05)
    async with listening(site, game) as (stream, _):
        await stream.until("event: beat\ndata: {}\n\nevent: beat")


async def test_a_reader_that_was_slow_gets_the_newest_and_not_what_was_between(
    site: FastAPI, visitor: AsyncClient, game: str
):
    async with listening(site, game) as (stream, _):
        await stream.until('"version": 0')
        stream.reads.clear()
        for version in range(4):
            await deal(visitor, game, version)
            await asyncio.sleep(0.08)
        stream.reads.set()
        await stream.until('"version": 4')
        assert '"version": 2' not in stream.text
        assert '"version": 3' not in stream.text


async def test_a_reader_that_never_reads_is_let_go(
    site: FastAPI, visitor: AsyncClient, game: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sse, "BEAT_EVERY", 0.05)
    monkeypatch.setattr(sse, "_GIVE_UP_AFTER", 0.2)
    async with listening(site, game) as (stream, task):
        await stream.until('"version": 0')
        stream.reads.clear()
        await deal(visitor, game, 0)
        async with asyncio.timeout(5):
            await task


async def test_whoever_hangs_up_is_forgotten(site: FastAPI, game: str):
    async with listening(site, game) as (stream, task):
        await stream.until('"version": 0')
        stream.hung_up.set()
        async with asyncio.timeout(5):
            await task
    assert not list(site.state.services.pubsub._bell.by_kind())
    assert not site.state.services.stream_limits._open


async def test_one_too_many_is_refused_and_room_is_made_by_leaving(tmp_path):
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


async def test_one_player_may_have_fewer_than_one_address(tmp_path):
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
            async with listening(site, game) as (somebody_else, _):
                await somebody_else.until('"version": 0')


async def test_a_site_that_stops_lets_its_streams_go(site: FastAPI, game: str):
    async with listening(site, game) as (stream, task):
        await stream.until('"version": 0')
        site.state.services.pubsub.dismiss_all()
        async with asyncio.timeout(5):
            await task


async def test_viewers_are_counted_and_the_player_is_none_of_them(
    site: FastAPI, visitor: AsyncClient, game: str
):
    cookie = f"fd_session={visitor.cookies['fd_session']}"
    async with listening(site, game, cookie=cookie) as (player, _):
        await player.until('"version": 0')
        async with listening(site, game) as (viewer, _):
            await viewer.until('event: here\ndata: {"viewers": 1, "players": 0}')
            await player.until('"viewers": 1')
        await player.until('"viewers": 0')
