"""Shared tables, their seats and gestures in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import (
    Connection,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    select,
    true,
    update,
)

from app.db.schema import (
    former_guests,
    games,
    gestures,
    players,
    proposal_answers,
    proposals,
    seat_requests,
    shared_tables,
    table_seats,
)
from app.errors import GameNotFoundError
from app.games.model import Kind, Status
from app.shared_tables.model import (
    Gesture,
    OpenTable,
    SeatState,
    SharedTable,
    TableResults,
    TableSeat,
)
from app.text import gettext

MOST_LISTED: Final = 50
"""Seats of one table that are read each time it is shown. Guests can come and go without end."""

NOT_SHARED: Final = gettext("There is no shared table at this address.")

_GOING_ON: Final = [status for status in Status if not status.is_over]

_t, _s, _g = shared_tables.c, table_seats.c, gestures.c


class SeatStatus(NamedTuple):
    """A stored seat. A player who ``moved`` shares in the result."""

    state: SeatState
    moved: bool


_TABLE = select(
    _t.game_id, games.c.owner_id, _t.token, _t.changed_ms, _t.revision, _t.next_id
).join_from(shared_tables, games, _t.game_id == games.c.id)
_SEAT = select(_s.state, _s.moved).where(
    _s.game_id == bindparam("game"), _s.player_id == bindparam("player")
)


def share_game(connection: Connection, game_id: str, owner_id: str, token: str, at_ms: int) -> bool:
    """Turn a player's open game into a shared table; ``False`` when it is over or not theirs."""
    changed = connection.execute(
        update(games)
        .where(games.c.id == game_id, games.c.owner_id == owner_id, games.c.kind == Kind.OPEN)
        .where(games.c.status.in_(_GOING_ON))
        .values(kind=Kind.SHARED)
    )
    if changed.rowcount != 1:
        return False
    add_table(connection, game_id, token, at_ms)
    has_begun = connection.scalar(select(games.c.version > 0).where(games.c.id == game_id))
    set_seat(connection, game_id, owner_id, SeatState.SEATED, at_ms, moved=bool(has_begun))
    return True


def unshare_game(connection: Connection, game_id: str, owner_id: str) -> bool:
    """Make a shared game its owner's own again, and forget its table; ``False`` when it is over or not theirs."""
    changed = connection.execute(
        update(games)
        .where(games.c.id == game_id, games.c.owner_id == owner_id, games.c.kind == Kind.SHARED)
        .where(games.c.status.in_(_GOING_ON))
        .values(kind=Kind.OPEN)
    )
    if changed.rowcount != 1:
        return False
    for table in (proposal_answers, proposals, gestures, seat_requests, table_seats, shared_tables):
        connection.execute(delete(table).where(table.c.game_id == game_id))
    return True


def add_table(connection: Connection, game_id: str, token: str, at_ms: int) -> None:
    """Store the table of a game that is already of the shared kind."""
    connection.execute(
        insert(shared_tables).values(
            game_id=game_id, token=token, shared_ms=at_ms, changed_ms=at_ms, revision=0
        )
    )


def lock(connection: Connection, game_id: str) -> None:
    """Lock a table until the transaction ends, for a change that may turn out to be none."""
    connection.execute(select(_t.game_id).where(_t.game_id == game_id).with_for_update())


def raise_revision(connection: Connection, game_id: str, at_ms: int) -> int:
    """Note a change, and lock the table until the transaction ends; the new revision."""
    connection.execute(
        update(shared_tables)
        .where(_t.game_id == game_id)
        .values(revision=_t.revision + 1, changed_ms=at_ms)
    )
    return connection.scalar(select(_t.revision).where(_t.game_id == game_id)) or 0


def list_revisions(connection: Connection, game_ids: Sequence[str]) -> dict[str, int]:
    """The revisions of some tables."""
    query = select(_t.game_id, _t.revision).where(_t.game_id.in_(game_ids))
    return {row[0]: row[1] for row in connection.execute(query)}


def find_table(connection: Connection, game_id: str) -> SharedTable | None:
    """A shared table; ``None`` when the game is not shared."""
    row = connection.execute(_TABLE.where(_t.game_id == game_id)).one_or_none()
    return SharedTable(*row, _list_seats(connection, game_id)) if row else None


def table_of(connection: Connection, game_id: str) -> SharedTable:
    """As ``find_table``; raises ``GameNotFoundError``."""
    table = find_table(connection, game_id)
    if table is None:
        raise GameNotFoundError(NOT_SHARED)
    return table


def find_invited(connection: Connection, token: str) -> SharedTable | None:
    """The table of an invitation, or the last one with which its players went on."""
    links = select(_t.game_id, _t.token, _t.next_id)
    chain = links.where(_t.token == token).cte("chain", recursive=True)
    chain = chain.union_all(links.where(_t.game_id == chain.c.next_id))
    row = connection.execute(select(chain).where(chain.c.next_id.is_(None))).one_or_none()
    table = find_table(connection, row.game_id) if row else None
    if table is None or table.token == token:
        return table
    # The invitation of an earlier game is known to everyone who had a seat there, those who were removed since, too.
    return None if _was_anyone_removed(connection, table.game_id) else table


def set_token(connection: Connection, game_id: str, token: str) -> None:
    """Replace the invitation of a table."""
    connection.execute(update(shared_tables).where(_t.game_id == game_id).values(token=token))


def set_next(connection: Connection, game_id: str, next_id: str) -> bool:
    """Note the next game of a table; ``False`` when it has one already."""
    noted = connection.execute(
        update(shared_tables)
        .where(_t.game_id == game_id, _t.next_id.is_(None))
        .values(next_id=next_id)
    )
    return noted.rowcount == 1


def set_owner(connection: Connection, game_id: str, player_id: str) -> None:
    """Give a table to another player."""
    connection.execute(update(games).where(games.c.id == game_id).values(owner_id=player_id))


def find_seat(connection: Connection, game_id: str, player_id: str) -> SeatStatus | None:
    """A player's seat; ``None`` when they never joined."""
    row = connection.execute(_SEAT, {"game": game_id, "player": player_id}).one_or_none()
    return SeatStatus(SeatState(row.state), bool(row.moved)) if row else None


def is_seated(connection: Connection, game_id: str, player_id: str) -> bool:
    """Whether a player has a seat now."""
    seat = find_seat(connection, game_id, player_id)
    return seat is not None and seat.state is SeatState.SEATED


def set_seat(
    connection: Connection,
    game_id: str,
    player_id: str,
    state: SeatState,
    at_ms: int,
    *,
    moved: bool = False,
) -> None:
    """Add a seat, or change the state of a player's seat."""
    known = connection.execute(
        update(table_seats)
        .where(_s.game_id == game_id, _s.player_id == player_id)
        .values(state=state)
    )
    if known.rowcount == 0:
        connection.execute(
            insert(table_seats).values(
                game_id=game_id, player_id=player_id, state=state, since_ms=at_ms, moved=moved
            )
        )


def copy_seats(connection: Connection, game_id: str, next_id: str, at_ms: int) -> None:
    """Seat the players of a table at the next one, in the same order. Removed players stay removed."""
    # Before ``at_ms``, so that a player who joins in the same millisecond comes last.
    from_the_last = func.row_number().over(order_by=(_s.since_ms.desc(), _s.player_id.desc()))
    kept = select(literal(next_id), _s.player_id, _s.state, at_ms - from_the_last).where(
        _s.game_id == game_id, _s.state != SeatState.LEFT
    )
    columns = [_s.game_id, _s.player_id, _s.state, _s.since_ms]
    connection.execute(insert(table_seats).from_select(columns, kept))


def set_moved(connection: Connection, game_id: str, player_id: str) -> None:
    """Note that a player has moved, and so shares in the result."""
    connection.execute(
        update(table_seats)
        .where(_s.game_id == game_id, _s.player_id == player_id)
        .values(moved=True)
    )


def set_gesture(connection: Connection, game_id: str, gesture: Gesture, at_ms: int) -> None:
    """Store a player's gesture in place of their last one."""
    values = {
        "number": gesture.number,
        "place": gesture.place,
        "saying": gesture.saying,
        "at_ms": at_ms,
    }
    mine = (_g.game_id == game_id) & (_g.player_id == gesture.player_id)
    known = connection.execute(update(gestures).where(mine).values(**values))
    if known.rowcount == 0:
        connection.execute(
            insert(gestures).values(game_id=game_id, player_id=gesture.player_id, **values)
        )


def list_gestures(connection: Connection, game_id: str, since_ms: int) -> Sequence[Gesture]:
    """The gestures at a table since a time."""
    rows = connection.execute(
        select(_g.player_id, _g.number, _g.place, _g.saying).where(
            _g.game_id == game_id, _g.at_ms >= since_ms
        )
    )
    return [Gesture(*row) for row in rows]


def name_of(connection: Connection, actor_id: str) -> str:
    """The name of the player behind an event of a log, who may have been a guest at that time."""
    known = select(former_guests.c.player_id).where(former_guests.c.guest_id == actor_id)
    player_id = connection.scalar(known) or actor_id
    return connection.scalar(select(players.c.name).where(players.c.id == player_id)) or ""


def ids_of(connection: Connection, player_id: str) -> frozenset[str]:
    """The ids under which a player's moves stand in logs: their own, and those of guests they were."""
    guests = select(former_guests.c.guest_id).where(former_guests.c.player_id == player_id)
    return frozenset({player_id, *connection.scalars(guests)})


def list_open_tables(
    connection: Connection, player_id: str, since_ms: int, most: int
) -> Sequence[OpenTable]:
    """A player's unfinished tables with activity since a time, the latest first."""
    touched = case((games.c.updated_ms > _t.changed_ms, games.c.updated_ms), else_=_t.changed_ms)
    query = (
        select(
            games.c.id, games.c.ruleset, games.c.revision, games.c.version, games.c.moves, touched
        )
        .join_from(table_seats, games, _s.game_id == games.c.id)
        .join(shared_tables, _t.game_id == games.c.id)
        .where(
            _s.player_id == player_id,
            _s.state == SeatState.SEATED,
            games.c.status.in_((Status.PLAYING, Status.LOST)),
            _t.next_id.is_(None),
            touched >= since_ms,
        )
        .order_by(touched.desc(), games.c.id)
        .limit(most)
    )
    tables = [OpenTable(*row) for row in connection.execute(query)]
    others = _list_others(connection, player_id, [table.game_id for table in tables])
    return [table._replace(others=others.get(table.game_id, ())) for table in tables]


def count_results(connection: Connection, player_id: str) -> list[TableResults]:
    """A player's results at shared tables where they moved, even if they have left since."""
    won = func.count().filter(games.c.status == Status.WON)
    query = (
        select(games.c.ruleset, func.count(), won)
        .join_from(table_seats, games, _s.game_id == games.c.id)
        .where(_s.player_id == player_id, _s.moved == true(), games.c.status != Status.PLAYING)
        .group_by(games.c.ruleset)
        .order_by(games.c.ruleset)
    )
    return [TableResults(*row) for row in connection.execute(query)]


def _list_others(
    connection: Connection, player_id: str, game_ids: Sequence[str]
) -> dict[str, list[str]]:
    """The names of the other players at some tables, in the order of joining."""
    query = (
        select(_s.game_id, players.c.name)
        .join_from(table_seats, players)
        .where(
            _s.game_id.in_(game_ids),
            _s.player_id != player_id,
            _s.state == SeatState.SEATED,
        )
        .order_by(_s.since_ms, _s.player_id)
    )
    others: dict[str, list[str]] = {}
    for game_id, name in connection.execute(query):
        others.setdefault(game_id, []).append(name)
    return others


def _was_anyone_removed(connection: Connection, game_id: str) -> bool:
    removed = (_s.game_id == game_id) & (_s.state == SeatState.REMOVED)
    return connection.scalar(select(exists().where(removed))) or False


def _list_seats(connection: Connection, game_id: str) -> Sequence[TableSeat]:
    """The seats in the order of joining; of those who have gone, the last ones."""
    is_seated = case((_s.state == SeatState.SEATED, 1), else_=0)
    last = (
        select(_s.player_id, players.c.name, _s.state, _s.moved, _s.since_ms)
        .join_from(table_seats, players)
        .where(_s.game_id == game_id)
        .order_by(is_seated.desc(), _s.since_ms.desc(), _s.player_id.desc())
        .limit(MOST_LISTED)
        .subquery()
    )
    rows = connection.execute(select(last).order_by(last.c.since_ms, last.c.player_id))
    return [TableSeat(row[0], row[1], SeatState(row[2]), bool(row[3])) for row in rows]
