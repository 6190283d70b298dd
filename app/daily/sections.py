"""What other parts of the site add to the page of today's deals."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from fastapi import Request
from markupsafe import Markup

from app.identity.model import Player

Section = Callable[[Request, Player | None], Awaitable[Markup]]
"""Renders what a part shows to a viewer."""


ListPlayed = Callable[[Request, Player | None], Awaitable[Sequence[str]]]
"""Lists the ids of the rule sets that a viewer played, the last one first; none for a newcomer."""


@dataclass(frozen=True, slots=True)
class DailySections:
    """``company`` are ways to share the day with friends, each a section with an ``h3``."""

    list_played: ListPlayed
    company: Sequence[Section]
