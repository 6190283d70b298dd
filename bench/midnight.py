"""The minute of midnight: 2,000 players begin the new daily deal in ten seconds, on two processes and PostgreSQL."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from http import HTTPStatus
from time import perf_counter, sleep
from typing import Final

import httpx

from bench.delivery import cpu_seconds
from bench.load import post
from bench.report import Figure, at_most
from bench.tables import two_processes
from tests.support.postgres import NoServerError

_PLAYERS: Final = 2_000
_SECONDS: Final = 10.0
_RULESET: Final = "bristol"
_PATIENCE: Final = 60.0


@dataclass(slots=True)
class Burst:
    """What the players got: milliseconds until the cards lay there, games, and failures."""

    times_ms: list[float] = field(default_factory=list)
    games: set[str] = field(default_factory=set)
    failures: list[str] = field(default_factory=list)


def run() -> Iterator[Figure]:
    """Begin, each player with a connection and a session of their own."""
    try:
        with ExitStack() as stack:
            site = two_processes(stack, FAIRDEAL_TRUSTED_PROXIES="127.0.0.1")
            path = _wait_for_the_deal(site[0].port)
            used = sum(cpu_seconds(process.pid) for process in site)
            burst = asyncio.run(_begin(path, [process.port for process in site]))
            cpu = sum(cpu_seconds(process.pid) for process in site) - used
    except NoServerError as reason:
        print(f"     (not measured: {reason})")
        return
    times = sorted(burst.times_ms)
    told = f"p50 {times[len(times) // 2]:.0f} ms, {cpu / _PLAYERS * 1000:.1f} ms of processor time each"
    failures = burst.failures
    yield at_most("starts that failed", len(failures), 0, failures[0] if failures else told)
    yield at_most("players without a game of their own", _PLAYERS - len(burst.games), 0, told)
    yield at_most(
        "99 of 100 have their cards after", times[len(times) * 99 // 100], 3_000, told, " ms"
    )


def _wait_for_the_deal(port: int) -> str:
    """The address of today's deal, once there is one."""
    base = f"http://127.0.0.1:{port}/api/v1/daily"
    deadline = perf_counter() + _PATIENCE
    while perf_counter() < deadline:
        found = httpx.get(base).raise_for_status().json()
        if any(deal["ruleset"] == _RULESET for deal in found["deals"]):
            return f"/api/v1/daily/{found['day']}/{_RULESET}/attempt"
        sleep(0.5)
    raise TimeoutError("There was no deal in time.")


async def _begin(path: str, ports: list[int]) -> Burst:
    burst = Burst()
    begun = asyncio.get_running_loop().time()

    async def one(number: int) -> None:
        await asyncio.sleep(
            begun + number * _SECONDS / _PLAYERS - asyncio.get_running_loop().time()
        )
        before = perf_counter()
        try:
            status, body = await _post(ports[number % len(ports)], path, number)
        except (OSError, EOFError) as error:
            burst.failures.append(repr(error))
            return
        burst.times_ms.append((perf_counter() - before) * 1000)
        if status == HTTPStatus.CREATED:
            burst.games.add(str(json.loads(body)["id"]))
        else:
            burst.failures.append(f"{status} {body[:200].decode()}")

    await asyncio.gather(*map(one, range(_PLAYERS)))
    return burst


async def _post(port: int, path: str, number: int) -> tuple[int, bytes]:
    """Send a request without a body over a connection of its own, as a proxy would for a network of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        network = f"X-Forwarded-For: 10.{number // 250}.{number % 250}.1"
        writer.write(post(path, "application/json", b"", ["Connection: close", network]))
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        return int(head.split()[1]), body
    finally:
        writer.close()
