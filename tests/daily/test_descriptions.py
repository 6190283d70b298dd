"""The daily deal in words: one move is one move, and times are as on a clock."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from app.daily import descriptions
from app.daily.model import AttemptComparison, DailyStanding, Doubt
from app.daily.streaks import Streak
from app.text import sentences
from tests.support.ended_attempts import ended


@pytest.mark.parametrize(
    ("actions", "seconds", "text"),
    [(1, 61, "1 move, 1:01"), (77, 177, "77 moves, 2:57")],
)
def test_a_score_counts_one_move_as_one(actions, seconds, text):
    assert descriptions.score_text(actions, seconds) == text


def test_a_newcomer_is_told_how_a_streak_begins():
    assert descriptions.streak_text(Streak(0, 0, None, is_waiting=True)) == (
        "Win one of today's deals to start a streak."
    )
    # Where nothing is left to do today, there is nothing to say.
    assert descriptions.streak_text(Streak(0, 0, None, is_waiting=False)) == ""
    lost = descriptions.streak_text(Streak(0, 4, None, is_waiting=True))
    assert lost == "Best streak: 4 days. Win one of today's deals to start a new one."
    kept = descriptions.streak_text(Streak(1, 4, date(2026, 11, 2), is_waiting=False))
    assert kept == "Your streak: 1 day. You missed 2 November 2026, but your streak goes on."


@pytest.mark.parametrize(
    ("comparison", "rank", "ranked", "text"),
    [
        (AttemptComparison(0, 0, 0), 1, 1, "You are the first to finish."),
        (AttemptComparison(0, 0, 1), 1, 2, "First of 2 so far."),
        (AttemptComparison(0, 0, 1), 1, 1, "First of 2 so far."),  # the other is a guest
        (AttemptComparison(3, 0, 0), 3, 3, "3rd of 3 so far. 4th of 4 players, guests included."),
        (AttemptComparison(2, 0, 6), 1, 4, "First of 4 so far. 3rd of 9 players, guests included."),
        (AttemptComparison(2, 0, 7), 1, 4, "First of 4 so far. Better than 77% of players."),
        (AttemptComparison(0, 0, 41), 1, 4, "First of 4 so far. The best of 42 players."),
        (AttemptComparison(0, 1, 999), 1, 4, "First of 4 so far. Better than 99% of players."),
        (AttemptComparison(11, 0, 0), 1, 4, "First of 4 so far."),
    ],
)
def test_a_place_is_told_in_plain_words_and_nobody_beats_all_players(
    comparison, rank, ranked, text
):
    assert descriptions.standing_text(ended(), DailyStanding(rank, comparison), ranked) == text


def test_a_place_is_told_to_who_did_not_solve_the_deal():
    standing = DailyStanding(None, AttemptComparison(1, 0, 1))
    text = descriptions.standing_text(ended(solved=False), standing, 1)
    assert text == "2nd of 3 so far."


def test_who_resigned_has_no_place():
    found = ended(solved=False)
    assert found.attempt
    resigned = replace(found, attempt=replace(found.attempt, resigned=True))
    assert (
        descriptions.standing_text(resigned, DailyStanding(None, AttemptComparison(5, 0, 3)), 4)
        == ""
    )


FIVE_OTHERS = DailyStanding(1, AttemptComparison(0, 0, 5))


@pytest.mark.parametrize(
    ("doubt", "listed", "is_closed", "text"),
    [
        # A guest is asked beside this text to claim a name.
        (Doubt.GUEST, False, False, "First of 6 so far."),
        (None, False, False, "First of 6 so far."),  # of an old record
        (Doubt.GUEST, False, True, "First of 6. It doesn't count, because you started as a guest."),
        (None, False, True, "First of 6. It doesn't count, because you started as a guest."),
        (
            *(Doubt.GUEST, True, False),
            "First of 6 so far. From tomorrow your daily results are ranked.",
        ),
        (Doubt.GUEST, True, True, "First of 6. It doesn't count, because you started as a guest."),
        (
            *(Doubt.NEW_NAME, True, False),
            "First of 6 so far. From tomorrow your daily results are ranked.",
        ),
        (
            *(Doubt.NEW_NAME, True, True),
            "First of 6. It doesn't count, because you created your account that day.",
        ),
        (
            *(Doubt.NETWORK, True, False),
            (
                "First of 6 so far. It doesn't count, because many others on your network had already"
                " started this deal."
            ),
        ),
    ],
)
def test_who_does_not_count_has_a_place_too_and_hears_when_they_will(
    doubt, listed, is_closed, text
):
    deal = ended()
    assert deal.attempt
    attempt = replace(deal.attempt, doubt=doubt, listed=listed)
    closed = replace(deal.deal, closed_ms=1 if is_closed else None)
    found = replace(deal, attempt=attempt, deal=closed)
    standing = descriptions.standing_text(found, FIVE_OTHERS, 3)
    later = descriptions.ranked_later(found, FIVE_OTHERS)
    assert sentences(standing, later) == text


def test_the_only_player_of_a_closed_day_is_not_called_the_first():
    deal = replace(ended(), deal=replace(ended().deal, closed_ms=1))
    assert descriptions.standing_text(deal, DailyStanding(1, AttemptComparison(0, 0, 0)), 1) == ""
