"""Shared tables: their players, proposals, and what the players point at.

Some stored names are older than the words of the code, and stay: see docs/decisions/0022-field-terms.md.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    Table,
    Text,
    false,
)

from app.db.schema.base import METADATA

# A game of kind "shared"; its owner is in ``games``. ``revision`` rises with every change here, so that
# a page can ask for what is new. Updating it also makes concurrent changes wait for each other.
shared_tables: Final = Table(
    "shared_tables",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("token", Text, nullable=False, unique=True),  # of the invitation link
    Column("shared_ms", BigInteger, nullable=False),
    Column("stirred_ms", BigInteger, key="changed_ms", nullable=False),
    Column("stir", Integer, key="revision", nullable=False),
    Column(
        "next_id", Text, ForeignKey("games.id"), index=True
    ),  # the game that the same players went on to
)

# All players who ever had a seat at a shared table; ``state`` is one of app.shared_tables.model.SeatState. Players who
# have ``moved`` share in the result even after they left.
table_seats: Final = Table(
    "seats",
    METADATA,
    Column("game_id", Text, ForeignKey("shared_tables.game_id"), primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True, index=True),
    Column("state", Text, nullable=False),
    Column("since_ms", BigInteger, nullable=False),
    Column("moved", Boolean, nullable=False, server_default=false()),
)

# Requests for a seat from people without the invitation. The row of a player who was let in is deleted.
seat_requests: Final = Table(
    "seat_requests",
    METADATA,
    Column("game_id", Text, ForeignKey("shared_tables.game_id"), primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True, index=True),
    Column("asked_ms", BigInteger, nullable=False),
    Column("declined", Boolean, nullable=False, server_default=false()),
)

# Event logs keep the id of the guest who moved; this is the account that the guest was merged into.
former_guests: Final = Table(
    "former_guests",
    METADATA,
    Column("guest_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
)

# Proposals. At most one per table is open (``ended`` is null); ``number`` is the revision that it made. ``word`` is
# an action of the event log, or "next"; ``version`` is that of the game when it was made.
proposals: Final = Table(
    "asks",
    METADATA,
    Column("game_id", Text, ForeignKey("shared_tables.game_id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("word", Text, nullable=False),
    Column(
        "asker_id",
        Text,
        ForeignKey("players.id"),
        key="proposer_id",
        nullable=False,
        index=True,
    ),
    Column("version", Integer, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
    Column("ended", Text),
)

# The players who were asked, and their answers; null until they answer.
proposal_answers: Final = Table(
    "ask_answers",
    METADATA,
    Column("game_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True, index=True),
    Column("agrees", Boolean),
    ForeignKeyConstraint(["game_id", "number"], ["asks.game_id", "asks.number"]),
)

# What each player last pointed at or said; shown for a few seconds. ``number`` is the revision that it made.
gestures: Final = Table(
    "signs",
    METADATA,
    Column("game_id", Text, ForeignKey("shared_tables.game_id"), primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True, index=True),
    Column("number", Integer, nullable=False),
    Column("place", Text, nullable=False),
    Column("saying", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)
