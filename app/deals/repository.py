"""The stock in the database. Every function runs in its caller's transaction."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select, update

from app.db.schema import deal_grades, pool_deals
from app.db.statements import insert_or_ignore
from app.engine.cards import Card
from app.engine.ruleset import Ruleset
from app.engine.shuffle import pack_deck
from app.solver.difficulty import Difficulty


class Kind(StrEnum):
    """Open deals have a code that everybody may know, sealed ones a secret seed."""

    OPEN = "open"
    SEALED = "sealed"


class Graded(NamedTuple):
    """How hard a deck is in a game."""

    fingerprint: bytes
    ruleset: str
    revision: int
    difficulty: Difficulty


class Proven(NamedTuple):
    """A deal that can be won, either open or sealed."""

    code: str | None
    seed: bytes | None
    grade: Graded


_HELD_IN: Final = {Kind.OPEN: pool_deals.c.code, Kind.SEALED: pool_deals.c.seed}


def fingerprint_of(deck: Sequence[Card]) -> bytes:
    """What tells a deck from every other; nothing about its cards can be read from it."""
    return hashlib.sha256(b"fairdeal/pool/1/" + pack_deck(deck)).digest()


def add(connection: Connection, deal: Proven, at_ms: int) -> bool:
    """Put a deal into the stock; false when its deck was there before, in whatever kind."""
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
    """Take a deal out: its code or seed, or ``None`` when there is none. Nobody else is ever given it.

    Deals come in the order of their fingerprints, which is no order at all: neither when a deal was
    proven nor how hard it is can be told from when it comes.
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
    """How many deals of a game wait to be taken."""
    query = select(func.count()).select_from(pool_deals).where(*_in_stock(kind, rules))
    return connection.scalar(query) or 0


def ever_had(connection: Connection, kind: Kind, rules: Ruleset) -> bool:
    """Whether there is or was a deal of a game, taken or not."""
    query = select(pool_deals.c.ruleset).where(
        pool_deals.c.ruleset == rules.id,
        pool_deals.c.revision == rules.revision,
        _HELD_IN[kind].is_not(None),
    )
    return connection.execute(query.limit(1)).first() is not None


def keep_grade(connection: Connection, found: Graded) -> None:
    """Remember how hard a deck is in a game, unless that is known."""
    values = {
        "fingerprint": found.fingerprint,
        "ruleset": found.ruleset,
        "revision": found.revision,
        "games": found.difficulty.games,
        "wins": found.difficulty.wins,
    }
    connection.execute(insert_or_ignore(connection, deal_grades).values(values))


def grade(connection: Connection, fingerprint: bytes, rules: Ruleset) -> Difficulty | None:
    """How hard a deck is in a game, if that is known."""
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
