"""A deal of a day in a list: on the pages of the daily deal, on home, and on the board of a league."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from app.daily import descriptions
from app.daily.model import PlayerDeal
from app.games.attempt_verdicts import AttemptVerdict
from app.games.catalog import GameOffer, find_offer
from app.i18n.formats import long_date


@dataclass(frozen=True, slots=True)
class ListedDeal:
    """A deal with the viewer's attempt. ``state`` is the attempt's verdict, or ``fresh`` if there is none."""

    path: str
    ruleset: str
    title: str
    day: str
    date: str
    result: str
    state: str
    game_id: str
    is_verified: bool
    is_closed: bool

    @classmethod
    def of(cls, player_deal: PlayerDeal) -> Self:
        """What a list says of a deal."""
        attempt, deal = player_deal.attempt, player_deal.deal
        return cls(
            path=deal.path,
            ruleset=deal.ruleset,
            title=player_deal.rules.title,
            day=deal.day.isoformat(),
            date=long_date(deal.day),
            result=descriptions.short_result(player_deal),
            state=attempt.verdict if attempt else "fresh",
            game_id=attempt.game_id if attempt else "",
            is_verified=bool(deal.verified),
            is_closed=deal.is_closed,
        )

    @property
    def is_begun(self) -> bool:
        """Whether the viewer is playing it."""
        return self.state == AttemptVerdict.OPEN

    @property
    def can_be_played(self) -> bool:
        """Whether the viewer may begin it or go on with it."""
        return self.state == "fresh" or self.is_begun

    @property
    def play_path(self) -> str:
        """Where to begin it, or to go on with it."""
        return f"/games/{self.game_id}" if self.is_begun else self.path

    @property
    def offer(self) -> GameOffer:
        """The game that is dealt. Its picture shows the middle of some game, not of this deal."""
        return find_offer(self.ruleset)
