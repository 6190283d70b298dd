"""Looks rooms up by their code. A look-up first applies what time has done, then answers from a cache of one second.

Start, deadlines and abandoned rooms need no timer: the first look-up after the moment has passed records what happened,
with the time at which it was due. Several processes may try at once; one of them succeeds.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

from cachetools import LRUCache
from sqlalchemy import Connection

from app.clock import MINUTE_MS, Clock
from app.db.cursors import ListCursor
from app.db.engine import Database
from app.db.ids import new_id
from app.engine.shuffle import CODE_SYMBOLS
from app.engine.transition import cards_home
from app.games.game_actions import RESIGN
from app.games.game_row import GameRow
from app.games.lookup import stored_rules
from app.games.model import Kind
from app.games.moments import GameEvent
from app.games.repository import add_game, list_games
from app.games.service import GameService
from app.logs import logger_of
from app.races import course, listing, repository
from app.races.errors import RaceNotFoundError
from app.races.repository import Heartbeat, StoredRoom
from app.races.room import Phase, Room
from app.races.snapshot import GameProgress, RoomSnapshot
from app.text import gettext

PublishVersion = Callable[[str, int], None]
"""Called with a room's code and its new version, after that version is committed."""

MOST_ROOMS: Final = 20
"""Rooms that have not ended and in which one player has or had a seat."""

CODE_LENGTH: Final = 6  # 30 bits: guessing is rate limited, and a hit only shows a race to watch
_LOOKALIKES: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})
_CACHE_SIZE: Final = 500
_RETRY_MS: Final = MINUTE_MS
_log: Final = logger_of("races")

_NO_RACE: Final = gettext(
    "No race has this code. Codes have six letters and digits, such as 7KQ4M2."
)


class OpenRaces(NamedTuple):
    """A page of the list of open races; ``after`` is where the next page begins."""

    rooms: list[RoomSnapshot]
    after: ListCursor | None


class RoomReading(NamedTuple):
    """A room without the progress of its games, and the rows of those that are not over, in the order of its seats."""

    snapshot: RoomSnapshot
    running: Sequence[GameRow]


class RoomLookup:
    """Snapshots of rooms, each renewed at most once a second: asking more often reveals nothing more."""

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
        self._snapshots: LRUCache[str, RoomSnapshot] = LRUCache(_CACHE_SIZE)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._unchanged: set[str] = set()  # rooms being read that have not changed since

    async def snapshot(self, code: str) -> RoomSnapshot:
        """A room as it is now; raises ``RaceNotFoundError``."""
        code = read_room_code(code)
        lock = self._locks.setdefault(code, asyncio.Lock())
        async with lock:  # of many requests at once, one reads the database
            known, now_ms = self._snapshots.get(code), self._clock()
            if known and known.at_ms // 1000 == now_ms // 1000 and not _is_due(known.room, now_ms):
                return known
            self._unchanged.add(code)
            try:
                snapshot = await self._settle(code, now_ms)
                if code in self._unchanged:
                    self._snapshots[code] = snapshot
            finally:
                self._unchanged.discard(code)
            return snapshot

    async def list_rooms(self, player_id: str, most: int = 3) -> list[Room]:
        """The rooms that have not ended and in which a player has a seat; where they were last comes first."""

        def read(connection: Connection) -> list[Room]:
            # A log says who has left, so each is replayed until enough are found.
            codes = repository.list_visited_rooms(connection, player_id, MOST_ROOMS)
            rooms = (find_room(connection, code).room for code in codes)
            has_seat = (
                room for room in rooms if (seat := room.seat_of(player_id)) and not seat.is_gone
            )
            return list(islice(has_seat, most))

        return await self._database.read(read)

    async def list_open_races(self, after: ListCursor | None) -> OpenRaces:
        """A page of the races that anyone may join."""
        query = partial(listing.list_open_races, now_ms=self._clock(), after=after)
        found = await self._database.read(partial(query, most=listing.PAGE + 1))
        on_page = found[: listing.PAGE]
        rooms = [await self.snapshot(place.id) for place in on_page]
        return OpenRaces(
            [room for room in rooms if room.room.is_listed and room.room.has_place],
            on_page[-1] if len(found) > len(on_page) else None,
        )

    async def count_open_races(self, player_id: str | None) -> int:
        """How many races a player finds on the list."""
        query = partial(listing.count_open_races, now_ms=self._clock(), player_id=player_id)
        return await self._database.read(query)

    def forget(self, code: str) -> None:
        """Drop the cached snapshot of a room that has changed; one that is being read is not cached."""
        self._unchanged.discard(code)
        self._snapshots.pop(code, None)

    def note_presence(self, code: str, player_id: str, presence: Heartbeat) -> None:
        """Update the cached snapshot after a heartbeat, and nothing else in it."""
        if snapshot := self._snapshots.get(code):
            presences = {**snapshot.presences, player_id: presence}
            self._snapshots[code] = replace(snapshot, presences=presences)

    async def settle_due(self, most: int = 50) -> None:
        """Apply elapsed time to all rooms that are due."""
        now_ms = self._clock()
        codes = await self._database.read(partial(repository.list_due, now_ms=now_ms, most=most))
        for code in codes:
            try:
                due_ms = _next_due_ms(await self._settle(code, now_ms))
            except Exception:  # noqa: BLE001 - one race must not stop the others
                _log.exception("The race %s could not be settled", code)
                due_ms = now_ms + _RETRY_MS
            if due_ms is not None:
                await self._database.write(
                    partial(repository.postpone, code=code, now_ms=now_ms, due_ms=due_ms)
                )

    async def _settle(self, code: str, now_ms: int) -> RoomSnapshot:
        """Record what elapsed time has done, and read the room after that."""
        read = await self._read_snapshot(code, now_ms)
        if _is_due(read.snapshot.room, now_ms):
            await self._deal(read.snapshot.room, now_ms)
            read = await self._read_snapshot(code, now_ms)
        if await self._close_games(read, now_ms):
            read = await self._read_snapshot(code, now_ms)
        if not course.settle(read.snapshot.room, now_ms, _last_seen(read.snapshot.presences)):
            return await self._with_progress(read)

        def settle(connection: Connection) -> Room:
            stored = find_room(connection, code, lock=True)
            # Read again: someone who joined since the snapshot must not be taken for someone who is away.
            last_seen = _last_seen(repository.list_presences(connection, code))
            events = course.settle(stored.room, now_ms, last_seen)
            return repository.append(connection, stored, events) if events else stored.room

        settled = await self._database.write(settle)
        self._publish(code, settled.version)
        return await self._with_progress(await self._read_snapshot(code, now_ms))

    async def _deal(self, room: Room, now_ms: int) -> None:
        """Deal all racers the same cards, with the announced start as the time of their games."""
        rules = stored_rules(room.ruleset, room.revision)
        start_ms = room.start_ms or 0

        def deal(connection: Connection) -> Room:
            stored = find_room(connection, room.code, lock=True)
            if not _is_due(stored.room, now_ms):
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

    async def _read_snapshot(self, code: str, now_ms: int) -> RoomReading:
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

    async def _with_progress(self, read: RoomReading) -> RoomSnapshot:
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
        raise RaceNotFoundError(_NO_RACE)
    return stored


def new_room_code() -> str:
    """A random code of six symbols that can be read aloud."""
    return "".join(secrets.choice(CODE_SYMBOLS) for _ in range(CODE_LENGTH))


def parse_room_code(text: str) -> str | None:
    """A code as a person may type it; ``None`` when it can't be one."""
    symbols = text.strip().upper().translate(_LOOKALIKES)
    if len(symbols) != CODE_LENGTH or not text.isascii() or not set(symbols) <= set(CODE_SYMBOLS):
        return None
    return symbols


def read_room_code(text: str) -> str:
    """A code as a person may type it; raises ``RaceNotFoundError``."""
    code = parse_room_code(text)
    if code is None:
        raise RaceNotFoundError(_NO_RACE)
    return code


def _next_due_ms(snapshot: RoomSnapshot) -> int | None:
    last_actions = {game_id: progress.acted_ms for game_id, progress in snapshot.progress.items()}
    return course.next_due_ms(snapshot.room, _last_seen(snapshot.presences), last_actions)


def _last_seen(presences: Mapping[str, Heartbeat]) -> dict[str, int]:
    return {player_id: presence.seen_ms for player_id, presence in presences.items()}


def _is_due(room: Room, now_ms: int) -> bool:
    return room.phase is Phase.COUNTDOWN and room.start_ms is not None and now_ms >= room.start_ms
