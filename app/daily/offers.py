"""A day's deals beside what one visitor has made of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from app.daily.attempts import Attempt
from app.daily.deals import Deal
from app.daily.streaks import Streak
from app.engine.spec import GameSpec
from app.games import GAMES, find_game
from app.play.table import stored_spec
from app.web.errors import DealNotFoundError

NO_DEAL = "There is no deal of that day here, or not yet."


@dataclass(frozen=True, slots=True)
class Offer:
    """A deal, and what the visitor has made of it."""

    deal: Deal
    spec: GameSpec
    attempt: Attempt | None


@dataclass(frozen=True, slots=True)
class Today:
    """The deals of today; ``late`` are attempts from yesterday that may still be finished."""

    day: date
    offers: list[Offer]
    late: list[Offer]
    streak: Streak


def offers_of(dealt: list[Deal], mine: list[Attempt]) -> list[Offer]:
    """Deals in the order of the lobby, each with the attempt at it."""
    order = {spec.id: place for place, spec in enumerate(GAMES)}
    attempted = {(attempt.day, attempt.ruleset): attempt for attempt in mine}
    return [
        Offer(
            deal, stored_spec(deal.ruleset, deal.revision), attempted.get((deal.day, deal.ruleset))
        )
        for deal in sorted(dealt, key=lambda deal: (deal.day, order.get(deal.ruleset, len(order))))
    ]


def _id_of(name: str) -> str:
    spec = find_game(name)
    return spec.id if spec else name


def deal_of(dealt: list[Deal], name: str) -> Deal:
    for deal in dealt:
        if deal.ruleset == _id_of(name):
            return deal
    raise DealNotFoundError(NO_DEAL)


def offer_of(offers: list[Offer], name: str) -> Offer:
    for offer in offers:
        if offer.deal.ruleset == _id_of(name):
            return offer
    raise DealNotFoundError(NO_DEAL)
