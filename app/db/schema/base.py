"""What every table needs, and the tables with which processes share work."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, MetaData, Table, Text

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

COUNTER: Final = BigInteger().with_variant(Integer, "sqlite")  # SQLite auto-increments only INTEGER

# Work that only one process does at a time: it holds the name until the lease runs out.
leases: Final = Table(
    "leases",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
)

# Server processes; each counts as alive until its heartbeat is overdue.
live_processes: Final = Table(
    "live_processes",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("until_ms", BigInteger, nullable=False),
)

# How many pages a player has open at a topic; with an empty ``player_id``, how many spectators there are.
presence: Final = Table(
    "presence",
    METADATA,
    Column(
        "process_id", Text, ForeignKey("live_processes.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("topic", Text, primary_key=True),
    Column("player_id", Text, primary_key=True),
    Column("viewers", Integer, nullable=False),
    Index(None, "topic"),
)
