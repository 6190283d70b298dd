"""Fakes of the searches: worker processes import them by name."""

from __future__ import annotations

from app.analysis.model import UnfinishedCurve, WinnabilityVerdict, Winnable
from tests.jobs.work import count_until_stopped


def go_on(*_position: object) -> str:
    """Never come to an end."""
    return count_until_stopped()


def look_back_forever(*_positions: object) -> str:
    """Know that the position can't be won, and look for one that can without end."""
    return count_until_stopped(found=str(WinnabilityVerdict(Winnable.NO, None, 11)))


def judge_some(*_game: object) -> str:
    """Judge three of ten moves and never come to an end."""
    return count_until_stopped(found=str(UnfinishedCurve((0.5, 0.62, 0.62, 0.4), 10)))


def take_a_moment(*_position: object) -> str:
    """Find an answer, though not at once."""
    count_until_stopped(1.5)
    return Winnable.YES


def break_down(*_position: object) -> str:
    raise ValueError("broken")
