"""Looks rooms up by their code. A look-up first applies what time has done, then answers from a cache of one second."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

from cachetools import LRUCache
from sqlalchemy import Connection

from app.clock import Clock
from app.db.cursors import ListCursor
from app.db.engine import Database
from app.races import listing, repository
from app.races.repository import Heartbeat
from app.races.room import Room
from app.races.room_codes import read_room_code
from app.races.room_reading import find_room
from app.races.settling import RoomSettling, is_due
from app.races.snapshot import RoomSnapshot

MOST_ROOMS: Final = 20
"""Rooms that have not ended and in which one player has or had a seat."""

_CACHE_SIZE: Final = 500


class OpenRaces(NamedTuple):
    """A page of the list of open races; ``after`` is where the next page begins."""

    rooms: list[RoomSnapshot]
    after: ListCursor | None


class RoomLookup:
    """Snapshots of rooms, each renewed at most once a second: asking more often reveals nothing more."""

    def __init__(self, database: Database, clock: Clock, settling: RoomSettling) -> None:
        self._database = database
        self._clock = clock
        self._settling = settling
        self._snapshots: LRUCache[str, RoomSnapshot] = LRUCache(_CACHE_SIZE)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._unchanged: set[str] = set()  # rooms being read that have not changed since

    async def snapshot(self, code: str) -> RoomSnapshot:
        """A room as it is now; raises ``RaceNotFoundError``."""
        code = read_room_code(code)
        lock = self._locks.setdefault(code, asyncio.Lock())
        async with lock:  # of many requests at once, one reads the database
            known, now_ms = self._snapshots.get(code), self._clock()
            if known and known.at_ms // 1000 == now_ms // 1000 and not is_due(known.room, now_ms):
                return known
            self._unchanged.add(code)
            try:
                snapshot = await self._settling.settle(code, now_ms)
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
