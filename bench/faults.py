"""The same tables while a process, all database connections and half of the event streams are killed."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import psycopg

from bench import servers
from bench.report import Figure, at_least, at_most
from bench.simulation import Player, Viewer
from bench.tables import TABLES, postgres, simulate
from tests.support.postgres import NoServerError

_PAUSE = 10.0  # seconds between faults


def run() -> Iterator[Figure]:
    """Play and watch while faults are injected; no acknowledged move may be lost."""
    try:
        with ExitStack() as stack:
            url = postgres(stack)
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            settings = {"DATABASE_URL": url, "FAIRDEAL_LOG_LEVEL": "error"}
            first, second = (
                stack.enter_context(servers.started_site(folder, None, **settings)) for _ in "12"
            )

            async def break_everything(
                _players: Sequence[Player], viewers: Sequence[Viewer]
            ) -> None:
                await asyncio.sleep(_PAUSE)
                os.kill(first.pid, signal.SIGKILL)
                await asyncio.sleep(_PAUSE)
                again = servers.started_site(folder, first.port, **settings)
                await asyncio.to_thread(stack.enter_context, again)
                await asyncio.sleep(_PAUSE)
                await asyncio.to_thread(_end_connections, url)
                await asyncio.sleep(_PAUSE)
                for viewer in viewers[::2]:
                    viewer.lose_stream()
                await asyncio.sleep(_PAUSE)

            ports = [first.port, second.port]
            simulation = asyncio.run(simulate(ports, break_everything, repeats=True))
    except NoServerError as reason:
        print(f"     (not measured: {reason})")
        return
    failures = simulation.failures
    detail = failures[0] if failures else str(simulation)
    yield at_most("actions that were refused for good", len(failures), 0, detail)
    yield at_most("tables that lost an acknowledged move", simulation.lost, 0, "")
    yield at_most("viewers who were left behind", simulation.behind, 0, "")
    moved = sum(len(player.accepted) > 10 for player in simulation.players)
    yield at_least("tables that went on", moved / TABLES, 1, "")


def _end_connections(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
