"""Which cards are still played for a rank, in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from sqlalchemy import Connection, literal, select, union

from app.clock import day_of
from app.db.schema import daily_deals, games, race_seats, races
from app.games.deal_likeness import Cards
from app.games.model import Kind, Status

_MOST_DAYS: Final = timedelta(days=31)  # no day stays open as long as that
_g, _d, _r = games.c, daily_deals.c, races.c


def list_ranked_cards(connection: Connection, player_id: str, now_ms: int) -> list[Cards]:
    """The cards of open daily deals, of races that go on, and of a player's open attempts at challenges."""
    today = day_of(now_ms)
    dailies = select(_d.ruleset, _d.revision, literal(None).label("code"), _d.seed).where(
        _d.day.between((today - _MOST_DAYS).isoformat(), today.isoformat()), _d.closed_ms.is_(None)
    )
    played = select(_g.ruleset, _g.revision, _g.code, _g.seed)
    racing = played.select_from(races.join(race_seats).join(games)).where(
        _r.due_ms.is_not(None),  # has an index; an ended race is never due
        _r.ended_ms.is_(None),
    )
    attempts = played.where(
        _g.owner_id == player_id,
        _g.status == Status.PLAYING,
        _g.kind.in_([kind for kind in Kind if kind.is_attempt]),
    )
    rows = connection.execute(union(dailies, racing, attempts))
    return [Cards(row.ruleset, row.revision, row.code, row.seed) for row in rows]
