"""Games and their events in the database. Every function runs inside its caller's transaction."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from sys import intern
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    ColumnElement,
    Connection,
    Insert,
    Integer,
    Row,
    Select,
    Text,
    and_,
    bindparam,
    cast,
    exists,
    false,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    update,
)

from app.clock import month_of
from app.db.cursors import MAX_VALUE, ListCursor
from app.db.engine import PreparedStatement
from app.db.schema import daily_deals, events, games, origins, races
from app.engine.shuffle import SEED_BYTES
from app.games.game_row import GameRow
from app.games.model import Game, Kind, Status
from app.games.moments import GameEvent

GAME_COLUMNS: Final = [games.c[name] for name in GameRow.__slots__]
"""The columns of a ``GameRow``."""
_HEAD = select(games.c.version, games.c.owner_id, games.c.kind).where(
    games.c.id == bindparam("game")
)
_GAME = select(*GAME_COLUMNS).where(games.c.id == bindparam("game"))
# Each uses its own index; not with a parameter, because SQLite would not use the partial index then.
_RECENT = [
    select(*GAME_COLUMNS)
    .where(games.c.owner_id == bindparam("owner"), text(which))
    .order_by(games.c.updated_ms.desc(), games.c.id)
    .limit(bindparam("most"))
    for which in ("status = 'playing'", "status <> 'playing'")
]
# The same for those that can go on, behind a place in the list.
_UNFINISHED = [
    select(*GAME_COLUMNS)
    .where(
        games.c.owner_id == bindparam("owner"),
        text(which),
        games.c.kind != Kind.SHARED,
        # A first move was made; the clock of a daily deal runs before it.
        or_(games.c.moves > 0, games.c.kind == Kind.DAILY),
        or_(
            games.c.updated_ms < bindparam("before"),
            and_(games.c.updated_ms == bindparam("before"), games.c.id > bindparam("behind")),
        ),
    )
    .order_by(games.c.updated_ms.desc(), games.c.id)
    .limit(bindparam("most"))
    for which in ("status = 'playing'", "status <> 'playing' AND status = 'lost'")
]


def _log_of(*columns: ColumnElement[Any]) -> Select[Any]:
    """Some columns of the events of a game, from one on. With the month PostgreSQL looks into one partition only."""
    return (
        select(*columns)
        .where(
            events.c.game_id == bindparam("game"),
            events.c.seq > bindparam("after"),
            events.c.month == bindparam("month"),
        )
        .order_by(events.c.seq)
    )


_LOG = _log_of(events.c.action, events.c.at_ms, events.c.actor_id, events.c.key, events.c.automatic)
_LOG_WITHOUT_KEYS = _log_of(events.c.action, events.c.at_ms, events.c.actor_id, events.c.automatic)
_KEYED = select(events.c.seq).where(
    events.c.game_id == bindparam("game"),
    events.c.key == bindparam("key"),
    events.c.month == bindparam("month"),
)
_ADVANCED = (
    update(games)
    .where(
        games.c.id == bindparam("game"),
        games.c.version == bindparam("seen"),
        games.c.kind == bindparam("part_of"),
    )
    .values(
        version=bindparam("next"),
        status=bindparam("now"),
        updated_ms=bindparam("at"),
        played_ms=bindparam("played"),
        moves=bindparam("counted"),
    )
)
_ADVANCE = PreparedStatement(_ADVANCED)
_APPEND = PreparedStatement(insert(events))


def _advance_and_append() -> Insert:
    """Advance a game and append the event in one statement, as only PostgreSQL can: one round trip, no transaction."""
    advanced = _ADVANCED.returning(games.c.id).cte("advanced")
    added = {
        events.c.game_id: advanced.c.id,
        events.c.seq: bindparam("next", type_=Integer),
        events.c.action: bindparam("action", type_=Text),
        events.c.actor_id: bindparam("actor_id", type_=Text),
        events.c.at_ms: bindparam("at", type_=BigInteger),
        events.c.key: bindparam("key", type_=Text),
        events.c.month: bindparam("month", type_=Integer),
        events.c.automatic: bindparam("automatic", type_=Boolean),
    }
    return insert(events).from_select(list(added), select(*added.values()))


_ADVANCE_AND_APPEND = PreparedStatement(_advance_and_append())


def _insert_actions(seq: ColumnElement[int], action: ColumnElement[str]) -> Insert:
    names = ["game_id", "seq", "action", "actor_id", "at_ms", "month"]
    game, actor = bindparam("game", type_=Text), bindparam("actor", type_=Text)
    at_ms, month = bindparam("at", type_=BigInteger), bindparam("month", type_=Integer)
    return insert(events).from_select(names, select(game, seq, action, actor, at_ms, month))


# A list of actions in JSON as rows; the two databases spell that differently.
_ON_SQLITE = func.json_each(bindparam("actions", type_=Text)).table_valued("key", "value")
_ON_POSTGRES = (
    func.json_array_elements_text(cast(bindparam("actions", type_=Text), JSON))
    .table_valued("value", with_ordinality="seq")
    .render_derived()
)
_INSERT_ACTIONS = {
    "sqlite": _insert_actions(_ON_SQLITE.c.key + 1, _ON_SQLITE.c.value),
    "postgresql": _insert_actions(_ON_POSTGRES.c.seq, _ON_POSTGRES.c.value),
}


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


def game_rows(rows: Iterable[Row[Any]]) -> list[GameRow]:
    """The games in rows of ``GAME_COLUMNS``."""
    return [GameRow(**row._asdict()) for row in rows]


def list_versions(connection: Connection, game_ids: Sequence[str]) -> dict[str, int]:
    """The versions of some games, by id."""
    query = select(games.c.id, games.c.version).where(games.c.id.in_(game_ids))
    return {row[0]: row[1] for row in connection.execute(query)}


def find_game(connection: Connection, game_id: str) -> GameRow | None:
    """A game without its events."""
    row = connection.execute(_GAME, {"game": game_id}).one_or_none()
    return game_rows([row])[0] if row else None


def list_games(connection: Connection, game_ids: Collection[str]) -> list[GameRow]:
    """Some games without their events, in any order; those that do not exist are left out."""
    query = select(*GAME_COLUMNS).where(games.c.id.in_(game_ids))
    return game_rows(connection.execute(query))


def list_months(connection: Connection, game_ids: Collection[str]) -> set[int]:
    """The months in which some games began: their events are in the partitions of these months."""
    query = select(games.c.started_ms).where(games.c.id.in_(game_ids))
    return {month_of(started_ms) for started_ms in connection.scalars(query)}


def is_deal_secret(connection: Connection, game_id: str) -> bool:
    """Whether the seed of a game's deal is still unpublished."""
    return game_id in list_secret_deals(connection, [game_id])


def list_secret_deals(connection: Connection, game_ids: Collection[str]) -> Collection[str]:
    """Those of some games whose seed is still unpublished. A whole deck was imported, and is no secret."""
    g, day, race = games.c, daily_deals.c, races.c
    query = select(g.id).where(
        g.id.in_(game_ids),
        func.length(g.seed) == SEED_BYTES,
        ~exists().where(day.seed == g.seed, day.closed_ms.is_not(None)),
        ~exists().where(race.seed == g.seed, race.ended_ms.is_not(None)),
    )
    return set(connection.scalars(query))


def list_recent_games(connection: Connection, owner_id: str, most: int) -> Sequence[GameRow]:
    """A player's games, the most recent first."""
    asked = {"owner": owner_id, "most": most}
    rows = [row for half in _RECENT for row in connection.execute(half, asked)]
    rows.sort(key=lambda row: (-row.updated_ms, row.id))
    return game_rows(rows[:most])


def list_unfinished_games(
    connection: Connection, owner_id: str, after: ListCursor | None, most: int
) -> Sequence[GameRow]:
    """A player's own games in which a move was made and none ended them, the most recent first, from ``after`` on.

    Among them are games without a legal move: whether taking one back is allowed, only their logs tell.
    """
    value, behind = after or (MAX_VALUE, "")
    asked = {"owner": owner_id, "before": value, "behind": behind, "most": most}
    rows = [row for half in _UNFINISHED for row in connection.execute(half, asked)]
    rows.sort(key=lambda row: (-row.updated_ms, row.id))
    return game_rows(rows[:most])


def has_won(connection: Connection, player_id: str, ruleset: str) -> bool:
    """Whether a player has ever won a game of their own by a rule set, in any of its revisions."""
    won = select(literal(1)).where(
        games.c.owner_id == player_id, games.c.ruleset == ruleset, games.c.status == Status.WON
    )
    return connection.execute(won.limit(1)).first() is not None


def forked_at(connection: Connection, game_id: str) -> int | None:
    """The step of another game from which a game goes on; ``None`` for a game of its own."""
    query = select(origins.c.forked_at).where(origins.c.game_id == game_id)
    return connection.execute(query).scalar()


def has_another(connection: Connection, player_id: str, ruleset: str, game_id: str) -> bool:
    """Whether a player has a game of their own by a rule set besides one."""
    other = select(literal(1)).where(
        games.c.owner_id == player_id, games.c.ruleset == ruleset, games.c.id != game_id
    )
    return connection.execute(other.limit(1)).first() is not None


def list_dealt(
    connection: Connection, player_id: str, ruleset: str, codes: Collection[str]
) -> set[str]:
    """Those of some codes that a player has been dealt in a game of their own."""
    dealt = select(games.c.code).where(
        games.c.owner_id == player_id, games.c.ruleset == ruleset, games.c.code.in_(codes)
    )
    return {str(code) for code in connection.scalars(dealt)}


def read_log(connection: Connection, game: Game | GameRow, after: int = 0) -> Sequence[GameEvent]:
    """The stored events of a game behind version ``after``, in order."""
    asked = {"game": game.id, "after": after, "month": month_of(game.started_ms)}
    rows = connection.execute(_LOG, asked)
    return [*map(GameEvent._make, rows)]


def read_log_without_keys(connection: Connection, game: Game) -> Sequence[GameEvent]:
    """The events behind the version of a game, in order, without the idempotency keys, which only writing needs."""
    asked = {"game": game.id, "after": game.version, "month": month_of(game.started_ms)}
    with connection.execute(_LOG_WITHOUT_KEYS, asked) as result:
        # The driver's own rows: SQLAlchemy's take as long again to make.
        rows = result.cursor.fetchall()
    # A long log has few different actions and players, and stays in memory.
    new = tuple.__new__  # makes a named tuple in half the time
    return [
        new(GameEvent, (intern(action), at_ms, intern(actor_id), None, bool(automatic)))
        for action, at_ms, actor_id, automatic in rows
    ]


def read_logs(connection: Connection, known: Collection[Game]) -> Mapping[str, Sequence[GameEvent]]:
    """As ``read_log_without_keys``, for some games in one query."""
    e = events.c
    which = [and_(e.game_id == game.id, e.seq > game.version) for game in known]
    months = {month_of(game.started_ms) for game in known}
    columns = (e.game_id, e.action, e.at_ms, e.actor_id, e.automatic)
    query = select(*columns).where(e.month.in_(months), or_(false(), *which))
    logs: dict[str, list[GameEvent]] = {game.id: [] for game in known}
    for row in connection.execute(query.order_by(e.game_id, e.seq)):
        game_id, action, at_ms, actor_id, automatic = row
        logs[game_id].append(GameEvent(intern(action), at_ms, intern(actor_id), None, automatic))
    return logs


def find_keyed_version(connection: Connection, game: Game, key: str) -> int | None:
    """The version that the action with an idempotency key made; ``None`` if no action of the game had it."""
    asked = {"game": game.id, "key": key, "month": month_of(game.started_ms)}
    version: int | None = connection.execute(_KEYED, asked).scalar_one_or_none()
    return version


def append_actions(connection: Connection, game: Game, actions: Sequence[str]) -> None:
    """Add the actions that a new game begins with, by its owner at the time of the deal; its row is the caller's."""
    # The database splits the list itself, at a quarter of the cost of inserting row by row.
    values = {
        "game": game.id,
        "actor": game.owner_id,
        "at": game.started_ms,
        "actions": json.dumps(actions),
        "month": month_of(game.started_ms),
    }
    connection.execute(_INSERT_ACTIONS[connection.dialect.name], values)


def append_event(
    connection: Connection, game: Game, seen: int, event: GameEvent, after: Game
) -> bool:
    """Add an event behind version ``seen``, unless the game has changed since: then ``False``.

    ``after`` is the game once this event, and all that are stored with it, have been applied.

    Optimistic concurrency: the database compares the version, so only one of two that saw the same one wins; and the
    kind, so a game that became shared is no longer played by single-player rules.
    """
    values = {
        "game": game.id,
        "part_of": game.kind.value,
        "seen": seen,
        "next": seen + 1,
        "now": after.status.value,
        "at": event.at_ms,
        "played": after.played_ms,
        "counted": after.moves,
    }
    added = {
        "action": event.action,
        "actor_id": event.actor_id,
        "key": event.key,
        "month": month_of(game.started_ms),
        "automatic": event.is_automatic,
    }
    if connection.dialect.name == "postgresql":
        return _ADVANCE_AND_APPEND(connection, {**values, **added}) == 1
    if _ADVANCE(connection, values) != 1:
        return False
    _APPEND(connection, {"game_id": game.id, "seq": seen + 1, "at_ms": event.at_ms, **added})
    return True
