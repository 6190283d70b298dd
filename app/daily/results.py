"""Results of a deal, as far as the viewer may see them: while a deal is open, only players who have finished it may."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import Connection

from app.daily import leaderboard
from app.daily.distribution import MovesBar, bars_of, count_attempts
from app.daily.leaderboard import LeaderboardEntry, ResultList
from app.daily.model import DailyDeal, DailyStanding, NotFinishedError, PlayerDeal
from app.daily.service import DailyService
from app.db.engine import Database
from app.games.attempt_verdicts import AttemptVerdict
from app.text import gettext

_WITHOUT_STANDING: Final = {AttemptVerdict.OPEN, AttemptVerdict.HIDDEN, AttemptVerdict.SET_ASIDE}
_NOT_FINISHED: Final = gettext(
    "You can see the results once you have finished this deal, or when they are out for everyone."
)
_RESIGNED: Final = gettext(
    "You resigned, so you can only see the results when they are out for everyone."
)


@dataclass(frozen=True, slots=True)
class DealForViewer:
    """A deal as its viewer may see it.

    ``ranked`` and ``unconfirmed_count`` are the numbers of attempts on the leaderboard, if they may see it;
    ``unlisted`` is that of guests who have solved the deal, too.
    """

    player_deal: PlayerDeal
    standing: DailyStanding | None
    ranked: int | None
    unconfirmed_count: int = 0
    unlisted: int = 0

    @property
    def solved(self) -> int:
        """The number of players who have solved the deal, guests included."""
        return (self.ranked or 0) + self.unconfirmed_count + self.unlisted

    @property
    def are_results_hidden(self) -> bool:
        """Whether the viewer may not see the results yet."""
        return self.ranked is None

    @property
    def could_be_listed(self) -> bool:
        """Whether the attempt would be listed if its player created an account. Final results do not change."""
        attempt = self.player_deal.attempt
        is_unlisted = attempt is not None and not attempt.listed
        return self.standing is not None and is_unlisted and not self.player_deal.deal.is_closed


class ResultsPage(NamedTuple):
    """A page of a list of results. ``next_cursor`` is ``None`` on the last page."""

    deal: DailyDeal
    results: list[LeaderboardEntry]
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
            if not _may_see_results(player_deal):
                return DealForViewer(player_deal, None, None)
            has_standing = attempt is not None and attempt.verdict not in _WITHOUT_STANDING
            return DealForViewer(
                player_deal,
                leaderboard.find_standing(connection, attempt)
                if attempt and has_standing
                else None,
                leaderboard.count_ranked(connection, deal.day, deal.ruleset),
                leaderboard.count_unconfirmed(connection, deal.day, deal.ruleset),
                leaderboard.count_unlisted(connection, deal.day, deal.ruleset),
            )

        return await self._database.read_elsewhere(read)

    async def find_distribution(self, found: DealForViewer) -> list[MovesBar]:
        """How all players did, guests too, if the viewer may see the results."""
        if found.are_results_hidden:
            return []
        deal = found.player_deal.deal
        counts = await self._database.read_elsewhere(
            lambda connection: count_attempts(connection, deal.day, deal.ruleset)
        )
        return bars_of(counts, found.player_deal.attempt)

    async def find_results(
        self,
        viewer_id: str | None,
        day: date,
        ruleset: str,
        which: ResultList,
        *,
        after: str | None,
        limit: int,
    ) -> ResultsPage:
        """A page of a list; raises ``DealNotFoundError`` and what ``list_results`` raises."""
        player_deal = await self._daily.find_deal(viewer_id, day, ruleset)
        return await self.list_results(player_deal, which, after=after, limit=limit)

    async def list_results(
        self, player_deal: PlayerDeal, which: ResultList, *, after: str | None, limit: int
    ) -> ResultsPage:
        """A page of a list for the player of a deal; raises ``NotFinishedError`` and ``MalformedError``."""
        cursor = leaderboard.parse_cursor(which, after)
        deal = player_deal.deal

        def read(connection: Connection) -> list[LeaderboardEntry] | None:
            if not _may_see_results(player_deal):
                return None
            return leaderboard.list_results(
                connection, which, deal.day, deal.ruleset, after=cursor, limit=limit + 1
            )

        results = await self._database.read_elsewhere(read)
        if results is None:
            raise NotFinishedError(_RESIGNED if player_deal.has_ended else _NOT_FINISHED)
        shown, more = results[:limit], results[limit:]
        last = leaderboard.cursor_after(which, shown[-1].attempt) if more else None
        return ResultsPage(deal, shown, leaderboard.format_cursor(last) if last else None)


def _may_see_results(player_deal: PlayerDeal) -> bool:
    """Once the deal is closed, or the viewer has finished it. Resigning is not finishing."""
    attempt = player_deal.attempt
    if player_deal.deal.is_closed:
        return True
    return attempt is not None and attempt.has_ended and not attempt.resigned
