"""The JSON schemas of the daily deal."""

from __future__ import annotations

from pydantic import BaseModel, Field

from app.daily.leaderboard import LeaderboardEntry
from app.daily.model import (
    Attempt,
    DailyDeal,
    DailyStanding,
    Doubt,
    PlayerDeal,
    Today,
    closes_ms,
    finish_ms,
    opens_ms,
)
from app.daily.published_record import record_head
from app.daily.results import DealForViewer, ResultsPage
from app.daily.streaks import Streak
from app.games.attempt_verdicts import AttemptVerdict
from app.i18n.formats import iso_time
from app.rulesets import find_revision


class AttemptBody(BaseModel):
    """Your attempt at a deal. Its results are null until it ends."""

    game: str = Field(description="Play it at /api/v1/games/{game}.")
    verdict: AttemptVerdict
    started: str
    ended: str | None
    actions: int | None
    seconds: int | None
    cards_home: int | None
    listed: bool = Field(description="False for guests, until they create an account.")
    confirmed: bool = Field(
        description="Unconfirmed attempts are listed, but have no rank of their own."
    )
    unconfirmed: Doubt | None = Field(
        description="Why the attempt is unconfirmed: it began as a guest's, under a name claimed after the day opened, "
        "or after many others from the same network."
    )
    reason: str | None = Field(description="Why the attempt was removed, hidden or set aside.")


class DailyStandingBody(BaseModel):
    """The rank of your attempt, or the rank it would have if it were listed and confirmed."""

    rank: int | None
    ranked: int = Field(description="How many attempts have a rank so far.")
    better_than_percent: int | None = Field(description="Null until another player has finished.")


class CommitmentBody(BaseModel):
    """What is public about a deal before it is closed."""

    day: str
    ruleset: str
    title: str
    revision: int
    commitment: str = Field(description="SHA-256 hash of rule set, day and secret seed.")
    promised: str = Field(description="When the commitment was published.")
    verified: bool = Field(description="Proven winnable by the solver.")
    opens: str
    closes: str
    finish_by: str = Field(description="Attempts that have started can be finished until then.")


class DealBody(CommitmentBody):
    """A deal. Seed, deck and record are null until it is closed."""

    closed: bool
    seed: str | None
    deck: list[str] | None
    record: str | None
    attempt: AttemptBody | None


class DealForViewerBody(DealBody):
    """A deal with your standing, which is null until your attempt ends.

    If you resigned, it is null until the deal is closed.
    """

    standing: DailyStandingBody | None


class StreakBody(BaseModel):
    """Consecutive days with a solved deal. One missed day in thirty is forgiven."""

    days: int
    best: int
    frozen: str | None
    solved_today: bool


class TodayBody(BaseModel):
    """Today (UTC). ``late`` are your attempts of yesterday that can still be finished."""

    day: str
    now: str
    closes: str
    deals: list[DealBody]
    featured: list[str] = Field(
        description="The rule sets whose deals the site shows first today, the headline first; they change daily."
    )
    preparing: list[str] = Field(
        description="Rule sets whose deals are still being proven winnable. Try again in a few seconds."
    )
    late: list[DealBody]
    streak: StreakBody


class RowBody(BaseModel):
    """A result. Once the deal is closed, its game is at /api/v1/games/{game}."""

    rank: int | None = Field(
        description="For an unconfirmed attempt, the rank it would have. It counts for nobody else's rank."
    )
    confirmed: bool = Field(description="False: show the rank in brackets.")
    player: str
    game: str
    actions: int
    seconds: int
    cards_home: int
    reason: str | None
    accuracy: float | None = Field(
        description="The share of the chance to win that the player's choices kept. Null until the attempt is reviewed."
    )
    luck: float | None = Field(
        description="What the turned cards added to the chance to win. Null until the attempt is reviewed."
    )


class BoardBody(BaseModel):
    """A page of results. Pass ``next`` as ``after`` for the next page; null on the last page."""

    day: str
    ruleset: str
    final: bool = Field(description="Whether the deal is closed and every game verified.")
    rows: list[RowBody]
    next: str | None


def commitment_body(deal: DailyDeal) -> CommitmentBody:
    """A deal without its secrets."""
    rules = find_revision(deal.ruleset, deal.revision)
    return CommitmentBody(
        day=deal.day.isoformat(),
        ruleset=deal.ruleset,
        title=rules.title if rules else deal.ruleset,
        revision=deal.revision,
        commitment=deal.commitment,
        promised=iso_time(deal.created_ms),
        verified=bool(deal.verified),
        opens=iso_time(opens_ms(deal.day)),
        closes=iso_time(closes_ms(deal.day)),
        finish_by=iso_time(finish_ms(deal.day)),
    )


def deal_body(player_deal: PlayerDeal) -> DealBody:
    """A deal with the viewer's attempt, and with its secrets once it is closed."""
    deal = player_deal.deal
    secrets = record_head(deal) if deal.is_closed else {}
    return DealBody.model_validate(
        {
            **commitment_body(deal).model_dump(),
            "closed": deal.is_closed,
            "seed": secrets.get("seed"),
            "deck": secrets.get("deck"),
            "record": deal.record,
            "attempt": _attempt(player_deal.attempt) if player_deal.attempt else None,
        }
    )


def deal_for_viewer_body(deal: DealForViewer) -> DealForViewerBody:
    """A deal with the viewer's standing."""
    body = deal_body(deal.player_deal).model_dump()
    standing = _standing(deal.standing, deal.ranked or 0) if deal.standing else None
    return DealForViewerBody.model_validate({**body, "standing": standing})


def today_body(today: Today, now_ms: int) -> TodayBody:
    """Today's deals."""
    return TodayBody(
        day=today.day.isoformat(),
        now=iso_time(now_ms),
        closes=iso_time(closes_ms(today.day)),
        deals=[deal_body(player_deal) for player_deal in today.player_deals],
        featured=[player_deal.rules.id for player_deal in today.featured],
        preparing=[rules.id for rules in today.missing],
        late=[deal_body(player_deal) for player_deal in today.late],
        streak=streak_body(today.streak),
    )


def streak_body(streak: Streak) -> StreakBody:
    """A streak."""
    return StreakBody(
        days=streak.days,
        best=streak.best,
        frozen=streak.frozen.isoformat() if streak.frozen else None,
        solved_today=not streak.is_waiting,
    )


def board_body(page: ResultsPage) -> BoardBody:
    """A page of results."""
    return BoardBody(
        day=page.deal.day.isoformat(),
        ruleset=page.deal.ruleset,
        final=page.deal.is_closed,
        rows=[_row(result) for result in page.results],
        next=page.next_cursor,
    )


def _row(result: LeaderboardEntry) -> RowBody:
    attempt = result.attempt
    return RowBody(
        rank=result.rank,
        confirmed=attempt.is_confirmed,
        player=result.name,
        game=attempt.game_id,
        actions=attempt.score.actions if attempt.score else 0,
        seconds=attempt.score.seconds if attempt.score else 0,
        cards_home=attempt.cards_home or 0,
        reason=attempt.reason,
        accuracy=None if result.accuracy is None else round(result.accuracy, 4),
        luck=None if result.luck is None else round(result.luck, 4),
    )


def _attempt(attempt: Attempt) -> AttemptBody:
    return AttemptBody(
        game=attempt.game_id,
        verdict=attempt.verdict,
        started=iso_time(attempt.started_ms),
        ended=iso_time(attempt.ended_ms) if attempt.ended_ms else None,
        actions=attempt.score.actions if attempt.score else None,
        seconds=attempt.score.seconds if attempt.score else None,
        cards_home=attempt.cards_home,
        listed=attempt.listed,
        confirmed=attempt.is_confirmed,
        unconfirmed=attempt.doubt,
        reason=attempt.reason,
    )


def _standing(standing: DailyStanding, ranked: int) -> DailyStandingBody:
    return DailyStandingBody(
        rank=standing.rank,
        ranked=ranked,
        better_than_percent=standing.comparison.percent_beaten,
    )
