"""Signs at a shared table: pointing at a card, and a handful of words. There is no other chat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.db.engine import Database
from app.errors import MalformedError
from app.games.clicks import parse_grip
from app.games.model import Game
from app.shared_tables import proposal_repository, repository
from app.shared_tables.errors import NotYourTableError
from app.shared_tables.proposal_repository import Sign
from app.shared_tables.repository import State
from app.shared_tables.service import SharedTableService

SAYINGS: Final[Mapping[str, str]] = {
    "nice": "Nice!",
    "thanks": "Thank you",
    "oops": "Oops",
    "wait": "Wait a moment",
    "yours": "Your move?",
}
_SHOWN_MS: Final = 6000


class SignalService:
    """What players show each other for a few seconds."""

    def __init__(self, database: Database, company: SharedTableService) -> None:
        """``company`` knows the clock."""
        self._database = database
        self._company = company

    async def point(self, game: Game, player_id: str, place: str) -> None:
        """Point at a card or a pile; raises ``MalformedError`` for what is no place."""
        try:
            grip = parse_grip(game.rules.layout, place)
        except ValueError as error:
            raise MalformedError(str(error)) from error
        await self._give(game.id, player_id, str(grip), "")

    async def say(self, game: Game, player_id: str, word: str) -> None:
        """Say one of ``SAYINGS``; raises ``MalformedError`` for anything else."""
        if word not in SAYINGS:
            raise MalformedError(f"Say one of {', '.join(SAYINGS)}.")
        await self._give(game.id, player_id, "", word)

    async def shown(self, game_id: str) -> Sequence[Sign]:
        """What is shown now."""
        since_ms = self._company.now_ms - _SHOWN_MS
        return await self._database.read(
            partial(proposal_repository.signs_since, game_id=game_id, since_ms=since_ms)
        )

    async def _give(self, game_id: str, player_id: str, place: str, saying: str) -> None:
        def give(connection: Connection) -> int:
            known = repository.state_of(connection, game_id, player_id)
            if known is None or known[0] is not State.SEATED:
                raise NotYourTableError("Only who sits at this table can do that.")
            stir = repository.stir(connection, game_id, self._company.now_ms)
            sign = Sign(player_id, stir, place, saying)
            proposal_repository.give_sign(connection, game_id, sign, self._company.now_ms)
            return stir

        self._company.stirred(game_id, await self._database.write(give))
