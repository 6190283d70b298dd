"""Results of a deal, as far as the viewer may see them: while a deal is open, only players who have finished it may."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection

from app.daily import leaderboard
from app.daily.leaderboard import Result, ResultList
from app.daily.model import Deal, NotFinishedError, PlayerDeal, Standing, Verdict
from app.daily.service import DailyService
from app.db.engine import Database


@dataclass(frozen=True, slots=True)
class DealForViewer:
    """A deal as its viewer may see it. ``ranked`` is the length of the leaderboard, if they may see it."""

    player_deal: PlayerDeal
    standing: Standing | None
    ranked: int | None

    @property
    def are_results_hidden(self) -> bool:
        """Whether the viewer may not see the results yet."""
        return self.ranked is None

    @property
    def could_be_listed(self) -> bool:
        """Whether the attempt would be ranked if its player claimed a name. Final results do not change."""
        attempt = self.player_deal.attempt
        is_unlisted = attempt is not None and not attempt.listed
        return self.standing is not None and is_unlisted and not self.player_deal.deal.is_closed


class ResultsPage(NamedTuple):
    """A page of a list of results. ``next_cursor`` is ``None`` on the last page."""

    deal: Deal
    results: list[Result]
    next_cursor: str | None


class DailyResults:
    """Reads results for viewers."""

    def __init__(self, database: Database, daily: DailyService) -> None:
        self._database = database
        self._daily = daily

    async def find_deal(self, viewer_id: str | None, day: date, ruleset: str) -> DealForViewer:
        """A deal with the viewer's attempt and standing; raises ``DealNotFoundError``."""
        player_deal = await self._daily.find_deal(viewer_id, day, ruleset)
        attempt, deal = player_deal.attempt, player_deal.deal

        def read(connection: Connection) -> DealForViewer:
            counts = (
                attempt
                if attempt and attempt.verdict not in {Verdict.OPEN, Verdict.HIDDEN}
                else None
            )
            return DealForViewer(
                player_deal,
                leaderboard.find_standing(connection, counts) if counts else None,
                leaderboard.count_ranked(connection, deal.day, deal.ruleset)
                if _may_see_results(player_deal)
                else None,
            )

        return await self._database.read(read)

    async def list_results(
        self,
        viewer_id: str | None,
        day: date,
        ruleset: str,
        which: ResultList,
        *,
        after: str | None,
        limit: int,
    ) -> ResultsPage:
        """A page of a list; raises ``NotFinishedError``, ``DealNotFoundError`` and ``MalformedError``."""
        cursor = leaderboard.parse_cursor(which, after)
        player_deal = await self._daily.find_deal(viewer_id, day, ruleset)
        if not _may_see_results(player_deal):
            raise NotFinishedError(
                "You can see the results once you have finished this deal. Everyone can see them when it closes."
            )
        deal = player_deal.deal
        read = partial(leaderboard.list_results, which=which, day=deal.day, ruleset=deal.ruleset)
        results = await self._database.read(partial(read, after=cursor, limit=limit))
        is_full = len(results) == limit
        last = leaderboard.cursor_after(which, results[-1].attempt) if is_full else None
        return ResultsPage(deal, results, leaderboard.format_cursor(last) if last else None)


def _may_see_results(player_deal: PlayerDeal) -> bool:
    return player_deal.deal.is_closed or player_deal.has_ended
