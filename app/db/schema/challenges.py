"""Ghosts, and who has tried to beat them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, Table, Text, text

from app.db.schema.metadata import METADATA

# A run to play against: a game up to ``version``, since a lost one may be taken up again. Whoever makes a link of it,
# having played it or seen its replay, has a board of their own.
ghosts: Final = Table(
    "ghosts",
    METADATA,
    Column("token", Text, primary_key=True),
    Column("game_id", Text, ForeignKey("games.id"), nullable=False, index=True),
    Column("version", Integer, nullable=False),
    Column("maker_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("made_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
)

# Every game that was dealt against a ghost. A player's first counts, unless they knew the cards; others are practice.
ghost_tries: Final = Table(
    "ghost_tries",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("token", Text, ForeignKey("ghosts.token"), nullable=False),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("counts", Boolean, nullable=False),
    Column("started_ms", BigInteger, nullable=False),
)
Index("ix_ghost_tries_token", ghost_tries.c.token)
Index(
    "ux_ghost_tries_counting",
    ghost_tries.c.token,
    ghost_tries.c.player_id,
    unique=True,
    sqlite_where=text("counts"),
    postgresql_where=text("counts"),
)
