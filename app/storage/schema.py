"""The tables. Times are whole milliseconds since 1970, UTC, in columns that end in ``_ms``."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
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

# How often something was tried, counted for all processes until ``until_ms``: see app.players.tallies.
tallies: Final = Table(
    "tallies",
    METADATA,
    Column("bucket", LargeBinary, primary_key=True),  # a hash: no name and no address is kept here
    Column("count", Integer, nullable=False),
    Column("until_ms", BigInteger, nullable=False, index=True),
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
    Column(
        "seed", LargeBinary
    ),  # of a sealed deal: secret; or a whole deck: see app.engine.shuffle
    Column("owner_id", Text, ForeignKey("players.id"), nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("status", Text, nullable=False),
    CheckConstraint("(code IS NULL) <> (seed IS NULL)", name="open_or_sealed"),
    Index(None, "owner_id", "updated_ms"),
    Index(None, "code"),
    # The list of games for those who look after the site goes along these. A move changes none of their columns,
    # or belongs to a game that is not yet in them, so that it costs no more because of them.
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
            ("special", ("kind", "started_ms"), "kind <> 'open'"),
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

# One sealed deal for each day (as 2026-11-21) and game. The seed is secret until ``closed_ms`` is set.
daily_deals: Final = Table(
    "daily_deals",
    METADATA,
    Column("day", Text, primary_key=True),
    Column("ruleset", Text, primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("commitment", Text, nullable=False),  # SHA-256 of the seed: see app.daily.seeds
    Column("verified", Boolean),  # proven winnable; null while nobody has tried
    Column("created_ms", BigInteger, nullable=False),
    Column("closed_ms", BigInteger),
    Column("record", Text),  # hash over every run of the day, set when it is closed
)

# What a player made of a day's deal: begun once, ended at most once.
daily_attempts: Final = Table(
    "daily_attempts",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("day", Text, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False),
    Column("device", LargeBinary),  # hash of the browser's own token, when it has one
    Column("started_ms", BigInteger, nullable=False),
    Column("listed", Boolean, nullable=False),  # the player has a name, so the run has a place
    Column("verdict", Text, nullable=False),  # see app.daily.ranking.Verdict
    Column("ended_ms", BigInteger),
    Column("actions", Integer),
    Column("seconds", Integer),
    Column("cards_home", Integer),
    Column("checked", Boolean, nullable=False),  # replayed after the day was over
    Column("digest", Text),  # fingerprint of the replayed log
    Column("reason", Text),  # why the run was removed, a sentence for everybody
    ForeignKeyConstraint(["day", "ruleset"], ["daily_deals.day", "daily_deals.ruleset"]),
    UniqueConstraint("day", "ruleset", "player_id", name="uq_daily_attempts_player"),
    UniqueConstraint("day", "ruleset", "device", name="uq_daily_attempts_device"),
    Index(None, "player_id", "day"),
    # Boards are read along these; each holds only the attempts that it is for.
    *(
        Index(
            f"ix_daily_attempts_{verdict}",
            *("day", "ruleset", *columns, "game_id"),
            sqlite_where=text(f"verdict = '{verdict}'"),
            postgresql_where=text(f"verdict = '{verdict}'"),
        )
        for verdict, columns in (
            ("solved", ("listed", "actions", "seconds")),
            ("unsolved", ("listed", "cards_home")),
            ("removed", ()),
        )
    ),
    Index(
        "ix_daily_attempts_unchecked",
        *("day", "ruleset", "game_id"),
        sqlite_where=text("NOT checked"),
        postgresql_where=text("NOT checked"),
    ),
)

# Who looks after the site. Only somebody with an account can: see app.admin.roles.
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

_COUNTER: Final = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts in INTEGER only

# Who did what to whom, and why: append-only, like the log of a game. Without an actor, the command line.
audit: Final = Table(
    "audit",
    METADATA,
    Column("seq", _COUNTER, primary_key=True, autoincrement=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("actor_id", Text, ForeignKey("players.id")),
    Column("act", Text, nullable=False),
    Column("subject", Text, nullable=False),  # the id of a game or of a player
    Column("note", Text, nullable=False),
    Index(None, "subject", "seq"),
)

# What was asked of a game and not accepted: kept for a while, apart from the log, and no part of the truth.
refused_actions: Final = Table(
    "refused_actions",
    METADATA,
    Column("seq", _COUNTER, primary_key=True, autoincrement=True),
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

# The chained hash of a log as it was when its game ended: see app.admin.chain. Append-only.
digests: Final = Table(
    "digests",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("digest", LargeBinary, nullable=False),
)
