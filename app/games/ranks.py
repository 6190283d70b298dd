"""Ranks of results in order."""

from __future__ import annotations

from collections.abc import Sequence


def competition_ranks(results: Sequence[object]) -> list[int]:
    """The rank of each result, the best first. Equal results share a rank, and the next one is skipped (1, 1, 3)."""
    ranks: list[int] = []
    for number, result in enumerate(results, start=1):
        is_tie = number > 1 and result == results[number - 2]
        ranks.append(ranks[-1] if is_tie else number)
    return ranks
