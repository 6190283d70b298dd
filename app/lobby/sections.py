"""What other parts of the site add to the home page and to the page of ways to play together."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from fastapi import Request
from markupsafe import Markup

from app.daily.home_section import HomeSection
from app.identity.model import Player


class RenderToday(Protocol):
    """Renders the day's deals for a viewer who played some games last, or for a newcomer, beside their first game."""

    async def __call__(
        self,
        request: Request,
        player: Player | None,
        /,
        *,
        is_newcomer: bool,
        played: Sequence[str],
        pictures: Mapping[str, str],
    ) -> HomeSection:
        """The section; ``pictures`` are the addresses of those of the games, by the ids of their rule sets."""
        ...


Section = Callable[[Request, Player | None], Awaitable[Markup]]
"""Renders what a part shows to a viewer."""


@dataclass(frozen=True, slots=True)
class LobbySections:
    """``today`` is the day's deals on the home page; ``open_races`` and ``together`` are ways to play with others."""

    today: RenderToday
    open_races: Section
    together: Sequence[Section]
