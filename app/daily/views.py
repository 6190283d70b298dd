"""View models of the daily pages: today, a past day, the archive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, Self

from markupsafe import Markup

from app.daily import descriptions
from app.daily.listed_deal import ListedDeal
from app.daily.model import PlayerDeal, Today, closes_ms, finish_ms, in_order, settled_ms
from app.daily.months import Month, month_of
from app.daily.own_comparison import tomorrows_deal
from app.daily.own_results import OwnWeek
from app.daily.streaks import ONE_DAY
from app.engine.deal import opening
from app.engine.position import Position
from app.engine.shuffle import deck_of_seed
from app.games.attempt_verdicts import AttemptVerdict
from app.games.pictures import Picture, detail_of, whole_of
from app.http.local_times import LocalTime
from app.i18n.formats import (
    count_of,
    long_date,
    time_left,
)
from app.text import gettext, ngettext


@dataclass(frozen=True, slots=True)
class TodayView:
    """Today's deals. ``headline`` is the deal of the day, as a list, empty until one exists.

    It is the one that the home page draws. Once the viewer has finished the deal of the day, it is ``finished``, and
    another that they can play is the headline. Other attempts that the viewer has begun are ``under_way``.

    ``others`` are the other featured ones and those that the viewer has ended, ``more`` the rest, which is folded
    unless all that is seen has been played. ``pictures`` are by the ids of the rule sets: of the openings, or as far as
    the viewer has played.
    ``preparing`` are the titles of the missing ones.
    """

    path: str
    date: str
    closes: LocalTime
    finish: LocalTime
    left: str
    """How long it is until the deals close."""
    publication: LocalTime
    late_finish: LocalTime
    under_way: list[ListedDeal]
    finished: list[ListedDeal]
    headline: list[ListedDeal]
    others: list[ListedDeal]
    more: list[ListedDeal]
    more_title: str
    is_more_open: bool
    pictures: Mapping[str, Picture]
    preparing: list[str]
    late: list[ListedDeal]
    is_done: bool
    """Whether the viewer has finished all of them."""
    tomorrow: str
    streak: str
    solved: str
    week: OwnWeek
    """The viewer's last seven days."""
    company: Sequence[Markup]


@dataclass(frozen=True, slots=True)
class DayView:
    """The deals of a past day. ``publication`` is set until they are closed.

    ``previous`` and ``next`` are empty where there is no such past day.
    ``pictures`` are those of the openings, ``counts`` say how many won each closed deal that was
    played; both by the ids of the rule sets.
    """

    path: str
    date: str
    previous: str
    next: str
    deals: list[ListedDeal]
    pictures: Mapping[str, Picture]
    counts: Mapping[str, str]
    publication: LocalTime | None


def today_view(
    today: Today,
    shown: Sequence[PlayerDeal],
    now_ms: int,
    week: OwnWeek,
    *,
    company: Sequence[Markup],
    positions: Mapping[str, Position],
) -> TodayView:
    """The page of today's deals.

    ``shown`` are the deals that the home page shows, too, the headline first; ``company`` are the sections of other
    parts; ``positions`` how each deal lies for the viewer, by its rule set.
    """
    ordered = today.in_order
    drawn = [found.rules.id for found in shown[:1] or ordered[:1]]
    deals = [ListedDeal.of(player_deal) for player_deal in ordered]
    featured = max(len(today.featured), 1)
    headline = [deal for deal in deals if deal.ruleset in drawn]
    finished = [deal for deal in deals[:1] if deal not in headline and not deal.can_be_played]
    under_way = [deal for deal in deals if deal.state == "open" and deal not in headline]
    before = [*under_way, *finished, *headline]
    rest = [deal for deal in deals if deal not in before]
    others = [deal for deal in rest if deal in deals[:featured] or deal.is_begun]
    more = [deal for deal in rest if deal not in others]
    return TodayView(
        path="/daily",
        date=long_date(today.day),
        closes=LocalTime.of(closes_ms(today.day)),
        finish=LocalTime.of(finish_ms(today.day)),
        left=time_left(closes_ms(today.day) - now_ms),
        publication=LocalTime.of(settled_ms(today.day)),
        late_finish=LocalTime.of(finish_ms(today.day - ONE_DAY)),
        under_way=under_way,
        finished=finished,
        headline=headline,
        others=others,
        more=more,
        more_title=count_of(len(more), "more deal") if more else "",
        is_more_open=not any(deal.can_be_played for deal in [*under_way, *headline, *others]),
        pictures={
            found.rules.id: (whole_of if deal in headline else detail_of)(
                found.rules, positions[found.rules.id]
            )
            for found, deal in zip(ordered, deals, strict=True)
        },
        preparing=[rules.title for rules in today.missing],
        late=[ListedDeal.of(player_deal) for player_deal in today.late],
        is_done=today.is_done,
        tomorrow=tomorrows_deal(today.day),
        streak=descriptions.streak_today(today),
        solved=gettext("%(count)s won", count=solved)
        if (solved := solved_of(today.player_deals))
        else "",
        week=week,
        company=company,
    )


def day_view(
    day: date,
    today: date,
    oldest: date,
    player_deals: Sequence[PlayerDeal],
    counts: Mapping[str, tuple[int, int]],
) -> DayView:
    """The page of a past day. ``oldest`` is the first day of the site.

    ``counts`` are the players who began a closed deal, and those who won it.
    """
    is_closed = all(player_deal.deal.is_closed for player_deal in player_deals)
    return DayView(
        path=f"/daily/{day.isoformat()}",
        date=long_date(day),
        previous=(day - ONE_DAY).isoformat() if day > oldest else "",
        next=(day + ONE_DAY).isoformat() if day + ONE_DAY < today else "",
        deals=[ListedDeal.of(player_deal) for player_deal in in_order(day, player_deals)],
        pictures={found.rules.id: picture_of_opening(found) for found in player_deals},
        counts={
            ruleset: ngettext(
                "%(won)s of %(n)s player won", "%(won)s of %(n)s players won", n, won=won
            )
            for ruleset, (n, won) in counts.items()
        },
        publication=None if is_closed else LocalTime.of(settled_ms(day)),
    )


@dataclass(frozen=True, slots=True)
class ArchiveView:
    """A month of the archive. ``first_results`` is set until the first day of the site is closed."""

    path: str
    month: Month[DaySolved | None]
    first_results: LocalTime | None


def archive_view(
    first: date, today: date, oldest: date, player_deals: Sequence[PlayerDeal], now_ms: int
) -> ArchiveView:
    """A month of the archive, whose first day is ``oldest``."""
    month = _month_view(first, today, oldest, player_deals)
    out_ms = settled_ms(oldest)
    return ArchiveView(month.path, month, LocalTime.of(out_ms) if now_ms < out_ms else None)


def _month_view(
    first: date, today: date, oldest: date, player_deals: Sequence[PlayerDeal]
) -> Month[DaySolved | None]:
    """The month as a table; a day says how many deals the viewer solved."""
    by_day: dict[date, list[PlayerDeal]] = {}
    for player_deal in player_deals:
        by_day.setdefault(player_deal.deal.day, []).append(player_deal)

    def day_of_archive(day: date) -> tuple[str, DaySolved | None]:
        deals = by_day.get(day, [])
        path = f"/daily/{day.isoformat()}" if deals else ""
        return path, DaySolved.of(deals)

    return month_of("/daily/archive", first, oldest, today, day_of_archive)


def picture_of_opening(player_deal: PlayerDeal) -> Picture:
    """A small picture of how a deal lies before the first move."""
    return detail_of(player_deal.rules, opening_of(player_deal))


def opening_of(player_deal: PlayerDeal) -> Position:
    """How a deal lies before the first move: everyone may see its open cards before their clock starts."""
    rules = player_deal.rules
    return opening(rules, deck_of_seed(player_deal.deal.seed, rules.decks))


def solved_of(player_deals: Sequence[PlayerDeal]) -> str:
    """How many of some deals the viewer has solved, such as "2 of 5"; empty before the first."""
    solved = DaySolved.of(player_deals)
    return solved.words if solved else ""


class DaySolved(NamedTuple):
    """How many deals of a day the viewer has solved: as a number, and as words such as "2 of 5"."""

    number: int
    words: str

    @classmethod
    def of(cls, player_deals: Sequence[PlayerDeal]) -> Self | None:
        """``None`` before the first."""
        attempts = [player_deal.attempt for player_deal in player_deals if player_deal.attempt]
        solved = sum(attempt.verdict is AttemptVerdict.SOLVED for attempt in attempts)
        words = gettext("%(n)s of %(all)s", n=solved, all=len(player_deals))
        return cls(solved, words) if solved else None
