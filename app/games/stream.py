"""What tables have to do with the live layer: the topic of a game, and how to look versions up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from app.db.engine import Database
from app.errors import AppError
from app.games.event_log import EventLog
from app.games.repository import versions_of
from app.pubsub.service import PubSub
from app.pubsub.topics import Topic

TABLE: Final = "table"


def table_topic(game_id: str) -> Topic:
    """What listens to a game's versions listen to."""
    return Topic(TABLE, game_id)


class GamePublisher:
    """Says that a table has a new version."""

    def __init__(self, live: PubSub, database: Database) -> None:
        self._live = live
        self._database = database
        live.register_version_source(TABLE, self.versions)

    def announce(self, game_id: str, version: int) -> None:
        """For the play service, after each commit."""
        self._live.publish(table_topic(game_id), version)

    async def versions(self, game_ids: Sequence[str]) -> Mapping[str, int]:
        """How far some games are."""
        return await self._database.read(partial(versions_of, game_ids=game_ids))


@dataclass(frozen=True, slots=True)
class MayWatch:
    """Whether a table may still be watched; the same for all who do not sit at it."""

    play: EventLog
    game_id: str

    async def __call__(self) -> bool:
        try:
            await self.play.shown(self.game_id, None)
        except AppError:
            return False
        return True
