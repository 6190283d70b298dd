"""Publish/subscribe for race rooms: publishes each new version, and reads versions that were missed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from app.db.engine import Database
from app.pubsub.service import PubSub
from app.pubsub.topics import Topic
from app.races import repository

ROOM: Final = "race"


def room_topic(code: str) -> Topic:
    """The topic of a room."""
    return Topic(ROOM, code)


class RoomPublisher:
    """Publishes the versions of rooms."""

    def __init__(self, pubsub: PubSub, database: Database) -> None:
        """Call before ``pubsub`` starts."""
        self._pubsub = pubsub
        self._database = database
        pubsub.register_version_source(ROOM, self.versions)

    def publish(self, code: str, version: int) -> None:
        """Publish a version that is committed."""
        self._pubsub.publish(room_topic(code), version)

    async def versions(self, codes: Sequence[str]) -> Mapping[str, int]:
        """The versions of some rooms, from the database."""
        return await self._database.read(partial(repository.list_versions, codes=codes))
