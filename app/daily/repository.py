"""The tables of deals and attempts. Every function runs in the transaction of its caller."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, case, exists, func, insert, literal, select, update

from app.daily.model import Attempt, DailyDeal, Doubt, Score, settled_ms
from app.db.engine import insert_or_ignore
from app.db.schema import daily_attempts, daily_deals, games
from app.games.attempt_verdicts import AttemptVerdict
from app.games.model import Status

_DEAL: Final = select(*(daily_deals.c[name] for name in DailyDeal.__slots__))


def list_deals(connection: Connection, first: date, last: date) -> list[DailyDeal]:
    """The deals of the days from ``first`` to ``last``, both included, in order of days."""
    query = _DEAL.where(daily_deals.c.day.between(first.isoformat(), last.isoformat()))
    return [
        _deal(row)
        for row in connection.execute(query.order_by(daily_deals.c.day, daily_deals.c.ruleset))
    ]


def find_deal(connection: Connection, day: date, ruleset: str) -> DailyDeal | None:
    """The deal of a day and rule set, even if it is still secret."""
    query = _DEAL.where(daily_deals.c.day == day.isoformat(), daily_deals.c.ruleset == ruleset)
    row = connection.execute(query).one_or_none()
    return _deal(row) if row else None


def find_published_deal(connection: Connection, game_id: str) -> DailyDeal | None:
    """The closed deal whose cards a game has, if there is one."""
    query = _DEAL.join(games, games.c.seed == daily_deals.c.seed)
    query = query.where(games.c.id == game_id, daily_deals.c.closed_ms.is_not(None))
    row = connection.execute(query.limit(1)).one_or_none()
    return _deal(row) if row else None


def add_deal(connection: Connection, deal: DailyDeal) -> None:
    """Store a deal. A deal that already exists for its day and rule set is kept instead."""
    add_deals(connection, [deal])


def add_deals(connection: Connection, deals: Sequence[DailyDeal]) -> None:
    """The same for several deals."""
    rows = [
        {name: getattr(deal, name) for name in DailyDeal.__slots__} | {"day": deal.day.isoformat()}
        for deal in deals
    ]
    connection.execute(insert_or_ignore(connection, daily_deals), rows)


def set_verified(connection: Connection, deal: DailyDeal, *, verified: bool) -> None:
    """Store whether the solver has proven a deal winnable."""
    connection.execute(
        update(daily_deals)
        .where(daily_deals.c.day == deal.day.isoformat(), daily_deals.c.ruleset == deal.ruleset)
        .values(verified=verified)
    )


def close_deal(connection: Connection, deal: DailyDeal, at_ms: int, record: str) -> bool:
    """Close a deal: its results become final and its seed public. ``False`` if it was closed before."""
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


def list_unclosed_days(connection: Connection, before: date) -> list[date]:
    """The days before ``before`` with deals that are not closed, oldest first."""
    query = select(daily_deals.c.day).where(
        daily_deals.c.day < before.isoformat(), daily_deals.c.closed_ms.is_(None)
    )
    days = connection.scalars(query.distinct().order_by(daily_deals.c.day))
    return [date.fromisoformat(day) for day in days]


def find_previous_record(connection: Connection, deal: DailyDeal) -> str | None:
    """The record of the last closed day before this deal. The record of the deal is chained to it."""
    query = select(daily_deals.c.record).where(
        daily_deals.c.ruleset == deal.ruleset,
        daily_deals.c.day < deal.day.isoformat(),
        daily_deals.c.record.is_not(None),
    )
    return connection.scalar(query.order_by(daily_deals.c.day.desc()).limit(1))


def count_results(
    connection: Connection, first: date, last: date
) -> dict[tuple[date, str], tuple[int, int]]:
    """How many players began each deal from ``first`` to ``last``, and how many solved it, by day and rule set."""
    solved = func.sum(case((_a.verdict == AttemptVerdict.SOLVED, 1), else_=0))
    query = (
        select(_a.day, _a.ruleset, func.count(), solved)
        .where(_a.day.between(first.isoformat(), last.isoformat()))
        .group_by(_a.day, _a.ruleset)
    )
    return {
        (date.fromisoformat(day), ruleset): (begun, int(won))
        for day, ruleset, begun, won in connection.execute(query)
    }


def find_first_day(connection: Connection) -> date | None:
    """The first day with a deal."""
    day = connection.scalar(select(daily_deals.c.day).order_by(daily_deals.c.day).limit(1))
    return date.fromisoformat(day) if day else None


def _deal(row: Row[*tuple[Any, ...]]) -> DailyDeal:
    fields = row._asdict()
    return DailyDeal(**fields | {"day": date.fromisoformat(fields["day"])})


_a = daily_attempts.c

ATTEMPT_COLUMNS: Final = (
    *(_a.game_id, _a.day, _a.ruleset, _a.player_id, _a.started_ms, _a.listed, _a.verdict),
    *(_a.ended_ms, _a.actions, _a.seconds, _a.cards_home, _a.reason, _a.stood, _a.unconfirmed),
)
ATTEMPT_QUERY: Final = select(*ATTEMPT_COLUMNS)
_RESIGNED: Final = exists().where(
    games.c.id == _a.game_id,
    games.c.status == Status.RESIGNED,
    games.c.updated_ms == _a.ended_ms,  # not after the attempt had ended in another way
)
_OWN_QUERY: Final = ATTEMPT_QUERY.add_columns(_RESIGNED.label("resigned"))
"""The columns for one player's own attempts, which show a resignation."""

_UNCONVERTED: Final = {*Attempt.__slots__} - {"day", "verdict", "score", "stood", "doubt"}


def add_attempt(
    connection: Connection, attempt: Attempt, device: bytes | None, network: bytes | None = None
) -> None:
    """Store a new attempt; raises ``IntegrityError`` if the player or the browser already has one."""
    connection.execute(
        insert(daily_attempts).values(
            game_id=attempt.game_id,
            day=attempt.day.isoformat(),
            ruleset=attempt.ruleset,
            player_id=attempt.player_id,
            device=device,
            network=network,
            started_ms=attempt.started_ms,
            listed=attempt.listed,
            unconfirmed=attempt.doubt,
            verdict=AttemptVerdict.OPEN,
            checked=False,
        )
    )


def end_attempt(
    connection: Connection,
    game_id: str,
    verdict: AttemptVerdict,
    score: Score,
    *,
    cards_home: int,
    ended_ms: int,
    listed: bool,
) -> None:
    """Store the result of an attempt, unless it already has one."""
    connection.execute(
        update(daily_attempts)
        .where(_a.game_id == game_id, _a.verdict == AttemptVerdict.OPEN)
        .values(
            verdict=verdict,
            actions=score.actions,
            seconds=score.seconds,
            cards_home=cards_home,
            ended_ms=ended_ms,
            listed=_a.listed | literal(listed),  # the player may just have created an account
        )
    )


def find_attempt(connection: Connection, game_id: str) -> Attempt | None:
    """The attempt that a game belongs to."""
    return _find_one(connection, ATTEMPT_QUERY.where(_a.game_id == game_id))


def find_attempt_of_player(
    connection: Connection, day: date, ruleset: str, player_id: str
) -> Attempt | None:
    """A player's attempt at a deal."""
    return _find_one(connection, _attempts_at(day, ruleset).where(_a.player_id == player_id))


def find_attempt_of_browser(
    connection: Connection, day: date, ruleset: str, device: bytes
) -> Attempt | None:
    """The attempt at a deal that was started in a browser, by any player."""
    return _find_one(connection, _attempts_at(day, ruleset).where(_a.device == device))


def list_attempts(connection: Connection, player_id: str, first: date, last: date) -> list[Attempt]:
    """A player's attempts from ``first`` to ``last``, both included, in order of days."""
    query = _OWN_QUERY.where(
        _a.player_id == player_id, _a.day.between(first.isoformat(), last.isoformat())
    )
    return [to_attempt(row) for row in connection.execute(query.order_by(_a.day))]


def list_solved_days(connection: Connection, player_id: str) -> set[date]:
    """The days on which a player solved a deal."""
    query = select(_a.day).where(_a.player_id == player_id, _a.verdict == AttemptVerdict.SOLVED)
    return {date.fromisoformat(day) for day in connection.scalars(query.distinct())}


def is_private(connection: Connection, game_id: str) -> bool:
    """Whether a game is an attempt at an open deal, which only its player may see."""
    query = select(literal(1)).select_from(daily_attempts.join(daily_deals))
    found = connection.scalar(query.where(_a.game_id == game_id, daily_deals.c.closed_ms.is_(None)))
    return found is not None


def find_settled_ms(connection: Connection, game_id: str) -> int | None:
    """When the day of an attempt is closed, and its deals published; ``None`` for other games."""
    day = connection.scalar(select(_a.day).where(_a.game_id == game_id))
    return settled_ms(date.fromisoformat(day)) if day else None


def to_attempt(row: Row[*tuple[Any, ...]]) -> Attempt:
    """Build an attempt from a row with ``ATTEMPT_COLUMNS``."""
    fields = {name: value for name, value in row._asdict().items() if name in _UNCONVERTED}
    return Attempt(
        day=date.fromisoformat(row.day),
        verdict=AttemptVerdict(row.verdict),
        stood=None if row.stood is None else AttemptVerdict(row.stood),
        doubt=None if row.unconfirmed is None else Doubt(row.unconfirmed),
        score=None if row.actions is None else Score(row.actions, row.seconds),
        **fields,
    )


def _attempts_at(day: date, ruleset: str) -> Select[Any]:
    return _OWN_QUERY.where(_a.day == day.isoformat(), _a.ruleset == ruleset)


def _find_one(connection: Connection, query: Select[Any]) -> Attempt | None:
    row = connection.execute(query).one_or_none()
    return to_attempt(row) if row else None
