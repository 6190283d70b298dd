"""Races for whoever runs the site: let one count for nobody, without a server."""

from __future__ import annotations

import asyncio

from app.clock import now_ms
from app.db.engine import Database
from app.engine.ruleset import Ruleset
from app.errors import UnavailableError
from app.games.service import GameService
from app.pubsub.service import PubSub
from app.races import results
from app.races.service import RaceService
from app.races.stream import RoomPublisher
from app.settings import Settings


def void(settings: Settings, code: str, reason: str) -> str:
    """Take the result of a race back, with a sentence for its players; raises ``RaceNotFoundError``."""

    async def run() -> str:
        database = Database(settings.database_url)
        try:
            play = GameService(database, at_end=[results.book], referee=results.referee)
            publisher = RoomPublisher(PubSub(database), database)
            races = RaceService(database, play, _draw_nothing, now_ms, publisher.publish)
            room = await races.void(code, reason)
        finally:
            await database.close()
        return f"The race {room.code} counts for nobody: {reason}"

    return asyncio.run(run())


async def _draw_nothing(_spec: Ruleset, _player_id: str) -> bytes:
    raise UnavailableError("No deals are drawn here.")
