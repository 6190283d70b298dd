"""The tables. Times are whole milliseconds since 1970, UTC, in columns that end in ``_ms``."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

players: Final = Table(
    "players",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
)

# A session is found by the SHA-256 of its token; the token itself is never stored.
sessions: Final = Table(
    "sessions",
    METADATA,
    Column("token_hash", LargeBinary, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
)

# Everything about a game that its log does not say, and three columns derived from the log
# (version, status, updated_ms) that change in the same statement as the log grows.
games: Final = Table(
    "games",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("ruleset", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("deal_version", Integer, nullable=False),
    Column("kind", Text, nullable=False),  # what the game is part of: see app.play.table.Kind
    Column("code", Text),  # of an open deal
    Column("seed", LargeBinary),  # of a sealed deal: secret
    Column("owner_id", Text, ForeignKey("players.id"), nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("status", Text, nullable=False),
    CheckConstraint("(code IS NULL) <> (seed IS NULL)", name="open_or_sealed"),
    Index(None, "owner_id", "updated_ms"),
)

# The truth: accepted actions, append-only (triggers in the migration refuse anything else).
# Entry ``seq`` took the game from version seq - 1 to seq.
events: Final = Table(
    "events",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("action", Text, nullable=False),
    Column("actor_id", Text, ForeignKey("players.id"), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("key", Text),  # the client's idempotency key, when it sent one
    sqlite_with_rowid=False,
)
Index(
    "ux_events_game_id_key",
    events.c.game_id,
    events.c.key,
    unique=True,
    sqlite_where=events.c.key.is_not(None),
    postgresql_where=events.c.key.is_not(None),
)
