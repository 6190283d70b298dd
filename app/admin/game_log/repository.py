"""Finding games among a million with keyset pagination: every page is as fast as the first.

A page is found by scanning one index from the cursor. Conditions that the index does not cover are checked along the
way, and the scan stops after a fixed number of games; the page then says how far it got, and the
next one continues from there. So no filter, however unusual, slows the site down for players.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Select,
    TextClause,
    or_,
    select,
    text,
    tuple_,
)

from app.admin.conflict_of_interest import Reader, list_withheld, withheld_games
from app.admin.game_log.filters import Flag, GameFilter, Sort
from app.admin.moderation.repository import search_players
from app.clock import DAY_MS, day_begins_ms
from app.db.cursors import ListCursor
from app.db.schema import games, players, table_seats
from app.games.model import Kind, Status

MAX_SCAN: Final = 5_000

_MAX_SHARED_TABLES: Final = 500
_COLUMNS: Final = (
    *("id", "ruleset", "revision", "kind", "code", "owner_id"),
    *("started_ms", "updated_ms", "version", "moves", "status", "flags"),
)
_SORT_COLUMNS: Final[dict[Sort, Column[int]]] = {
    Sort.STARTED: games.c.started_ms,
    Sort.ENDED: games.c.updated_ms,
    Sort.LENGTH: games.c.moves,
}
# Literals, so that the database uses the partial indexes.
_HAS_ENDED: Final = text("status <> 'playing'")
_IS_SPECIAL: Final = text("kind <> 'open'")
_IS_FLAGGED: Final = text("flags <> 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSummary:
    """A game as a list shows it."""

    id: str
    ruleset: str
    revision: int
    kind: Kind
    code: str | None
    owner_id: str
    player: str
    started_ms: int
    updated_ms: int
    version: int
    moves: int
    status: Status
    flags: int
    is_withheld: bool = False
    """Whether its reader may only know that the game exists: see ``app.admin.conflict_of_interest``."""


@dataclass(frozen=True, slots=True)
class GamesPage:
    """Some games and the cursor of the next page. ``is_cut`` if the scan stopped before the page was full."""

    games: list[GameSummary]
    cursor: ListCursor | None
    is_cut: bool


def find_page(
    connection: Connection,
    criteria: GameFilter,
    cursor: ListCursor | None,
    limit: int,
    max_scan: int = MAX_SCAN,
    *,
    reader: Reader | None = None,
) -> GamesPage:
    """The next games that match, at most ``limit``, for a staff member or, without one, the command line."""
    index = _choose_index(connection, criteria)
    if index is None:
        return GamesPage([], None, is_cut=False)
    if reader is not None and criteria.tells_of_games:
        not_withheld = games.c.id.not_in(withheld_games(reader))
        index = index._replace(conditions=[*index.conditions, not_withheld])
    scan = _scan(_select(), criteria, index, cursor)
    scanned = scan.limit(max_scan).subquery("scanned")
    remaining = _remaining_conditions(criteria, index.covers, scanned.c)
    if remaining:
        order = _order(criteria, scanned.c[_SORT_COLUMNS[criteria.sort].name], scanned.c.id)
        query = select(scanned).where(*remaining).order_by(*order).limit(limit + 1)
    else:
        query = scan.limit(limit + 1)
    rows = connection.execute(query).all()
    found = _with_names(connection, rows[:limit], reader)
    if len(rows) > limit:
        return GamesPage(found, _cursor_of(criteria, rows[limit - 1]), is_cut=False)
    if not remaining:
        return GamesPage(found, None, is_cut=False)
    # Only the position of the last game scanned is needed, which the index alone knows.
    position = select(_SORT_COLUMNS[criteria.sort], games.c.id)
    end = _scan(position, criteria, index, cursor).offset(max_scan - 1).limit(1)
    last = connection.execute(end).one_or_none()
    next_cursor = _cursor_of(criteria, last) if last else None
    return GamesPage(found, next_cursor, is_cut=last is not None)


def find_game_summary(connection: Connection, game_id: str) -> GameSummary | None:
    rows = connection.execute(_select().where(games.c.id == game_id)).all()
    return _with_names(connection, rows)[0] if rows else None


Conditions = Sequence[ColumnElement[bool] | TextClause]


class _Index(NamedTuple):
    """The conditions that select the index to scan, and the parameters that they cover."""

    conditions: Conditions
    covers: frozenset[str] = frozenset()


def _choose_index(connection: Connection, criteria: GameFilter) -> _Index | None:
    """The most selective index for a filter; ``None`` if no player matches."""
    g = games.c
    if criteria.search:
        if find_game_summary(connection, criteria.search):
            return _Index([g.id == criteria.search])
        owners = search_players(connection, criteria.search)
        if not owners:
            return None
        is_owned = g.owner_id.in_(owners)
        shared = _list_shared_games(connection, owners)
        return _Index([or_(is_owned, g.id.in_(shared)) if shared else is_owned])
    if criteria.code:
        return _Index([g.code == criteria.code], frozenset({"code"}))
    if criteria.sort is not Sort.STARTED:
        return _Index([_HAS_ENDED], frozenset({"ended"}))
    if criteria.flag:
        return _Index([_IS_FLAGGED], frozenset({"flag"} if criteria.flag is Flag.ANY else ()))
    if criteria.kind and criteria.kind is not Kind.OPEN:
        return _Index([g.kind == criteria.kind, _IS_SPECIAL], frozenset({"kind"}))
    if criteria.ruleset:
        return _Index([g.ruleset == criteria.ruleset], frozenset({"ruleset"}))
    return _Index([])


def _list_shared_games(connection: Connection, player_ids: Collection[str]) -> list[str]:
    """The shared games of others in which these players made a move."""
    s = table_seats.c
    query = select(s.game_id).where(s.player_id.in_(player_ids), s.moved)
    return list(connection.scalars(query.order_by(s.since_ms.desc()).limit(_MAX_SHARED_TABLES)))


def _scan(
    selected: Select[Any], criteria: GameFilter, index: _Index, cursor: ListCursor | None
) -> Select[Any]:
    column, g = _SORT_COLUMNS[criteria.sort], games.c
    query = selected.where(*index.conditions)
    if criteria.sort is Sort.STARTED:
        query = query.where(*_day_conditions(criteria, g))
    elif criteria.sort is Sort.LENGTH:
        query = query.where(*_length_conditions(criteria, g))
    if cursor:
        here, there = tuple_(column, g.id), tuple_(cursor.value, cursor.id)
        query = query.where(here > there if criteria.is_ascending else here < there)
    return query.order_by(*_order(criteria, column, g.id))


def _remaining_conditions(
    criteria: GameFilter,
    covered: frozenset[str],
    c: Any,  # noqa: ANN401 - columns of a subquery
) -> Conditions:
    """The conditions that the scan does not cover."""
    conditions = []
    if criteria.sort is not Sort.STARTED:
        conditions += _day_conditions(criteria, c)
    if criteria.sort is not Sort.LENGTH:
        conditions += _length_conditions(criteria, c)
    if criteria.sort is not Sort.STARTED and "ended" not in covered:
        conditions.append(c.status != Status.PLAYING)
    if criteria.flag and "flag" not in covered:
        conditions.append(c.flags.bitwise_and(criteria.flag.bits) != 0)
    if criteria.status:
        conditions.append(c.status == criteria.status)
    equal = (("ruleset", criteria.ruleset), ("kind", criteria.kind), ("code", criteria.code))
    conditions += [c[name] == value for name, value in equal if value and name not in covered]
    return conditions


def _day_conditions(criteria: GameFilter, c: Any) -> list[ColumnElement[bool]]:  # noqa: ANN401 - as above
    conditions = []
    if criteria.first_day:
        conditions.append(c.started_ms >= day_begins_ms(criteria.first_day))
    if criteria.last_day:
        conditions.append(c.started_ms < day_begins_ms(criteria.last_day) + DAY_MS)
    return conditions


def _length_conditions(criteria: GameFilter, c: Any) -> list[ColumnElement[bool]]:  # noqa: ANN401 - as above
    conditions = []
    if criteria.min_moves is not None:
        conditions.append(c.moves >= criteria.min_moves)
    if criteria.max_moves is not None:
        conditions.append(c.moves <= criteria.max_moves)
    return conditions


def _order(criteria: GameFilter, *columns: ColumnElement[Any]) -> list[ColumnElement[Any]]:
    return [column.asc() if criteria.is_ascending else column.desc() for column in columns]


def _cursor_of(criteria: GameFilter, row: Any) -> ListCursor:  # noqa: ANN401 - a row of games
    return ListCursor(getattr(row, _SORT_COLUMNS[criteria.sort].name), row.id)


def _select() -> Select[Any]:
    return select(*(games.c[name] for name in _COLUMNS))


def _with_names(
    connection: Connection, rows: Sequence[Any], reader: Reader | None = None
) -> list[GameSummary]:
    owner_ids = {row.owner_id for row in rows}
    query = select(players.c.id, players.c.name).where(players.c.id.in_(owner_ids))
    names = {row.id: row.name for row in connection.execute(query)} if owner_ids else {}
    withheld = list_withheld(connection, reader, [row.id for row in rows])
    return [
        GameSummary(
            is_withheld=row.id in withheld,
            player=names.get(row.owner_id, ""),
            **{**row._asdict(), "kind": Kind(row.kind), "status": Status(row.status)},
        )
        for row in rows
    ]
