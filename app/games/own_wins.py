"""Which wins are their player's own: dealt to them from the start, and not led to by hints."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, exists, func, select

from app.db.schema import games, hints_of, origins
from app.game_kinds import Status
from app.profiles.automatic_moves import automatic_moves

_MOST_HINTED: Final = 30  # wins with hints that are looked at: their logs have to be read


def is_led(hints: int, moves: int, automatic: int) -> bool:
    """Whether there were as many hints as half of the moves: then it is hardly its player's win.

    ``automatic`` of the ``moves`` were the site's.
    """
    return hints > 0 and 2 * hints >= moves - automatic


def count_wins(connection: Connection, player_id: str, ruleset: str, most: int) -> int:
    """How many games a player has won by a rule set, in any of its revisions, counted up to ``most``.

    Left out are those that went on from a replay or a record, and those that hints led to.
    """
    hints = hints_of(games.c.id)
    won = select(games.c.id, games.c.moves, hints.label("hints")).where(
        games.c.owner_id == player_id,
        games.c.ruleset == ruleset,
        games.c.status == Status.WON,
        ~exists().where(origins.c.game_id == games.c.id),
    )
    alone = won.where(hints == 0).limit(most).subquery()
    count = connection.scalar(select(func.count()).select_from(alone)) or 0
    if count == most:
        return count
    hinted = connection.execute(won.where(hints > 0).limit(_MOST_HINTED)).all()
    automatic = automatic_moves(connection, [row.id for row in hinted])
    own = sum(not is_led(row.hints, row.moves, automatic.get(row.id, 0)) for row in hinted)
    return min(most, count + own)
