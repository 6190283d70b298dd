"""The daily deal as plain data: what the JSON API answers."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, Field

from app.daily.boards import Placed
from app.daily.days import closes_ms, finish_ms, opens_ms
from app.daily.model import Attempt, Deal, PlayerDeal, Standing, Today, Verdict
from app.daily.record import head_of
from app.daily.results import DealForViewer
from app.daily.streaks import Streak
from app.http.formats import iso_time
from app.rulesets import find_revision


class AttemptBody(BaseModel):
    """Your attempt at a deal; its results are null until it has ended."""

    game: str = Field(description="Play it at /api/v1/games/{game}.")
    verdict: Verdict
    started: str
    ended: str | None
    actions: int | None
    seconds: int | None
    cards_home: int | None
    listed: bool = Field(description="False for guests, until they claim a name.")
    reason: str | None = Field(description="Why the run was removed or hidden.")


class StandingBody(BaseModel):
    """Where your ended attempt stands, or would stand if you had a name."""

    rank: int | None
    ranked: int = Field(description="How many have a rank so far.")
    better_than_percent: int | None = Field(description="Null while nobody else has ended.")


class PromiseBody(BaseModel):
    """What is known of a deal before it is closed."""

    day: str
    ruleset: str
    title: str
    revision: int
    commitment: str = Field(description="SHA-256 over game, day and secret seed.")
    promised: str = Field(description="When the commitment was published.")
    verified: bool = Field(description="Proven winnable by the solver.")
    opens: str
    closes: str
    finish_by: str = Field(description="Attempts begun in time may be finished until then.")


class DealBody(PromiseBody):
    """One game's deal of one day. Seed and deck are null until it is closed."""

    closed: bool
    seed: str | None
    deck: list[str] | None
    record: str | None
    attempt: AttemptBody | None


class DealForViewerBody(DealBody):
    """A deal and where you stand in it; null until your attempt has ended."""

    standing: StandingBody | None


class StreakBody(BaseModel):
    """Days in a row with a deal solved; one missed day in thirty is forgiven."""

    days: int
    best: int
    frozen: str | None
    solved_today: bool


class TodayBody(BaseModel):
    """Today, by UTC. ``late``: what you began yesterday and may still finish."""

    day: str
    now: str
    closes: str
    deals: list[DealBody]
    preparing: list[str] = Field(
        description="Rule sets whose deals are not there yet: each is proven winnable first. Ask again."
    )
    late: list[DealBody]
    streak: StreakBody


class RowBody(BaseModel):
    """A run on a board. After the deal is closed, its table is at /api/v1/games/{game}."""

    rank: int | None
    player: str
    game: str
    actions: int
    seconds: int
    cards_home: int
    reason: str | None


class BoardBody(BaseModel):
    """A page of a board. ``next`` goes into ``after``; null on the last page."""

    day: str
    ruleset: str
    final: bool = Field(description="Whether every run has been replayed and compared.")
    rows: list[RowBody]
    next: str | None


def promise_body(deal: Deal) -> PromiseBody:
    """A deal without anything secret."""
    rules = find_revision(deal.ruleset, deal.revision)
    return PromiseBody(
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
    """A deal with the visitor's attempt; with its secrets only when they are out."""
    deal = player_deal.deal
    secrets = head_of(deal) if deal.is_closed else {}
    return DealBody.model_validate(
        {
            **promise_body(deal).model_dump(),
            "closed": deal.is_closed,
            "seed": secrets.get("seed"),
            "deck": secrets.get("deck"),
            "record": deal.record,
            "attempt": _attempt(player_deal.attempt) if player_deal.attempt else None,
        }
    )


def deal_for_viewer_body(look: DealForViewer) -> DealForViewerBody:
    """A deal and where the visitor stands in it."""
    body = deal_body(look.player_deal).model_dump()
    standing = _standing(look.standing, look.ranked or 0) if look.standing else None
    return DealForViewerBody.model_validate({**body, "standing": standing})


def today_body(today: Today, now_ms: int) -> TodayBody:
    """Today for one visitor."""
    return TodayBody(
        day=today.day.isoformat(),
        now=iso_time(now_ms),
        closes=iso_time(closes_ms(today.day)),
        deals=[deal_body(player_deal) for player_deal in today.player_deals],
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


def board_body(deal: Deal, rows: Sequence[Placed], following: str | None) -> BoardBody:
    """A page of a board."""
    return BoardBody(
        day=deal.day.isoformat(),
        ruleset=deal.ruleset,
        final=deal.is_closed,
        rows=[_row(placed) for placed in rows],
        next=following,
    )


def _row(placed: Placed) -> RowBody:
    attempt = placed.attempt
    return RowBody(
        rank=placed.rank,
        player=placed.name,
        game=attempt.game_id,
        actions=attempt.score.actions if attempt.score else 0,
        seconds=attempt.score.seconds if attempt.score else 0,
        cards_home=attempt.cards_home or 0,
        reason=attempt.reason,
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
        reason=attempt.reason,
    )


def _standing(standing: Standing, ranked: int) -> StandingBody:
    return StandingBody(rank=standing.rank, ranked=ranked, better_than_percent=standing.ahead_of)
