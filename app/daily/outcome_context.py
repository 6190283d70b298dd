"""What the end of a game may say of the daily deal.

After an attempt: its place, if its player may know it, the streak, and the next deal. After one that was resigned: when
the results are out, instead of its place. After practice: how to begin again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from markupsafe import Markup
from starlette.requests import Request

from app.daily import descriptions, repository
from app.daily.dependencies import daily_of, results_of
from app.daily.listed_deal import ListedDeal
from app.daily.model import DailyDeal, Today, settled_ms
from app.daily.next_deals import next_deals
from app.daily.own_comparison import compare_with_own, tomorrows_deal
from app.daily.own_results import OwnResult, OwnWeek, list_own_results, own_week
from app.daily.shared_result import shared_result
from app.db.engine import Database
from app.games.model import Game, Kind, Status
from app.games.outcome_summary import NextStep, OutcomeContext
from app.http.dependencies import now_ms_of, origin_of, service_of
from app.http.local_times import LocalTime
from app.http.templates import render_markup
from app.text import gettext, sentences


class _DaysView(NamedTuple):
    """The viewer's last seven days, their streak in a sentence, and this attempt beside their earlier ones.

    The last is empty for a win, which has it behind "More". A player who resigned has already read how today went, and
    sees the results when everyone does: at ``out``.
    """

    week: OwnWeek
    is_won: bool
    is_resigned: bool
    streak: str
    own: Markup
    out: LocalTime


async def find_outcome_context(request: Request, game: Game) -> OutcomeContext | None:
    """The context of a daily game that its player has ended, or of practice that they gave up; else ``None``."""
    if game.kind is not Kind.DAILY:
        return await _find_practice(request, game)
    daily = daily_of(request)
    attempt = await daily.find_attempt(game.id)
    found = await results_of(request).find_deal(game.owner_id, attempt.day, attempt.ruleset)
    read = partial(list_own_results, player_id=game.owner_id)
    results = await service_of(request, Database).read(read)
    url = origin_of(request) + found.player_deal.deal.path
    today = await daily.today(game.owner_id)
    streak = today.streak
    ranked = found.ranked or 0
    now_ms = now_ms_of(request)
    left = next_deals(today, now_ms, attempt.ruleset)
    is_today, is_won = today.day == attempt.day, game.status is Status.WON
    later = descriptions.ranked_later(found.player_deal, found.standing)
    own = _own(game, results, today, later) if is_today else Markup()
    over = _results_of_the_day(found.player_deal.deal) if game.status is Status.RESIGNED else ""
    place, text = descriptions.place_and_more(found.player_deal, found.standing, ranked)
    return OutcomeContext(
        place=place,
        text=text,
        streak=streak.days,
        result=shared_result(found.player_deal, found.standing, ranked, streak, url),
        next_step=left.text if is_today else over,
        next_link=_next_link(left.first) if is_today else None,
        recent_days=_days(game, results, today, Markup() if is_won else own)
        if is_today
        else Markup(),
        more=own if is_won else Markup(),
    )


def _days(game: Game, results: Sequence[OwnResult], today: Today, own: Markup) -> Markup:
    """The last seven days and the streak, or today's sign after a loss; and what can be told before the results."""
    view = _DaysView(
        week=own_week(results, today.day),
        is_won=game.status is Status.WON,
        is_resigned=game.status is Status.RESIGNED,
        streak=descriptions.streak_today(today),
        own=own,
        out=LocalTime.of(settled_ms(today.day)),
    )
    return render_markup("daily/_after.html", view=view)


def _own(game: Game, results: Sequence[OwnResult], today: Today, later: str) -> Markup:
    """This attempt beside earlier ones, tomorrow's deal, ``later``, the way to a reminder: for a win, behind "More"."""
    is_resigned = game.status is Status.RESIGNED
    compared = "" if is_resigned else compare_with_own(results, game.id, game.rules)
    return render_markup(
        "daily/_own.html", own=sentences(compared, tomorrows_deal(today.day), later)
    )


def _results_of_the_day(deal: DailyDeal) -> str:
    """What the page of an earlier day's deal has for a player who resigned it, now or once it is closed."""
    if deal.is_closed:
        return gettext(
            "The results are out: this deal's page has them, a review of your game, and the same cards to play again."
        )
    return gettext(
        "When the results are out, this deal's page has them, a review of your game, and the same cards to play again."
    )


def _next_link(deal: ListedDeal | None) -> NextStep:
    """The next deal of the day or, when all are played, any game."""
    if deal is None:
        return NextStep(gettext("Choose a game"), "/games")
    return NextStep(gettext("Play today's %(title)s", title=deal.title), deal.play_path)


async def _find_practice(request: Request, game: Game) -> OutcomeContext | None:
    if game.kind is not Kind.OPEN or game.code is not None or game.status is not Status.RESIGNED:
        return None
    read = partial(repository.find_published_deal, game_id=game.id)
    deal = await service_of(request, Database).read(read)
    return OutcomeContext(again_path=f"{deal.path}/practice") if deal else None
