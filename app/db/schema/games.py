"""Games, their logs, and the leases of work that only one process does."""

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
    Table,
    Text,
    text,
)

from app.db.schema.metadata import METADATA

# Everything about a game that its log does not say, and three columns derived from the log
# (version, status, updated_ms) that change in the same statement as the log grows.
games: Final = Table(
    "games",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("ruleset", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("deal_version", Integer, nullable=False),
    Column("kind", Text, nullable=False),  # what the game is part of: see app.games.model.Kind
    Column("code", Text),  # of an open deal
    Column(
        "seed", LargeBinary
    ),  # of a sealed deal: secret; or a whole deck: see app.engine.shuffle
    Column("owner_id", Text, ForeignKey("players.id"), nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("status", Text, nullable=False),
    # What is out of the ordinary, as bits: see app.admin.integrity.signals. Set after a game has ended, by no move.
    Column("flags", Integer, nullable=False, server_default="0"),
    CheckConstraint("(code IS NULL) <> (seed IS NULL)", name="open_or_sealed"),
    # A move changes no column of any index here, or belongs to a game that is not yet in it: the fewer pages a
    # commit writes, the sooner the move is durable.
    Index(None, "owner_id", "started_ms"),
    Index(None, "code"),
    # The list of games for those who look after the site goes along these.
    Index("ix_games_started", "started_ms", "id"),
    Index("ix_games_ruleset_started", "ruleset", "started_ms", "id"),
    *(
        Index(
            f"ix_games_{name}",
            *columns,
            "id",
            sqlite_where=text(which),
            postgresql_where=text(which),
        )
        for name, columns, which in (
            ("owner_playing", ("owner_id",), "status = 'playing'"),
            ("owner_ended", ("owner_id", "updated_ms"), "status <> 'playing'"),
            ("special", ("kind", "started_ms"), "kind <> 'open'"),
            ("flagged", ("started_ms",), "flags <> 0"),
            ("ended", ("updated_ms",), "status <> 'playing'"),
            ("length", ("version",), "status <> 'playing'"),
        )
    ),
)

# Where a game came from that was not simply dealt: from version ``forked_at`` of another game, or,
# when both are null, from a record that somebody brought along. Such a game counts for nothing.
origins: Final = Table(
    "origins",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("forked_from", Text, ForeignKey("games.id")),
    Column("forked_at", Integer),
    CheckConstraint("(forked_from IS NULL) = (forked_at IS NULL)", name="whole_fork"),
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

# Work that any process may do and only one does: whoever holds the name, until the lease runs out.
leases: Final = Table(
    "leases",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
)
