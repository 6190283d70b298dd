"""Points and the board of a week: a pure function of the attempts at closed deals.

A solved deal is 3 points. The best three solvers in the league get 3, 2 and 1 more, by the order of the daily
leaderboard: fewest actions, then whole seconds. Equal results share a rank and its points, and the next rank is
skipped. Unconfirmed results count: a league is among friends.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from app.daily.model import Attempt, Score
from app.games.attempt_verdicts import AttemptVerdict
from app.games.ranks import competition_ranks
from app.leagues.model import Member, Week

SOLVED_POINTS: Final = 3
RANK_POINTS: Final = (3, 2, 1)
_SHOWN: Final = {
    AttemptVerdict.SOLVED,
    AttemptVerdict.UNSOLVED,
    AttemptVerdict.REMOVED,
    AttemptVerdict.SET_ASIDE,
}
"""The verdicts that a board shows. An attempt that a moderator has hidden looks unplayed."""


class MemberResult(NamedTuple):
    """A member's attempt at a closed deal. ``rank`` is among the solvers in the league, ``None`` without a solution."""

    member: Member
    attempt: Attempt
    rank: int | None
    points: int


class DayScore(NamedTuple):
    """The points of a member for a closed day. ``is_confirmed``: no point is from an unconfirmed result."""

    points: int
    has_played: bool
    is_confirmed: bool


class MemberWeek(NamedTuple):
    """A member's week: one score for each closed day from which their results count."""

    rank: int
    member: Member
    days: Mapping[date, DayScore]
    total: int


@dataclass(frozen=True, slots=True)
class WeekBoard:
    """A week. ``closed`` are its days whose results are final; nothing here depends on any other day."""

    week: Week
    closed: frozenset[date]
    rows: Sequence[MemberWeek]
    results: Mapping[date, Mapping[str, Sequence[MemberResult]]]
    """By day and rule set, best first."""


def make_board(
    week: Week, closed: Collection[date], members: Sequence[Member], attempts: Iterable[Attempt]
) -> WeekBoard:
    """The board of a week. Attempts of other days or players, and from before a member joined, are left out."""
    by_id = {member.player_id: member for member in members}
    by_deal: dict[tuple[date, str], list[Attempt]] = defaultdict(list)
    final = frozenset(closed).intersection(week.days)
    for attempt in attempts:
        member = by_id.get(attempt.player_id)
        counts = member is not None and attempt.day in final and attempt.day >= member.since
        if counts and attempt.verdict in _SHOWN:
            by_deal[attempt.day, attempt.ruleset].append(attempt)
    results: dict[date, dict[str, Sequence[MemberResult]]] = {day: {} for day in sorted(final)}
    for (day, ruleset), found in sorted(by_deal.items()):
        results[day][ruleset] = score_deal(found, by_id)
    rows = [_row(member, results) for member in members]
    rows.sort(key=lambda row: (-row.total, row.member.number))
    ranks = competition_ranks([row.total for row in rows])
    ranked = [row._replace(rank=rank) for row, rank in zip(rows, ranks, strict=True)]
    return WeekBoard(week, final, ranked, results)


def score_deal(attempts: Iterable[Attempt], members: Mapping[str, Member]) -> list[MemberResult]:
    """The results of one deal, best first: solvers by rank, then the others by cards home."""
    ordered = sorted(attempts, key=_order)
    solved = [one for one in ordered if one.verdict is AttemptVerdict.SOLVED]
    ranks = competition_ranks([one.score or Score(0, 0) for one in solved])
    scored = [
        MemberResult(members[one.player_id], one, rank, SOLVED_POINTS + _rank_points(rank))
        for one, rank in zip(solved, ranks, strict=True)
    ]
    others = ordered[len(solved) :]
    return [*scored, *(MemberResult(members[one.player_id], one, None, 0) for one in others)]


def _rank_points(rank: int) -> int:
    return RANK_POINTS[rank - 1] if rank <= len(RANK_POINTS) else 0


def _order(attempt: Attempt) -> tuple[bool, Score | int, str]:
    if attempt.verdict is AttemptVerdict.SOLVED:
        return False, attempt.score or Score(0, 0), attempt.game_id
    return True, -(attempt.cards_home or 0), attempt.game_id


def _row(
    member: Member, results: Mapping[date, Mapping[str, Sequence[MemberResult]]]
) -> MemberWeek:
    days: dict[date, DayScore] = {}
    for day, deals in results.items():
        if day < member.since:
            continue
        own = [one for found in deals.values() for one in found if one.member is member]
        days[day] = DayScore(
            points=sum(one.points for one in own),
            has_played=bool(own),
            is_confirmed=all(one.attempt.is_confirmed for one in own if one.points),
        )
    return MemberWeek(0, member, days, sum(score.points for score in days.values()))
