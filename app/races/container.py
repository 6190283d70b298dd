"""Everything of races that a server process needs, put together."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from app.db import leases
from app.db.engine import Database
from app.games.service import GameService
from app.pubsub.service import PubSub
from app.pubsub.topics import Topic
from app.races import repository
from app.races.deal_source import Draw
from app.races.replays import Library
from app.races.service import RaceService

ROOM: Final = "race"
_LOOK_EVERY: Final = 10.0  # seconds
_LEASE: Final = "race/settle"
_LEASE_MS: Final = 30_000

_log = logging.getLogger("fairdeal.race")


def room_topic(code: str) -> Topic:
    """What listens to a room listens to."""
    return Topic(ROOM, code)


class RaceDesk:
    """The rooms, their replays, and the work that is done while nobody looks."""

    def __init__(
        self,
        database: Database,
        play: GameService,
        clock: Callable[[], int],
        draw: Draw,
        live: PubSub,
    ) -> None:
        self._database = database
        self._clock = clock
        self._live = live
        self._holder = secrets.token_hex(8)
        self.service = RaceService(database, play, draw, clock, self._announce)
        self.library = Library(database)
        self._settling: asyncio.Task[None] | None = None
        live.looks(ROOM, self._versions)

    def begin(self) -> None:
        """Settle what time has done in rooms that nobody looks at, from now on."""
        self._settling = asyncio.create_task(self._run(), name="races")

    async def close(self) -> None:
        """Leave that to other processes, or to the next look."""
        if self._settling:
            self._settling.cancel()
            await asyncio.gather(self._settling, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            try:
                await self.work()
            except Exception:  # noqa: BLE001 - whatever it was, the next time is owed all the same
                _log.exception("The rooms could not be settled")

    async def work(self) -> None:
        """Do it once, unless another process does."""
        now_ms = self._clock()
        until_ms = now_ms + _LEASE_MS
        if await self._database.write(
            lambda connection: leases.take(connection, _LEASE, self._holder, now_ms, until_ms)
        ):
            await self.service.looking.settle_due()

    def _announce(self, code: str, version: int) -> None:
        self._live.publish(room_topic(code), version)

    async def _versions(self, codes: Sequence[str]) -> Mapping[str, int]:
        return await self._database.read(partial(repository.versions_of, codes=codes))
