"""A daily deal for tests: a fake clock, players with and without names, and a deal with a known solution."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache

from sqlalchemy import Connection, func, select

from app.daily import repository
from app.daily.closing import DayClosing
from app.daily.leaderboard import LeaderboardEntry, ResultList
from app.daily.model import Attempt
from app.daily.preparing import DealPreparation, SeedSource, new_deal
from app.daily.result_recording import ResultRecorder
from app.daily.results import DailyResults
from app.daily.schedule import DailySchedule
from app.daily.service import DailyService
from app.db.engine import Database
from app.db.schema import daily_attempts
from app.engine.shuffle import deck_of_seed
from app.games.model import Game
from app.games.outcome import ActionOutcome
from app.games.service import GameService
from app.jobs.scheduler import Scheduler
from app.rulesets.bristol import BRISTOL
from app.solver.solve import Budget, solve
from tests.support.serving import welcome

DAY = date(2026, 3, 10)
MINUTE = 60_000
HOUR = 60 * MINUTE
WINNABLE_SEED = hashlib.sha256(b"bristol0").digest()


def at(text: str, day: date = DAY) -> int:
    """A time of a day, UTC, in milliseconds: ``at("14:30")``."""
    moment = datetime.fromisoformat(f"{day.isoformat()}T{text}").replace(tzinfo=UTC)
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


@cache
def winning_moves() -> tuple[str, ...]:
    """Actions that win Bristol from ``WINNABLE_SEED``."""
    result = solve(BRISTOL, deck_of_seed(WINNABLE_SEED, 1), Budget(seconds=30))
    assert result.actions
    return tuple(map(str, result.actions))


@dataclass
class Clock:
    """A fake clock that tests set."""

    now: int = at("12:00")

    def __call__(self) -> int:
        return self.now

    def advance(self, milliseconds: int) -> None:
        self.now += milliseconds


@dataclass
class DailyServer:
    """One server process: its services on a database, and the players who have a name."""

    database: Database
    clock: Clock = field(default_factory=Clock)
    named: set[str] = field(default_factory=set)
    seeds: SeedSource | None = None
    claimed_ms: int = 0

    def __post_init__(self) -> None:
        self.games = GameService(
            self.database,
            clock=self.clock,
            on_status_changed=[ResultRecorder(self._is_named)],
            is_ranked_private=repository.is_private,
        )
        self.closing = DayClosing(self.database, self.clock)
        self.schedule = DailySchedule(
            DealPreparation(self.database, self.clock, self.seeds), self.closing, self.clock
        )
        self.scheduler = Scheduler(self.database, self.clock, self.schedule.tasks())
        self.service = DailyService(
            self.database,
            self.games,
            self.clock,
            self._claimed_ms,
            unproven=self.seeds is None,
            on_missing=self.schedule.wake_preparation,
        )
        self.results = DailyResults(self.database, self.service)

    def _is_named(self, _connection: Connection, player_id: str) -> bool:
        return player_id in self.named

    def _claimed_ms(self, _connection: Connection, player_id: str) -> int | None:
        return self.claimed_ms if player_id in self.named else None

    def another_process(self) -> DailyServer:
        """Another process with the same database and clock."""
        return DailyServer(self.database, self.clock, self.named, self.seeds)

    async def add_players(self, *names: str, named: bool = True) -> None:
        """Add players."""
        welcome(self.database, *names)
        self.named.update(names if named else ())

    async def deal_winnable(self, day: date = DAY) -> None:
        """Make the day's Bristol deal the one that ``winning_moves`` wins."""
        deal = new_deal(BRISTOL, day, 0, WINNABLE_SEED)
        await self.database.write(lambda connection: repository.add_deal(connection, deal))

    async def start(self, player_id: str, ruleset: str = "bristol") -> Game:
        game, _ = await self.service.start(player_id, ruleset, None)
        return game

    async def act(self, game: Game, *actions: str) -> Game:
        """Play as the owner; every action must be accepted."""
        for action in actions:
            outcome: ActionOutcome = await self.games.act(
                game.id, game.owner_id, game.version, action
            )
            assert outcome.result.name == "ACCEPTED", outcome.sentence
            game = outcome.game
        return game

    async def solve(self, player_id: str, detours: int = 0, seconds: int = 60) -> Game:
        """Win today's Bristol, after some useless actions."""
        game = await self.start(player_id)
        moves = list(winning_moves())
        first = next(n for n, move in enumerate(moves) if move != "deal")
        game = await self.act(game, *moves[: first + 1])
        for _ in range(detours):
            game = await self.act(game, "undo", "redo")
        game = await self.act(game, *moves[first + 1 : -1])
        self.clock.advance(seconds * 1000)
        return await self.act(game, moves[-1])

    async def find_attempt(self, game_id: str) -> Attempt:
        found = await self.database.read(
            lambda connection: repository.find_attempt(connection, game_id)
        )
        assert found
        return found

    async def list_results(
        self, viewer_id: str | None, which: ResultList = ResultList.SOLVED
    ) -> list[LeaderboardEntry]:
        """The first page of Bristol's results."""
        page = await self.results.find_results(
            viewer_id, DAY, "bristol", which, after=None, limit=50
        )
        return page.results

    async def count_attempts(self) -> int:
        query = select(func.count()).select_from(daily_attempts)
        return await self.database.read(lambda connection: connection.scalar(query) or 0)
