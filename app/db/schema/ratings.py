"""What the reviews of closed days say of each attempt, and the ratings of players with the events they follow from."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Double, ForeignKey, Index, Integer, Table, Text

from app.db.schema.base import METADATA

# How well an attempt of a closed day was played: from its stored review. Null where it could not be judged.
judgements: Final = Table(
    "judgements",
    METADATA,
    Column("game_id", Text, ForeignKey("daily_attempts.game_id"), primary_key=True),
    Column("accuracy", Double),  # the average share of the chance that was kept, from 0 to 1
    Column("luck", Double),  # what the turned cards gave, as a chance to win
    Column("judged_ms", BigInteger, nullable=False),
)

# How far the best attempts of a closed day agree with the true order of hidden cards: see app.solver.foresight.
# Staff alone see it. Null where it could not be measured.
foresights: Final = Table(
    "foresights",
    METADATA,
    Column("game_id", Text, ForeignKey("daily_attempts.game_id"), primary_key=True),
    Column("z", Double, index=True),
    Column("excess", Double),  # by how many turns it agrees more often than expected
    Column("variance", Double),
    Column("choices", Text),  # JSON
    Column("measured_ms", BigInteger, nullable=False),
)

# The races and daily deals that have been counted, in the order of counting. The key makes each count once.
rated_events: Final = Table(
    "rated_events",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("key", Text, nullable=False, unique=True),  # race/CODE or daily/DAY/RULESET
    Column("family", Text, nullable=False),  # see app.rulesets.families
    Column("at_ms", BigInteger, nullable=False),  # when the race ended or the day closed
    Index(None, "family", "number"),
)

# The ranks that were counted, of players who had a name then. All ratings can be computed from them.
rated_results: Final = Table(
    "rated_results",
    METADATA,
    Column("number", Integer, ForeignKey("rated_events.number"), primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True, index=True),
    Column("game_id", Text, ForeignKey("games.id"), nullable=False, unique=True),
    Column("rank", Integer, nullable=False),
)

ratings: Final = Table(
    "ratings",
    METADATA,
    Column("family", Text, primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True, index=True),
    Column("mean", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("games", Integer, nullable=False),  # the events that it follows from
    Index(None, "family", "mean"),
)
