"""Players, their sessions and accounts, and what is counted against guessing."""

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

from app.db.schema.metadata import METADATA

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
    Column("label", Text, nullable=False, server_default=""),  # the device, in words for its owner
)

# Whoever has claimed a name. Everybody else is a guest. ``name_key`` is the name as the eye sees it.
accounts: Final = Table(
    "accounts",
    METADATA,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("name_key", Text, nullable=False),
    Column("password_hash", Text, nullable=False),
    Column("claimed_ms", BigInteger, nullable=False),
    UniqueConstraint("name_key", name="uq_accounts_name_key"),
)

# Who may look at everything and change nothing, until it is lifted. ``reason`` is a sentence for them.
suspensions: Final = Table(
    "suspensions",
    METADATA,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("since_ms", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
)

# Names that were taken from their bearers because they offend: nobody can bear them, until they are given back.
withdrawn_names: Final = Table(
    "withdrawn_names",
    METADATA,
    Column("name_key", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("withdrawn_ms", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
)

# How often something was tried, counted for all processes until ``until_ms``: see app.identity.throttle.
tallies: Final = Table(
    "tallies",
    METADATA,
    Column("bucket", LargeBinary, primary_key=True),  # a hash: no name and no address is kept here
    Column("count", Integer, nullable=False),
    Column("until_ms", BigInteger, nullable=False, index=True),
)
