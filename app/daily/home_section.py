"""Today's deals on the home page: the one to play next as a picture, others in a row, a way to the rest.

It is a featured one at first, of a game that the viewer knows if there is one. A viewer who has finished it is
offered the next one, and finds the result in the row. For a newcomer, whose first game takes the place, the section is
small and stands beside it.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from fastapi import Request
from markupsafe import Markup

from app.daily import descriptions
from app.daily.dependencies import daily_of, read_week
from app.daily.model import PlayerDeal, closes_ms
from app.daily.own_results import OwnWeek
from app.daily.views import DealView, Timestamp, deal_view, opening_of, solved_of
from app.games.mini_table import MiniTable, mini_table
from app.games.service import GameService
from app.http.dependencies import now_ms_of, service_of
from app.http.formats import count_of, long_date, time_left
from app.http.templates import render_markup
from app.identity.model import Player


@dataclass(frozen=True, slots=True)
class FeaturedDeal:
    """The deal that is drawn: as it was dealt, or as far as the viewer has played it."""

    deal: DealView
    drawing: MiniTable
    is_first: bool
    """Whether it would be the first that the viewer plays: then its page says before how it goes."""


@dataclass(frozen=True, slots=True)
class HomeSectionView:
    """Today's deals. ``preparing`` are the titles of those that do not exist yet."""

    date: str
    closes: Timestamp
    left: str
    featured: FeaturedDeal | None
    """``None`` if there is none to play."""
    others: list[DealView]
    """The other featured deals."""
    is_done: bool
    is_small: bool
    more: str
    """How many more deals there are today; empty for none."""
    more_note: str
    preparing: list[str]
    streak: str
    week: OwnWeek
    """The viewer's last seven days."""


async def render(
    request: Request,
    player: Player | None,
    *,
    is_small: bool = False,
    known: Container[str] = (),
) -> Markup:
    """The section for a viewer. ``known`` are the ids of rule sets that they know."""
    today = await daily_of(request).today(player.id if player else None)
    featured = today.next(known)
    others = [found for found in today.featured if found is not featured]
    left = len(today.player_deals) - len(others) - bool(featured)
    view = HomeSectionView(
        date=long_date(today.day),
        closes=Timestamp.of(closes_ms(today.day)),
        left=time_left(closes_ms(today.day) - now_ms_of(request)),
        featured=await _draw(request, featured, is_first=not today.has_played)
        if featured
        else None,
        others=[deal_view(found) for found in others],
        is_done=today.is_done,
        is_small=is_small,
        more=count_of(left, "more deal") if left else "",
        more_note=solved_of(today.player_deals),
        preparing=[rules.title for rules in today.missing],
        streak=descriptions.streak_today(today),
        week=await read_week(request, player, today.day),
    )
    return render_markup("daily/_home.html", view=view)


async def _draw(request: Request, featured: PlayerDeal, *, is_first: bool) -> FeaturedDeal:
    position = opening_of(featured)
    if featured.attempt:
        games = service_of(request, GameService)
        position = (await games.load(featured.attempt.game_id)).position
    return FeaturedDeal(deal_view(featured), mini_table(featured.rules, position), is_first)
