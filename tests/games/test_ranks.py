from __future__ import annotations

from app.games.ranks import competition_ranks


def test_equal_results_share_a_rank_and_the_next_one_is_skipped() -> None:
    assert competition_ranks([10, 20, 20, 20, 30, 30]) == [1, 2, 2, 2, 5, 5]


def test_without_results_there_are_no_ranks() -> None:
    assert competition_ranks([]) == []
