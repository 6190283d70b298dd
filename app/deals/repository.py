"""The stock of deals in the database. Every function runs inside its caller's transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select, update

from app.db.engine import insert_or_ignore
from app.db.schema import deal_grades, pool_deals
from app.engine.cards import Card
from app.engine.ruleset import Ruleset
from app.engine.shuffle import pack_deck
from app.solver.difficulty import Difficulty


class Kind(StrEnum):
    """Open deals have a public code, sealed ones a secret seed."""

    OPEN = "open"
    SEALED = "sealed"


class Graded(NamedTuple):
    """The difficulty of a deck in a game."""

    fingerprint: bytes
    ruleset: str
    revision: int
    difficulty: Difficulty


class Proven(NamedTuple):
    """A winnable deal, open or sealed."""

    code: str | None
    seed: bytes | None
    grade: Graded


_HELD_IN: Final = {Kind.OPEN: pool_deals.c.code, Kind.SEALED: pool_deals.c.seed}


def fingerprint_of(deck: Sequence[Card]) -> bytes:
    """A hash that identifies a deck without revealing its cards."""
    return hashlib.sha256(b"fairdeal/pool/1/" + pack_deck(deck)).digest()


def add(connection: Connection, deal: Proven, at_ms: int) -> bool:
    """Add a deal to the stock; false if its deck was added before, as either kind."""
    values = {
        "fingerprint": deal.grade.fingerprint,
        "ruleset": deal.grade.ruleset,
        "revision": deal.grade.revision,
        "code": deal.code,
        "seed": deal.seed,
        "proven_ms": at_ms,
    }
    insertion = insert_or_ignore(connection, pool_deals).values(values)
    if connection.execute(insertion.returning(pool_deals.c.fingerprint)).first() is None:
        return False
    keep_grade(connection, deal.grade)
    return True


def draw(connection: Connection, kind: Kind, rules: Ruleset, at_ms: int) -> str | bytes | None:
    """Draw a deal: its code or seed, or ``None`` if there is none. It is never drawn again.

    Deals come in the order of their fingerprints, which reveals neither when a deal was proven nor how
    hard it is.
    """
    column = _HELD_IN[kind]
    found = connection.execute(
        select(pool_deals.c.fingerprint, column)
        .where(*_in_stock(kind, rules))
        .order_by(pool_deals.c.fingerprint)
        .limit(1)
        .with_for_update(skip_locked=True)  # SQLite has one writer, and leaves this out
    ).first()
    if found is None:
        return None
    taken = update(pool_deals).where(pool_deals.c.fingerprint == found.fingerprint)
    connection.execute(taken.values(taken_ms=at_ms))
    deal: str | bytes = found[1]
    return deal


def count(connection: Connection, kind: Kind, rules: Ruleset) -> int:
    """How many deals of a game are in stock."""
    query = select(func.count()).select_from(pool_deals).where(*_in_stock(kind, rules))
    return connection.scalar(query) or 0


def ever_had(connection: Connection, kind: Kind, rules: Ruleset) -> bool:
    """Whether a deal of a game was ever in stock."""
    query = select(pool_deals.c.ruleset).where(
        pool_deals.c.ruleset == rules.id,
        pool_deals.c.revision == rules.revision,
        _HELD_IN[kind].is_not(None),
    )
    return connection.execute(query.limit(1)).first() is not None


def keep_grade(connection: Connection, found: Graded) -> None:
    """Store the difficulty of a deck, unless it is known."""
    values = {
        "fingerprint": found.fingerprint,
        "ruleset": found.ruleset,
        "revision": found.revision,
        "games": found.difficulty.games,
        "wins": found.difficulty.wins,
    }
    connection.execute(insert_or_ignore(connection, deal_grades).values(values))


def grade(connection: Connection, fingerprint: bytes, rules: Ruleset) -> Difficulty | None:
    """The difficulty of a deck, if it is known."""
    row = connection.execute(
        select(deal_grades.c.games, deal_grades.c.wins).where(
            deal_grades.c.fingerprint == fingerprint,
            deal_grades.c.ruleset == rules.id,
            deal_grades.c.revision == rules.revision,
        )
    ).one_or_none()
    return Difficulty(row.games, row.wins) if row else None


def _in_stock(kind: Kind, rules: Ruleset) -> tuple[ColumnElement[bool], ...]:
    return (
        pool_deals.c.ruleset == rules.id,
        pool_deals.c.revision == rules.revision,
        pool_deals.c.taken_ms.is_(None),
        _HELD_IN[kind].is_not(None),
    )
