"""What the daily pages show, ready to print."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from app.clock import day_of
from app.daily import descriptions
from app.daily.boards import Placed
from app.daily.days import closes_ms, finish_ms, settled_ms
from app.daily.model import Deal, PlayerDeal, Today, Verdict
from app.engine.shuffle import deck_of_seed
from app.http.formats import clock_duration, iso_time, long_date
from app.identity.names import DELETED

_ONE = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Timestamp:
    """A time: for machines, and in UTC for readers without a script."""

    machine: str
    text: str
    long: str

    @staticmethod
    def of(at_ms: int) -> Timestamp:
        """A moment given in milliseconds."""
        machine = iso_time(at_ms)
        text = f"{machine[11:16]} UTC"
        return Timestamp(machine, text, f"{long_date(day_of(at_ms))}, {text}")


@dataclass(frozen=True, slots=True)
class DealLine:
    """A deal in a list, and what the visitor can do about it."""

    ruleset: str
    title: str
    day: str
    spoken: str
    result: str
    state: str
    game_id: str
    is_verified: bool
    is_closed: bool


@dataclass(frozen=True, slots=True)
class TodayView:
    """Today's deals."""

    path: str
    day: str
    spoken: str
    closes: Timestamp
    finish: Timestamp
    lines: list[DealLine]
    coming: list[str]
    late: list[DealLine]
    streak: str


@dataclass(frozen=True, slots=True)
class DayView:
    """The deals of a day that is over."""

    path: str
    spoken: str
    before: str
    after: str
    lines: list[DealLine]
    opens: Timestamp | None


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A run on a board."""

    rank: int | None
    name: str
    has_page: bool
    game_id: str
    actions: int
    time: str
    cards_home: int
    reason: str
    is_yours: bool


@dataclass(frozen=True, slots=True)
class BoardTable:
    """A stretch of a board, and where the next one begins."""

    rows: list[BoardRow]
    following: str


@dataclass(frozen=True, slots=True)
class Secrets:
    """What a closed deal gives away."""

    seed: str
    deck: str
    record: str


@dataclass(frozen=True, slots=True)
class BoardView:
    """The board of a game and day."""

    path: str
    line: DealLine
    result_sentence: str
    share_text: str
    could_be_listed: bool
    is_board_hidden: bool
    grade: str
    """How hard the deal is, in a word, for those who see the board."""
    is_today: bool
    opens: Timestamp
    commitment: str
    promised: str
    ranked: int
    solved: BoardTable | None
    unsolved: BoardTable | None
    removed: BoardTable | None
    secrets: Secrets | None


@dataclass(frozen=True, slots=True)
class Cell:
    """A day of the calendar; outside of the month it has no number, without deals no address."""

    number: str
    day: str
    spoken: str
    note: str
    is_today: bool


@dataclass(frozen=True, slots=True)
class MonthView:
    """A month of the archive."""

    path: str
    title: str
    before: str
    after: str
    weeks: list[list[Cell]]


@dataclass(frozen=True, slots=True)
class PromiseView:
    """A promised deal."""

    title: str
    commitment: str
    is_verified: bool
    promised: str


def line(player_deal: PlayerDeal) -> DealLine:
    """A deal in a list."""
    attempt, day = player_deal.attempt, player_deal.deal.day
    return DealLine(
        ruleset=player_deal.deal.ruleset,
        title=player_deal.rules.title,
        day=day.isoformat(),
        spoken=long_date(day),
        result=descriptions.result(player_deal),
        state=attempt.verdict if attempt else "fresh",
        game_id=attempt.game_id if attempt else "",
        is_verified=bool(player_deal.deal.verified),
        is_closed=player_deal.deal.is_closed,
    )


def today_view(today: Today) -> TodayView:
    """Today's deals."""
    return TodayView(
        path="/daily",
        day=today.day.isoformat(),
        spoken=long_date(today.day),
        closes=Timestamp.of(closes_ms(today.day)),
        finish=Timestamp.of(finish_ms(today.day - _ONE)),
        lines=[line(player_deal) for player_deal in today.player_deals],
        coming=[rules.title for rules in today.missing],
        late=[line(player_deal) for player_deal in today.late],
        streak=descriptions.streak(today.streak),
    )


def day_view(day: date, today: date, player_deals: Sequence[PlayerDeal]) -> DayView:
    """The deals of a day that is over."""
    closed = all(player_deal.deal.is_closed for player_deal in player_deals)
    return DayView(
        path=f"/daily/{day.isoformat()}",
        spoken=long_date(day),
        before=(day - _ONE).isoformat(),
        after=(day + _ONE).isoformat() if day + _ONE < today else "",
        lines=[line(player_deal) for player_deal in player_deals],
        opens=None if closed else Timestamp.of(settled_ms(day)),
    )


def table(placed: Sequence[Placed], viewer_id: str | None, following: str) -> BoardTable:
    """A stretch of a board."""
    return BoardTable([_row(entry, viewer_id) for entry in placed], following)


def _row(placed: Placed, viewer_id: str | None) -> BoardRow:
    attempt = placed.attempt
    actions, seconds = attempt.score or (0, 0)
    return BoardRow(
        rank=placed.rank,
        name=placed.name,
        has_page=attempt.listed and placed.name != DELETED,
        game_id=attempt.game_id,
        actions=actions,
        time=clock_duration(seconds),
        cards_home=attempt.cards_home or 0,
        reason=attempt.reason or "",
        is_yours=attempt.player_id == viewer_id,
    )


def secrets_of(player_deal: PlayerDeal) -> Secrets | None:
    """Seed and deck, when they are out."""
    deal = player_deal.deal
    if not deal.is_closed:
        return None
    deck = deck_of_seed(deal.seed, player_deal.rules.decks)
    return Secrets(deal.seed.hex(), " ".join(card.text for card in deck), deal.record or "")


def month_view(
    first: date, today: date, oldest: date, player_deals: Sequence[PlayerDeal]
) -> MonthView:
    """A month of the archive; ``oldest`` is where the archive begins."""
    by_day: dict[date, list[PlayerDeal]] = {}
    for player_deal in player_deals:
        by_day.setdefault(player_deal.deal.day, []).append(player_deal)
    weeks = calendar.Calendar().monthdatescalendar(first.year, first.month)
    before, after = first - _ONE, (first + timedelta(days=31)).replace(day=1)
    return MonthView(
        path="/daily/archive",
        title=f"{first:%B %Y}",
        before=f"{before:%Y-%m}" if before >= oldest else "",
        after=f"{after:%Y-%m}" if after <= today else "",
        weeks=[[_cell(day, first, today, by_day.get(day, [])) for day in week] for week in weeks],
    )


def _cell(day: date, first: date, today: date, player_deals: Sequence[PlayerDeal]) -> Cell:
    if day.month != first.month:
        return Cell("", "", "", "", is_today=False)
    solved = sum(
        player_deal.attempt is not None and player_deal.attempt.verdict is Verdict.SOLVED
        for player_deal in player_deals
    )
    return Cell(
        number=str(day.day),
        day=day.isoformat() if player_deals else "",
        spoken=long_date(day),
        note=f"{solved} of {len(player_deals)}" if solved else "",
        is_today=day == today,
    )


def promise_view(deal: Deal, title: str) -> PromiseView:
    """A promised deal."""
    at = iso_time(deal.created_ms)
    return PromiseView(title, deal.commitment, bool(deal.verified), f"{at[:10]} {at[11:16]} UTC")
