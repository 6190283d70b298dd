"""Games and their events in the database. Every function runs inside its caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, text, update

from app.db.engine import PreparedStatement
from app.db.schema import events, games
from app.games.model import Game, GameEvent, Kind, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """A row of the games table. Either ``code`` or ``seed`` is set."""

    id: str
    ruleset: str
    revision: int
    deal_version: int
    kind: str
    code: str | None
    seed: bytes | None
    owner_id: str
    started_ms: int
    updated_ms: int
    version: int
    status: str


_GAME_COLUMNS: Final = [games.c[name] for name in GameRow.__slots__]
_HEAD = select(games.c.version, games.c.owner_id, games.c.kind).where(
    games.c.id == bindparam("game")
)
_GAME = select(*_GAME_COLUMNS).where(games.c.id == bindparam("game"))
# Each uses its own index; not with a parameter, because SQLite would not use the partial index then.
_RECENT = [
    select(*_GAME_COLUMNS)
    .where(games.c.owner_id == bindparam("owner"), text(which))
    .order_by(games.c.updated_ms.desc(), games.c.id)
    .limit(bindparam("most"))
    for which in ("status = 'playing'", "status <> 'playing'")
]
_LOG = (
    select(events.c.action, events.c.at_ms, events.c.actor_id, events.c.key)
    .where(events.c.game_id == bindparam("game"), events.c.seq > bindparam("after"))
    .order_by(events.c.seq)
)
_ADVANCE = PreparedStatement(
    update(games)
    .where(
        games.c.id == bindparam("game"),
        games.c.version == bindparam("seen"),
        games.c.kind == bindparam("part_of"),
    )
    .values(version=bindparam("next"), status=bindparam("now"), updated_ms=bindparam("at"))
)
_APPEND = PreparedStatement(insert(events))


def add_game(connection: Connection, row: GameRow) -> None:
    """Store a game at version 0."""
    values = {name: getattr(row, name) for name in GameRow.__slots__}
    connection.execute(insert(games), values)


class Head(NamedTuple):
    """What can change in the row of a game: its version, its owner and its kind."""

    version: int
    owner_id: str
    kind: Kind


def find_head(connection: Connection, game_id: str) -> Head | None:
    """The version, owner and kind of a game; ``None`` when there is no such game."""
    row = connection.execute(_HEAD, {"game": game_id}).one_or_none()
    return Head(row[0], row[1], Kind(row[2])) if row else None


def list_versions(connection: Connection, game_ids: Sequence[str]) -> dict[str, int]:
    """The versions of some games, by id."""
    query = select(games.c.id, games.c.version).where(games.c.id.in_(game_ids))
    return {row[0]: row[1] for row in connection.execute(query)}


def find_game(connection: Connection, game_id: str) -> GameRow | None:
    """A game without its events."""
    row = connection.execute(_GAME, {"game": game_id}).one_or_none()
    return GameRow(**row._asdict()) if row else None


def list_recent_games(connection: Connection, owner_id: str, most: int) -> Sequence[GameRow]:
    """A player's games, the most recent first."""
    asked = {"owner": owner_id, "most": most}
    rows = [row for half in _RECENT for row in connection.execute(half, asked)]
    rows.sort(key=lambda row: (-row.updated_ms, row.id))
    return [GameRow(**row._asdict()) for row in rows[:most]]


def read_log(connection: Connection, game_id: str, after: int = 0) -> Sequence[GameEvent]:
    """The events behind version ``after``, in order."""
    rows = connection.execute(_LOG, {"game": game_id, "after": after})
    return [GameEvent(action=row[0], at_ms=row[1], actor_id=row[2], key=row[3]) for row in rows]


def append_event(
    connection: Connection, game: Game, seen: int, event: GameEvent, status: Status
) -> bool:
    """Add an event behind version ``seen``, unless the game has changed since: then ``False``.

    Optimistic concurrency: the database compares the version, so only one of two that saw the same one wins; and the
    kind, so a game that became shared is no longer played by single-player rules.
    """
    updated = _ADVANCE(
        connection,
        {
            "game": game.id,
            "part_of": game.kind.value,
            "seen": seen,
            "next": seen + 1,
            "now": status.value,
            "at": event.at_ms,
        },
    )
    if updated != 1:
        return False
    _APPEND(
        connection,
        {
            "game_id": game.id,
            "seq": seen + 1,
            "action": event.action,
            "actor_id": event.actor_id,
            "at_ms": event.at_ms,
            "key": event.key,
        },
    )
    return True
