"""What players made of a deal, for whoever may know: while it is open, only those who have finished it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection

from app.daily import boards
from app.daily.boards import Placed, SolvedAfter, UnsolvedAfter
from app.daily.errors import NotFinishedError
from app.daily.model import Deal, PlayerDeal, Standing, Verdict
from app.daily.service import DailyService
from app.db.engine import Database


@dataclass(frozen=True, slots=True)
class DealForViewer:
    """One deal as one visitor may see it. ``ranked`` is how many have a rank, where the board may be seen."""

    player_deal: PlayerDeal
    standing: Standing | None
    ranked: int | None

    @property
    def is_board_hidden(self) -> bool:
        """Whether the board is still to be hidden from the visitor."""
        return self.ranked is None

    @property
    def could_be_listed(self) -> bool:
        """Whether a name would give the visitor's run its place: a final board stays as it is."""
        attempt = self.player_deal.attempt
        is_unlisted = attempt is not None and not attempt.listed
        return self.standing is not None and is_unlisted and not self.player_deal.deal.is_closed


class Page(NamedTuple):
    """A stretch of one of a deal's boards."""

    deal: Deal
    rows: list[Placed]


class DailyResults:
    """The boards, all behind the same door."""

    def __init__(self, database: Database, daily: DailyService) -> None:
        self._database = database
        self._daily = daily

    async def look(self, player_id: str | None, day: date, ruleset: str) -> DealForViewer:
        """A deal and the visitor's part in it; raises ``DealNotFoundError``."""
        player_deal = await self._daily.player_deal(player_id, day, ruleset)
        attempt, deal = player_deal.attempt, player_deal.deal

        def read(connection: Connection) -> DealForViewer:
            ended = attempt is not None and attempt.has_ended
            stands = ended and attempt is not None and attempt.verdict is not Verdict.HIDDEN
            return DealForViewer(
                player_deal,
                boards.standing(connection, attempt) if attempt and stands else None,
                boards.count_solved(connection, deal.day, deal.ruleset)
                if deal.is_closed or ended
                else None,
            )

        return await self._database.read(read)

    async def solved(
        self, player_id: str | None, day: date, ruleset: str, after: SolvedAfter | None, most: int
    ) -> Page:
        """A page of the ranked board; raises ``NotFinishedError`` and ``DealNotFoundError``."""
        deal = await self._seen(player_id, day, ruleset)
        return await self._page(deal, partial(boards.solved_page, after=after, most=most))

    async def unsolved(
        self, player_id: str | None, day: date, ruleset: str, after: UnsolvedAfter | None, most: int
    ) -> Page:
        """A page of the attempts that did not get everything home; raises like ``solved``."""
        deal = await self._seen(player_id, day, ruleset)
        return await self._page(deal, partial(boards.unsolved_page, after=after, most=most))

    async def removed(
        self, player_id: str | None, day: date, ruleset: str, after: str | None, most: int
    ) -> Page:
        """A page of the attempts that were removed, with the reasons; raises like ``solved``."""
        deal = await self._seen(player_id, day, ruleset)
        return await self._page(deal, partial(boards.removed_page, after=after, most=most))

    async def _page(self, deal: Deal, read: Callable[..., list[Placed]]) -> Page:
        rows = await self._database.read(partial(read, day=deal.day, ruleset=deal.ruleset))
        return Page(deal, rows)

    async def _seen(self, player_id: str | None, day: date, ruleset: str) -> Deal:
        player_deal = await self._daily.player_deal(player_id, day, ruleset)
        ended = player_deal.attempt is not None and player_deal.attempt.has_ended
        if not (player_deal.deal.is_closed or ended):
            raise NotFinishedError(
                "The board opens to you when you have finished this deal, and to everybody when it is closed."
            )
        return player_deal.deal
