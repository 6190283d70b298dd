"""Games and their logs in the database. Every function runs inside its caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, text, update

from app.db.schema import events, games
from app.db.statements import PreparedStatement
from app.games.model import Game, GameEvent, Kind, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRow:
    """What the database knows of a game besides its log. Either ``code`` or ``seed`` is there."""

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
_SEAT = select(games.c.version, games.c.owner_id, games.c.kind).where(
    games.c.id == bindparam("game")
)
_GAME = select(*_GAME_COLUMNS).where(games.c.id == bindparam("game"))
# Each along an index of its own; in their words, since SQLite does not look into a parameter.
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


class Seat(NamedTuple):
    """What of a game may change: its version, whose it is, and what it is part of."""

    version: int
    owner_id: str
    kind: Kind


def find_seat(connection: Connection, game_id: str) -> Seat | None:
    """How far a game is and whose it is now; ``None`` when there is no such game."""
    row = connection.execute(_SEAT, {"game": game_id}).one_or_none()
    return Seat(row[0], row[1], Kind(row[2])) if row else None


def versions_of(connection: Connection, game_ids: Sequence[str]) -> dict[str, int]:
    """How far some games are, by id."""
    query = select(games.c.id, games.c.version).where(games.c.id.in_(game_ids))
    return {row[0]: row[1] for row in connection.execute(query)}


def find_game(connection: Connection, game_id: str) -> GameRow | None:
    """A game without its log."""
    row = connection.execute(_GAME, {"game": game_id}).one_or_none()
    return GameRow(**row._asdict()) if row else None


def recent_games(connection: Connection, owner_id: str, most: int) -> Sequence[GameRow]:
    """A player's games, the last touched first."""
    asked = {"owner": owner_id, "most": most}
    rows = [row for half in _RECENT for row in connection.execute(half, asked)]
    rows.sort(key=lambda row: (-row.updated_ms, row.id))
    return [GameRow(**row._asdict()) for row in rows[:most]]


def read_log(connection: Connection, game_id: str, after: int = 0) -> Sequence[GameEvent]:
    """The entries behind version ``after``, in order."""
    rows = connection.execute(_LOG, {"game": game_id, "after": after})
    return [GameEvent(action=row[0], at_ms=row[1], actor_id=row[2], key=row[3]) for row in rows]


def append_entry(
    connection: Connection, game: Game, seen: int, entry: GameEvent, status: Status
) -> bool:
    """Add ``entry`` to the log of ``table`` behind version ``seen``, unless the game has moved on: then ``False``.

    The comparison happens in the database, so of two who saw the same version one wins, and a game that became a
    shared one is not played by the rules of the lonely any more.
    """
    touched = _ADVANCE(
        connection,
        {
            "game": game.id,
            "part_of": game.kind.value,
            "seen": seen,
            "next": seen + 1,
            "now": status.value,
            "at": entry.at_ms,
        },
    )
    if touched != 1:
        return False
    _APPEND(
        connection,
        {
            "game_id": game.id,
            "seq": seen + 1,
            "action": entry.action,
            "actor_id": entry.actor_id,
            "at_ms": entry.at_ms,
            "key": entry.key,
        },
    )
    return True
