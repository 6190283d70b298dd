"""Tables that several share: who sits there, what is being asked, and what somebody points at."""

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

from app.db.schema.metadata import METADATA

# A game whose kind is "shared". Whose table it is, its game says. ``stir`` rises with everything that changes here,
# so that a page can ask for what it has not seen; its update is also what lets one change wait for another.
shared_tables: Final = Table(
    "shared_tables",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column(
        "token", Text, nullable=False, unique=True
    ),  # of the invitation: whoever has it may sit down
    Column("shared_ms", BigInteger, nullable=False),
    Column("stirred_ms", BigInteger, nullable=False),
    Column("stir", Integer, nullable=False),
    Column("next_id", Text, ForeignKey("games.id")),  # the table at which the same company went on
)

# Everybody who ever sat at a shared table; ``state`` is one of app.shared_tables.repository.State. Who has ``moved`` has a part in
# the result, wherever they sit by now.
seats: Final = Table(
    "seats",
    METADATA,
    Column("game_id", Text, ForeignKey("shared_tables.game_id"), primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True, index=True),
    Column("state", Text, nullable=False),
    Column("since_ms", BigInteger, nullable=False),
    Column("moved", Boolean, nullable=False, server_default=false()),
)

# Logs name the guest who moved for ever; this is who that guest turned out to be.
former_guests: Final = Table(
    "former_guests",
    METADATA,
    Column("guest_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
)

# What somebody asked the others for. At most one of a table is open, that is without ``ended``; ``number`` is the stir
# that it made. The word is one of the log, or "next"; ``version`` is the table that it was asked at.
asks: Final = Table(
    "asks",
    METADATA,
    Column("game_id", Text, ForeignKey("shared_tables.game_id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("word", Text, nullable=False),
    Column("asker_id", Text, ForeignKey("players.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
    Column("ended", Text),
)

# Who was there to be asked, and what they said; null as long as they said nothing.
ask_answers: Final = Table(
    "ask_answers",
    METADATA,
    Column("game_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("agrees", Boolean),
    ForeignKeyConstraint(["game_id", "number"], ["asks.game_id", "asks.number"]),
)

# What each player pointed at or said last. It is shown for seconds; ``number`` is the stir that it made.
signs: Final = Table(
    "signs",
    METADATA,
    Column("game_id", Text, ForeignKey("shared_tables.game_id"), primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("place", Text, nullable=False),
    Column("saying", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)
