"""Whole event logs of many games, as they are stored: for exports, checks and records, not for playing."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Connection, select

from app.db.schema import events
from app.games.archived import ArchivedError, list_archived
from app.games.moments import GameEvent
from app.games.repository import list_months


class NumberedEvent(NamedTuple):
    """An event and its number in the log."""

    seq: int
    event: GameEvent


def read_numbered_logs(
    connection: Connection, game_ids: Collection[str]
) -> dict[str, list[NumberedEvent]]:
    """The logs of some games, each in order; raises ``ArchivedError`` if one of them is not here."""
    e = events.c
    columns = (e.action, e.at_ms, e.actor_id, e.key, e.automatic)  # those of ``GameEvent``
    query = select(e.game_id, e.seq, *columns).where(
        e.game_id.in_(game_ids), e.month.in_(list_months(connection, game_ids))
    )
    logs: dict[str, list[NumberedEvent]] = {game_id: [] for game_id in game_ids}
    for game_id, seq, *event in connection.execute(query.order_by(e.game_id, e.seq)):
        logs[game_id].append(NumberedEvent(seq, GameEvent._make(event)))
    if list_archived(connection, [game_id for game_id, log in logs.items() if not log]):
        raise ArchivedError
    return logs
