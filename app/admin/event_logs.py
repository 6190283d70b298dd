"""The logs of many games, so many at a time that they fit into memory however many there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, Protocol, TypeVar

from sqlalchemy import Connection, select

from app.db.schema import events
from app.games.model import GameEvent

MOST_ENTRIES: Final = 5_000


class Numbered(NamedTuple):
    """An entry and its place in the log."""

    seq: int
    entry: GameEvent


class _Game(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def version(self) -> int: ...


G = TypeVar("G", bound=_Game)


def portions(games: Sequence[G], most: int = MOST_ENTRIES) -> Iterator[list[G]]:
    """The games in portions of at most so many entries together; a longer one is alone."""
    portion: list[G] = []
    size = 0
    for game in games:
        if portion and size + game.version > most:
            yield portion
            portion, size = [], 0
        portion.append(game)
        size += game.version
    if portion:
        yield portion


def logs_of(connection: Connection, ids: Sequence[str]) -> dict[str, list[Numbered]]:
    """The logs of some games, each in order."""
    e = events.c
    query = select(e.game_id, e.seq, e.action, e.at_ms, e.actor_id, e.key).where(e.game_id.in_(ids))
    logs: dict[str, list[Numbered]] = {game_id: [] for game_id in ids}
    for row in connection.execute(query.order_by(e.game_id, e.seq)):
        entry = GameEvent(action=row.action, at_ms=row.at_ms, actor_id=row.actor_id, key=row.key)
        logs[row.game_id].append(Numbered(row.seq, entry))
    return logs
