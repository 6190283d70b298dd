"""How many of the moves of finished games the site made, for lists: the log of each game marks them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from sqlalchemy import Connection, select

from app.db.schema import events, games
from app.engine.automatic_marks import count_automatic
from app.game_kinds import Kind


def automatic_moves(connection: Connection, game_ids: Sequence[str]) -> Mapping[str, int]:
    """The automatic moves of each of a few games; those without one are missing."""
    e = events.c
    marked = select(e.game_id).where(e.game_id.in_(game_ids), e.automatic)
    query = (
        select(e.game_id, games.c.kind, e.action, e.automatic)
        .select_from(events.join(games, games.c.id == e.game_id))
        .where(e.game_id.in_(marked))
        .order_by(e.game_id, e.seq)
    )
    found: dict[str, int] = {}
    for (game_id, kind), rows in groupby(connection.execute(query), itemgetter(0, 1)):
        log = [(action, is_automatic) for _, _, action, is_automatic in rows]
        found[game_id] = count_automatic(log, counts_undone=Kind(kind).has_ranked_rules)
    return found
