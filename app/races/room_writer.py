"""Appends events to the logs of rooms, and publishes the rooms that have changed."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from app.db.engine import Database
from app.races import repository
from app.races.events import Events
from app.races.repository import StoredRoom
from app.races.room import Room
from app.races.room_lookup import RoomLookup
from app.races.room_reading import find_room
from app.races.settling import PublishVersion

Decide = Callable[[Connection, StoredRoom], Events]
"""Makes the events that a command adds to a room, or raises an error for the player."""


class RoomWriter:
    """Writes decisions about a room."""

    def __init__(self, database: Database, lookup: RoomLookup, publish: PublishVersion) -> None:
        self._database = database
        self._lookup = lookup
        self._publish = publish

    async def write(self, code: str, decide: Decide) -> Room:
        """Append what ``decide`` makes of the room, after elapsed time has been applied."""
        code = (await self._lookup.snapshot(code)).code

        def append(connection: Connection) -> tuple[Room, bool]:
            stored = find_room(connection, code, lock=True)
            events = decide(connection, stored)
            if not events:
                return stored.room, False
            return repository.append(connection, stored, events), True

        room, has_changed = await self._database.write(append)
        self._lookup.forget(code)
        if has_changed:
            self._publish(code, room.version)
        return room

    def publish(self, room: Room) -> None:
        """Publish a room whose snapshot has changed."""
        self._lookup.forget(room.code)
        self._publish(room.code, room.version)
