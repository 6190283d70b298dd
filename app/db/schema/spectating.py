"""Who may watch a table."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Table, Text, text

from app.db.schema.metadata import METADATA

# Only what was chosen: a table without a row may be watched by whoever has its link. ``listed_ms`` is there while a
# public table is played; the list of live tables goes along it, so that a move changes nothing here.
audiences: Final = Table(
    "audiences",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("audience", Text, nullable=False),
    Column("listed_ms", BigInteger),
    Index(
        "ix_audiences_listed",
        "listed_ms",
        "game_id",
        sqlite_where=text("listed_ms IS NOT NULL"),
        postgresql_where=text("listed_ms IS NOT NULL"),
    ),
)
