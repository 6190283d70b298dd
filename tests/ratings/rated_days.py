"""Players with names, and closed days whose results are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, insert, select, update

from app.db.engine import Database
from app.db.schema import (
    accounts,
    daily_attempts,
    daily_deals,
    games,
    rated_events,
    rated_results,
    ratings,
)
from app.ratings.model import Rating
from tests.support.serving import welcome

FIRST = date(2026, 3, 10)


async def add_players(database: Database, *names: str, guests: Sequence[str] = ()) -> None:
    """Players whose ids are their names, and guests."""
    owned = [
        {"player_id": name, "name_key": name, "password_hash": "x", "claimed_ms": 0}
        for name in names
    ]
    welcome(database, *names, *guests)
    await database.write(lambda connection: connection.execute(insert(accounts), owned))


async def close_day(
    database: Database,
    number: int,
    order: Sequence[str],
    ruleset: str = "bristol",
    changes: Mapping[str, Mapping[str, Any]] | None = None,
) -> str:
    """A closed day that these players solved, the best first; its key. ``changes`` are those of their attempts."""
    day = (FIRST + timedelta(days=number)).isoformat()
    deal = {"day": day, "ruleset": ruleset, "revision": 1, "seed": b"s", "commitment": "c"}
    deal |= {"created_ms": 0, "closed_ms": 1_000_000 * (number + 1)}
    runs = [
        {"id": f"{day}-{ruleset}-{name}", "ruleset": ruleset, "owner_id": name} for name in order
    ]
    game = {"revision": 1, "deal_version": 1, "kind": "daily", "seed": b"s", "started_ms": 0}
    game |= {"updated_ms": 1, "version": 1, "status": "won"}
    attempts = [
        {
            "game_id": run["id"],
            "player_id": name,
            "actions": 60 + place,
            "verdict": "solved",
            "listed": True,
            "unconfirmed": None,
            "cards_home": 52,
            "day": day,
            "ruleset": ruleset,
            "started_ms": 0,
            "seconds": 9,
            "checked": True,
            **(changes or {}).get(name, {}),
        }
        for place, (name, run) in enumerate(zip(order, runs, strict=True))
    ]

    def add(connection: Connection) -> None:
        connection.execute(insert(daily_deals), deal)
        connection.execute(insert(games), [game | run for run in runs])
        connection.execute(insert(daily_attempts), attempts)

    await database.write(add)
    return f"daily/{day}/{ruleset}"


async def change_attempt(database: Database, key: str, name: str, **values: Any) -> None:
    _, day, ruleset = key.split("/")
    query = update(daily_attempts).where(daily_attempts.c.game_id == f"{day}-{ruleset}-{name}")
    await database.write(lambda connection: connection.execute(query.values(**values)))


async def ratings_in(database: Database, family: str = "bristol") -> dict[str, Rating]:
    """The stored ratings of a family, by player."""
    r = ratings.c
    query = select(r.player_id, r.mean, r.deviation, r.games).where(r.family == family)
    rows = await database.read(lambda connection: connection.execute(query).all())
    return {row[0]: Rating(*row[1:]) for row in rows}


async def ranks_of(database: Database, key: str) -> dict[str, int]:
    """The ranks that were counted in an event, by player."""
    query = select(rated_results.c.player_id, rated_results.c.rank).join_from(
        rated_results, rated_events
    )
    query = query.where(rated_events.c.key == key)
    rows = await database.read(lambda connection: connection.execute(query).all())
    return {row[0]: row[1] for row in rows}
