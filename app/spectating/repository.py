"""Who may watch which game, in the database. Every function runs inside its caller's transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, func, literal, select, tuple_, update

from app.clock import DAY_MS, MINUTE_MS
from app.db import cursors
from app.db.cursors import ListCursor
from app.db.engine import insert_into
from app.db.schema import audiences, games, players
from app.game_kinds import Audience
from app.games.game_row import GameRow
from app.games.model import Game, Status
from app.games.repository import GAME_COLUMNS
from app.profiles.automatic_moves import automatic_moves
from app.profiles.statistics import TIME_MS
from app.text import gettext

_IDLE_MS: Final = 15 * MINUTE_MS  # a game without a move for longer is not live
_OLDEST_MS: Final = DAY_MS  # how long a game stays listed after its player chose that
_OLDEST_WIN_MS: Final = 30 * _OLDEST_MS  # games offered while there is nothing else to see
_MOST_COUNTED: Final = 100
_FEWEST_MOVES: Final = 10  # of an ended game that is worth a replay
_a = audiences.c
_PUBLIC: Final = (
    select(*GAME_COLUMNS, players.c.name.label("player"), _a.listed_ms, TIME_MS.label("time_ms"))
    .join_from(audiences, games, games.c.id == _a.game_id)
    .join(players, players.c.id == games.c.owner_id)
    .where(_a.audience == Audience.PUBLIC)
    .order_by(_a.listed_ms.desc(), _a.game_id.desc())
)


@dataclass(frozen=True, slots=True)
class PublicGame:
    """A game that is or was played in public. ``time_ms`` is what counts as its time."""

    row: GameRow
    player: str
    listed_ms: int
    time_ms: int
    automatic: int = 0
    """How many moves of a finished game the site made."""


def parse_cursor(text: str) -> ListCursor | None:
    """A position in the list of live games; ``None`` for an empty text. Raises ``MalformedError``."""
    return cursors.parse_cursor(
        text,
        gettext("The list of live games doesn't go that far. Start again from the first page."),
    )


def find_choice(connection: Connection, game_id: str) -> Audience | None:
    """Who may watch, if the game's player has chosen that."""
    chosen = connection.scalar(select(_a.audience).where(_a.game_id == game_id))
    return Audience(chosen) if chosen else None


def list_unwatched(connection: Connection, game_ids: Collection[str]) -> Collection[str]:
    """Those of some games that only their players may see."""
    query = select(_a.game_id).where(_a.game_id.in_(game_ids), _a.audience == Audience.NOBODY)
    return set(connection.scalars(query))


def save_audience(
    connection: Connection, game_id: str, audience: Audience, listed_ms: int | None
) -> None:
    """Store who may watch; with ``listed_ms`` the game is on the list of live or finished games from then on."""
    values = {"audience": audience, "listed_ms": listed_ms}
    connection.execute(
        insert_into(connection, audiences)
        .values(game_id=game_id, **values)
        .on_conflict_do_update(index_elements=["game_id"], set_=values)
    )


def update_listing(connection: Connection, game: Game) -> None:
    """List a public game again when it ends, and when its player undoes that."""
    connection.execute(
        update(audiences)
        .where(_a.game_id == game.id, _a.audience == Audience.PUBLIC)
        .values(listed_ms=game.updated_ms)
    )


def list_public_games(
    connection: Connection, now_ms: int, after: ListCursor | None, most: int
) -> Sequence[PublicGame]:
    """Public games that are being played, the last listed first; of each player one, so that nobody fills the list."""
    place = func.row_number().over(
        partition_by=games.c.owner_id, order_by=(_a.listed_ms.desc(), _a.game_id.desc())
    )
    live = _live(now_ms, _a.game_id, place.label("place")).subquery()
    query = _PUBLIC.join(live, live.c.game_id == _a.game_id).where(live.c.place == 1).limit(most)
    if after is not None:
        query = query.where(tuple_(_a.listed_ms, _a.game_id) < tuple_(*map(literal, after)))
    return _read(connection, query)


def list_finished_games(connection: Connection, now_ms: int, most: int) -> Sequence[PublicGame]:
    """Public games that ended within a day, the last one first, without those that hardly began."""
    query = _PUBLIC.where(
        _a.listed_ms > now_ms - _OLDEST_MS,
        games.c.status != Status.PLAYING,
        games.c.moves >= _FEWEST_MOVES,
    )
    return _with_automatic(connection, _read(connection, query.limit(most)))


def list_wins(connection: Connection, now_ms: int, most: int) -> Sequence[PublicGame]:
    """Public games that were won within a month, the last one first."""
    query = _PUBLIC.where(
        _a.listed_ms > now_ms - _OLDEST_WIN_MS,
        games.c.status == Status.WON,
        games.c.moves >= _FEWEST_MOVES,
    )
    return _with_automatic(connection, _read(connection, query.limit(most)))


def count_public_games(connection: Connection, now_ms: int) -> int:
    """How many players play in public, counted up to a hundred."""
    found = _live(now_ms, games.c.owner_id).distinct().limit(_MOST_COUNTED).subquery()
    return connection.scalar(select(func.count()).select_from(found)) or 0


def _read(connection: Connection, query: Select[*tuple[Any, ...]]) -> Sequence[PublicGame]:
    rows = [row._asdict() for row in connection.execute(query)]
    added = [{name: row.pop(name) for name in ("player", "listed_ms", "time_ms")} for row in rows]
    return [PublicGame(GameRow(**row), **more) for row, more in zip(rows, added, strict=True)]


def _live(now_ms: int, *columns: ColumnElement[Any]) -> Select[*tuple[Any, ...]]:
    """Columns of the public games that are being played."""
    query = select(*columns).join_from(audiences, games, games.c.id == _a.game_id)
    return query.where(
        _a.audience == Audience.PUBLIC,
        _a.listed_ms > now_ms - _OLDEST_MS,
        games.c.updated_ms > now_ms - _IDLE_MS,
        games.c.status == Status.PLAYING,
    )


def _with_automatic(connection: Connection, found: Sequence[PublicGame]) -> Sequence[PublicGame]:
    automatic = automatic_moves(connection, [each.row.id for each in found])
    return [replace(each, automatic=automatic.get(each.row.id, 0)) for each in found]
