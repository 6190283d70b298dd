"""The deals of the days, and what players made of them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from app.db.schema.metadata import METADATA

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
    Column("reason", Text),  # why the run was removed or hidden, a sentence for everybody
    Column("stood", Text),  # the verdict of a hidden run, which it gets back when it is restored
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
