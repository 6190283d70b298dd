"""Staff roles and actions, signals of cheating, and counters for the dashboard."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    text,
)

from app.db.schema.base import COUNTER, METADATA

# Staff. Only players with an account can have a role: see app.admin.auth.repository.
roles: Final = Table(
    "roles",
    METADATA,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("role", Text, nullable=False),
    Column("granted_ms", BigInteger, nullable=False),
)

# Re-authentication: opens the admin pages to one session of one player for a short time.
admin_entries: Final = Table(
    "admin_entries",
    METADATA,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("session_hash", LargeBinary, nullable=False),
    Column("entered_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
)

# The audit log: append-only, like the log of a game. Without an actor, it was done on the command line.
audit: Final = Table(
    "audit",
    METADATA,
    Column("seq", COUNTER, primary_key=True, autoincrement=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("actor_id", Text, ForeignKey("players.id"), index=True),
    Column("act", Text, nullable=False),
    Column("subject", Text, nullable=False),  # the id of a game or of a player
    Column("note", Text, nullable=False),
    # Of a measure against a player: see app.admin.moderation.actions.
    Column("reason", Text),
    Index(None, "subject", "seq"),
    Index(
        "ix_audit_reasoned",
        "at_ms",
        sqlite_where=text("reason IS NOT NULL"),
        postgresql_where=text("reason IS NOT NULL"),
    ),
)

# Actions that were refused: kept for a limited time, apart from the event log.
refused_actions: Final = Table(
    "refused_actions",
    METADATA,
    Column("seq", COUNTER, primary_key=True, autoincrement=True),
    Column("game_id", Text, ForeignKey("games.id"), nullable=False),
    Column("version", Integer, nullable=False),  # of the game
    Column("seen", Integer, nullable=False),  # the version that the player saw
    Column("actor_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("action", Text, nullable=False),
    Column("result", Text, nullable=False),
    Column("sentence", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False, index=True),
    Index(None, "game_id", "seq"),
)

# Which device started a game, and when its page reconnected: kept for a limited time.
sightings: Final = Table(
    "sightings",
    METADATA,
    Column("seq", COUNTER, primary_key=True, autoincrement=True),
    Column("game_id", Text, ForeignKey("games.id"), nullable=False),
    Column("what", Text, nullable=False),
    Column("client", Text, nullable=False),  # as labelled by app.identity.device_labels
    Column("place", LargeBinary, nullable=False, index=True),  # hash of network, client and day
    Column("at_ms", BigInteger, nullable=False, index=True),
    Column("player_id", Text),  # null in rows from before this column was added
    Index(None, "game_id", "seq"),
)

# Finished games with the same ``run`` have the same cards and the same actions.
fingerprints: Final = Table(
    "fingerprints",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("run", LargeBinary, nullable=False, index=True),
)

# The position of each task that goes through rows in order.
bookmarks: Final = Table(
    "bookmarks",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("key", Text, nullable=False),
)

# The hash chain of an event log at some versions, its last one among them: see app.admin.integrity.hash_chain.
digests: Final = Table(
    "digests",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("digest", LargeBinary, nullable=False),
)

# Requests in ten minutes (from ``minute_ms`` on), by route: kept for two days.
traffic: Final = Table(
    "traffic",
    METADATA,
    Column("minute_ms", BigInteger, primary_key=True),
    Column("route", Text, primary_key=True),  # such as GET /games/{game_id}
    Column("requests", Integer, nullable=False),
    Column("faults", Integer, nullable=False),  # answered with a 5xx
    Column("timed", Integer, nullable=False),  # requests whose duration was measured: no streams
    Column("took_us", BigInteger, nullable=False),
    Column("slowest_us", BigInteger, nullable=False),
    Column("slowest_id", Text, nullable=False),  # the request id, as in the access log
    Column("fault_id", Text, nullable=False),  # request id of the last fault, or ""
)

# Requests and actions of a day (as 2026-11-21).
site_days: Final = Table(
    "site_days",
    METADATA,
    Column("day", Text, primary_key=True),
    Column("requests", BigInteger, nullable=False),
    Column("faults", BigInteger, nullable=False),
    Column("accepted", BigInteger, nullable=False),
    Column("refused", BigInteger, nullable=False),  # against the rules
    Column("late", BigInteger, nullable=False),  # refused for any other reason
)

# Games of a day by rule set; an empty rule set means all of them.
game_days: Final = Table(
    "game_days",
    METADATA,
    Column("day", Text, primary_key=True),
    Column("ruleset", Text, primary_key=True),
    Column("begun", Integer, nullable=False),
    Column("ended", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("players", Integer, nullable=False),  # who started or ended a game
    Column("counted_ms", BigInteger, nullable=False),
)
