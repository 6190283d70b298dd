"""Which cards are still played for a rank, in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from sqlalchemy import Connection, bindparam, literal, select, union_all

from app.clock import day_of
from app.db.schema import daily_deals, games, race_seats, races
from app.games.deal_likeness import Cards
from app.games.model import Kind, Status

_MOST_DAYS: Final = timedelta(days=31)  # no day stays open as long as that
_g, _d, _r = games.c, daily_deals.c, races.c

_DAILIES: Final = select(_d.ruleset, _d.revision, literal(None).label("code"), _d.seed).where(
    _d.day.between(bindparam("first"), bindparam("last")), _d.closed_ms.is_(None)
)
_PLAYED: Final = select(_g.ruleset, _g.revision, _g.code, _g.seed)
_RACING: Final = _PLAYED.select_from(races.join(race_seats).join(games)).where(
    _r.due_ms.is_not(None),  # has an index; an ended race is never due
    _r.ended_ms.is_(None),
)
_ATTEMPTED: Final = _PLAYED.where(
    _g.owner_id == bindparam("player"),
    _g.status == Status.PLAYING,
    _g.kind.in_([kind for kind in Kind if kind.is_challenge_attempt]),
)
# Every hint in an imported game asks this, so it is put together once.
_RANKED: Final = union_all(_DAILIES, _RACING.distinct(), _ATTEMPTED)


def list_ranked_cards(connection: Connection, player_id: str, now_ms: int) -> list[Cards]:
    """The cards of open daily deals, of races that go on, and of a player's open attempts at challenges."""
    today = day_of(now_ms)
    first, last = (today - _MOST_DAYS).isoformat(), today.isoformat()
    values = {"first": first, "last": last, "player": player_id}
    return [Cards(*row) for row in connection.execute(_RANKED, values)]
