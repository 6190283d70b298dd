"""No help with the cards of a deal that others, or the same player, still play for a rank.

A record can hold any deck, so a player could write down what lies on the table of a ranked game, and have the site's
own solver play it. Only games without a code are looked at: a secret deal has none.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from cachetools import LRUCache
from sqlalchemy import Connection

from app.analysis.model import NoHelpError, check_unranked
from app.clock import Clock
from app.db.engine import Database
from app.games.deal_likeness import OpeningLook, look_of, look_of_cards
from app.games.model import Game
from app.games.ranked_cards import list_ranked_cards
from app.text import gettext

_MOST_KEPT: Final = 2_000
_STILL_PLAYED: Final = gettext(
    "These cards are still being played for a rank. You can get help with them once the results are out."
)


class RankedDeals:
    """Knows the deals that are still played for a rank, and which unranked games have their cards."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._looks: LRUCache[str, OpeningLook] = LRUCache(_MOST_KEPT)

    async def check(self, game: Game) -> None:
        """Raise ``NoHelpError`` for a ranked game, and for one with the cards of a ranked deal."""
        check_unranked(game)
        await self.check_copy(game)

    async def check_copy(self, game: Game) -> None:
        """Raise ``NoHelpError`` for an unranked game with the cards of a ranked deal."""
        if await self.is_copy(game):
            raise NoHelpError(_STILL_PLAYED)

    async def is_copy(self, game: Game) -> bool:
        """Whether an unranked game has the cards of a deal that is still played for a rank."""
        if game.kind.has_ranked_rules or game.code is not None:
            return False
        return await self._database.read(partial(self._is_copy, game=game))

    def _is_copy(self, connection: Connection, game: Game) -> bool:
        """In a thread of the database, since it takes a while to deal the cards for the first time."""
        own = self._looks.get(game.id)
        if own is None:
            own = look_of(game.rules.layout, game.opening.position)
            self._looks[game.id] = own
        played = list_ranked_cards(connection, game.owner_id, self._clock())
        return any(own.is_like(look_of_cards(cards)) for cards in played)
