"""Deals of the stock as plain values, which worker processes and the database share."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from app.engine.cards import Card
from app.engine.shuffle import pack_deck
from app.solver.difficulty import Difficulty, Grade


class DealKind(StrEnum):
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


class Drawn(NamedTuple):
    """A deal from the stock: its code or seed, and its grade if that is known."""

    deal: str | bytes
    grade: Grade | None


def fingerprint_of(deck: Sequence[Card]) -> bytes:
    """A hash that identifies a deck without revealing its cards."""
    return hashlib.sha256(b"fairdeal/pool/1/" + pack_deck(deck)).digest()
