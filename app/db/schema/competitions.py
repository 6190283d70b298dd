"""Daily deals, races and challenges."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from app.db.schema.base import METADATA

# One sealed deal for each day (as 2026-11-21) and game. The seed is secret until ``closed_ms`` is set.
daily_deals: Final = Table(
    "daily_deals",
    METADATA,
    Column("day", Text, primary_key=True),
    Column("ruleset", Text, primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("commitment", Text, nullable=False),  # SHA-256 of the seed: see app.daily.preparing
    Column("verified", Boolean),  # proven winnable; null until the solver has tried
    Column("created_ms", BigInteger, nullable=False),
    Column("closed_ms", BigInteger),
    Column("record", Text),  # hash over every attempt of the day, set when it is closed
)

# A player's one attempt at a day's deal: started once, ended at most once.
daily_attempts: Final = Table(
    "daily_attempts",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("day", Text, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False),
    Column("device", LargeBinary),  # hash of the browser's token, if it has one
    Column("started_ms", BigInteger, nullable=False),
    Column("listed", Boolean, nullable=False),  # the player has a name, so the attempt has a place
    Column("verdict", Text, nullable=False),  # see app.games.attempt_verdicts
    Column("ended_ms", BigInteger),
    Column("actions", Integer),
    Column("seconds", Integer),
    Column("cards_home", Integer),
    Column("checked", Boolean, nullable=False),  # judged, or set aside, after the day ended
    Column("digest", Text),  # fingerprint of the replayed log
    Column("reason", Text),  # why the attempt was removed or hidden: a sentence for all players
    Column(
        "stood", Text
    ),  # the verdict of a hidden or set-aside attempt, for when it is restored or judged
    Column(
        "unconfirmed", Text
    ),  # why the attempt counts for no rank: see app.daily.confirmation; null if it counts
    Column("network", LargeBinary),  # hash of the network it was started from, kept for some days
    ForeignKeyConstraint(["day", "ruleset"], ["daily_deals.day", "daily_deals.ruleset"]),
    UniqueConstraint("day", "ruleset", "player_id", name="uq_daily_attempts_player"),
    UniqueConstraint("day", "ruleset", "device", name="uq_daily_attempts_device"),
    Index(None, "player_id", "day"),
    # For the leaderboards; each holds only the attempts of one verdict.
    *(
        Index(
            f"ix_daily_attempts_{verdict}",
            *("day", "ruleset", *columns),
            sqlite_where=text(f"verdict = '{verdict}'"),
            postgresql_where=text(f"verdict = '{verdict}'"),
        )
        for verdict, columns in (
            ("solved", ("listed", "actions", "seconds", "game_id", "unconfirmed")),
            ("unsolved", ("listed", "cards_home", "game_id")),
            ("removed", ("game_id",)),
        )
    ),
    Index(
        "ix_daily_attempts_network",
        *("day", "ruleset", "network"),
        sqlite_where=text("network IS NOT NULL"),
        postgresql_where=text("network IS NOT NULL"),
    ),
    Index(
        "ix_daily_attempts_unchecked",
        *("day", "ruleset", "game_id"),
        sqlite_where=text("NOT checked"),
        postgresql_where=text("NOT checked"),
    ),
)

# What a room's event log does not contain: the secret seed of its deal, and the room it is a rematch of.
# ``version`` and all times but ``opened_ms`` are derived from the log and the games.
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
    Column("due_ms", BigInteger),  # when the state next changes by time alone
    # The host who put it on the list of open races, at most one race each; and since when, while it has a free place.
    Column("listed_by", Text),
    Column("listed_ms", BigInteger),
    UniqueConstraint("previous", name="uq_races_previous"),
    Index(None, "due_ms"),
    Index(None, "ended_ms"),  # for ratings
    Index(None, "seed"),
    Index(
        "ux_races_listed_by",
        "listed_by",
        unique=True,
        sqlite_where=text("listed_by IS NOT NULL"),
        postgresql_where=text("listed_by IS NOT NULL"),
    ),
    Index(
        "ix_races_listed_ms",
        *("listed_ms", "code"),
        sqlite_where=text("listed_ms IS NOT NULL"),
        postgresql_where=text("listed_ms IS NOT NULL"),
    ),
)

# The event log of a room: append-only, like that of a game. See app.races.events for the kinds of events.
race_events: Final = Table(
    "race_events",
    METADATA,
    Column("code", Text, ForeignKey("races.code"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("word", Text, nullable=False),
    Column("player_id", Text, ForeignKey("players.id"), index=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("facts", Text, nullable=False),
    sqlite_with_rowid=False,
)

# When each player was last seen, the browser tab they play in, and their game.
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

# A challenge: a game up to ``version``, since a lost game can go on after an undo. Each player who creates a link to
# a game has a separate challenge with its own ranking.
challenges: Final = Table(
    "ghosts",
    METADATA,
    Column("token", Text, primary_key=True),
    Column("game_id", Text, ForeignKey("games.id"), nullable=False, index=True),
    Column("version", Integer, nullable=False),
    Column("maker_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("made_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
)

# Every attempt at a challenge. A player's first attempt counts, unless they knew the cards; the others are practice.
challenge_attempts: Final = Table(
    "ghost_tries",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("token", Text, ForeignKey("ghosts.token"), nullable=False),
    Column("player_id", Text, ForeignKey("players.id"), nullable=False, index=True),
    Column("counts", Boolean, nullable=False),
    Column("started_ms", BigInteger, nullable=False),
)
Index("ix_ghost_tries_token", challenge_attempts.c.token)
Index(
    "ux_ghost_tries_counting",
    challenge_attempts.c.token,
    challenge_attempts.c.player_id,
    unique=True,
    sqlite_where=text("counts"),
    postgresql_where=text("counts"),
)

# A league: friends who compare their daily deals. ``link`` is the secret part of its address, which can be renewed.
leagues: Final = Table(
    "leagues",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("link", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("games", Text, nullable=False),  # ids of rule sets, separated by commas
    Column("founded_ms", BigInteger, nullable=False),
    UniqueConstraint("link", name="uq_leagues_link"),
)

# The member with the lowest ``number`` owns the league. A player whom the owner removed keeps a row, and so can't join.
league_members: Final = Table(
    "league_members",
    METADATA,
    Column("league_id", Text, ForeignKey("leagues.id"), primary_key=True),
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True, index=True),
    Column("since_ms", BigInteger, nullable=False),  # results count from this day
    Column("number", Integer, nullable=False),
    Column("is_removed", Boolean, nullable=False),
)
