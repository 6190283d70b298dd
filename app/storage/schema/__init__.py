"""The tables. Times are whole milliseconds since 1970, UTC, in columns that end in ``_ms``."""

from __future__ import annotations

from app.storage.schema.admin import (
    admin_entries,
    audit,
    bookmarks,
    digests,
    fingerprints,
    refused_actions,
    roles,
    sightings,
)
from app.storage.schema.coach import assists, questions, was_assisted
from app.storage.schema.company import (
    ask_answers,
    asks,
    former_guests,
    seats,
    shared_tables,
    signs,
)
from app.storage.schema.daily import daily_attempts, daily_deals
from app.storage.schema.ghost import ghost_tries, ghosts
from app.storage.schema.live import live_processes, presence
from app.storage.schema.metadata import COUNTER, METADATA
from app.storage.schema.overview import game_days, site_days, traffic
from app.storage.schema.people import (
    accounts,
    players,
    sessions,
    suspensions,
    tallies,
    withdrawn_names,
)
from app.storage.schema.play import events, games, leases, origins
from app.storage.schema.pool import deal_grades, pool_deals
from app.storage.schema.race import race_events, race_seats, races
from app.storage.schema.watch import audiences

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
