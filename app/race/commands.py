"""Races for whoever runs the site: let one count for nobody, without a server."""

from __future__ import annotations

import asyncio

from app.engine.spec import GameSpec
from app.live.service import Live
from app.play.service import PlayService, now_ms
from app.race import booking
from app.race.desk import RaceDesk
from app.settings import Settings
from app.storage.database import Database
from app.web.errors import UnavailableError


def void(settings: Settings, code: str, reason: str) -> str:
    """Take the result of a race back, with a sentence for its players; raises ``RaceNotFoundError``."""

    async def run() -> str:
        database = Database(settings.database_url)
        try:
            play = PlayService(database, at_end=[booking.book], referee=booking.referee)
            desk = RaceDesk(database, play, now_ms, _draw_nothing, Live(database))
            room = await desk.service.void(code, reason)
        finally:
            await database.close()
        return f"The race {room.code} counts for nobody: {reason}"

    return asyncio.run(run())


async def _draw_nothing(_spec: GameSpec, _player_id: str) -> bytes:
    raise UnavailableError("No deals are drawn here.")
