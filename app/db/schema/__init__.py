"""The tables. Times are whole milliseconds since 1970, UTC, in columns that end in ``_ms``."""

from __future__ import annotations

from app.db.schema.admin import (
    admin_entries,
    audit,
    bookmarks,
    digests,
    fingerprints,
    refused_actions,
    roles,
    sightings,
)
from app.db.schema.analysis import assists, questions, was_assisted
from app.db.schema.challenges import ghost_tries, ghosts
from app.db.schema.counters import game_days, site_days, traffic
from app.db.schema.daily import daily_attempts, daily_deals
from app.db.schema.deals import deal_grades, pool_deals
from app.db.schema.games import events, games, leases, origins
from app.db.schema.identity import (
    accounts,
    players,
    sessions,
    suspensions,
    tallies,
    withdrawn_names,
)
from app.db.schema.metadata import COUNTER, METADATA
from app.db.schema.presence import live_processes, presence
from app.db.schema.races import race_events, race_seats, races
from app.db.schema.shared_tables import (
    ask_answers,
    asks,
    former_guests,
    seats,
    shared_tables,
    signs,
)
from app.db.schema.spectating import audiences

__all__ = [
    "COUNTER",
    "METADATA",
    "accounts",
    "admin_entries",
    "ask_answers",
    "asks",
    "assists",
    "audiences",
    "audit",
    "bookmarks",
    "daily_attempts",
    "daily_deals",
    "deal_grades",
    "digests",
    "events",
    "fingerprints",
    "former_guests",
    "game_days",
    "games",
    "ghost_tries",
    "ghosts",
    "leases",
    "live_processes",
    "origins",
    "players",
    "pool_deals",
    "presence",
    "questions",
    "race_events",
    "race_seats",
    "races",
    "refused_actions",
    "roles",
    "seats",
    "sessions",
    "shared_tables",
    "sightings",
    "signs",
    "site_days",
    "suspensions",
    "tallies",
    "traffic",
    "was_assisted",
    "withdrawn_names",
]
