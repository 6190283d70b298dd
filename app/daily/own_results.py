"""A player's own daily results, day by day: the last seven days, a month, and all of them in numbers.

For the player's own eyes: also while a deal is open, and for guests. One query reads what is shown; a player makes at
most some thousand attempts a year.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import Connection, select

from app.daily.streaks import ONE_DAY, Streak, compute_streak
from app.db.schema import daily_attempts
from app.games.attempt_verdicts import AttemptVerdict
from app.text import date_text, gettext

_a = daily_attempts.c
_WEEK = 7


class DayState(StrEnum):
    """The result of a player at a deal, or their best of a day."""

    FRESH = "fresh"  # not started
    BEGUN = "begun"  # in progress
    SOLVED = "solved"
    UNSOLVED = "unsolved"

    @property
    def words(self) -> str:
        """``not started``, ``in progress``, ``won``, ``not won``."""
        return _WORDS[self]


_WORDS: Mapping[DayState, str] = {
    DayState.FRESH: gettext("not started"),
    DayState.BEGUN: gettext("in progress"),
    DayState.SOLVED: gettext("won"),
    DayState.UNSOLVED: gettext("not won"),
}


class OwnResult(NamedTuple):
    """One attempt; ``seconds``, ``actions`` and the cards ``home`` are set when it has ended."""

    day: date
    ruleset: str
    game_id: str
    state: DayState
    actions: int | None
    seconds: int | None
    home: int | None = None


class OwnDay(NamedTuple):
    """A day and the player's best result at its deals."""

    day: date
    state: DayState

    @property
    def words(self) -> str:
        """``27 Nov: not won``."""
        return gettext(
            "%(day)s: %(result)s", day=date_text(self.day, "day_month"), result=self.state.words
        )

    @property
    def weekday(self) -> str:
        """``Fr``."""
        return date_text(self.day, "weekday_short")


@dataclass(frozen=True, slots=True)
class OwnWeek:
    """The last seven days, today last."""

    days: tuple[OwnDay, ...]

    @property
    def today(self) -> str:
        """``Today: not won``, for everyone who can't tell the signs apart."""
        return gettext("Today: %(result)s", result=self.days[-1].state.words)


def list_own_results(
    connection: Connection, player_id: str, first: date = date.min
) -> list[OwnResult]:
    """The attempts of a player, all or from the ``first`` day on, in order of days."""
    query = (
        select(*(_a.day, _a.ruleset, _a.game_id, _a.verdict, _a.actions, _a.seconds, _a.cards_home))
        .where(_a.player_id == player_id, _a.day >= first.isoformat())
        .order_by(_a.day, _a.started_ms)
    )
    return [
        OwnResult(
            date.fromisoformat(day),
            ruleset,
            game_id,
            _state_of(AttemptVerdict(verdict)),
            *(actions, seconds, home),
        )
        for day, ruleset, game_id, verdict, actions, seconds, home in connection.execute(query)
    ]


def read_own_week(connection: Connection, player_id: str | None, today: date) -> OwnWeek:
    """The last seven days of a player; none for ``None``."""
    if player_id is None:
        return own_week((), today)
    return own_week(list_own_results(connection, player_id, _days_of_week(today)[0]), today)


def own_week(results: Sequence[OwnResult], today: date) -> OwnWeek:
    """The last seven days until ``today``."""
    states = state_by_day(results)
    return OwnWeek(
        tuple(OwnDay(day, states.get(day, DayState.FRESH)) for day in _days_of_week(today))
    )


def _days_of_week(today: date) -> list[date]:
    return [today - back * ONE_DAY for back in reversed(range(_WEEK))]


def streak_of(results: Sequence[OwnResult], today: date) -> Streak:
    """The streak in these results."""
    return compute_streak(
        {result.day for result in results if result.state is DayState.SOLVED}, today
    )


def state_by_day(results: Sequence[OwnResult]) -> dict[date, DayState]:
    """The best result of each day with an attempt."""
    states: dict[date, DayState] = {}
    for result in results:
        if result.day not in states or _BEST.index(result.state) < _BEST.index(states[result.day]):
            states[result.day] = result.state
    return states


_BEST = (DayState.SOLVED, DayState.BEGUN, DayState.UNSOLVED, DayState.FRESH)


def _state_of(verdict: AttemptVerdict) -> DayState:
    match verdict:
        case AttemptVerdict.SOLVED:
            return DayState.SOLVED
        case AttemptVerdict.OPEN | AttemptVerdict.SET_ASIDE:  # not judged yet
            return DayState.BEGUN
        case AttemptVerdict.UNSOLVED | AttemptVerdict.REMOVED | AttemptVerdict.HIDDEN:
            return DayState.UNSOLVED
