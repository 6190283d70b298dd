"""Stand-ins for what the coach's workers do: worker processes import them by their names."""

from __future__ import annotations

from tests.chores import count_until_stopped


def go_on(*_position: object) -> str:
    """Never come to an end."""
    return count_until_stopped()


def break_down(*_position: object) -> str:
    raise ValueError("broken")
