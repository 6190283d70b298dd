"""Race rooms, what happened in them, and who looked at them when."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
)

from app.db.schema.metadata import METADATA

# A room, and what its log does not say: the secret seed of its deal, and the room that it goes on from.
# ``version`` and the times but ``opened_ms`` follow from the log and from the games; they change as it grows.
races: Final = Table(
    "races",
    METADATA,
    Column("code", Text, primary_key=True),
    Column("seed", LargeBinary, nullable=False),  # secret until ``ended_ms`` is set
    Column("previous", Text, ForeignKey("races.code")),
    Column("opened_ms", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("ended_ms", BigInteger),
    Column("void_ms", BigInteger),
    Column("due_ms", BigInteger),  # time will have done something by then, or not before
    UniqueConstraint("previous", name="uq_races_previous"),
    Index(None, "due_ms"),
    Index(None, "seed"),
)

# The truth: append-only, like the log of a game. See app.races.log for the words.
race_events: Final = Table(
    "race_events",
    METADATA,
    Column("code", Text, ForeignKey("races.code"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("word", Text, nullable=False),
    Column("player_id", Text, ForeignKey("players.id")),
    Column("at_ms", BigInteger, nullable=False),
    Column("facts", Text, nullable=False),
    sqlite_with_rowid=False,
)

# When each player last looked, and in which of their tabs they play; and which game is whose run.
race_seats: Final = Table(
    "race_seats",
    METADATA,
    Column("code", Text, ForeignKey("races.code"), primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("seen_ms", BigInteger, nullable=False),
    Column("tab", Text, nullable=False, server_default=""),
    Column("game_id", Text, ForeignKey("games.id")),
    UniqueConstraint("game_id", name="uq_race_seats_game_id"),
    Index(None, "player_id"),
)
