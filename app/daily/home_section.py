"""Today's deals on the home page: the headline of the day as a picture, a list of others, a way to the rest.

The headline is the same for everyone until they have finished it. Then a line above shows their result, and the next
featured deal takes its place. A newcomer sees a first game beside it, so they get a deal of another game.

The row begins with the game that the viewer played last, if it has a deal today. This section has one place, beside
what the viewer does next; once the clock of the headline runs, the headline is that, and takes the main place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from fastapi import Request
from markupsafe import Markup

from app.daily import descriptions
from app.daily.dependencies import daily_of, positions_of, read_week
from app.daily.listed_deal import ListedDeal
from app.daily.model import PlayerDeal, Today, closes_ms
from app.daily.own_results import OwnWeek
from app.daily.shown_deals import shown_deals
from app.games.attempt_verdicts import AttemptVerdict
from app.games.mini_drawing import MiniTable
from app.games.mini_table import mini_table
from app.http.dependencies import now_ms_of
from app.http.local_times import LocalTime
from app.http.preferences import read_appearance
from app.http.templates import render_markup
from app.i18n.formats import time_left
from app.identity.model import Player
from app.text import gettext

_WITH_BOARD: Final = {AttemptVerdict.SOLVED, AttemptVerdict.UNSOLVED}
"""Who resigned sees the results only when everyone does."""


@dataclass(frozen=True, slots=True)
class Headline:
    """The deal that is drawn: as it was dealt, or as far as the viewer has played it."""

    deal: ListedDeal
    drawing: MiniTable
    """All of its table."""
    result: str
    """What the viewer made of it, in a sentence; empty until they have finished it."""


class FinishedDaily(NamedTuple):
    """The deal of the day behind the viewer: what they made of it, in sentences, and whether they may see the board."""

    deal: ListedDeal
    result: str
    has_board: bool


@dataclass(frozen=True, slots=True)
class HomeSectionView:
    """Today's deals."""

    closes: LocalTime
    left: str
    finished: FinishedDaily | None
    """The deal of the day, once the viewer has finished it and another one is drawn."""
    headline: Headline | None
    """``None`` while no deal exists."""
    pictures: Mapping[str, str]
    """Addresses of pictures of games, by the ids of their rule sets."""
    others: list[ListedDeal]
    """The other featured deals, those that can be played first, after one of the viewer's last games."""
    is_done: bool
    is_newcomer: bool
    count: int
    """How many deals there are today; 0 if all are shown."""
    to_play: str
    """How many of them the viewer can still play; empty if it is all of them."""
    streak: str
    week: OwnWeek
    """The viewer's last seven days."""


class HomeSection(NamedTuple):
    """The day's deals, and the game that their button continues, or empty."""

    section: Markup
    game_id: str


async def render(
    request: Request,
    player: Player | None,
    *,
    is_newcomer: bool = False,
    played: Sequence[str] = (),
    pictures: Mapping[str, str] = MappingProxyType({}),
) -> HomeSection:
    """The section for a viewer; ``played`` are the ids of the rule sets of their last games, the last one first.

    ``pictures`` are the addresses of pictures of the games.
    """
    today = await daily_of(request).today(player.id if player else None)
    shown = shown_deals(today, played)
    finished = _finished(today, shown[0]) if shown else None
    others = [found for found in shown[1:] if not finished or found is not today.featured[0]]
    count = len(today.player_deals) + len(today.missing)
    view = HomeSectionView(
        closes=LocalTime.of(closes_ms(today.day)),
        left=time_left(closes_ms(today.day) - now_ms_of(request)),
        finished=finished,
        headline=await _headline(request, shown[0]) if shown else None,
        pictures=pictures,
        others=[ListedDeal.of(found) for found in others],
        is_done=today.is_done,
        is_newcomer=is_newcomer,
        count=count if count > len(shown) else 0,
        to_play=gettext("Still to play: %(left)s", left=today.left) if today.left < count else "",
        streak=descriptions.streak_today(today),
        week=await read_week(request, player, today.day),
    )
    section = render_markup("daily/_home.html", view=view, look=read_appearance(request))
    deal = view.headline.deal if view.headline else None
    return HomeSection(section, deal.game_id if deal and deal.is_begun else "")


def _finished(today: Today, drawn: PlayerDeal) -> FinishedDaily | None:
    first = today.featured[0]
    attempt = first.attempt
    if attempt is None or not first.has_ended or drawn is first:
        return None
    has_board = attempt.verdict in _WITH_BOARD and not attempt.resigned
    result = descriptions.resignation(first) or descriptions.full_result(first, None, 0)
    return FinishedDaily(ListedDeal.of(first), result, has_board)


async def _headline(request: Request, found: PlayerDeal) -> Headline:
    positions = await positions_of(request, [found])
    return Headline(
        ListedDeal.of(found),
        mini_table(found.rules, positions[found.rules.id]),
        descriptions.full_result(found, None, 0) if found.has_ended else "",
    )
