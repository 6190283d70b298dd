"""The result of a daily deal as it is drawn and shared."""

from __future__ import annotations

from dataclasses import replace

from app.daily.model import AttemptComparison, DailyStanding
from app.daily.shared_result import shared_result
from app.daily.streaks import Streak
from app.games.attempt_verdicts import AttemptVerdict
from app.games.shared_result import Fact, filled_squares
from tests.support.ended_attempts import ended

STREAK = Streak(3, 3, None, is_waiting=False)
STANDING = DailyStanding(2, AttemptComparison(1, 0, 4))
URL = "https://example.org/x"


def test_what_is_shared_says_where_the_deal_is():
    result = shared_result(ended(), STANDING, 6, STREAK, URL)
    assert result
    assert result.text == (
        "Fair Deal · Bristol · 22 November 2026\n"
        "■■■■■■■■■■ 77 moves, 2:57 · 3 days in a row.\n"
        "https://example.org/x"
    )
    lost = shared_result(ended(solved=False), None, 6, STREAK, URL)
    assert lost
    assert lost.text.split("\n")[1] == "■■■■■□□□□□ 30 of 52 cards home"


def test_what_is_drawn_has_the_rank_moves_and_time():
    result = shared_result(ended(), STANDING, 6, STREAK, URL)
    assert result
    assert (result.filled, result.said) == (10, "All cards home")
    assert result.rank == Fact("Rank so far", "2 of 6", is_rank=True)
    assert result.facts == (Fact("Moves", "77"), Fact("Time", "2:57"))
    closed = replace(ended(), deal=replace(ended().deal, closed_ms=1))
    final = shared_result(closed, STANDING, 6, STREAK, URL)
    assert final
    assert final.rank == Fact("Rank", "2 of 6", is_rank=True)


def test_what_is_drawn_of_an_unsolved_deal_is_how_far_it_went():
    result = shared_result(ended(solved=False), STANDING, 6, STREAK, URL)
    assert result
    assert (result.filled, result.said, result.rank) == (5, "30 of 52 cards home", None)
    assert result.facts == (Fact("Cards home", "30 of 52"),)


def test_the_first_card_home_fills_a_square_as_it_does_at_the_table():
    lost = ended(solved=False)
    assert lost.attempt
    first = replace(lost, attempt=replace(lost.attempt, cards_home=1))
    result = shared_result(first, STANDING, 6, STREAK, URL)
    assert result
    assert result.filled == filled_squares(1, 52) == 1
    assert result.text.split("\n")[1] == "■□□□□□□□□□ 1 of 52 cards home"


def test_a_guest_is_told_that_there_is_no_rank():
    guest = ended()
    assert guest.attempt
    guest = replace(guest, attempt=replace(guest.attempt, listed=False))
    result = shared_result(guest, STANDING, 6, STREAK, URL)
    assert result
    assert result.rank == Fact("No rank as a guest", "–")


def test_nothing_is_shared_of_no_card_home_or_of_a_result_that_does_not_stand():
    lost = ended(solved=False)
    assert lost.attempt
    for attempt in (
        None,
        replace(lost.attempt, cards_home=0),
        replace(lost.attempt, verdict=AttemptVerdict.OPEN),
        replace(lost.attempt, verdict=AttemptVerdict.REMOVED),
        replace(lost.attempt, verdict=AttemptVerdict.HIDDEN),
    ):
        assert shared_result(replace(lost, attempt=attempt), None, 6, STREAK, URL) is None
