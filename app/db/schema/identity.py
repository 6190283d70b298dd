"""Players, their sessions and accounts, and the counters that limit guessing."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
)

from app.db.schema.base import METADATA

players: Final = Table(
    "players",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False, index=True),
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
    Column("label", Text, nullable=False, server_default=""),  # the device, as its owner sees it
)

# Players with a name and a password; all others are guests. ``name_key`` is the same for names that look alike.
accounts: Final = Table(
    "accounts",
    METADATA,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("name_key", Text, nullable=False),
    Column("password_hash", Text, nullable=False),
    Column("claimed_ms", BigInteger, nullable=False),
    UniqueConstraint("name_key", name="uq_accounts_name_key"),
)

# Suspended players can look at everything but change nothing. They are shown the ``reason``.
suspensions: Final = Table(
    "suspensions",
    METADATA,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("since_ms", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
)

# Offensive names that were taken away: nobody can claim them until a moderator gives them back.
withdrawn_names: Final = Table(
    "withdrawn_names",
    METADATA,
    Column("name_key", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("withdrawn_ms", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
)

# How often something was tried, counted across all processes until ``until_ms``: see app.identity.throttle.
tallies: Final = Table(
    "tallies",
    METADATA,
    Column("bucket", LargeBinary, primary_key=True),  # a hash: no names or addresses are kept here
    Column("count", Integer, nullable=False),
    Column("until_ms", BigInteger, nullable=False, index=True),
)
