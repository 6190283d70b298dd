"""Reads a room from the database, as it was written: what elapsed time does to it, `settling` records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from sqlalchemy import Connection

from app.db.engine import Database
from app.engine.transition import cards_home
from app.games.game_row import GameRow
from app.games.repository import list_games
from app.games.service import GameService
from app.races import repository
from app.races.errors import RaceNotFoundError
from app.races.repository import Heartbeat, StoredRoom
from app.races.room_codes import NO_RACE
from app.races.snapshot import GameProgress, RoomSnapshot


class RoomReading(NamedTuple):
    """A room without the progress of its games, and the rows of those that are not over, in the order of its seats."""

    snapshot: RoomSnapshot
    running: Sequence[GameRow]


class RoomReader:
    """Reads rooms, and how far their games are."""

    def __init__(self, database: Database, games: GameService) -> None:
        self._database = database
        self._games = games

    async def read(self, code: str, now_ms: int) -> RoomReading:
        """A room at a time; raises ``RaceNotFoundError``."""

        def read(connection: Connection) -> RoomReading:
            stored = find_room(connection, code)
            room = stored.room
            snapshot = RoomSnapshot(
                room=room,
                at_ms=now_ms,
                seed=stored.seed,
                previous=stored.previous,
                rematch=repository.find_successor(connection, code),
                presences=repository.list_presences(connection, code),
                names=repository.find_names(connection, [seat.player_id for seat in room.seats]),
                progress={},
            )
            running = [seat.game_id for seat in room.racers if seat.game_id and not seat.finished]
            rows = {row.id: row for row in list_games(connection, running)} if running else {}
            return RoomReading(snapshot, [rows[game_id] for game_id in running])

        return await self._database.read(read)

    async def with_progress(self, read: RoomReading) -> RoomSnapshot:
        """The room, with the progress of the games that are not over."""
        games = await self._games.log.load_all(read.running)
        progress = {
            game.id: GameProgress(
                cards_home(game.rules, game.position), game.actions, game.updated_ms
            )
            for game in games
        }
        return replace(read.snapshot, progress=progress)


def find_room(connection: Connection, code: str, *, lock: bool = False) -> StoredRoom:
    """A room in the database; raises ``RaceNotFoundError``."""
    stored = repository.find_race(connection, code, lock=lock)
    if stored is None:
        raise RaceNotFoundError(NO_RACE)
    return stored


def last_seen(presences: Mapping[str, Heartbeat]) -> dict[str, int]:
    """When each player was here last."""
    return {player_id: presence.seen_ms for player_id, presence in presences.items()}
