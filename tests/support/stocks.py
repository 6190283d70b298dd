"""Deals for the stock of proven deals, without a proof."""

from __future__ import annotations

import hashlib

from app.db.engine import Database
from app.deals import repository
from app.deals.model import Graded, Proven, fingerprint_of
from app.deals.service import DealStock
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, deck_of_code, deck_of_seed, parse_code
from app.games.levels import Level
from app.solver.difficulty import Difficulty

HOME = 1000
"""Cards home in all games together. In Bristol 16 wins are gentle then, 10 fair, 6 hard, and fewer fiendish."""


def open_deal(rules: Ruleset, code: str, wins: int = 11) -> Proven:
    """The deal of a code, as if proven and won ``wins`` times in 20 simulated games."""
    canonical = parse_code(code)
    deck = deck_of_code(canonical, rules.decks)
    grade = Graded(fingerprint_of(deck), rules.id, rules.revision, _difficulty(rules, wins))
    return Proven(canonical, None, grade)


def sealed_deal(rules: Ruleset, seed: bytes | str, wins: int = 11) -> Proven:
    """The deal of a seed, or of the hash of a word."""
    seed = hashlib.sha256(seed.encode()).digest() if isinstance(seed, str) else seed
    deck = deck_of_seed(seed, rules.decks)
    grade = Graded(fingerprint_of(deck), rules.id, rules.revision, _difficulty(rules, wins))
    return Proven(None, seed, grade)


def _difficulty(rules: Ruleset, wins: int) -> Difficulty:
    return Difficulty(20, wins, HOME, rules.id)


async def draw_code(stock: DealStock, rules: Ruleset) -> Code | None:
    """Draw an open deal of any level; return its code."""
    drawn = await stock.draw_graded(rules, Level.ANY)
    return drawn.code if drawn else None


async def put(database: Database, *deals: Proven) -> list[bool]:
    """Add deals to the stock; return for each whether it was new."""
    return await database.write(
        lambda connection: [repository.add(connection, deal, 0) for deal in deals]
    )
