"""Games, their event logs, who may watch them, what help they had, and the stock of proven deals."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    and_,
    false,
    func,
    select,
    text,
)

from app.db.schema.base import METADATA

# What a game's event log does not contain, and five columns derived from the log (version, status, updated_ms,
# played_ms, moves) that are updated in the same transaction that adds an event.
games: Final = Table(
    "games",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("ruleset", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("deal_version", Integer, nullable=False),
    Column("kind", Text, nullable=False),  # what the game is part of: see app.games.model.Kind
    Column("code", Text),  # of an open deal
    Column(
        "seed", LargeBinary
    ),  # of a sealed deal: secret; or a whole deck: see app.engine.shuffle
    Column("owner_id", Text, ForeignKey("players.id"), nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("status", Text, nullable=False),
    # Without the breaks: see app.games.model.Game.played_ms.
    Column("played_ms", BigInteger, nullable=False, server_default="0"),
    # As people count them: see app.games.model.Game.moves.
    Column("moves", Integer, nullable=False, server_default="0"),
    # Signals of cheating, as bits: see app.admin.integrity.signals. Set after a game has ended, never by a move.
    Column("flags", Integer, nullable=False, server_default="0"),
    CheckConstraint("(code IS NULL) <> (seed IS NULL)", name="open_or_sealed"),
    # A move never changes an indexed column, and partial indexes leave out games in play: the fewer pages a commit
    # writes, the sooner the move is durable.
    Index(None, "owner_id", "started_ms"),
    Index(None, "code"),
    # For the list of games in the admin pages.
    Index("ix_games_started", "started_ms", "id"),
    Index("ix_games_ruleset_started", "ruleset", "started_ms", "id"),
    *(
        Index(
            f"ix_games_{name}",
            *columns,
            "id",
            sqlite_where=text(which),
            postgresql_where=text(which),
        )
        for name, columns, which in (
            ("owner_playing", ("owner_id",), "status = 'playing'"),
            ("owner_ended", ("owner_id", "updated_ms"), "status <> 'playing'"),
            ("special", ("kind", "started_ms"), "kind <> 'open'"),
            ("flagged", ("started_ms",), "flags <> 0"),
            ("ended", ("updated_ms",), "status <> 'playing'"),
            ("length", ("moves",), "status <> 'playing'"),
        )
    ),
)

# Games that were not newly dealt: forked from another game at version ``forked_at`` or, when both columns are
# null, imported from a record. They count in no statistics.
origins: Final = Table(
    "origins",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("forked_from", Text, ForeignKey("games.id"), index=True),
    Column("forked_at", Integer),
    CheckConstraint("(forked_from IS NULL) = (forked_at IS NULL)", name="whole_fork"),
)

# The event log, the source of truth: accepted actions, append-only (enforced by triggers in the migrations).
# Event ``seq`` took the game from version seq - 1 to seq. ``month`` is that of the start of the game, as
# ``app.clock.month_of`` counts: on PostgreSQL each month is a partition, and part of the primary key.
events: Final = Table(
    "events",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("action", Text, nullable=False),
    Column(
        "actor_id", Text, nullable=False
    ),  # a player; a guest who was deleted since may have no row
    Column("at_ms", BigInteger, nullable=False),
    Column("key", Text),  # the client's idempotency key, if it sent one
    Column("month", Integer, nullable=False),
    # Whether the site chose the move for the player; false of all events from before there was this mark.
    Column("automatic", Boolean, nullable=False, server_default=false()),
    sqlite_with_rowid=False,
)
Index(
    "ux_events_game_id_key",
    events.c.game_id,
    events.c.key,
    events.c.month,
    unique=True,
    sqlite_where=events.c.key.is_not(None),
    postgresql_where=events.c.key.is_not(None),
)

# The months of the event log that were taken out of the database, each with an archive: see app.cli.archive.
detached_months: Final = Table(
    "detached_months",
    METADATA,
    Column("month", Integer, primary_key=True, autoincrement=False),
    Column("at_ms", BigInteger, nullable=False),
)

# The games that a transaction deletes, whole: only of those may it delete events and digests. Empty outside of it.
expiring_games: Final = Table("expiring_games", METADATA, Column("game_id", Text, primary_key=True))

# The games that players have marked: their tiles come first.
favorites: Final = Table(
    "favourites",
    METADATA,
    Column("player_id", Text, ForeignKey("players.id"), primary_key=True),
    Column("ruleset", Text, primary_key=True),
    Column("added_ms", BigInteger, nullable=False),
)

# Only what players chose: a game without a row can be watched by anyone with its link. ``listed_ms`` is when a
# public game was listed or ended. The lists of live and of finished games are ordered by it, so a move changes
# nothing here.
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

# Games whose player asked for help that uses hidden cards, first at ``version``, while the game was in play, or whose
# spectators are shown the chance to win (``is_shown``). A game counts as assisted only if it went on to a higher
# version after that.
assists: Final = Table(
    "assists",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("is_shown", Boolean, nullable=False, server_default=false()),
)

# Games whose player asked for hints: at how many of its versions, the last of them, and all as far as they are known.
hints_given: Final = Table(
    "hints_given",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("versions", Text, nullable=False, server_default=""),
)

# The plan that the latest hint to the player of a game began: actions from ``version`` on, found in so many positions.
hint_plans: Final = Table(
    "hint_plans",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("positions", Integer, nullable=False),
    Column("chance", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("actions", Text, nullable=False),
)

# Questions to the solver about a game at a version. Until there is an answer, the process in ``worker`` is
# computing it; its progress is valid until ``until_ms``.
questions: Final = Table(
    "questions",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("topic", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("asked_ms", BigInteger, nullable=False),
    Column("answer", Text),
    Column("worker", Text),
    Column("until_ms", BigInteger),
    Column("percent", Integer),
    Column("found", Text),  # so far, while a worker searches
)


REVIEW_TOPICS: Final = ("judged review 2", "judged review", "review")
"""The questions how well a game was played: of this release, of earlier ones, and of those that judged no moves.

Reviews that would come out otherwise now get a new first topic, so that they can be asked for again.
"""


def was_assisted(game_id: ColumnElement[str], version: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether a row of ``assists`` means that a game now at ``version`` went on after it had help."""
    return and_(assists.c.game_id == game_id, assists.c.version < version)


def hints_of(game_id: ColumnElement[str]) -> ColumnElement[int]:
    """How many hints the player of a game was given."""
    given = select(hints_given.c.number).where(hints_given.c.game_id == game_id)
    return func.coalesce(given.scalar_subquery(), 0)


# The stock of proven deals. A deal stays here after it is taken, so that no deck is ever added twice, open or
# sealed. A seed stays secret for as long as the game that took it is sealed.
pool_deals: Final = Table(
    "pool_deals",
    METADATA,
    Column("fingerprint", LargeBinary, primary_key=True),  # of the deck: see app.deals.model
    Column("ruleset", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("code", Text),  # of an open deal
    Column("seed", LargeBinary),  # of a sealed deal
    Column("proven_ms", BigInteger, nullable=False),
    Column("taken_ms", BigInteger),
    CheckConstraint("(code IS NULL) <> (seed IS NULL)", name="open_or_sealed"),
    *(
        Index(
            f"ix_pool_deals_{kind}",
            *("ruleset", "revision", "fingerprint"),
            sqlite_where=text(f"taken_ms IS NULL AND {column} IS NOT NULL"),
            postgresql_where=text(f"taken_ms IS NULL AND {column} IS NOT NULL"),
        )
        for kind, column in (("open", "code"), ("sealed", "seed"))
    ),
)

# How often players who see only the visible cards won a deck, and how many cards they brought home: see
# app.solver.difficulty. Without ``home`` it is from the simulated beginner who judged deals before self-play did.
deal_grades: Final = Table(
    "deal_grades",
    METADATA,
    Column("fingerprint", LargeBinary, primary_key=True),
    Column("ruleset", Text, primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("home", Integer),
)
