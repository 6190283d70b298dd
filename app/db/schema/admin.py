"""Who looks after the site, and what is kept for them."""

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

from app.db.schema.metadata import COUNTER, METADATA

# Who looks after the site. Only somebody with an account can: see app.admin.auth.roles.
roles: Final = Table(
    "roles",
    METADATA,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("role", Text, nullable=False),
    Column("granted_ms", BigInteger, nullable=False),
)

# A password given again: opens the admin pages, for a short time, to one session of one player.
admin_entries: Final = Table(
    "admin_entries",
    METADATA,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("session_hash", LargeBinary, nullable=False),
    Column("entered_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
)

# Who did what to whom, and why: append-only, like the log of a game. Without an actor, the command line.
audit: Final = Table(
    "audit",
    METADATA,
    Column("seq", COUNTER, primary_key=True, autoincrement=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("actor_id", Text, ForeignKey("players.id")),
    Column("act", Text, nullable=False),
    Column("subject", Text, nullable=False),  # the id of a game or of a player
    Column("note", Text, nullable=False),
    Column(
        "reason", Text
    ),  # of an act against somebody, in a word: see app.admin.moderation.actions
    Index(None, "subject", "seq"),
    Index(
        "ix_audit_reasoned",
        "at_ms",
        sqlite_where=text("reason IS NOT NULL"),
        postgresql_where=text("reason IS NOT NULL"),
    ),
)

# What was asked of a game and not accepted: kept for a while, apart from the log, and no part of the truth.
refused_actions: Final = Table(
    "refused_actions",
    METADATA,
    Column("seq", COUNTER, primary_key=True, autoincrement=True),
    Column("game_id", Text, ForeignKey("games.id"), nullable=False),
    Column("version", Integer, nullable=False),  # where the game stood
    Column("seen", Integer, nullable=False),  # the version that the player saw
    Column("actor_id", Text, ForeignKey("players.id"), nullable=False),
    Column("action", Text, nullable=False),
    Column("result", Text, nullable=False),
    Column("sentence", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False, index=True),
    Index(None, "game_id", "seq"),
)

# By what device a game was begun, and when its page connected again: for a while, and no part of the truth.
sightings: Final = Table(
    "sightings",
    METADATA,
    Column("seq", COUNTER, primary_key=True, autoincrement=True),
    Column("game_id", Text, ForeignKey("games.id"), nullable=False),
    Column("what", Text, nullable=False),
    Column("client", Text, nullable=False),  # as app.identity.devices calls it
    Column("place", LargeBinary, nullable=False, index=True),  # hash of network, client and day
    Column("at_ms", BigInteger, nullable=False, index=True),
    Column("player_id", Text),  # null for what was seen before there was this column
    Index(None, "game_id", "seq"),
)

# Ended games with the same ``run`` are the same, action by action, on the same cards.
fingerprints: Final = Table(
    "fingerprints",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("run", LargeBinary, nullable=False, index=True),
)

# How far a job came that walks along rows in order.
bookmarks: Final = Table(
    "bookmarks",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("key", Text, nullable=False),
)

# The chained hash of a log as it was when its game ended: see app.admin.integrity.hash_chain. Append-only.
digests: Final = Table(
    "digests",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("digest", LargeBinary, nullable=False),
)
