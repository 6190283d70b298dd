"""Today's deals on the home page: one of the featured ones as a picture, the others in a row, a way to the rest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from fastapi import Request
from markupsafe import Markup

from app.daily import descriptions
from app.daily.dependencies import daily_of
from app.daily.model import PlayerDeal, Today, closes_ms
from app.daily.own_results import OwnWeek, own_week, read_own_week
from app.daily.views import DealView, Timestamp, deal_view, solved_of
from app.db.engine import Database
from app.engine.deal import opening
from app.engine.position import Position
from app.engine.shuffle import deck_of_seed
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


@dataclass(frozen=True, slots=True)
class HomeSectionView:
    """Today's deals. ``preparing`` are the titles of those that do not exist yet."""

    date: str
    closes: Timestamp
    left: str
    featured: FeaturedDeal | None
    others: list[DealView]
    """The other featured deals."""
    more: str
    """How many more deals there are today; empty for none."""
    more_note: str
    preparing: list[str]
    streak: str
    week: OwnWeek
    """The viewer's last seven days."""


async def render(request: Request, player: Player | None) -> Markup:
    """The section for a viewer."""
    today = await daily_of(request).today(player.id if player else None)
    featured = today.featured[0] if today.featured else None
    view = HomeSectionView(
        date=long_date(today.day),
        closes=Timestamp.of(closes_ms(today.day)),
        left=time_left(closes_ms(today.day) - now_ms_of(request)),
        featured=await _draw(request, featured) if featured else None,
        others=[deal_view(found) for found in today.featured[1:]],
        more=count_of(len(today.others), "more deal") if today.others else "",
        more_note=solved_of(today.others),
        preparing=[rules.title for rules in today.missing],
        streak=descriptions.streak_today(today),
        week=await _read_week(request, player, today),
    )
    return render_markup("daily/_home.html", view=view)


async def _read_week(request: Request, player: Player | None, today: Today) -> OwnWeek:
    if player is None:
        return own_week((), today.day)
    read = partial(read_own_week, player_id=player.id, today=today.day)
    return await service_of(request, Database).read(read)


async def _draw(request: Request, featured: PlayerDeal) -> FeaturedDeal:
    position = _opening(featured)
    if featured.attempt:
        games = service_of(request, GameService)
        position = (await games.load(featured.attempt.game_id)).position
    return FeaturedDeal(deal_view(featured), mini_table(featured.rules, position))


def _opening(featured: PlayerDeal) -> Position:
    # The cards that lie face up at the start may be seen before the clock starts: everyone sees them here.
    rules = featured.rules
    return opening(rules, deck_of_seed(featured.deal.seed, rules.decks))
