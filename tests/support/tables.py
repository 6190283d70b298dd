"""What the database contains, to see that a request changes nothing."""

from __future__ import annotations

from fastapi import FastAPI
from sqlalchemy import Connection, select

from app.db.schema import METADATA

# What requests are counted in, and what background tasks do.
_BACKGROUND = {
    "sightings",  # of the requests before
    "presence",
    "leases",
    "site_days",
    "tallies",
    "traffic",
    "bookmarks",
    "game_days",
    "daily_deals",
    "pool_deals",
    "push_keys",  # made when they are first needed
}


async def contents(site: FastAPI, *left_out: str) -> dict[str, list[str]]:
    """The rows of each table that a request could change, except when somebody was last seen."""

    def read(connection: Connection) -> dict[str, list[str]]:
        return {
            table.name: sorted(map(repr, connection.execute(select(*columns))))
            for table in METADATA.sorted_tables
            if table.name not in {*_BACKGROUND, *left_out}
            for columns in [[one for one in table.columns if one.name != "seen_ms"]]
        }

    found: dict[str, list[str]] = await site.state.services.database.read(read)
    return found
