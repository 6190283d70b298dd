"""Simulated players and spectators on several processes; each request goes to a random process."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Sequence
from contextlib import aclosing, suppress
from time import perf_counter
from typing import Any, Final, Protocol

from bench.http_client import CONNECTION_LOST, HttpConnection, Response, read_number, stream_lines

_SETTLE: Final = 0.2  # seconds that a page waits for the change after a notice
_POLL_WITHOUT_STREAM: Final = 5.0  # seconds


class Cluster:
    """Connections to every process of the site; each request uses a random one."""

    def __init__(
        self, ports: Sequence[int], chance: random.Random, like: Cluster | None = None
    ) -> None:
        """With ``like``, the connections of another one are shared."""
        self.ports = ports
        self.chance = chance
        self.connections: list[HttpConnection] = (
            like.connections if like else [HttpConnection(port) for port in ports]
        )

    async def request(
        self, method: str, path: str, body: object = None, **headers: str
    ) -> Response:
        """Send a request to a random process."""
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        return await self.chance.choice(self.connections).request(method, path, body, named)

    def close(self) -> None:
        """Close every connection."""
        for connection in self.connections:
            connection.close()


class Player:
    """Plays random moves at regular intervals and records what was acknowledged."""

    def __init__(
        self,
        ports: Sequence[int],
        number: int,
        *,
        repeats: bool = False,
        like: Cluster | None = None,
    ) -> None:
        """With ``repeats``, a request is sent again with its idempotency key until it is acknowledged."""
        self.chance = random.Random(number)
        self.cluster = Cluster(ports, self.chance, like)
        self.repeats = repeats
        self.state: dict[str, Any] = {}
        self.accepted: list[str] = []
        self.times_ms: list[float] = []
        self.failures: list[str] = []
        self._cookie = ""

    @property
    def path(self) -> str:
        """The path of the game."""
        return f"/api/v1/games/{self.state['id']}"

    async def begin(self) -> None:
        """Start a game."""
        answer = await self.cluster.request(
            "POST", "/api/v1/games", {"ruleset": "bristol", "deal": "any"}
        )
        self.state, self._cookie = json.loads(answer.body), answer.cookie

    async def play(self, every: float, stop: asyncio.Event) -> None:
        """Play until ``stop`` is set."""
        due = perf_counter() + every * self.chance.random()
        while not stop.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, due - perf_counter())):
                    await stop.wait()
                return
            due += every
            await self._move()

    async def _move(self) -> None:
        version, moves = self.state["version"], self.state["legal_moves"]
        word, body = "moves", {"version": version}
        if self.state["can_undo"] and (not moves or self.chance.random() < 0.4):
            word = "undo"
        else:
            body["move"] = self.chance.choice(moves)
        begun = perf_counter()
        answer = await self._acknowledged(f"{self.path}/{word}", body, f"key-{version:08}")
        if answer is None or answer.status != 200:
            self.failures.append(str(answer)[:200])
            return
        self.times_ms.append(1000 * (perf_counter() - begun))
        self.state = json.loads(answer.body)
        self.accepted.append(str(body.get("move", word)))

    async def _acknowledged(self, path: str, body: object, key: str) -> Response | None:
        while True:
            with suppress(*CONNECTION_LOST):
                answer = await self.cluster.request(
                    "POST", path, body, Cookie=self._cookie, Idempotency_Key=key
                )
                if answer.status < 500 or not self.repeats:
                    return answer
            if not self.repeats:
                return None
            await asyncio.sleep(0.1)

    async def is_kept(self) -> bool:
        """Whether the site has stored everything that was acknowledged, and nothing else."""
        shown = await self.cluster.request("GET", self.path)
        log = await self.cluster.request("GET", f"{self.path}/events")
        actions = [entry["action"] for entry in json.loads(log.body)]
        known: dict[str, Any] = json.loads(shown.body)
        return actions == self.accepted and known["version"] == len(self.accepted)


class Watched(Protocol):
    """A game as a viewer needs it."""

    @property
    def path(self) -> str:
        """The path of the game."""
        ...

    @property
    def cluster(self) -> Cluster:
        """Connections for what is asked besides the stream."""
        ...


class Viewer:
    """Follows a table like the page of a spectator: event stream, requests and polling."""

    def __init__(self, ports: Sequence[int], game: Watched, number: int) -> None:
        self.game = game
        self.known = 0
        self.streams = 0
        self.asked = 0
        # Streams have connections of their own; for the rest the connections of the player will do.
        self._cluster = Cluster(ports, random.Random(f"viewer {number}"), game.cluster)
        self._is_listening = False
        self._streaming: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def follow(self) -> None:
        """Listen, request changes, and poll."""
        polling = asyncio.create_task(self._poll())
        try:
            while True:
                self._streaming = asyncio.create_task(self._listen())
                await asyncio.wait({self._streaming})
                self._is_listening = False
                await asyncio.sleep(1)
        finally:
            polling.cancel()
            if self._streaming:
                self._streaming.cancel()

    def lose_stream(self) -> None:
        """Break the stream."""
        if self._streaming:
            self._streaming.cancel()

    async def _listen(self) -> None:
        path = f"{self.game.path}/stream?since={self.known}"
        port = self._cluster.chance.choice(self._cluster.ports)
        with suppress(*CONNECTION_LOST):
            async with aclosing(stream_lines(port, path)) as said:
                async for line in said:
                    if line.startswith(b"retry: "):
                        self.streams += 1
                        self._is_listening = True
                    elif line.startswith(b'data: {"version"'):
                        self._on_notice(read_number(line, b"version"))
                    elif line.startswith(b'data: {"versions": {"'):  # a heartbeat that knows one
                        self._on_notice(int(line.rstrip(b"} \n").rpartition(b" ")[2]))
                    elif (
                        line.startswith(b'data: {"from"')
                        and read_number(line, b"from") == self.known
                    ):
                        self.known = read_number(line, b"version")

    def _on_notice(self, version: int) -> None:
        if version > self.known:
            asyncio.get_running_loop().call_later(_SETTLE, self._check, version)

    def _check(self, version: int) -> None:
        if version > self.known:
            task = asyncio.create_task(self._request())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _request(self) -> None:
        self.asked += 1
        with suppress(*CONNECTION_LOST):
            answer = await self._cluster.request("GET", f"{self.game.path}?since={self.known}")
            if answer.status == 200:
                self.known = max(self.known, json.loads(answer.body)["version"])

    async def _poll(self) -> None:
        # Spread the polls, as real pages would, which were not all opened at once.
        await asyncio.sleep(_POLL_WITHOUT_STREAM * self._cluster.chance.random())
        while True:
            await asyncio.sleep(_POLL_WITHOUT_STREAM)
            if not self._is_listening:
                await self._request()


async def count_behind(
    viewers: Sequence[Viewer], last: Callable[[Viewer], int], patience: float
) -> int:
    """Count the spectators that still lack the ``last`` version of their table after ``patience`` seconds."""
    until = perf_counter() + patience
    while True:
        late = sum(viewer.known != last(viewer) for viewer in viewers)
        if not late or perf_counter() > until:
            return late
        await asyncio.sleep(0.1)
