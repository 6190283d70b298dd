"""Which races and daily deals are decided, and the ranks that count in each.

Who counts is settled before anyone plays: those who had a name when the cards of the race were dealt, or when the day
of the deal began. Otherwise a guest could claim a name, or sign in, only after a win. Assisted, unconfirmed, void,
hidden and set-aside games never count.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from sqlalchemy import ColumnElement, Connection, and_, exists, literal, select, true

from app.db.schema import (
    accounts,
    daily_attempts,
    daily_deals,
    games,
    race_seats,
    races,
    rated_events,
    rated_results,
    was_assisted,
)
from app.games.attempt_verdicts import COUNTED, AttemptVerdict
from app.games.ranks import competition_ranks
from app.races import repository as races_repository
from app.races.ranking import rank_racers
from app.ratings.families import family_of
from app.ratings.model import Event, EventResult
from app.rulesets import find_ruleset

_a, _d, _r = daily_attempts.c, daily_deals.c, races.c
_e, _rr = rated_events.c, rated_results.c

_RACE_KEY = literal("race/") + _r.code
_DAILY_KEY = literal("daily/") + _d.day + "/" + _d.ruleset


def list_pending(connection: Connection, since_ms: int = 0) -> list[Event]:
    """The decided races and daily deals that have not been counted, in the order of counting.

    Only races that ended since ``since_ms``: there are many of them, and most were counted long ago.
    """
    ruleset = (  # no join, or a database may begin with all games
        select(games.c.ruleset)
        .join_from(race_seats, games, games.c.id == race_seats.c.game_id)
        .where(race_seats.c.code == _r.code)
        .limit(1)
        .scalar_subquery()
    )
    raced = select(_RACE_KEY, ruleset, _r.ended_ms).where(
        _r.ended_ms >= since_ms,
        _r.void_ms.is_(None),
        ~exists().where(_e.key == _RACE_KEY),
    )
    dealt = select(_DAILY_KEY, _d.ruleset, _d.closed_ms).where(
        _d.closed_ms.is_not(None), ~exists().where(_e.key == _DAILY_KEY)
    )
    rows = [*connection.execute(raced), *connection.execute(dealt)]
    # None of a race without games, or rules of an unknown game: this process is older than the database.
    known = [row for row in rows if row[1] and find_ruleset(row[1])]
    found = [Event(key, family_of(ruleset).id, at_ms) for key, ruleset, at_ms in known]
    return sorted(found, key=lambda event: (event.at_ms, event.key))


def read_results(connection: Connection, event: Event) -> list[EventResult]:
    """The ranks that count in an event, as its results stand now; none of a void race."""
    kind, _, rest = event.key.partition("/")
    if kind == "race":
        return _of_race(connection, rest)
    day, _, ruleset = rest.partition("/")
    return _of_day(connection, date.fromisoformat(day), ruleset)


def list_changed(connection: Connection) -> list[str]:
    """The keys of counted events whose results have changed since: void, hidden, restored or judged later."""
    void = select(_e.key).where(
        exists().where(_e.key == _RACE_KEY, _r.void_ms.is_not(None)),
        exists().where(_rr.number == _e.number),
    )
    gone = (
        select(_e.key)
        .join_from(rated_results, rated_events)
        .join(daily_attempts, _a.game_id == _rr.game_id)
        .where(_a.verdict.not_in(COUNTED))
    )
    attempt_key = literal("daily/") + _a.day + "/" + _a.ruleset
    come = (
        select(_e.key)
        .join_from(daily_attempts, rated_events, _e.key == attempt_key)
        .where(_counts(), ~exists().where(_rr.game_id == _a.game_id))
    )
    return sorted({*connection.scalars(void), *connection.scalars(gone), *connection.scalars(come)})


def _of_race(connection: Connection, code: str) -> list[EventResult]:
    stored = races_repository.find_race(connection, code)
    room = stored.room if stored else None
    if room is None or room.void or room.end is None or room.end.is_deserted:
        return []
    own = [one for one in rank_racers(room) if one.seat.is_own_game]
    named = _named(connection, [one.seat.player_id for one in own], room.start_ms or 0)
    assisted = _assisted(connection, [one.finished.game_id for one in own])
    return [
        EventResult(one.seat.player_id, one.finished.game_id, one.rank)
        for one in own
        if one.seat.player_id in named and one.finished.game_id not in assisted
    ]


def _of_day(connection: Connection, day: date, ruleset: str) -> list[EventResult]:
    query = select(
        _a.player_id, _a.game_id, _a.verdict, _a.actions, _a.seconds, _a.cards_home
    ).where(_a.day == day.isoformat(), _a.ruleset == ruleset, _counts())
    rows = connection.execute(query).all()
    keys = {
        row.game_id: (0, row.actions or 0, row.seconds or 0)
        if row.verdict == AttemptVerdict.SOLVED
        else (1, -(row.cards_home or 0), 0)
        for row in rows
    }
    ordered = sorted(keys.values())
    ranks = dict(zip(ordered, competition_ranks(ordered), strict=True))
    return [EventResult(row.player_id, row.game_id, ranks[keys[row.game_id]]) for row in rows]


def _counts() -> ColumnElement[bool]:
    """Whether a daily attempt counts once its day has closed."""
    return and_(
        _a.listed == true(),
        _a.checked == true(),
        _a.unconfirmed.is_(None),
        _a.verdict.in_(COUNTED),
        exists().where(accounts.c.player_id == _a.player_id),
        ~exists().where(games.c.id == _a.game_id, was_assisted(games.c.id, games.c.version)),
    )


def _named(connection: Connection, player_ids: Sequence[str], at_ms: int) -> set[str]:
    query = select(accounts.c.player_id).where(
        accounts.c.player_id.in_(player_ids), accounts.c.claimed_ms <= at_ms
    )
    return set(connection.scalars(query))


def _assisted(connection: Connection, game_ids: Sequence[str]) -> set[str]:
    query = select(games.c.id).where(
        games.c.id.in_(game_ids), exists().where(was_assisted(games.c.id, games.c.version))
    )
    return set(connection.scalars(query))
