"""Deals and attempts in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, insert, literal, select, update

from app.daily.model import Attempt, Deal, Score, Verdict
from app.db.schema import daily_attempts, daily_deals
from app.db.statements import insert_or_ignore

_DEAL: Final = select(*(daily_deals.c[name] for name in Deal.__slots__))


def deals_between(connection: Connection, first: date, last: date) -> list[Deal]:
    """The deals of some days, both ends included, by day."""
    query = _DEAL.where(daily_deals.c.day.between(first.isoformat(), last.isoformat()))
    return [
        _deal(row)
        for row in connection.execute(query.order_by(daily_deals.c.day, daily_deals.c.ruleset))
    ]


def find_deal(connection: Connection, day: date, ruleset: str) -> Deal | None:
    """The deal of a day, whether it may be shown or not."""
    query = _DEAL.where(daily_deals.c.day == day.isoformat(), daily_deals.c.ruleset == ruleset)
    row = connection.execute(query).one_or_none()
    return _deal(row) if row else None


def add_deal(connection: Connection, deal: Deal) -> None:
    """Store a deal, unless its day has one for this game already: then that one stays."""
    values = {name: getattr(deal, name) for name in Deal.__slots__} | {"day": deal.day.isoformat()}
    connection.execute(insert_or_ignore(connection, daily_deals).values(values))


def note_verified(connection: Connection, deal: Deal, *, verified: bool) -> None:
    """Keep what was found out about a deal."""
    connection.execute(
        update(daily_deals)
        .where(daily_deals.c.day == deal.day.isoformat(), daily_deals.c.ruleset == deal.ruleset)
        .values(verified=verified)
    )


def close_deal(connection: Connection, deal: Deal, at_ms: int, record: str) -> bool:
    """From now on everything about a deal is public, and its board is final. Whether it was still open."""
    closed = (
        update(daily_deals)
        .where(
            daily_deals.c.day == deal.day.isoformat(),
            daily_deals.c.ruleset == deal.ruleset,
            daily_deals.c.closed_ms.is_(None),
        )
        .values(closed_ms=at_ms, record=record)
    )
    return connection.execute(closed).rowcount == 1


def unclosed_days(connection: Connection, before: date) -> list[date]:
    """The days before one that have deals still to be closed."""
    query = select(daily_deals.c.day).where(
        daily_deals.c.day < before.isoformat(), daily_deals.c.closed_ms.is_(None)
    )
    days = connection.scalars(query.distinct().order_by(daily_deals.c.day))
    return [date.fromisoformat(day) for day in days]


def previous_record(connection: Connection, deal: Deal) -> str | None:
    """The record of the closed day before this one, which the next record is chained to."""
    query = select(daily_deals.c.record).where(
        daily_deals.c.ruleset == deal.ruleset,
        daily_deals.c.day < deal.day.isoformat(),
        daily_deals.c.record.is_not(None),
    )
    return connection.scalar(query.order_by(daily_deals.c.day.desc()).limit(1))


def first_day(connection: Connection) -> date | None:
    """The oldest day that has a deal."""
    day = connection.scalar(select(daily_deals.c.day).order_by(daily_deals.c.day).limit(1))
    return date.fromisoformat(day) if day else None


def _deal(row: Row[*tuple[Any, ...]]) -> Deal:
    fields = row._asdict()
    return Deal(**fields | {"day": date.fromisoformat(fields["day"])})


_a = daily_attempts.c


ATTEMPT_COLUMNS: Final = (
    *(_a.game_id, _a.day, _a.ruleset, _a.player_id, _a.started_ms, _a.listed, _a.verdict),
    *(_a.ended_ms, _a.actions, _a.seconds, _a.cards_home, _a.reason, _a.stood),
)


ATTEMPT_QUERY: Final = select(*ATTEMPT_COLUMNS)


_TAKEN_AS_THEY_ARE: Final = {*Attempt.__slots__} - {"day", "verdict", "score", "stood"}


def begin(connection: Connection, attempt: Attempt, device: bytes | None) -> None:
    """Store an attempt just begun; ``IntegrityError`` when the player or the browser has begun before."""
    connection.execute(
        insert(daily_attempts).values(
            game_id=attempt.game_id,
            day=attempt.day.isoformat(),
            ruleset=attempt.ruleset,
            player_id=attempt.player_id,
            device=device,
            started_ms=attempt.started_ms,
            listed=attempt.listed,
            verdict=Verdict.OPEN,
            checked=False,
        )
    )


def end(
    connection: Connection,
    game_id: str,
    verdict: Verdict,
    score: Score,
    *,
    cards_home: int,
    ended_ms: int,
    listed: bool,
) -> None:
    """Book how an attempt ended, unless it has ended already."""
    connection.execute(
        update(daily_attempts)
        .where(_a.game_id == game_id, _a.verdict == Verdict.OPEN)
        .values(
            verdict=verdict,
            actions=score.actions,
            seconds=score.seconds,
            cards_home=cards_home,
            ended_ms=ended_ms,
            listed=_a.listed | literal(listed),  # a claim may have listed it in this moment
        )
    )


def attempt_of_game(connection: Connection, game_id: str) -> Attempt | None:
    """The attempt that is played in a game."""
    return _one(connection, ATTEMPT_QUERY.where(_a.game_id == game_id))


def attempt_of_player(
    connection: Connection, day: date, ruleset: str, player_id: str
) -> Attempt | None:
    """A player's attempt at a deal."""
    return _one(connection, _of_deal(day, ruleset).where(_a.player_id == player_id))


def attempt_of_device(
    connection: Connection, day: date, ruleset: str, device: bytes
) -> Attempt | None:
    """The attempt that a browser has begun at a deal, whoever used it."""
    return _one(connection, _of_deal(day, ruleset).where(_a.device == device))


def attempts_between(
    connection: Connection, player_id: str, first: date, last: date
) -> list[Attempt]:
    """A player's attempts at the deals of some days, both ends included."""
    query = ATTEMPT_QUERY.where(
        _a.player_id == player_id, _a.day.between(first.isoformat(), last.isoformat())
    )
    return [to_attempt(row) for row in connection.execute(query.order_by(_a.day))]


def solved_days(connection: Connection, player_id: str) -> set[date]:
    """The days on which a player solved a deal."""
    query = select(_a.day).where(_a.player_id == player_id, _a.verdict == Verdict.SOLVED)
    return {date.fromisoformat(day) for day in connection.scalars(query.distinct())}


def is_veiled(connection: Connection, game_id: str) -> bool:
    """Whether a game is an attempt at a deal that is not closed: then it is for its player alone."""
    query = select(literal(1)).select_from(daily_attempts.join(daily_deals))
    found = connection.scalar(query.where(_a.game_id == game_id, daily_deals.c.closed_ms.is_(None)))
    return found is not None


def to_attempt(row: Row[*tuple[Any, ...]]) -> Attempt:
    """An attempt from a row with ``ATTEMPT_COLUMNS``."""
    fields = {name: value for name, value in row._asdict().items() if name in _TAKEN_AS_THEY_ARE}
    return Attempt(
        day=date.fromisoformat(row.day),
        verdict=Verdict(row.verdict),
        stood=None if row.stood is None else Verdict(row.stood),
        score=None if row.actions is None else Score(row.actions, row.seconds),
        **fields,
    )


def _of_deal(day: date, ruleset: str) -> Select[Any]:
    return ATTEMPT_QUERY.where(_a.day == day.isoformat(), _a.ruleset == ruleset)


def _one(connection: Connection, query: Select[Any]) -> Attempt | None:
    row = connection.execute(query).one_or_none()
    return to_attempt(row) if row else None
