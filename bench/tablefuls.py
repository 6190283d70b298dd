"""Tables with a player and those who look on, at several processes, each request to any of them."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from contextlib import aclosing, suppress
from time import perf_counter
from typing import Any, Final

from bench.wires import LOST, Answer, PostgresNotifier, lines, value

_SETTLE: Final = 0.2  # seconds that a page waits for the change behind a notice
_LOOK: Final = 5.0  # without a stream
_GLANCE: Final = 30.0  # with one


class Doors:
    """Ways into every process of the site; each request takes one by chance."""

    def __init__(self, ports: Sequence[int], chance: random.Random) -> None:
        self.ports = ports
        self.chance = chance
        self._wires = [PostgresNotifier(port) for port in ports]

    async def ask(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """A request to any process."""
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        return await self.chance.choice(self._wires).ask(method, path, body, named)

    def cut(self) -> None:
        """Let every connection go."""
        for wire in self._wires:
            wire.cut()


class Player:
    """Plays at random, every so many seconds, and writes down what was acknowledged."""

    def __init__(self, ports: Sequence[int], number: int, *, repeats: bool = False) -> None:
        """One who ``repeats`` sends a request again, with its key, until somebody acknowledges it."""
        self.chance = random.Random(number)
        self.doors = Doors(ports, self.chance)
        self.repeats = repeats
        self.state: dict[str, Any] = {}
        self.accepted: list[str] = []
        self.times_ms: list[float] = []
        self.failures: list[str] = []
        self._cookie = ""

    @property
    def path(self) -> str:
        """The address of the game."""
        return f"/api/v1/games/{self.state['id']}"

    async def begin(self) -> None:
        """Start a game."""
        answer = await self.doors.ask(
            "POST", "/api/v1/games", {"ruleset": "bristol", "deal": "any"}
        )
        self.state, self._cookie = json.loads(answer.body), answer.cookie

    async def play(self, every: float, stop: asyncio.Event) -> None:
        """Go on until told to stop."""
        due = perf_counter() + every * self.chance.random()
        while not stop.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), max(0.0, due - perf_counter()))
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

    async def _acknowledged(self, path: str, body: object, key: str) -> Answer | None:
        while True:
            with suppress(*LOST):
                answer = await self.doors.ask(
                    "POST", path, body, Cookie=self._cookie, Idempotency_Key=key
                )
                if answer.status < 500 or not self.repeats:
                    return answer
            if not self.repeats:
                return None
            await asyncio.sleep(0.1)

    async def is_kept(self) -> bool:
        """Whether the site knows everything that was acknowledged, and nothing else."""
        shown = await self.doors.ask("GET", self.path)
        log = await self.doors.ask("GET", f"{self.path}/events")
        actions = [entry["action"] for entry in json.loads(log.body)]
        known: dict[str, Any] = json.loads(shown.body)
        return actions == self.accepted and known["version"] == len(self.accepted)


class Viewer:
    """Knows of a table what a page does that somebody watches it on."""

    def __init__(self, ports: Sequence[int], player: Player, number: int) -> None:
        self.player = player
        self.known = 0
        self.streams = 0
        self.asked = 0
        self._doors = Doors(ports, random.Random(f"viewer {number}"))
        self._is_listening = False
        self._streaming: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def live(self) -> None:
        """Listen, ask, and look now and then."""
        looking = asyncio.create_task(self._look_now_and_then())
        try:
            while True:
                self._streaming = asyncio.create_task(self._listen())
                await asyncio.wait({self._streaming})
                self._is_listening = False
                await asyncio.sleep(1)
        finally:
            looking.cancel()
            if self._streaming:
                self._streaming.cancel()

    def lose_stream(self) -> None:
        """The stream breaks."""
        if self._streaming:
            self._streaming.cancel()

    async def _listen(self) -> None:
        path = f"{self.player.path}/stream?since={self.known}"
        port = self._doors.chance.choice(self._doors.ports)
        with suppress(*LOST):
            async with aclosing(lines(port, path)) as said:
                async for line in said:
                    if line.startswith(b"retry: "):
                        self.streams += 1
                        self._is_listening = True
                    elif line.startswith(b'data: {"version"'):
                        self._ring(value(line, b"version"))
                    elif line.startswith(b'data: {"from"') and value(line, b"from") == self.known:
                        self.known = value(line, b"version")

    def _ring(self, version: int) -> None:
        if version > self.known:
            asyncio.get_running_loop().call_later(_SETTLE, self._check, version)

    def _check(self, version: int) -> None:
        if version > self.known:
            task = asyncio.create_task(self._ask())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _ask(self) -> None:
        self.asked += 1
        with suppress(*LOST):
            answer = await self._doors.ask("GET", f"{self.player.path}?since={self.known}")
            if answer.status == 200:
                self.known = max(self.known, json.loads(answer.body)["version"])

    async def _look_now_and_then(self) -> None:
        # They came at their own times in life, if all at once here: they shall not look all at once, too.
        waited = _GLANCE * self._doors.chance.random()
        await asyncio.sleep(_LOOK * self._doors.chance.random())
        while True:
            await asyncio.sleep(_LOOK)
            waited += _LOOK
            if not self._is_listening or waited >= _GLANCE:
                waited = 0.0
                await self._ask()


async def behind(viewers: Sequence[Viewer], patience: float) -> int:
    """How many do not know the last version of their table, once there was time to hear of it."""
    until = perf_counter() + patience
    while True:
        late = sum(viewer.known != len(viewer.player.accepted) for viewer in viewers)
        if not late or perf_counter() > until:
            return late
        await asyncio.sleep(0.1)
