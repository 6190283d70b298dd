"""Finding winnable deals: functions of plain values, for worker processes."""

from __future__ import annotations

import time
from typing import Final

from app.deals.model import DealKind, Graded, Proven, fingerprint_of
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, deck_of_seed, new_code, new_seed, unpack_deck
from app.games.lookup import stored_rules
from app.jobs.worker_main import is_stopping, report
from app.solver.difficulty import POSITIONS_PER_TURN, difficulty
from app.solver.solve import Budget, SearchOutcome, solve

# Each takes 70 bytes in Klondike and 135 in Forty Thieves, so at most 270 MB.
_MOST_POSITIONS: Final = 2_000_000
# Most proofs are found early, so when a player waits, more deals help more than longer searches.
_WAITED_FOR_POSITIONS: Final = 400_000
_GRADING_SECONDS: Final = 60.0


def with_grading(seconds: float) -> float:
    """Time for ``find`` to grade the deal too, after a proof at the last moment."""
    return seconds + _GRADING_SECONDS


def find(
    kind: DealKind, ruleset: str, revision: int, seconds: float, *, is_waited_for: bool
) -> Proven | None:
    """Try one new deal after another until one is proven winnable; ``None`` when time is up."""
    rules = stored_rules(ruleset, revision)
    until = time.monotonic() + seconds
    tried = 0
    while (left := until - time.monotonic()) > 0 and not is_stopping():
        report(1 - left / seconds)
        positions = _WAITED_FOR_POSITIONS if is_waited_for else _MOST_POSITIONS
        found = _try(kind, rules, Budget(positions, left))
        if found:
            return found
        tried += 1
    return None


def is_proven(ruleset: str, revision: int, seed: bytes, seconds: float) -> bool:
    """Whether the deal of a seed is proven winnable within ``seconds``."""
    rules = stored_rules(ruleset, revision)
    budget = Budget(positions=_MOST_POSITIONS, seconds=seconds)
    found = solve(rules, deck_of_seed(seed, rules.decks), budget, cancelled=is_stopping)
    return found.outcome is SearchOutcome.WON


def _try(kind: DealKind, rules: Ruleset, budget: Budget) -> Proven | None:
    code, seed = (new_code(), None) if kind is DealKind.OPEN else (None, new_seed())
    deck = deck_of_code(code, rules.decks) if code else deck_of_seed(seed or b"", rules.decks)
    if solve(rules, deck, budget, cancelled=is_stopping).outcome is not SearchOutcome.WON:
        return None
    grade = Graded(fingerprint_of(deck), rules.id, rules.revision, difficulty(rules, deck))
    return Proven(code, seed, grade)


def grade_deal(ruleset: str, revision: int, packed: bytes) -> Graded | None:
    """The difficulty of a packed deck, whether it can be won or not; ``None`` if it was not found in time."""
    rules = stored_rules(ruleset, revision)
    deck = unpack_deck(packed)
    found = difficulty(rules, deck, is_stopping)
    if found.games < len(POSITIONS_PER_TURN):
        return None
    return Graded(fingerprint_of(deck), ruleset, revision, found)
