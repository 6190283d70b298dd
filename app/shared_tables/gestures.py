"""Gestures at a shared table: pointing at a card, and a few fixed phrases. There is no other chat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.db.engine import Database
from app.errors import MalformedError
from app.games.clicks import parse_grip
from app.games.model import Game
from app.shared_tables import repository
from app.shared_tables.model import Gesture
from app.shared_tables.service import SharedTableService, check_seated
from app.text import gettext, sentence_of

SAYINGS: Final[Mapping[str, str]] = {
    "nice": gettext("Nice!"),
    "thanks": gettext("Thank you"),
    "oops": gettext("Oops"),
    "wait": gettext("Wait a moment"),
    "yours": gettext("Go ahead"),
}
_SHOWN_MS: Final = 6000


class GestureService:
    """Stores the last gesture of each player, which is shown for a few seconds."""

    def __init__(self, database: Database, tables: SharedTableService) -> None:
        """``tables`` knows the clock."""
        self._database = database
        self._tables = tables

    async def point(self, game: Game, player_id: str, place: str) -> None:
        """Point at a card or a pile; raises ``MalformedError`` for anything else."""
        try:
            grip = parse_grip(game.rules.layout, place)
        except ValueError as error:
            raise MalformedError(sentence_of(error)) from error
        await self._send(game.id, player_id, str(grip), "")

    async def say(self, game: Game, player_id: str, word: str) -> None:
        """Say one of ``SAYINGS``; raises ``MalformedError`` for anything else."""
        if word not in SAYINGS:
            raise MalformedError(gettext("Say one of %(sayings)s.", sayings=", ".join(SAYINGS)))
        await self._send(game.id, player_id, "", word)

    async def list_recent(self, game_id: str) -> Sequence[Gesture]:
        """The gestures of the last few seconds."""
        since_ms = self._tables.now_ms - _SHOWN_MS
        return await self._database.read(
            partial(repository.list_gestures, game_id=game_id, since_ms=since_ms)
        )

    async def _send(self, game_id: str, player_id: str, place: str, saying: str) -> None:
        def send(connection: Connection) -> int:
            check_seated(connection, game_id, player_id)
            revision = repository.raise_revision(connection, game_id, self._tables.now_ms)
            gesture = Gesture(player_id, revision, place, saying)
            repository.set_gesture(connection, game_id, gesture, self._tables.now_ms)
            return revision

        self._tables.publish(game_id, await self._database.write(send))
