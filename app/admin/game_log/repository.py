"""Finding games among a million: page by page, each as fast as the first.

A page is found by walking along one index from where the last one ended. What that index does not know is looked at
on the way, and the walk ends after so many games: then the answer says how far it came, and the next goes on there.
So there is no question, however odd, that holds up the players.
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

from app.admin.game_log.filters import After, Filter, Flag, Sort
from app.admin.moderation.repository import search_players
from app.clock import DAY_MS, day_begins_ms
from app.db.schema import games, players, seats
from app.games.model import Kind, Status

LONGEST_WALK: Final = 5_000
_MOST_TABLES: Final = 500

_COLUMNS: Final = (
    *("id", "ruleset", "revision", "kind", "code", "owner_id"),
    *("started_ms", "updated_ms", "version", "status", "flags"),
)
_SORTED_BY: Final[dict[Sort, Column[int]]] = {
    Sort.STARTED: games.c.started_ms,
    Sort.ENDED: games.c.updated_ms,
    Sort.LENGTH: games.c.version,
}
# Written out: only then does a database see that a partial index holds all that is wanted.
_HAS_ENDED: Final = text("status <> 'playing'")
_IS_SPECIAL: Final = text("kind <> 'open'")
_IS_FLAGGED: Final = text("flags <> 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
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
    status: Status
    flags: int


@dataclass(frozen=True, slots=True)
class Page:
    """Some games, and where to go on. ``is_cut`` when the walk ended before the page was full."""

    games: list[Found]
    after: After | None
    is_cut: bool


def find_page(
    connection: Connection,
    wanted: Filter,
    after: After | None,
    most: int,
    walk: int = LONGEST_WALK,
) -> Page:
    """The next games that a filter finds, at most ``most``."""
    path = _path(connection, wanted)
    if path is None:
        return Page([], None, is_cut=False)
    along = _along(_select(), wanted, path, after)
    walked = along.limit(walk).subquery("walked")
    looked_at = _rest(wanted, path.knows, walked.c)
    if looked_at:
        order = _order(wanted, walked.c[_SORTED_BY[wanted.sort].name], walked.c.id)
        query = select(walked).where(*looked_at).order_by(*order).limit(most + 1)
    else:
        query = along.limit(most + 1)
    rows = connection.execute(query).all()
    found = _named(connection, rows[:most])
    if len(rows) > most:
        return Page(found, _after(wanted, rows[most - 1]), is_cut=False)
    if not looked_at:
        return Page(found, None, is_cut=False)
    # Of where the walk ended nothing but its place is wanted, which the index alone knows.
    place = select(_SORTED_BY[wanted.sort], games.c.id)
    ended = _along(place, wanted, path, after).offset(walk - 1).limit(1)
    last = connection.execute(ended).one_or_none()
    return Page(found, _after(wanted, last) if last else None, is_cut=last is not None)


def find_one(connection: Connection, game_id: str) -> Found | None:
    """A game by its id."""
    rows = connection.execute(_select().where(games.c.id == game_id)).all()
    return _named(connection, rows)[0] if rows else None


Conditions = Sequence[ColumnElement[bool] | TextClause]


class _Path(NamedTuple):
    """The conditions of the one index to walk along, and the words of the filter that they answer."""

    conditions: Conditions
    knows: frozenset[str] = frozenset()


def _path(connection: Connection, wanted: Filter) -> _Path | None:
    """The most telling path that there is; ``None`` when there is nobody to find games of."""
    g = games.c
    if wanted.q:
        if find_one(connection, wanted.q):
            return _Path([g.id == wanted.q])
        meant = search_players(connection, wanted.q)
        if not meant:
            return None
        theirs = g.owner_id.in_(meant)
        shared = tables_of(connection, meant)
        return _Path([or_(theirs, g.id.in_(shared)) if shared else theirs])
    if wanted.code:
        return _Path([g.code == wanted.code], frozenset({"code"}))
    if wanted.sort is not Sort.STARTED:
        return _Path([_HAS_ENDED], frozenset({"ended"}))
    if wanted.flag:
        return _Path([_IS_FLAGGED], frozenset({"flag"} if wanted.flag is Flag.ANY else ()))
    if wanted.kind and wanted.kind is not Kind.OPEN:
        return _Path([g.kind == wanted.kind, _IS_SPECIAL], frozenset({"kind"}))
    if wanted.ruleset:
        return _Path([g.ruleset == wanted.ruleset], frozenset({"ruleset"}))
    return _Path([])


def tables_of(connection: Connection, players_meant: Collection[str]) -> list[str]:
    """The games of others in which somebody made a move."""
    s = seats.c
    query = select(s.game_id).where(s.player_id.in_(players_meant), s.moved)
    return list(connection.scalars(query.order_by(s.since_ms.desc()).limit(_MOST_TABLES)))


def _along(found: Select[Any], wanted: Filter, path: _Path, after: After | None) -> Select[Any]:
    column, g = _SORTED_BY[wanted.sort], games.c
    query = found.where(*path.conditions)
    if wanted.sort is Sort.STARTED:
        query = query.where(*_days(wanted, g))
    elif wanted.sort is Sort.LENGTH:
        query = query.where(*_lengths(wanted, g))
    if after:
        here, there = tuple_(column, g.id), tuple_(after.value, after.game_id)
        query = query.where(here > there if wanted.ascending else here < there)
    return query.order_by(*_order(wanted, column, g.id))


def _rest(wanted: Filter, known: frozenset[str], c: Any) -> Conditions:  # noqa: ANN401 - columns of a subquery
    """What is wanted besides what the path answers."""
    conditions = []
    if wanted.sort is not Sort.STARTED:
        conditions += _days(wanted, c)
    if wanted.sort is not Sort.LENGTH:
        conditions += _lengths(wanted, c)
    if wanted.sort is not Sort.STARTED and "ended" not in known:
        conditions.append(c.status != Status.PLAYING)
    if wanted.flag and "flag" not in known:
        conditions.append(c.flags.bitwise_and(wanted.flag.bits) != 0)
    if wanted.status:
        conditions.append(c.status == wanted.status)
    said = (("ruleset", wanted.ruleset), ("kind", wanted.kind), ("code", wanted.code))
    conditions += [c[name] == value for name, value in said if value and name not in known]
    return conditions


def _days(wanted: Filter, c: Any) -> list[ColumnElement[bool]]:  # noqa: ANN401 - as above
    conditions = []
    if wanted.first:
        conditions.append(c.started_ms >= day_begins_ms(wanted.first))
    if wanted.last:
        conditions.append(c.started_ms < day_begins_ms(wanted.last) + DAY_MS)
    return conditions


def _lengths(wanted: Filter, c: Any) -> list[ColumnElement[bool]]:  # noqa: ANN401 - as above
    conditions = []
    if wanted.shortest is not None:
        conditions.append(c.version >= wanted.shortest)
    if wanted.longest is not None:
        conditions.append(c.version <= wanted.longest)
    return conditions


def _order(wanted: Filter, *columns: ColumnElement[Any]) -> list[ColumnElement[Any]]:
    return [column.asc() if wanted.ascending else column.desc() for column in columns]


def _after(wanted: Filter, row: Any) -> After:  # noqa: ANN401 - a row of games
    return After(getattr(row, _SORTED_BY[wanted.sort].name), row.id)


def _select() -> Select[Any]:
    return select(*(games.c[name] for name in _COLUMNS))


def _named(connection: Connection, rows: Sequence[Any]) -> list[Found]:
    owners = {row.owner_id for row in rows}
    named = select(players.c.id, players.c.name).where(players.c.id.in_(owners))
    names = {row.id: row.name for row in connection.execute(named)} if owners else {}
    return [
        Found(
            player=names.get(row.owner_id, ""),
            **{**row._asdict(), "kind": Kind(row.kind), "status": Status(row.status)},
        )
        for row in rows
    ]
