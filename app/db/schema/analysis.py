"""Help that looks at all the cards: the games that had it, what was asked, and what was answered."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    ForeignKey,
    Integer,
    Table,
    Text,
    and_,
)

from app.db.schema.metadata import METADATA

# A game whose player had hidden cards looked at while it could still be played, first at ``version``. What was done
# after that was done with help: only a game that went on, to a higher version, was assisted.
assists: Final = Table(
    "assists",
    METADATA,
    Column("game_id", Text, ForeignKey("games.id"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)

# What was asked of a game at a version. Without an answer, the process that left its mark in ``worker`` is at work
# on it; what it says of that counts until ``until_ms``.
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
)


def was_assisted(game_id: ColumnElement[str], version: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether the row of ``assists`` is that of a game which stands at ``version`` and went on after it had help."""
    return and_(assists.c.game_id == game_id, assists.c.version < version)
