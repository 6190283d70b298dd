"""Tables kept in memory, so that a move costs the same at any length of the game."""

from __future__ import annotations

from collections import OrderedDict

from app.games.model import Table

# A step of play keeps about a kilobyte alive; a table without any, about as much as twenty.
_MOST_STEPS = 150_000
_BARE_TABLE = 20


class TableCache:
    """The tables last used, newest version of each, bounded by the steps that they keep alive.

    Only ever a shortcut: the database's version decides what is current.
    """

    def __init__(self, most_steps: int = _MOST_STEPS) -> None:
        """Keep tables with together at most ``most_steps`` steps."""
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._most = most_steps
        self._steps = 0

    def get(self, game_id: str) -> Table | None:
        """The newest version that this process has seen."""
        table = self._tables.get(game_id)
        if table:
            self._tables.move_to_end(game_id)
        return table

    def put(self, table: Table) -> None:
        """Keep ``table``, unless a newer version of it is here already."""
        old = self._tables.get(table.id)
        if old:
            if old.version > table.version:
                return
            self._steps -= _weight(old)
        self._tables[table.id] = table
        self._tables.move_to_end(table.id)
        self._steps += _weight(table)
        while self._steps > self._most and len(self._tables) > 1:
            _, dropped = self._tables.popitem(last=False)
            self._steps -= _weight(dropped)


def _weight(table: Table) -> int:
    return table.version + _BARE_TABLE
