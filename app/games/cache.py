"""Tables kept in memory, so that a move costs the same at any length of the game."""

from __future__ import annotations

from collections import OrderedDict

from app.games.model import Game

# A step of play keeps about a kilobyte alive; a table without any, about as much as twenty.
_MOST_STEPS = 150_000
_BARE_TABLE = 20


class GameCache:
    """The tables last used, newest version of each, bounded by the steps that they keep alive.

    Only ever a shortcut: the database's version decides what is current.
    """

    def __init__(self, most_steps: int = _MOST_STEPS) -> None:
        """Keep tables with together at most ``most_steps`` steps."""
        self._tables: OrderedDict[str, Game] = OrderedDict()
        self._most = most_steps
        self._steps = 0

    def get(self, game_id: str) -> Game | None:
        """The newest version that this process has seen."""
        game = self._tables.get(game_id)
        if game:
            self._tables.move_to_end(game_id)
        return game

    def put(self, game: Game) -> None:
        """Keep ``table``, unless a newer version of it is here already."""
        old = self._tables.get(game.id)
        if old:
            if old.version > game.version:
                return
            self._steps -= _weight(old)
        self._tables[game.id] = game
        self._tables.move_to_end(game.id)
        self._steps += _weight(game)
        while self._steps > self._most and len(self._tables) > 1:
            _, dropped = self._tables.popitem(last=False)
            self._steps -= _weight(dropped)


def _weight(game: Game) -> int:
    return game.version + _BARE_TABLE
