"""What is left of today's deals, for a player who has just finished one or all of them."""

from __future__ import annotations

from dataclasses import dataclass

from app.daily.model import Today, closes_ms, in_order
from app.daily.views import DealView, deal_view
from app.http.local_times import LocalTime
from app.i18n.formats import count_of, time_left
from app.text import gettext


@dataclass(frozen=True, slots=True)
class NextDeals:
    """Today's deals but the one that was finished, and when the next ones come. ``waiting`` can still be played."""

    deals: list[DealView]
    waiting: int
    opens: LocalTime
    left: str

    @property
    def first(self) -> DealView | None:
        """The next one to play."""
        return next((deal for deal in self.deals if deal.can_be_played), None)

    @property
    def text(self) -> str:
        """What is left, in one sentence."""
        if not self.waiting:
            return gettext("That's all for today: new deals in %(left)s.", left=self.left)
        return gettext(
            "%(deals)s left today, new ones in %(left)s.",
            deals=count_of(self.waiting, "deal"),
            left=self.left,
        )


def next_deals(today: Today, now_ms: int, finished: str = "") -> NextDeals:
    """``finished`` is the rule set whose deal is not listed."""
    in_turn = in_order(today.day, today.player_deals)
    deals = [deal_view(one) for one in in_turn if one.rules.id != finished]
    at_ms = closes_ms(today.day)
    return NextDeals(
        deals=deals,
        waiting=sum(deal.can_be_played for deal in deals) + len(today.missing),
        opens=LocalTime.of(at_ms),
        left=time_left(at_ms - now_ms),
    )
