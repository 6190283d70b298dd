"""One seed: processes, people, faults and time, from the first request until everything has settled."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from app.clock import day_of
from simulation import invariants, leaks, moderation, sources
from simulation.alarms import Alarms
from simulation.chaos import Chaos
from simulation.client import Client, Listener
from simulation.explored import check_closed
from simulation.fleet import Fleet
from simulation.leagues import check_blind
from simulation.ledger import Acknowledged, Ledger
from simulation.loop import VirtualLoop
from simulation.network import Answer, ConnectionLostError, Network
from simulation.people.accounts import Named
from simulation.people.cast import cast_people
from simulation.people.person import Person
from simulation.settling import settle
from simulation.template import template
from simulation.trace import Trace, Violation
from simulation.wall_clock import WallClock

_LONGEST: Final = 900.0
"""Virtual seconds after which people stop."""


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
            guarded=self._guarded,
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

    def acknowledged(self, game_id: str, version: int, entry: Acknowledged, answer: Any) -> None:
        """An action was answered with 200: put it on record and look whether it is stored."""
        self.ledger.acknowledge(game_id, version, entry, answer)
        with self.reading() as connection:
            invariants.check_game(connection, self.ledger, game_id)

    def saw_board(self, person: Named, board: dict[str, Any], day: str, ruleset: str) -> None:
        """Somebody was shown a board."""
        attempt = self.ledger.attempts.get((person.player_id, day, ruleset))
        self.ledger.see_marks(board["rows"])
        if attempt and attempt.has_resigned and not board["final"]:
            raise Violation(
                "who resigned does not see the board before the day closes",
                f"{person.name} sees {ruleset} of {day}",
            )

    def saw_league(self, league: dict[str, Any], member: Client) -> None:
        """A member was shown a league."""
        self.ledger.members.append((league["link"], member))
        with self.reading() as connection:
            check_blind(connection, league)

    def saw_explored(self, day: str, ruleset: str) -> None:
        """Somebody was shown the explorer of a daily deal."""
        with self.reading() as connection:
            check_closed(connection, day, ruleset)

    def saw_room(self, room: dict[str, Any]) -> None:
        """Somebody was shown a race room."""
        leaks.check_room(room)

    def may_play(self, game_id: str, player_id: str) -> bool:
        """Whether a player owns a game or has a seat at it, as the database says."""
        with self.reading() as connection:
            return invariants.may_play(connection, game_id, player_id)

    def check_not_theirs(self, game_id: str, player_id: str, answer: Answer) -> None:
        """A player who may play, and could before, was told that the game is not theirs."""
        if self.may_play(game_id, player_id):
            raise Violation(
                "a game belongs to its player in every process",
                f"{player_id} gets {answer.code} for {game_id} from process {answer.process}",
            )

    async def sign_out(self, person: Person) -> None:
        """A person signs out: the process that said so takes the token no more, soon no process does."""
        token = person.client.cookies["fd_session"]
        answer = await person.client.insist("POST", "/me/sign-out")
        if answer.is_ok:
            self.ended(token)
            await self._check_ended(token, answer.process)

    def check_refused(self, viewer: Person, path: str, answer: Answer, game_id: str) -> None:
        """A viewer asked for a game that nobody may watch."""
        if answer.is_ok and self.ledger.games.get(game_id) != viewer.player_id:
            raise Violation("nobody may watch", f"{viewer.name} gets {answer.status} for {path}")

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

    # --- the run

    def run(self) -> None:
        """Run the seed; raises ``Violation``. Dead processes are not cleaned up: see ``simulation.runner``."""
        for left in self.path.parent.glob(f"{self.path.name}*"):
            left.unlink()  # of a run before, with the log that SQLite keeps beside the file
        self.path.write_bytes(template())
        asyncio.set_event_loop(self.loop)
        with self.alarms.watching(self.loop), sources.seeded(f"{self.seed}", self.clock):
            self.loop.run_until_complete(self._live())
        if self.violation:
            raise self.violation

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

    async def _live(self) -> None:
        await self.fleet.start()
        disturbances = [
            asyncio.create_task(self._guarded(work)) for work in self.fleet.disturbances()
        ]
        people = [
            asyncio.create_task(self._guarded(partial(self._stay, person)))
            for person in cast_people(self)
        ]
        failed = asyncio.create_task(self.alarms.raised.wait())
        done: asyncio.Future[list[None]] = asyncio.gather(*people)
        ends: list[asyncio.Future[Any]] = [done, failed]
        await asyncio.wait(ends, timeout=_LONGEST, return_when=asyncio.FIRST_COMPLETED)
        for task in (*people, *disturbances):
            task.cancel()
        with suppress(asyncio.CancelledError):
            await done
        await asyncio.gather(*disturbances, return_exceptions=True)
        if not self.violation:
            await self._guarded(partial(settle, self))
        failed.cancel()

    async def _stay(self, person: Person) -> None:
        try:
            await person.live()
        except ConnectionLostError:
            self.trace.note(self.now(), f"{person.name} gives up")

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
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
