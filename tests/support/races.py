"""A race for tests: a server process with a fake clock, and a deal that can be won."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import Connection, func, select

from app.db.engine import Database
from app.db.schema import games, race_events
from app.deals.service import SealedDeal
from app.engine.ruleset import Ruleset
from app.games.model import Game
from app.games.service import GameService
from app.jobs.scheduler import Scheduler
from app.pubsub.service import PubSub, VersionPublisher
from app.races import repository, results
from app.races.account_merge import RaceAccountMerge
from app.races.limits import COUNTDOWN_MS
from app.races.room import ROOM_TOPIC, Room
from app.races.service import RaceService
from app.races.snapshot import RaceStanding, RoomSnapshot, standings
from tests.support.dailies import WINNABLE_SEED, Clock, winning_moves
from tests.support.serving import welcome

__all__ = ["WINNABLE_SEED", "Clock", "RaceServer", "winning_moves"]


async def draw_winnable(_rules: Ruleset, _player_id: str) -> SealedDeal:
    """Always the deal that ``winning_moves`` wins."""
    return SealedDeal(WINNABLE_SEED, is_proven=True)


@dataclass
class RaceServer:
    """One server process: its services on a database."""

    database: Database
    clock: Clock = field(default_factory=Clock)
    announced: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.games = GameService(
            self.database,
            lambda game_id, _version: self.announced.append(game_id),
            self.clock,
            on_status_changed=[results.record_result],
            is_ranked_private=repository.is_private,
            check_race_event=results.refuse_late_action,
        )
        self.publisher = VersionPublisher(
            PubSub(self.database), self.database, ROOM_TOPIC, repository.list_versions
        )
        self.races = RaceService(
            self.database, self.games, draw_winnable, self.clock, self.publisher.publish
        )
        self._scheduler = Scheduler(self.database, self.clock, self.races.tasks())
        self.account_merge = RaceAccountMerge(self.clock)

    def second_process(self) -> RaceServer:
        """Another process on the same database."""
        return RaceServer(self.database, self.clock)

    async def settle(self) -> None:
        """Run the scheduled tasks of this process once."""
        for task in self.races.tasks():
            await self._scheduler.run(task)

    async def add_players(self, *names: str) -> None:
        """Create players."""
        welcome(self.database, *names)

    async def gather(self, *names: str, minutes: int = 10) -> Room:
        """Open a room in which all players are ready; the first is the host."""
        room = await self.races.setup.open(names[0], "bristol", minutes)
        for name in names[1:]:
            await self.races.join(room.code, name)
        for name in names:
            room = await self.races.ready(room.code, name, is_ready=True)
        return room

    async def race(self, *names: str, minutes: int = 10) -> str:
        """Start a race; its code."""
        room = await self.gather(*names, minutes=minutes)
        await self.races.start(room.code, names[0])
        self.clock.advance(COUNTDOWN_MS)
        await self.races.snapshot(room.code)
        return room.code

    async def act(self, code: str, player_id: str, *actions: str) -> Game:
        """Play actions, all of which must be accepted."""
        table = await self.races.game(code, player_id)
        for action in actions:
            outcome = await self.games.act(table.id, player_id, table.version, action)
            assert outcome.result.name == "ACCEPTED", outcome.sentence
            table = outcome.game
        return table

    async def win(self, code: str, player_id: str, detours: int = 0) -> Game:
        """Win, after some undone moves."""
        line = list(winning_moves())
        first = next(n for n, word in enumerate(line) if word != "deal")
        await self.act(code, player_id, *line[: first + 1], *["undo", "redo"] * detours)
        return await self.act(code, player_id, *line[first + 1 :])

    async def see(self, code: str, viewer_id: str | None = None) -> dict[str, RaceStanding]:
        """The current standings for a viewer, by name."""
        self.races.lookup.forget(code)
        snapshot: RoomSnapshot = await self.races.snapshot(code)
        return {row.name.text: row for row in standings(snapshot, viewer_id)}

    async def count_games(self) -> int:
        """The number of all games in the database."""
        query = select(func.count()).select_from(games)
        return await self.database.read(lambda connection: connection.scalar(query) or 0)

    async def words(self, code: str) -> list[str]:
        """The words of a room's log."""
        e = race_events.c

        def read(connection: Connection) -> list[str]:
            return list(connection.scalars(select(e.word).where(e.code == code).order_by(e.seq)))

        return await self.database.read(read)
