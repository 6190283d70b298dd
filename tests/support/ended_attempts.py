"""An attempt at a daily deal that has ended, without a site."""

from __future__ import annotations

from datetime import date

from app.daily.model import Attempt, DailyDeal, PlayerDeal, Score
from app.games.attempt_verdicts import AttemptVerdict
from app.rulesets import find_ruleset

DAY = date(2026, 11, 22)


def ended(*, solved: bool = True) -> PlayerDeal:
    """An attempt of Anna's at a deal that is still open."""
    rules = find_ruleset("bristol")
    assert rules
    deal = DailyDeal(
        day=DAY,
        ruleset="bristol",
        revision=1,
        seed=b"",
        commitment="",
        verified=True,
        created_ms=0,
    )
    attempt = Attempt(
        game_id="g",
        day=DAY,
        ruleset="bristol",
        player_id="anna",
        started_ms=0,
        listed=True,
        verdict=AttemptVerdict.SOLVED if solved else AttemptVerdict.UNSOLVED,
        score=Score(77, 177) if solved else None,
        cards_home=52 if solved else 30,
    )
    return PlayerDeal(deal, rules, attempt)
