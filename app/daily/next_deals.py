"""The deals of today that a player can still play, after they finished one or all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.daily.listed_deal import ListedDeal
from app.daily.model import PlayerDeal, Today, closes_ms, in_order
from app.daily.views import picture_of_opening
from app.games.pictures import Picture
from app.http.local_times import LocalTime
from app.i18n.formats import count_of, time_left
from app.text import gettext

_IN_SIGHT: Final = 4


@dataclass(frozen=True, slots=True)
class NextDeals:
    """Today's deals but the one that was finished, and when the next ones come. ``waiting`` can still be played."""

    player_deals: Sequence[PlayerDeal]
    deals: list[ListedDeal]
    waiting: int
    opens: LocalTime
    left: str

    @property
    def first(self) -> ListedDeal | None:
        """The next one to play."""
        return next((deal for deal in self.deals if deal.can_be_played), None)

    @property
    def in_sight(self) -> list[ListedDeal]:
        """The deals that are shown first."""
        return self.deals[:_IN_SIGHT]

    @property
    def more(self) -> list[ListedDeal]:
        """The other deals, folded unless the viewer has played all that are shown first."""
        return self.deals[_IN_SIGHT:]

    @property
    def more_title(self) -> str:
        """The number of the other deals."""
        return count_of(len(self.more), "more deal")

    @property
    def is_more_open(self) -> bool:
        """Whether the other deals are unfolded."""
        return not any(deal.can_be_played for deal in self.in_sight)

    @property
    def pictures(self) -> Mapping[str, Picture]:
        """How the deals were dealt, by the ids of their rule sets."""
        return {found.rules.id: picture_of_opening(found) for found in self.player_deals}

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
    others = [one for one in in_turn if one.rules.id != finished]
    deals = [ListedDeal.of(one) for one in others]
    at_ms = closes_ms(today.day)
    return NextDeals(
        player_deals=others,
        deals=deals,
        waiting=sum(deal.can_be_played for deal in deals) + len(today.missing),
        opens=LocalTime.of(at_ms),
        left=time_left(at_ms - now_ms),
    )
