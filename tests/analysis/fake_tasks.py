"""Fakes of the searches: worker processes import them by name."""

from __future__ import annotations

from app.analysis.model import Winnable
from tests.jobs.work import count_until_stopped


def go_on(*_position: object) -> str:
    """Never come to an end."""
    return count_until_stopped()


def take_a_moment(*_position: object) -> str:
    """Find an answer, though not at once."""
    count_until_stopped(1.5)
    return Winnable.YES


def break_down(*_position: object) -> str:
    raise ValueError("broken")
