"""Who sits at a shared table, in the database. Every function runs inside its caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, case, func, insert, select, update

from app.db.schema import former_guests, games, players, seats, shared_tables
from app.games.model import Kind, Status

MOST_SEATS: Final = 4

_t, _s = shared_tables.c, seats.c


class State(StrEnum):
    """How somebody stands to a table at which they sat down once."""

    SEATED = "seated"
    LEFT = "left"
    REMOVED = "removed"  # by whose table it is: the invitation does not bring them back


class Seat(NamedTuple):
    """Somebody at a table."""

    player_id: str
    name: str
    state: State
    moved: bool


class Shared(NamedTuple):
    """What is known of a shared table besides its game. ``stir`` rises with every change."""

    game_id: str
    owner_id: str
    token: str
    stirred_ms: int
    stir: int
    next_id: str | None


class Waiting(NamedTuple):
    """A shared table as the list of somebody's tables shows it."""

    game_id: str
    ruleset: str
    revision: int
    version: int
    touched_ms: int


_SHARED = select(
    _t.game_id, games.c.owner_id, _t.token, _t.stirred_ms, _t.stir, _t.next_id
).join_from(shared_tables, games, _t.game_id == games.c.id)
_STATE = select(_s.state, _s.moved).where(
    _s.game_id == bindparam("game"), _s.player_id == bindparam("player")
)


def share(connection: Connection, game_id: str, owner_id: str, token: str, at_ms: int) -> bool:
    """Make a player's open game a shared table at which they sit; ``False`` when it is no such game."""
    changed = connection.execute(
        update(games)
        .where(games.c.id == game_id, games.c.owner_id == owner_id, games.c.kind == Kind.OPEN)
        .values(kind=Kind.SHARED)
    )
    if changed.rowcount != 1:
        return False
    open_table(connection, game_id, token, at_ms)
    has_begun = connection.scalar(select(games.c.version > 0).where(games.c.id == game_id))
    put(connection, game_id, owner_id, State.SEATED, at_ms, moved=bool(has_begun))
    return True


def open_table(connection: Connection, game_id: str, token: str, at_ms: int) -> None:
    """Note that a game, of the right kind already, is a shared table."""
    connection.execute(
        insert(shared_tables).values(
            game_id=game_id, token=token, shared_ms=at_ms, stirred_ms=at_ms, stir=0
        )
    )


def stir(connection: Connection, game_id: str, at_ms: int) -> int:
    """Note a change, and keep other changes waiting until this one is done; the number of the change."""
    connection.execute(
        update(shared_tables)
        .where(_t.game_id == game_id)
        .values(stir=_t.stir + 1, stirred_ms=at_ms)
    )
    return connection.scalar(select(_t.stir).where(_t.game_id == game_id)) or 0


def stirs_of(connection: Connection, game_ids: Sequence[str]) -> dict[str, int]:
    """The numbers of the last changes at some tables."""
    query = select(_t.game_id, _t.stir).where(_t.game_id.in_(game_ids))
    return {row[0]: row[1] for row in connection.execute(query)}


def find_shared(connection: Connection, game_id: str) -> Shared | None:
    """A shared table; ``None`` when the game is not shared."""
    row = connection.execute(_SHARED.where(_t.game_id == game_id)).one_or_none()
    return Shared(*row) if row else None


def find_invitation(connection: Connection, token: str) -> Shared | None:
    """The table that an invitation leads to."""
    row = connection.execute(_SHARED.where(_t.token == token)).one_or_none()
    return Shared(*row) if row else None


def new_token(connection: Connection, game_id: str, token: str) -> None:
    """Let another invitation hold, and the old one no more."""
    connection.execute(update(shared_tables).where(_t.game_id == game_id).values(token=token))


def go_on_at(connection: Connection, game_id: str, next_id: str) -> bool:
    """Note where the company went on; ``False`` when they have gone on already."""
    noted = connection.execute(
        update(shared_tables)
        .where(_t.game_id == game_id, _t.next_id.is_(None))
        .values(next_id=next_id)
    )
    return noted.rowcount == 1


def hand_over(connection: Connection, game_id: str, player_id: str) -> None:
    """Let a table be somebody else's."""
    connection.execute(update(games).where(games.c.id == game_id).values(owner_id=player_id))


def state_of(connection: Connection, game_id: str, player_id: str) -> tuple[State, bool] | None:
    """How somebody stands to a table, and whether they have moved there; ``None`` for a stranger."""
    row = connection.execute(_STATE, {"game": game_id, "player": player_id}).one_or_none()
    return (State(row.state), bool(row.moved)) if row else None


def seats_of(connection: Connection, game_id: str) -> Sequence[Seat]:
    """Everybody who ever sat down at a table, in that order."""
    rows = connection.execute(
        select(_s.player_id, players.c.name, _s.state, _s.moved)
        .join_from(seats, players)
        .where(_s.game_id == game_id)
        .order_by(_s.since_ms, _s.player_id)
    )
    return [Seat(row[0], row[1], State(row[2]), bool(row[3])) for row in rows]


def count_seated(connection: Connection, game_id: str) -> int:
    """How many seats are taken."""
    query = select(func.count()).where(_s.game_id == game_id, _s.state == State.SEATED)
    return connection.scalar(query) or 0


def put(
    connection: Connection,
    game_id: str,
    player_id: str,
    state: State,
    at_ms: int,
    *,
    moved: bool = False,
) -> None:
    """Seat somebody for the first time, or change how they stand to the table."""
    known = connection.execute(
        update(seats).where(_s.game_id == game_id, _s.player_id == player_id).values(state=state)
    )
    if known.rowcount == 0:
        connection.execute(
            insert(seats).values(
                game_id=game_id, player_id=player_id, state=state, since_ms=at_ms, moved=moved
            )
        )


def note_move(connection: Connection, game_id: str, player_id: str) -> None:
    """Give somebody a part in the result."""
    connection.execute(
        update(seats).where(_s.game_id == game_id, _s.player_id == player_id).values(moved=True)
    )


def name_of(connection: Connection, actor_id: str) -> str:
    """Who is named for an entry of a log: a guest by who they turned out to be."""
    known = select(former_guests.c.player_id).where(former_guests.c.guest_id == actor_id)
    player_id = connection.scalar(known) or actor_id
    return connection.scalar(select(players.c.name).where(players.c.id == player_id)) or ""


def ids_of(connection: Connection, player_id: str) -> frozenset[str]:
    """Under which ids somebody's moves stand in logs."""
    guests = select(former_guests.c.guest_id).where(former_guests.c.player_id == player_id)
    return frozenset({player_id, *connection.scalars(guests)})


def tables_of(
    connection: Connection, player_id: str, since_ms: int, most: int
) -> Sequence[Waiting]:
    """The unfinished tables at which somebody sits and at which something happened since, the last touched first."""
    touched = case((games.c.updated_ms > _t.stirred_ms, games.c.updated_ms), else_=_t.stirred_ms)
    query = (
        select(games.c.id, games.c.ruleset, games.c.revision, games.c.version, touched)
        .join_from(seats, games, _s.game_id == games.c.id)
        .join(shared_tables, _t.game_id == games.c.id)
        .where(
            _s.player_id == player_id,
            _s.state == State.SEATED,
            games.c.status.in_((Status.PLAYING, Status.LOST)),
            _t.next_id.is_(None),
            touched >= since_ms,
        )
        .order_by(touched.desc(), games.c.id)
        .limit(most)
    )
    return [Waiting(*row) for row in connection.execute(query)]
