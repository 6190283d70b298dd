"""Reads public profiles. A player with thousands of games takes half a second, and anyone may ask for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, cast

from sqlalchemy import Connection

from app.clock import Clock
from app.db.engine import Database
from app.i18n.speaking import ReadersLanguage, current_language
from app.profiles.statistics import Profile, read_profile
from app.single_flight import SingleFlight

T = TypeVar("T")

Show = Callable[[Profile, int], T]
"""Makes a page or a response of a profile at a time, in milliseconds since 1970, UTC."""


class ProfileReader:
    """Reads each profile once for all who ask for it at the same moment."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._reads: SingleFlight[tuple[Show[Any], str, ReadersLanguage], Any] = SingleFlight()

    async def read(self, name: str, show: Show[T]) -> T:
        """What ``show`` makes of a player's profile; it runs in a thread of the database, as counting takes time.

        Raises ``PlayerNotFoundError``.
        """
        key = (show, name, current_language())
        return cast("T", await self._reads.run(key, partial(self._read, name, show)))

    async def _read(self, name: str, show: Show[T]) -> T:
        now_ms = self._clock()

        def read(connection: Connection) -> T:
            return show(read_profile(connection, name), now_ms)

        return await self._database.read_elsewhere(read)

    async def close(self) -> None:
        """Cancel what is being read."""
        await self._reads.close()
