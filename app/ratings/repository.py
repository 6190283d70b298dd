"""The tables of ratings. Every function runs in its caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, exists, func, insert, select

from app.db.engine import insert_into
from app.db.schema import accounts, players, rated_events, rated_results, ratings
from app.ratings.model import PROVISIONAL_GAMES, Event, EventResult, Rating

_e, _rr, _r = rated_events.c, rated_results.c, ratings.c
_AT_ONCE: Final = 500  # rows of one statement


class Ranked(NamedTuple):
    """A row of a ranking. Equal ratings share a rank."""

    rank: int
    name: str
    rating: Rating


class Counted(NamedTuple):
    """A counted event with its results."""

    number: int
    event: Event
    results: list[EventResult]


def find_head(connection: Connection) -> int:
    """The number of the last counted event, from 1."""
    return connection.scalar(select(func.max(_e.number))) or 0


def find_last_ms(connection: Connection) -> int:
    """When the last counted event was decided."""
    query = select(_e.at_ms).order_by(_e.number.desc()).limit(1)
    return connection.scalar(query) or 0


def lock_event(connection: Connection, number: int) -> None:
    """Wait for other transactions that lock this event; they wait for this one."""
    connection.execute(select(_e.number).where(_e.number == number).with_for_update())


def find_ratings(
    connection: Connection, family: str, player_ids: Sequence[str] | None = None
) -> dict[str, Rating]:
    """The ratings of a family, of some players at least."""
    query = select(_r.player_id, _r.mean, _r.deviation, _r.games).where(_r.family == family)
    if player_ids is not None and len(player_ids) <= _AT_ONCE:
        query = query.where(_r.player_id.in_(player_ids))
    return {row.player_id: Rating(*row[1:]) for row in connection.execute(query)}


def find_ratings_of(connection: Connection, player_id: str) -> dict[str, Rating]:
    """A player's ratings by family."""
    query = select(_r.family, _r.mean, _r.deviation, _r.games).where(_r.player_id == player_id)
    return {row.family: Rating(*row[1:]) for row in connection.execute(query)}


def list_log(connection: Connection, family: str | None = None) -> list[Counted]:
    """The counted events of a family, or of all, in the order of counting."""
    events = select(_e.number, _e.key, _e.family, _e.at_ms).order_by(_e.number)
    rows = select(_rr.number, _rr.player_id, _rr.game_id, _rr.rank).join_from(
        rated_results, rated_events
    )
    if family is not None:
        events, rows = events.where(_e.family == family), rows.where(_e.family == family)
    grouped = groupby(connection.execute(rows.order_by(_rr.number)), key=lambda row: row.number)
    results = {number: [EventResult(*row[1:]) for row in group] for number, group in grouped}
    return [
        Counted(row.number, Event(*row[1:]), results.get(row.number, []))
        for row in connection.execute(events)
    ]


def find_event(connection: Connection, key: str) -> Counted | None:
    """A counted event."""
    row = connection.execute(
        select(_e.number, _e.key, _e.family, _e.at_ms).where(_e.key == key)
    ).one_or_none()
    if row is None:
        return None
    found = select(_rr.player_id, _rr.game_id, _rr.rank).where(_rr.number == row.number)
    return Counted(
        row.number, Event(*row[1:]), [EventResult(*one) for one in connection.execute(found)]
    )


def add_event(connection: Connection, number: int, event: Event) -> None:
    """Store that an event is counted; raises ``IntegrityError`` if it was, or if another one has this number."""
    connection.execute(insert(rated_events).values(number=number, **event._asdict()))


def set_results(connection: Connection, number: int, results: Sequence[EventResult]) -> None:
    """Store the results of a counted event, in place of others."""
    connection.execute(delete(rated_results).where(_rr.number == number))
    if results:
        rows = [{"number": number, **one._asdict()} for one in results]
        connection.execute(insert(rated_results), rows)


def save_ratings(connection: Connection, family: str, changed: Mapping[str, Rating]) -> None:
    """Store ratings. Those of players who have deleted their accounts meanwhile are left out."""
    for row in _existing_rows(connection, family, changed):
        values = {name: row[name] for name in Rating._fields}
        insertion = insert_into(connection, ratings).values(row)
        connection.execute(
            insertion.on_conflict_do_update(index_elements=["family", "player_id"], set_=values)
        )


def replace_ratings(connection: Connection, family: str, all_ratings: Mapping[str, Rating]) -> None:
    """Store the ratings of a family in place of all that were there."""
    connection.execute(delete(ratings).where(_r.family == family))
    rows = list(_existing_rows(connection, family, all_ratings))
    if rows:
        connection.execute(insert(ratings), rows)


def delete_ratings(connection: Connection, player_id: str) -> None:
    """Delete a player's ratings. The counted ranks stay, as the results of a deleted player."""
    connection.execute(delete(ratings).where(_r.player_id == player_id))


def list_named(
    connection: Connection, player_ids: Iterable[str], *, lock: bool = False
) -> set[str]:
    """Those of some players who have an account. ``lock`` keeps them from deleting it until the transaction ends."""
    ids, found = sorted(player_ids), set[str]()
    for start in range(0, len(ids), _AT_ONCE):
        portion = ids[start : start + _AT_ONCE]
        query = select(accounts.c.player_id).where(accounts.c.player_id.in_(portion))
        if lock:
            query = query.order_by(accounts.c.player_id).with_for_update(read=True)
        found.update(connection.scalars(query))
    return found


def list_families(connection: Connection, families: Iterable[str]) -> set[str]:
    """Those of some families in which a player has a rank."""
    ranked = (exists().where(*_is_ranked(family)).label(family) for family in families)
    row = connection.execute(select(*ranked)).one()
    return {family for family, is_ranked in row._asdict().items() if is_ranked}


def count_ranked(connection: Connection, family: str) -> int:
    """How many players are ranked."""
    query = select(func.count()).select_from(ratings.join(accounts, _is_of_account()))
    return connection.scalar(query.where(*_is_ranked(family))) or 0


def count_provisional(connection: Connection, family: str) -> int:
    """How many players have a rating, but no rank yet."""
    query = select(func.count()).select_from(ratings.join(accounts, _is_of_account()))
    conditions = (_r.family == family, _r.games < PROVISIONAL_GAMES)
    return connection.scalar(query.where(*conditions)) or 0


def list_ranked(connection: Connection, family: str, *, first: int, limit: int) -> list[Ranked]:
    """A page of the ranking: of players whose rating is not provisional, the strongest first."""
    rounded = func.round(_r.mean)
    rank = func.rank().over(order_by=rounded.desc())
    query = (
        select(rank, players.c.name, _r.mean, _r.deviation, _r.games)
        .select_from(
            ratings.join(players, players.c.id == _r.player_id).join(accounts, _is_of_account())
        )
        .where(*_is_ranked(family))
        .order_by(rounded.desc(), players.c.name, _r.player_id)
        .limit(limit)
        .offset(first)
    )
    return [Ranked(row[0], row[1], Rating(*row[2:])) for row in connection.execute(query)]


def _is_of_account() -> ColumnElement[bool]:
    return accounts.c.player_id == _r.player_id


def _is_ranked(family: str) -> Sequence[ColumnElement[bool]]:
    return (_r.family == family, _r.games >= PROVISIONAL_GAMES)


def _existing_rows(
    connection: Connection, family: str, changed: Mapping[str, Rating]
) -> Iterable[dict[str, object]]:
    named = list_named(connection, changed, lock=True)
    for player_id in sorted(named):
        yield {"family": family, "player_id": player_id, **changed[player_id]._asdict()}
