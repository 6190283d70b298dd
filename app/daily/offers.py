"""A day's deals beside what one visitor has made of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from app.daily.attempts import Attempt
from app.daily.deals import Deal
from app.daily.streaks import Streak
from app.engine.ruleset import Ruleset
from app.errors import DealNotFoundError, NotReadyError
from app.games.model import stored_rules
from app.rulesets import RULESETS, find_ruleset

NO_DEAL = "There is no deal of that day here, or not yet."
_RETRY_AFTER = 5  # seconds


@dataclass(frozen=True, slots=True)
class Offer:
    """A deal, and what the visitor has made of it."""

    deal: Deal
    rules: Ruleset
    attempt: Attempt | None


@dataclass(frozen=True, slots=True)
class Today:
    """The deals of today.

    ``missing`` are the games whose deals are being prepared, ``late`` are attempts from yesterday that may
    still be finished.
    """

    day: date
    offers: list[Offer]
    missing: list[Ruleset]
    late: list[Offer]
    streak: Streak


def offers_of(dealt: list[Deal], mine: list[Attempt]) -> list[Offer]:
    """Deals in the order of the lobby, each with the attempt at it."""
    order = {rules.id: place for place, rules in enumerate(RULESETS)}
    attempted = {(attempt.day, attempt.ruleset): attempt for attempt in mine}
    return [
        Offer(
            deal, stored_rules(deal.ruleset, deal.revision), attempted.get((deal.day, deal.ruleset))
        )
        for deal in sorted(dealt, key=lambda deal: (deal.day, order.get(deal.ruleset, len(order))))
    ]


def deal_of(dealt: list[Deal], name: str, *, is_today: bool) -> Deal:
    """The deal of a game; raises ``DealNotFoundError``, or ``NotReadyError`` where it is being prepared."""
    rules = find_ruleset(name)
    for deal in dealt:
        if deal.ruleset == (rules.id if rules else name):
            return deal
    if rules and is_today:
        raise NotReadyError(
            f"Today’s deal of {rules.title} is being prepared: it is shown to be winnable first. Ready in a moment.",
            _RETRY_AFTER,
        )
    raise DealNotFoundError(NO_DEAL)


def offer_of(offers: list[Offer], name: str, *, is_today: bool) -> Offer:
    """The offer of a game; raises like ``deal_of``."""
    deal = deal_of([offer.deal for offer in offers], name, is_today=is_today)
    return next(offer for offer in offers if offer.deal is deal)
