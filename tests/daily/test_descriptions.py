"""The daily deal in words: one move is one move, and times are as on a clock."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from app.daily import descriptions
from app.daily.model import Attempt, Comparison, Deal, PlayerDeal, Score, Standing, Verdict
from app.daily.streaks import Streak
from app.rulesets import find_ruleset

DAY = date(2026, 11, 22)


@pytest.mark.parametrize(
    ("actions", "seconds", "text"),
    [(1, 61, "1 move, 1:01"), (77, 177, "77 moves, 2:57")],
)
def test_a_score_counts_one_move_as_one(actions, seconds, text):
    assert descriptions.score_text(actions, seconds) == text


def test_a_newcomer_is_told_how_a_streak_begins():
    assert descriptions.streak_text(Streak(0, 0, None, is_waiting=True)) == (
        "Solve one of today's deals to start a streak."
    )
    # Where nothing is left to do today, there is nothing to say.
    assert descriptions.streak_text(Streak(0, 0, None, is_waiting=False)) == ""
    lost = descriptions.streak_text(Streak(0, 4, None, is_waiting=True))
    assert lost == "Best streak: 4 days. Solve one of today's deals to start a new one."
    kept = descriptions.streak_text(Streak(1, 4, date(2026, 11, 2), is_waiting=False))
    assert kept == "Your streak: 1 day. 2 November 2026 was forgiven."


def ended(*, solved: bool = True) -> PlayerDeal:
    """An attempt of Anna's at a deal that is still open."""
    rules = find_ruleset("bristol")
    assert rules
    deal = Deal(
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
        verdict=Verdict.SOLVED if solved else Verdict.UNSOLVED,
        score=Score(77, 177) if solved else None,
        cards_home=52 if solved else 30,
    )
    return PlayerDeal(deal, rules, attempt)


@pytest.mark.parametrize(
    ("comparison", "ranked", "text"),
    [
        (Comparison(0, 0, 0), 1, "Rank 1 of 1. You are the first to finish."),
        (Comparison(0, 0, 1), 2, "Rank 1 of 2."),  # the rank says it
        (Comparison(0, 0, 1), 1, "Rank 1 of 1. 1st of 2 players, guests included."),
        (Comparison(2, 0, 6), 4, "Rank 1 of 4. 3rd of 9 players, guests included."),
        (Comparison(2, 0, 7), 4, "Rank 1 of 4. Better than 77% of players."),
        (Comparison(0, 0, 41), 4, "Rank 1 of 4. The best of 42 players."),
        (Comparison(0, 1, 999), 4, "Rank 1 of 4. Better than 99% of players."),
        (Comparison(11, 0, 0), 4, "Rank 1 of 4."),
    ],
)
def test_among_few_a_place_is_told_and_nobody_beats_all_players(comparison, ranked, text):
    assert descriptions.standing_text(ended(), Standing(1, comparison), ranked) == text


def test_a_place_is_told_to_who_did_not_solve_the_deal():
    standing = Standing(None, Comparison(1, 0, 1))
    text = descriptions.standing_text(ended(solved=False), standing, 1)
    assert text == "2nd of 3 players, guests included."


def test_what_is_shared_says_where_the_deal_is():
    streak = Streak(3, 3, None, is_waiting=False)
    assert descriptions.share_line(ended(), streak, "https://example.org/x") == (
        "Bristol, 22 November 2026: solved in 77 moves, 2:57. 3 days in a row. https://example.org/x"
    )
    hidden = replace(ended(), attempt=None)
    assert descriptions.share_line(hidden, streak, "https://example.org/x") == ""
