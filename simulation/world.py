"""The world of one seed: its processes, faults, time and database, and what its people tell each other."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from app.clock import day_of
from simulation import moderation
from simulation.alarms import Alarms
from simulation.chaos import Chaos
from simulation.client import Client, Listener
from simulation.fleet import Fleet
from simulation.ledger import Ledger
from simulation.loop import VirtualLoop
from simulation.network import ConnectionLostError, Network
from simulation.trace import Trace, Violation
from simulation.wall_clock import WallClock


class World:
    """Everything of one seed. Use it once."""

    def __init__(self, seed: int, folder: Path, *, keep_all: bool = False) -> None:
        self.seed = seed
        self.path = folder / f"seed-{seed}.db"
        self.trace = Trace(keep_all=keep_all)
        self.ledger = Ledger()
        self.chaos = Chaos(self.stream("chaos"))
        self.loop = VirtualLoop(self.stream("loop"), self.chaos)
        self.network = Network(self.chaos, self.stream("network"), self.trace)
        self.alarms = Alarms(self.network, self.reading)
        self.clock = WallClock(self.loop, self.trace, self.stream("start"))
        self.fleet = Fleet(
            self.path,
            self.network,
            self.trace,
            self.clock,
            self.chaos,
            stream=self.stream,
            guarded=self.guarded,
        )
        self.offers: defaultdict[str, list[str]] = defaultdict(list)
        self.listeners: list[tuple[str, Listener]] = []
        self._seeds: dict[str, bytes | None] = {}
        self._ended: list[str] = []
        self._reader: sqlite3.Connection | None = None

    # --- for people

    def stream(self, name: str) -> Random:
        """A source of randomness of its own, so that one part does not disturb another."""
        return Random(f"{self.seed}/{name}")

    def now(self) -> float:
        """Virtual seconds since the start."""
        return self.loop.time()

    def offer(self, kind: str, name: str) -> None:
        """Tell the others of a game, a room, a table or a challenge."""
        if name:
            self.offers[kind].append(name)

    def find(self, kind: str, chance: Random) -> str | None:
        """One of those that others offered, recent ones more often."""
        known = self.offers[kind]
        return chance.choice(known[-3:]) if known else None

    def listen(self, topic: str, listener: Listener, player_id: str) -> None:
        """Keep a stream of a player open until the end; its version must become that of the topic."""
        listener.player_id = player_id
        self.listeners.append((topic, listener))

    def ended(self, token: str) -> None:
        """A session was replaced: some seconds later no process takes its token any more."""
        self._ended.append(token)

    def day_of_all(self) -> str | None:
        """The day, if it is the same by every clock; ``None`` around midnight."""
        margin = 20_000
        days = {
            day_of(int(process.wall_ms()) + shift)
            for process in self.network.processes
            for shift in (-margin, margin)
        }
        return days.pop().isoformat() if len(days) == 1 else None

    def seed_of(self, game_id: str) -> bytes | None:
        """The secret seed of a game: simulated people may look into the cards."""
        if game_id not in self._seeds:
            with self.reading() as connection:
                row = connection.execute(
                    "SELECT seed FROM games WHERE id = ?", (game_id,)
                ).fetchone()
            self._seeds[game_id] = row[0] if row else None
        return self._seeds[game_id]

    def follows(self, game_id: str, line: tuple[str, ...]) -> bool:
        """Whether the log of a game is the beginning of a line of play."""
        log = self._log_of(game_id)
        return log == line[: len(log)]

    def progress(self, game_id: str, line: tuple[str, ...]) -> int | None:
        """How many steps of a line of play are in effect, after those taken back; ``None`` when the game left it."""
        done: list[str] = []
        for action in self._log_of(game_id):
            if action == "undo":
                done.pop()
            else:
                done.append(action)
        return len(done) if tuple(done) == line[: len(done)] else None

    def _log_of(self, game_id: str) -> tuple[str, ...]:
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT action FROM events WHERE game_id = ? ORDER BY seq", (game_id,)
            )
            return tuple(row[0] for row in rows)

    async def sign_out(self, client: Client) -> None:
        """A client signs out: the process that said so takes the token no more, soon no process does."""
        token = client.cookies["fd_session"]
        answer = await client.insist("POST", "/me/sign-out")
        if answer.is_ok:
            self.ended(token)
            await self._check_ended(token, answer.process)

    def merged(self, guest_id: str, player_id: str) -> None:
        """A guest has become a player with a name."""
        for game_id, owner_id in self.ledger.games.items():
            if owner_id == guest_id:
                self.ledger.games[game_id] = player_id
        self.ledger.merge(guest_id)

    async def moderate(self, chance: Random) -> None:
        """A moderator hides a result or restores one."""
        ready = self.fleet.ready()
        if ready:
            process = chance.choice(ready)
            work = moderation.decide(process.services, self.ledger, chance, self.path)
            task: asyncio.Task[None] = process.spawn(work)
            await asyncio.wait([task], timeout=60.0)

    # --- from outside

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection to look into the database from outside."""
        if self._reader is None:
            self._reader = sqlite3.connect(self.path, isolation_level=None)
        yield self._reader

    def fail(self, violation: Violation) -> None:
        """Note the first violation and end the run."""
        self.alarms.fail(violation)

    @property
    def violation(self) -> Violation | None:
        """The first violation that was found."""
        return self.alarms.violation

    async def guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        """Work whose failure is a violation."""
        try:
            await work()
        except Violation as violation:
            self.fail(violation)
        except Exception as error:
            self.fail(Violation("the simulation works", f"{type(error).__name__}: {error}"))
            logging.getLogger("simulation").exception("The simulation itself failed")

    async def check_ended_sessions(self) -> None:
        """In the end no process takes the token of a session that has ended."""
        for token in self._ended:
            for process in self.network.processes:
                await self._check_ended(token, process.number)

    async def _check_ended(self, token: str, process: int) -> None:
        try:
            asked = await self.network.request(
                "an old session",
                "192.0.2.97",
                "GET",
                "/api/v1/me",
                headers={"authorization": f"Bearer {token}"},
                process=process,
            )
        except ConnectionLostError:
            return  # it has died since
        if asked.is_ok:
            raise Violation("an ended session stays ended", f"{asked.json}")
