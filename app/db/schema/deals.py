"""Deals that are proven winnable, and how hard deals are."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    text,
)

from app.db.schema.metadata import METADATA

# The stock of proven deals. A deal stays here when it is taken, so that no deck ever comes in twice,
# be it open or sealed. A seed is secret for as long as the game that it was taken for wants it so.
pool_deals: Final = Table(
    "pool_deals",
    METADATA,
    Column("fingerprint", LargeBinary, primary_key=True),  # of the deck: see app.deals.repository
    Column("ruleset", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("code", Text),  # of an open deal
    Column("seed", LargeBinary),  # of a sealed deal
    Column("proven_ms", BigInteger, nullable=False),
    Column("taken_ms", BigInteger),
    CheckConstraint("(code IS NULL) <> (seed IS NULL)", name="open_or_sealed"),
    *(
        Index(
            f"ix_pool_deals_{kind}",
            *("ruleset", "revision", "fingerprint"),
            sqlite_where=text(f"taken_ms IS NULL AND {column} IS NOT NULL"),
            postgresql_where=text(f"taken_ms IS NULL AND {column} IS NOT NULL"),
        )
        for kind, column in (("open", "code"), ("sealed", "seed"))
    ),
)

# How often a simulated player who sees only what lies in sight won a deck: see app.solver.difficulty.
deal_grades: Final = Table(
    "deal_grades",
    METADATA,
    Column("fingerprint", LargeBinary, primary_key=True),
    Column("ruleset", Text, primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
)
