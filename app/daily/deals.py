"""The deals of the days in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from sqlalchemy import Connection, Row, select, update

from app.db.schema import daily_deals
from app.db.statements import insert_or_ignore


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """One game's deal of one day. ``seed`` is secret until ``closed_ms`` is there."""

    day: date
    ruleset: str
    revision: int
    seed: bytes
    commitment: str
    verified: bool | None
    created_ms: int
    closed_ms: int | None = None
    record: str | None = None

    @property
    def is_closed(self) -> bool:
        """Whether its board is final and its secrets are published."""
        return self.closed_ms is not None


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


def close_deal(connection: Connection, deal: Deal, at_ms: int, record: str) -> None:
    """From now on everything about a deal is public, and its board is final."""
    connection.execute(
        update(daily_deals)
        .where(
            daily_deals.c.day == deal.day.isoformat(),
            daily_deals.c.ruleset == deal.ruleset,
            daily_deals.c.closed_ms.is_(None),
        )
        .values(closed_ms=at_ms, record=record)
    )


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
