"""Two operating system processes send reminders to a fake push service, and one of them is killed in the middle."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from sqlalchemy import create_engine, insert, select

from app.db.schema import players, push_reminders
from tests.reminders.sending_process import START_MS
from tests.support.dailies import DAY
from tests.support.patience import PATIENCE
from tests.support.push import Browser

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
COUNT = 10_000
KILLED_AFTER = 2_000
PORTION = 32


class FakePushService:
    """An HTTP server that counts messages, and kills who sends one of them before it answers."""

    def __init__(self) -> None:
        self.received: Counter[str] = Counter()
        self.topics: defaultdict[str, set[str]] = defaultdict(set)
        self.senders: Counter[str] = Counter()
        self.killed = ""
        self.port = 0

    async def start(self) -> asyncio.Server:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                fields = {
                    name.lower(): value
                    for name, _, value in (line.partition(": ") for line in head[1:])
                }
                await reader.readexactly(int(fields["content-length"]))
                name = head[0].split()[1].rpartition("/")[2]
                self.received[name] += 1
                self.topics[name].add(fields["topic"])
                self.senders[fields["x-sender"]] += 1
                if not self.killed and self.received.total() == KILLED_AFTER:
                    self.killed = fields["x-sender"]
                    os.kill(int(self.killed), signal.SIGKILL)
                    return
                writer.write(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


def add_reminders(url: str) -> None:
    browser = Browser()
    found = browser.subscription
    engine = create_engine(url)
    names = [f"p{number:05}" for number in range(COUNT)]
    with engine.begin() as connection:
        connection.execute(
            insert(players), [{"id": name, "name": name, "created_ms": 0} for name in names]
        )
        rows = [
            {
                "id": name,
                "player_id": name,
                "endpoint": Browser(name, key=browser.key).endpoint,
                "public_key": found.public_key,
                "auth": found.auth,
                "hour": 14,
                "zone": "UTC",
                "device": "",
                "made_ms": 0,
                "due_ms": START_MS,
                "next_ms": START_MS,
                "begun": 0,
                "refused": 0,
            }
            for name in names
        ]
        connection.execute(insert(push_reminders), rows)
    engine.dispose()


def start(*command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, cwd=ROOT)


def is_all_noted(url: str) -> bool:
    engine = create_engine(url)
    with engine.connect() as connection:
        open_ = select(push_reminders.c.id).where(push_reminders.c.next_ms == START_MS)
        found = connection.execute(open_.limit(1)).one_or_none()
    engine.dispose()
    return found is None


async def test_none_is_missed_and_none_repeated_twice_when_a_process_is_killed(sqlite_url: str):
    await asyncio.to_thread(add_reminders, sqlite_url)
    service = FakePushService()
    server = await service.start()
    command = [
        sys.executable,
        "-m",
        "tests.reminders.sending_process",
        sqlite_url,
        str(service.port),
    ]
    command.append(str(time.time()))
    processes = [start(*command) for _ in range(2)]
    try:
        until = time.monotonic() + PATIENCE
        while not await asyncio.to_thread(is_all_noted, sqlite_url):
            assert time.monotonic() < until, len(service.received)
            await asyncio.sleep(0.2)
    finally:
        for process in processes:
            process.kill()
            process.wait()
        server.close()
    (dead,) = [process for process in processes if str(process.pid) == service.killed]
    assert dead.returncode == -signal.SIGKILL
    assert len(service.received) == COUNT
    repeated = [name for name, count in service.received.items() if count > 1]
    assert 1 <= len(repeated) <= PORTION
    assert max(service.received.values()) == 2
    assert set().union(*service.topics.values()) == {f"daily-{DAY:%Y%m%d}"}
    assert len(service.senders) == 2
