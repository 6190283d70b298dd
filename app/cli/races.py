"""The command that voids a race, without a running server."""

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
    """Annul the result of a race and show its players the reason; raises ``RaceNotFoundError``."""

    async def run() -> str:
        database = Database(settings.database_url)
        try:
            games = GameService(
                database, at_end=[results.record_result], referee=results.refuse_late_action
            )
            publisher = RoomPublisher(PubSub(database), database)
            races = RaceService(database, games, _draw_nothing, now_ms, publisher.publish)
            room = await races.void(code, reason)
        finally:
            await database.close()
        return f"The race {room.code} does not count: {reason}"

    return asyncio.run(run())


async def _draw_nothing(_rules: Ruleset, _player_id: str) -> bytes:
    raise UnavailableError("This command draws no deals.")
