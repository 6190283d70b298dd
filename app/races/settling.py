"""Settles rooms: records what elapsed time has done to a room, such as its start, its deadlines and its end.

Start, deadlines and abandoned rooms need no timer: the first look-up after the moment has passed records what happened,
with the time at which it was due. Several processes may try at once; one of them succeeds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.clock import MINUTE_MS, Clock
from app.db.engine import Database
from app.db.ids import new_id
from app.games.game_actions import RESIGN
from app.games.game_row import GameRow
from app.games.lookup import stored_rules
from app.games.model import Kind
from app.games.moments import GameEvent
from app.games.repository import add_game
from app.games.service import GameService
from app.logs import logger_of
from app.races import course, repository
from app.races.room import Phase, Room
from app.races.room_reading import RoomReader, RoomReading, find_room, last_seen
from app.races.snapshot import RoomSnapshot

PublishVersion = Callable[[str, int], None]
"""Called with a room's code and its new version, after that version is committed."""

_RETRY_MS: Final = MINUTE_MS
_log: Final = logger_of("races")


class RoomSettling:
    """Deals, closes games and ends races when their time has come."""

    def __init__(
        self,
        database: Database,
        games: GameService,
        clock: Clock,
        publish: PublishVersion,
    ) -> None:
        self._database = database
        self._games = games
        self._clock = clock
        self._publish = publish
        self._reader = RoomReader(database, games)

    async def settle_due(self, most: int = 50) -> None:
        """Apply elapsed time to all rooms that are due."""
        now_ms = self._clock()
        codes = await self._database.read(partial(repository.list_due, now_ms=now_ms, most=most))
        for code in codes:
            try:
                due_ms = _next_due_ms(await self.settle(code, now_ms))
            except Exception:  # noqa: BLE001 - one race must not stop the others
                _log.exception("The race %s could not be settled", code)
                due_ms = now_ms + _RETRY_MS
            if due_ms is not None:
                await self._database.write(
                    partial(repository.postpone, code=code, now_ms=now_ms, due_ms=due_ms)
                )

    async def settle(self, code: str, now_ms: int) -> RoomSnapshot:
        """Record what elapsed time has done, and read the room after that."""
        read = await self._reader.read(code, now_ms)
        if is_due(read.snapshot.room, now_ms):
            await self._deal(read.snapshot.room, now_ms)
            read = await self._reader.read(code, now_ms)
        if await self._close_games(read, now_ms):
            read = await self._reader.read(code, now_ms)
        if not course.settle(read.snapshot.room, now_ms, last_seen(read.snapshot.presences)):
            return await self._reader.with_progress(read)

        def settle(connection: Connection) -> Room:
            stored = find_room(connection, code, lock=True)
            # Read again: someone who joined since the snapshot must not be taken for someone who is away.
            seen = last_seen(repository.list_presences(connection, code))
            events = course.settle(stored.room, now_ms, seen)
            return repository.append(connection, stored, events) if events else stored.room

        settled = await self._database.write(settle)
        self._publish(code, settled.version)
        return await self._reader.with_progress(await self._reader.read(code, now_ms))

    async def _deal(self, room: Room, now_ms: int) -> None:
        """Deal all racers the same cards, with the announced start as the time of their games."""
        rules = stored_rules(room.ruleset, room.revision)
        start_ms = room.start_ms or 0

        def deal(connection: Connection) -> Room:
            stored = find_room(connection, room.code, lock=True)
            if not is_due(stored.room, now_ms):
                return stored.room  # another request has dealt, or too few players are left
            game_ids = {seat.player_id: new_id() for seat in stored.room.racers}
            for player_id, game_id in game_ids.items():
                add_game(
                    connection,
                    GameRow.dealt(
                        game_id=game_id,
                        rules=rules,
                        kind=Kind.RACE,
                        code=None,
                        seed=stored.seed,
                        owner_id=player_id,
                        at_ms=start_ms,
                    ),
                )
            return repository.append(connection, stored, course.deal(stored.room, game_ids))

        dealt = await self._database.write(deal)
        self._publish(room.code, dealt.version)

    async def _close_games(self, read: RoomReading, now_ms: int) -> bool:
        """End the games that are past their deadlines; whether there were any."""
        room = read.snapshot.room
        if room.phase is not Phase.RACING:
            return False
        late = [row.id for row in read.running if room.game_deadline_ms(row.updated_ms) <= now_ms]
        for game_id in late:
            await self._close_game(room, game_id, now_ms)
        return bool(late)

    async def _close_game(self, room: Room, game_id: str, now_ms: int) -> None:
        game = await self._games.log.load(game_id)
        deadline = room.game_deadline_ms(game.updated_ms)
        if game.is_over or deadline > now_ms:
            return
        event = GameEvent(action=RESIGN, at_ms=deadline, actor_id=game.owner_id, key=None)
        await self._games.log.append(game, [event], game.after(event))


def is_due(room: Room, now_ms: int) -> bool:
    """Whether the cards of a room have to be dealt."""
    return room.phase is Phase.COUNTDOWN and room.start_ms is not None and now_ms >= room.start_ms


def _next_due_ms(snapshot: RoomSnapshot) -> int | None:
    last_actions = {game_id: progress.acted_ms for game_id, progress in snapshot.progress.items()}
    return course.next_due_ms(snapshot.room, last_seen(snapshot.presences), last_actions)
