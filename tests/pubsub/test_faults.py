"""Two processes on PostgreSQL under a small load while faults are injected: every page ends at the right version.

A page is modelled like the browser's: it listens, requests newer versions, ignores older ones, and polls. A player
repeats an action with its idempotency key until it is acknowledged.
"""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from tests.support.patience import PATIENCE
from tests.support.processes import free_port, serve, wait_until_ready

pytestmark = pytest.mark.anyio

PLAYERS = 4
LIMITS = httpx.Limits(max_keepalive_connections=0)  # a new connection may lead to another process
# What a request raises when its connection breaks. If a process is killed between accepting a connection and reading
# from it, httpx asks for the address of a socket that is gone, and lets the error through as it is.
BROKEN = (httpx.HTTPError, OSError, AttributeError)


class Process:
    """A server process that can be killed and restarted on its port."""

    def __init__(self, url: str, log: Path) -> None:
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self._settings = {"DATABASE_URL": url, "FAIRDEAL_LOG_LEVEL": "error"}
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        self._process = serve(self.port, self._log, self._settings)
        await asyncio.to_thread(wait_until_ready, self.port, self._process, self._log)

    def kill(self) -> None:
        if self._process and self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()


class Table:
    """A game, and its last acknowledged version."""

    def __init__(self, processes: list[Process], number: int) -> None:
        self.processes = processes
        self.chance = random.Random(number)
        self.client = httpx.AsyncClient(timeout=PATIENCE, limits=LIMITS)
        self.state: dict[str, Any] = {}
        self.accepted: list[str] = []

    def anywhere(self) -> str:
        return self.chance.choice(self.processes).base

    async def begin(self) -> None:
        answer = await self.client.post(
            f"{self.anywhere()}/api/v1/games", json={"ruleset": "bristol"}
        )
        self.state = answer.raise_for_status().json()

    async def play(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            version = self.state["version"]
            word, body = "moves", {"version": version}
            if self.state["can_undo"] and self.chance.random() < 0.4:
                word = "undo"
            else:
                body |= {"move": self.chance.choice(self.state["legal_moves"])}
            key = {"Idempotency-Key": f"{version}-{self.chance.random()}"}
            while True:
                path = f"/api/v1/games/{self.state['id']}/{word}"
                try:
                    answer = await self.client.post(self.anywhere() + path, json=body, headers=key)
                except BROKEN:
                    await asyncio.sleep(0.05)
                    continue
                if answer.status_code < 500:
                    break
                await asyncio.sleep(0.05)
            assert answer.status_code == 200, answer.text
            self.state = answer.json()
            assert self.state["version"] == version + 1
            self.accepted.append(str(body.get("move", word)))
            await asyncio.sleep(0.05)


class Page:
    """The state of a page in a browser."""

    def __init__(self, table: Table, number: int) -> None:
        self.table = table
        self.chance = random.Random(number)
        self.version = -1
        self.streams = 0
        self.last_answer = "none yet"
        self.notified = asyncio.Event()
        self.client = httpx.AsyncClient(timeout=httpx.Timeout(PATIENCE), limits=LIMITS)
        self.streaming: asyncio.Task[None] | None = None

    def __str__(self) -> str:
        due = self.table.state["version"]
        return f"{self.version} of {due}, {self.streams} streams, last answer: {self.last_answer}"

    @property
    def is_right(self) -> bool:
        return self.version == int(self.table.state["version"])

    async def live(self) -> None:
        await asyncio.gather(self._listen(), self._look())

    def lose_stream(self) -> None:
        if self.streaming:
            self.streaming.cancel()

    async def _listen(self) -> None:
        while True:
            self.streaming = asyncio.create_task(self._stream())
            await asyncio.wait([self.streaming])
            await asyncio.sleep(0.1)

    async def _stream(self) -> None:
        base = self.chance.choice(self.table.processes).base
        path = f"{base}/api/v1/games/{self.table.state['id']}/stream"
        with suppress(*BROKEN):
            async with self.client.stream("GET", path) as answer:
                answer.raise_for_status()
                self.streams += 1
                async for line in answer.aiter_lines():
                    # Whatever the notice says, the page requests the change; a second request does no harm.
                    if line.startswith("data: ") and "version" in line:
                        self.notified.set()

    async def _look(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(2):
                    await self.notified.wait()
            self.notified.clear()
            base = self.chance.choice(self.table.processes).base
            path = f"{base}/api/v1/games/{self.table.state['id']}?since={self.version}"
            try:
                answer = await self.client.get(path)
            except BROKEN as error:
                self.last_answer = repr(error)
                continue
            self.last_answer = f"{answer.status_code} from {base}"
            if answer.status_code == 200 and answer.json()["version"] > self.version:
                self.version = answer.json()["version"]


async def test_every_page_ends_at_the_right_version_whatever_breaks(
    postgres_url: str, tmp_path: Path
):
    processes = [Process(postgres_url, tmp_path / f"log{number}") for number in range(2)]
    async with AsyncExitStack() as stack:
        for process in processes:
            stack.callback(process.kill)
        await asyncio.gather(*(process.start() for process in processes))
        tables = [Table(processes, number) for number in range(PLAYERS)]
        for table in tables:
            await table.begin()
        pages = [Page(table, number) for number, table in enumerate(tables * 2)]
        living = [asyncio.create_task(page.live()) for page in pages]
        stop = asyncio.Event()
        playing = [asyncio.create_task(table.play(stop)) for table in tables]

        await moves(tables, playing)
        for page in pages[::2]:
            page.lose_stream()
        await moves(tables, playing)
        kill_connections(postgres_url)
        await moves(tables, playing)
        processes[0].kill()
        await moves(tables, playing)
        processes[1].kill()  # and with it the whole site, between commits and pushes
        await asyncio.gather(*(process.start() for process in processes))
        await moves(tables, playing)

        stop.set()
        await asyncio.gather(*playing)
        await settled(pages, living)
        await nothing_is_lost(tables)
        assert all(page.streams > 1 for page in pages)
        for task in living:
            task.cancel()
        await asyncio.gather(*living, return_exceptions=True)
        for client in [page.client for page in pages] + [table.client for table in tables]:
            await client.aclose()


async def moves(tables: list[Table], playing: list[asyncio.Task[None]]) -> None:
    """Wait until every player has made a few moves."""
    goals = [table.state["version"] + 4 for table in tables]
    async with asyncio.timeout(PATIENCE):
        while any(table.state["version"] < goal for table, goal in zip(tables, goals, strict=True)):
            for task in playing:
                if task.done():
                    await task
            await asyncio.sleep(0.05)


def kill_connections(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


async def settled(pages: list[Page], living: list[asyncio.Task[None]]) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while not all(page.is_right for page in pages):
                for task in living:
                    if task.done():  # such a page would never look again
                        await task
                await asyncio.sleep(0.05)
    await asyncio.sleep(0.3)
    assert [str(page) for page in pages if not page.is_right] == []


async def nothing_is_lost(tables: list[Table]) -> None:
    for table in tables:
        path = f"{table.anywhere()}/api/v1/games/{table.state['id']}"
        assert (await table.client.get(path)).json() == table.state
        log = (await table.client.get(f"{path}/events")).json()
        assert [entry["action"] for entry in log] == table.accepted
