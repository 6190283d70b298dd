"""The explorer of deals: which position each game of a deal went through, and how it went on from there."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, Table, Text

from app.db.schema.base import METADATA

# Everything here can be computed again from the event logs.

# A game that is merged into the tree of its deal, as it was at ``version``. ``run`` is a short name for it.
explored_runs: Final = Table(
    "explored_runs",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("run", BigInteger, nullable=False, unique=True),
    Column("version", Integer, nullable=False),
)

# The kept line of each game. ``position`` is a hash of the deal and of what shows in the position: see
# app.explorer.lines. ``action`` is empty where the game ended.
explored_steps: Final = Table(
    "explored_steps",
    METADATA,
    Column(
        "run",
        BigInteger,
        ForeignKey("explored_runs.run", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("action", Text, nullable=False),
    Index("ix_explored_steps_position", "position", "run", "action"),  # all that a page needs
    sqlite_with_rowid=False,
)

# The chance to win after each action, as a JSON object, judged from the visible cards when it was first asked for.
explored_chances: Final = Table(
    "explored_chances",
    METADATA,
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("chances", Text, nullable=False),
)

# The closed daily deals whose games are all merged.
explored_days: Final = Table(
    "explored_days",
    METADATA,
    Column("day", Text, primary_key=True),
    Column("ruleset", Text, primary_key=True),
)
