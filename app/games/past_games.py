"""What players have played before by a rule set: decides what they are dealt next and what hints tell them."""

from __future__ import annotations

from app.db.engine import Database
from app.engine.ruleset import Ruleset
from app.games.model import Game
from app.games.own_wins import count_wins
from app.games.repository import has_another, has_won


class PastGames:
    """The games of players so far, in any revision of a rule set."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def has_won(self, player_id: str, rules: Ruleset) -> bool:
        """Whether a player has won a game by these rules."""
        return await self._database.read(
            lambda connection: has_won(connection, player_id, rules.id)
        )

    async def count_wins(self, player_id: str, rules: Ruleset, most: int) -> int:
        """How many games a player has won by these rules, counted up to ``most``; see ``app.games.own_wins``."""
        return await self._database.read(
            lambda connection: count_wins(connection, player_id, rules.id, most)
        )

    async def is_first(self, game: Game) -> bool:
        """Whether a game is its player's only one by its rules so far."""
        return not await self._database.read(
            lambda connection: has_another(connection, game.owner_id, game.rules.id, game.id)
        )
