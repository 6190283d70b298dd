"""Games in publish/subscribe: their topic, publishing new versions, and who may subscribe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from app.db.engine import Database
from app.errors import AppError
from app.games.repository import versions_of
from app.games.service import GameService
from app.pubsub.service import PubSub
from app.pubsub.topics import Topic

GAME: Final = "table"


def game_topic(game_id: str) -> Topic:
    """The topic on which the versions of a game are published."""
    return Topic(GAME, game_id)


class GamePublisher:
    """Publishes new versions of games."""

    def __init__(self, pubsub: PubSub, database: Database) -> None:
        self._pubsub = pubsub
        self._database = database
        pubsub.register_version_source(GAME, self.versions)

    def publish(self, game_id: str, version: int) -> None:
        """Called by the event log after each commit."""
        self._pubsub.publish(game_topic(game_id), version)

    async def versions(self, game_ids: Sequence[str]) -> Mapping[str, int]:
        """The current versions of some games."""
        return await self._database.read(partial(versions_of, game_ids=game_ids))


@dataclass(frozen=True, slots=True)
class MayWatch:
    """Whether a game may still be watched; the same for everyone who does not play it."""

    games: GameService
    game_id: str

    async def __call__(self) -> bool:
        try:
            await self.games.load_visible(self.game_id, None)
        except AppError:
            return False
        return True
