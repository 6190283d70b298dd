"""View models of the rows of a leaderboard."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from app.daily.leaderboard import LeaderboardEntry
from app.daily.model import Attempt
from app.daily.results import ResultsPage
from app.db.schema.identity import DELETED
from app.games.attempt_reasons import attempt_reason
from app.i18n.formats import clock_duration, percent, signed_points

_UNREVIEWED: Final = "–"  # in place of accuracy and luck


@dataclass(frozen=True, slots=True)
class LeaderboardEntryView:
    """A row in a list of results. An attempt that is not listed has no ``rank``: only its player sees it."""

    rank: int | None
    name: str
    has_profile: bool
    game_id: str
    actions: int
    seconds: int
    time: str
    cards_home: int
    reason: str
    is_you: bool
    is_confirmed: bool
    accuracy: str
    luck: str

    @property
    def rank_text(self) -> str:
        """The rank; in brackets if the attempt does not take part in the ranking, a dash if it has none."""
        if self.rank is None:
            return "–"
        return f"{self.rank}" if self.is_confirmed else f"({self.rank})"


@dataclass(frozen=True, slots=True)
class ResultListView:
    """A page of a list of results."""

    rows: list[LeaderboardEntryView]
    next_cursor: str

    @property
    def has_unlisted(self) -> bool:
        """Whether an attempt of the viewer is among them that they played as a guest."""
        return any(row.is_you and row.rank is None for row in self.rows)

    @property
    def is_judged(self) -> bool:
        """Whether an attempt of the page has been reviewed, and so has its accuracy and luck."""
        return any(row.accuracy != _UNREVIEWED for row in self.rows)


def result_list_view(page: ResultsPage, viewer_id: str | None) -> ResultListView:
    """A page of a list of results."""
    rows = [_result_view(result, viewer_id) for result in page.results]
    return ResultListView(rows, page.next_cursor or "")


def with_unlisted(page: ResultListView, attempt: Attempt, name: str) -> ResultListView:
    """The first page of a leaderboard, with an attempt that its player, the viewer, played as a guest.

    It has no rank, and is listed by its score.
    """
    row = _result_view(LeaderboardEntry(None, name, attempt), attempt.player_id)
    place = sum((other.actions, other.seconds) <= (row.actions, row.seconds) for other in page.rows)
    return replace(page, rows=[*page.rows[:place], row, *page.rows[place:]])


def _result_view(result: LeaderboardEntry, viewer_id: str | None) -> LeaderboardEntryView:
    attempt = result.attempt
    actions, seconds = attempt.score or (0, 0)
    return LeaderboardEntryView(
        rank=result.rank,
        name=result.name,
        has_profile=attempt.listed and result.name != DELETED,
        game_id=attempt.game_id,
        actions=actions,
        seconds=seconds,
        time=clock_duration(seconds),
        cards_home=attempt.cards_home or 0,
        reason=attempt_reason(attempt.reason),
        is_you=attempt.player_id == viewer_id,
        is_confirmed=attempt.is_confirmed,
        accuracy=_UNREVIEWED if result.accuracy is None else percent(result.accuracy),
        luck="–" if result.luck is None else signed_points(result.luck),
    )
