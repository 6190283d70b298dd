"""Expiry: guests who stay away are deleted with their unranked games, so that the disk does not fill up.

A guest is away while no session of theirs has been used for some days, and then leaves their leagues. What others need
stays: ranked games, games that were forked or challenged, tables and challenges with someone who is not away, and what
moderators have looked at.

Everything happens in small transactions with pauses between them, so no move waits long. A game is deleted whole, with
its digests, so every other hash chain still verifies.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from operator import itemgetter
from typing import Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    and_,
    delete,
    exists,
    insert,
    literal,
    or_,
    select,
    update,
)

from app.clock import DAY_MS, Clock
from app.db.engine import Database
from app.db.portions import split_into_portions
from app.db.schema import (
    METADATA,
    accounts,
    assists,
    audiences,
    audit,
    challenge_attempts,
    challenges,
    digests,
    events,
    expiring_games,
    explored_runs,
    favorites,
    fingerprints,
    games,
    gestures,
    hint_plans,
    hints_given,
    league_members,
    origins,
    players,
    proposal_answers,
    proposals,
    push_reminders,
    questions,
    refused_actions,
    seat_requests,
    sessions,
    shared_tables,
    sightings,
    table_seats,
)
from app.games.model import Kind

_PLAYERS_PER_QUERY: Final = 500
_GAMES_PER_QUERY: Final = 200
_GAMES_PER_WRITE: Final = 20
_EVENTS_PER_WRITE: Final = 1_000
_PAUSE_SECONDS: Final = 0.02
_UNRANKED: Final = (Kind.OPEN, Kind.SHARED, Kind.CHALLENGE, Kind.RANKED_CHALLENGE)

DELETED_WITH_A_GAME: Final[Sequence[Table]] = (
    *(gestures, proposal_answers, proposals, seat_requests, table_seats, shared_tables),
    *(
        challenge_attempts,
        challenges,
        assists,
        hint_plans,
        hints_given,
        audiences,
        questions,
        fingerprints,
        explored_runs,
    ),
    *(refused_actions, sightings, origins, digests, events),
)
"""Children before their parents; all have a column ``game_id``."""

_DELETED_WITH_A_PLAYER: Final[Sequence[Table]] = (
    favorites,
    push_reminders,
    seat_requests,
    sessions,
)
"""The tables that do not keep a guest; all have a column ``player_id``."""

_g, _p = games.c, players.c


OnAway = Callable[[Connection, str], None]
"""Called with the id of a guest who is away, in the transaction in which they leave their leagues."""


class GuestExpiry:
    """Deletes guests who are away, and their games, one pass over all players after another."""

    def __init__(
        self, database: Database, clock: Clock, days: int, on_away: Sequence[OnAway] = ()
    ) -> None:
        """Guests are away after ``days``; with 0, nothing is ever deleted."""
        self._database = database
        self._clock = clock
        self._days = days
        self._on_away = on_away

    async def run(self) -> None:
        """One pass over all players."""
        if not self._days:
            return
        cutoff_ms = self._clock() - self._days * DAY_MS
        cursor: str | None = ""
        while cursor is not None:
            find = partial(_find_away, after=cursor, cutoff_ms=cutoff_ms)
            guests, cursor = await self._database.read(find)
            if guests:
                await self._leave_leagues(guests, cutoff_ms)
                await self._delete_games(guests, cutoff_ms)
                await self._delete_players(guests, cutoff_ms)
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _leave_leagues(self, guests: Sequence[str], cutoff_ms: int) -> None:
        members = await self._database.read(partial(_find_members, guests=guests))
        for player_id in members:
            await self._database.write(
                partial(_leave, player_id=player_id, cutoff_ms=cutoff_ms, on_away=self._on_away)
            )
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _delete_games(self, guests: Sequence[str], cutoff_ms: int) -> None:
        after = ""
        while True:
            find = partial(_find_expired, guests=guests, after=after, cutoff_ms=cutoff_ms)
            found = await self._database.read(find)
            for portion in split_into_portions(
                found, _EVENTS_PER_WRITE, itemgetter(1), most_rows=_GAMES_PER_WRITE
            ):
                game_ids = [game_id for game_id, _ in portion]
                await self._database.write(
                    partial(_delete_games, game_ids=game_ids, cutoff_ms=cutoff_ms)
                )
                await asyncio.sleep(_PAUSE_SECONDS)
            if len(found) < _GAMES_PER_QUERY:
                return
            after = found[-1][0]

    async def _delete_players(self, guests: Sequence[str], cutoff_ms: int) -> None:
        find = partial(_find_unneeded, guests=guests)
        unneeded = iter(await self._database.read(find))
        while portion := list(islice(unneeded, _GAMES_PER_WRITE)):
            await self._database.write(
                partial(_delete_players, player_ids=portion, cutoff_ms=cutoff_ms)
            )
            await asyncio.sleep(_PAUSE_SECONDS)


def _find_away(connection: Connection, after: str, cutoff_ms: int) -> tuple[list[str], str | None]:
    """The guests who are away among the next players, and the cursor; ``None`` after the last player."""
    following = select(_p.id).where(_p.id > after).order_by(_p.id).limit(_PLAYERS_PER_QUERY)
    ids = list(connection.scalars(following))
    if not ids:
        return [], None
    away = select(_p.id).where(
        _p.id.in_(ids), _p.created_ms < cutoff_ms, ~_is_here(_p.id, cutoff_ms)
    )
    return list(connection.scalars(away)), ids[-1]


def _find_members(connection: Connection, guests: Sequence[str]) -> list[str]:
    """Those of these guests whom a league knows."""
    query = select(_p.id).where(
        _p.id.in_(guests), exists().where(league_members.c.player_id == _p.id)
    )
    return list(connection.scalars(query))


def _leave(
    connection: Connection, player_id: str, cutoff_ms: int, on_away: Sequence[OnAway]
) -> None:
    # Locked, then checked again: a guest who comes back meanwhile stays.
    query = select(_p.id).where(_p.id == player_id, ~_is_here(_p.id, cutoff_ms))
    if connection.scalar(query.with_for_update()):
        for callback in on_away:
            callback(connection, player_id)


def _find_expired(
    connection: Connection, guests: Sequence[str], after: str, cutoff_ms: int
) -> list[tuple[str, int]]:
    """The ids and versions of the next games of these guests that nobody needs."""
    query = select(_g.id, _g.version).where(
        _g.owner_id.in_(guests), _g.id > after, _is_expired(cutoff_ms)
    )
    return [
        (row[0], row[1])
        for row in connection.execute(query.order_by(_g.id).limit(_GAMES_PER_QUERY))
    ]


def _is_here(player_id: ColumnElement[str], cutoff_ms: int) -> ColumnElement[bool]:
    """Whether a player has an account, or was seen since then."""
    s = sessions.c
    return or_(
        exists().where(accounts.c.player_id == player_id),
        exists().where(s.player_id == player_id, s.seen_ms >= cutoff_ms),
    )


def _is_expired(cutoff_ms: int) -> ColumnElement[bool]:
    """Whether a game may be deleted: nobody played it lately, and nobody who is here needs it."""
    return and_(
        _g.kind.in_(_UNRANKED),
        _g.updated_ms < cutoff_ms,
        ~_is_here(_g.owner_id, cutoff_ms),
        ~exists().where(origins.c.forked_from == _g.id),
        ~exists().where(audit.c.subject == _g.id),
        ~exists().where(
            table_seats.c.game_id == _g.id, _is_here(table_seats.c.player_id, cutoff_ms)
        ),
        ~_is_challenged(cutoff_ms),
        ~_is_compared(cutoff_ms),
    )


def _is_challenged(cutoff_ms: int) -> ColumnElement[bool]:
    """Whether a game is the one to beat in a challenge that is open or has attempts."""
    attempted = exists().where(challenge_attempts.c.token == challenges.c.token)
    return exists().where(
        challenges.c.game_id == _g.id,
        or_(
            challenges.c.until_ms >= cutoff_ms,
            attempted,
            _is_here(challenges.c.maker_id, cutoff_ms),
        ),
    )


def _is_compared(cutoff_ms: int) -> ColumnElement[bool]:
    """Whether a game is an attempt that counts, at a challenge with anybody who is here."""
    own, others, target = (
        challenge_attempts.alias("own"),
        challenge_attempts.alias("others"),
        games.alias("target"),
    )
    rivals = exists().where(others.c.token == own.c.token, _is_here(others.c.player_id, cutoff_ms))
    return exists(
        select(literal(1))
        .select_from(
            own.join(challenges, challenges.c.token == own.c.token).join(
                target, target.c.id == challenges.c.game_id
            )
        )
        .where(
            own.c.game_id == _g.id,
            own.c.counts,
            or_(
                challenges.c.until_ms >= cutoff_ms,
                _is_here(challenges.c.maker_id, cutoff_ms),
                _is_here(target.c.owner_id, cutoff_ms),
                rivals,
            ),
        )
    )


def _delete_games(connection: Connection, game_ids: Sequence[str], cutoff_ms: int) -> None:
    # Locked, then checked again: a game that is forked, challenged or played meanwhile stays.
    connection.execute(select(_g.id).where(_g.id.in_(game_ids)).order_by(_g.id).with_for_update())
    query = select(_g.id).where(_g.id.in_(game_ids), _is_expired(cutoff_ms))
    expired = list(connection.scalars(query))
    if not expired:
        return
    connection.execute(insert(expiring_games), [{"game_id": game_id} for game_id in expired])
    following = shared_tables.c.next_id
    connection.execute(update(shared_tables).where(following.in_(expired)).values(next_id=None))
    for table in DELETED_WITH_A_GAME:
        connection.execute(delete(table).where(table.c.game_id.in_(expired)))
    connection.execute(delete(games).where(_g.id.in_(expired)))
    connection.execute(delete(expiring_games))


def _find_unneeded(connection: Connection, guests: Sequence[str]) -> list[str]:
    """Those of these guests who have only sessions, reminders and favorites left."""
    query = select(_p.id).where(_p.id.in_(guests), ~_is_needed())
    return list(connection.scalars(query))


def _is_needed() -> ColumnElement[bool]:
    """Whether anything but a session or a reminder refers to a player: also tables that this module does not know."""
    references = [
        key.parent == _p.id
        for table in METADATA.sorted_tables
        for key in sorted(table.foreign_keys, key=lambda key: key.parent.name)
        if key.column is _p.id and table not in _DELETED_WITH_A_PLAYER
    ]
    return or_(
        exists().where(audit.c.subject == _p.id), *(exists().where(refers) for refers in references)
    )


def _delete_players(connection: Connection, player_ids: Sequence[str], cutoff_ms: int) -> None:
    connection.execute(select(_p.id).where(_p.id.in_(player_ids)).order_by(_p.id).with_for_update())
    query = select(_p.id).where(_p.id.in_(player_ids), ~_is_here(_p.id, cutoff_ms), ~_is_needed())
    gone = list(connection.scalars(query))
    for table in _DELETED_WITH_A_PLAYER:
        connection.execute(delete(table).where(table.c.player_id.in_(gone)))
    connection.execute(delete(players).where(_p.id.in_(gone)))
