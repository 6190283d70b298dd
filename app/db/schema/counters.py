"""What the overview of the site is drawn from: sums, none of which tells of one person."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Integer, Table, Text

from app.db.schema.metadata import METADATA

# What was asked within ten minutes (from ``minute_ms`` on), by the route that answered: kept for two days.
traffic: Final = Table(
    "traffic",
    METADATA,
    Column("minute_ms", BigInteger, primary_key=True),
    Column("route", Text, primary_key=True),  # such as GET /games/{game_id}
    Column("requests", Integer, nullable=False),
    Column("faults", Integer, nullable=False),  # answered with a 5xx
    Column("timed", Integer, nullable=False),  # those whose length says something: no streams
    Column("took_us", BigInteger, nullable=False),
    Column("slowest_us", BigInteger, nullable=False),
    Column("slowest_id", Text, nullable=False),  # of the request, as its line in the log has it
    Column("fault_id", Text, nullable=False),  # of the last fault; "" without one
)

# What was asked of the site and of its games on a day (as 2026-11-21).
site_days: Final = Table(
    "site_days",
    METADATA,
    Column("day", Text, primary_key=True),
    Column("requests", BigInteger, nullable=False),
    Column("faults", BigInteger, nullable=False),
    Column("accepted", BigInteger, nullable=False),
    Column("refused", BigInteger, nullable=False),  # against the rules
    Column("late", BigInteger, nullable=False),  # not accepted for any other reason
)

# The games of a day, by rule set; with an empty one, of all of them.
game_days: Final = Table(
    "game_days",
    METADATA,
    Column("day", Text, primary_key=True),
    Column("ruleset", Text, primary_key=True),
    Column("begun", Integer, nullable=False),
    Column("ended", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("players", Integer, nullable=False),  # who began or ended one
    Column("counted_ms", BigInteger, nullable=False),
)
