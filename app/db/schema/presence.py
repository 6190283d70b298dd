"""Who is connected to which process: rows that come and go, and mean nothing once their process is silent."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, Text

from app.db.schema.metadata import METADATA

# A server process that has something to tell the others, and until when it is believed to live.
live_processes: Final = Table(
    "live_processes",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("until_ms", BigInteger, nullable=False),
)

# A player at a topic, or with an empty ``player_id`` the number of those who look on.
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
