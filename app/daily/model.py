"""The model of the daily deal: days and their deadlines, deals, attempts, scores and ranks.

Days are UTC. Attempts started before midnight can be finished until 02:00.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple

from app.clock import DAY_MS, MINUTE_MS, day_begins_ms
from app.daily.featured import featured_rulesets
from app.daily.streaks import Streak
from app.engine.ruleset import Ruleset
from app.errors import ConflictError, DealNotFoundError, ForbiddenError, PageLink
from app.games.attempt_verdicts import AttemptVerdict
from app.games.model import Game
from app.text import gettext

_GRACE_MS: Final = 120 * MINUTE_MS
_SETTLING_MS: Final = MINUTE_MS
"""A move accepted just in time may not have been stored yet."""
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def opens_ms(day: date) -> int:
    """When a day's deals open."""
    return day_begins_ms(day)


def closes_ms(day: date) -> int:
    """When a day ends: from now on its deals cannot be started."""
    return opens_ms(day) + DAY_MS


def finish_ms(day: date) -> int:
    """The last moment at which a move still counts for a day."""
    return closes_ms(day) + _GRACE_MS


def settled_ms(day: date) -> int:
    """When every move that counts for a day has been stored, so that the day can be closed."""
    return finish_ms(day) + _SETTLING_MS


def deal_path(day: date, ruleset: str) -> str:
    """The address of the page of a deal."""
    return f"/daily/{day.isoformat()}/{ruleset}"


def parse_day(text: str) -> date:
    """Parse ``2026-11-21``; raises ``ValueError`` with a message for players."""
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    message = gettext("%(text)s isn't a date. Dates look like 2026-11-21.", text=repr(text[:40]))
    raise ValueError(message)


class Doubt(StrEnum):
    """Why an attempt is unconfirmed.

    It began as a guest's; its player's name was claimed after the day opened; or many others had started the deal from
    the same network.
    """

    GUEST = "guest"
    NEW_NAME = "new_name"
    NETWORK = "network"


class Score(NamedTuple):
    """Solved attempts are ranked by score; lower is better."""

    actions: int
    seconds: int


def score_of(game: Game) -> Score:
    """The score of a game so far."""
    return Score(game.actions, game.elapsed_ms // 1000)


class AttemptComparison(NamedTuple):
    """How many other ended attempts at a deal, including guests', did better, equally well or worse."""

    better: int
    equal: int
    worse: int

    @property
    def percent_beaten(self) -> int | None:
        """The percentage that did worse, rounded down; ``None`` while there is no other attempt."""
        others = sum(self)
        return 100 * self.worse // others if others else None

    @property
    def place(self) -> int:
        """The place among all, from 1; equal results share one."""
        return 1 + self.better

    @property
    def players(self) -> int:
        """The number of compared attempts, this one included."""
        return 1 + sum(self)


@dataclass(frozen=True, slots=True)
class DailyStanding:
    """The rank of an attempt, or the rank it would have if it were listed and confirmed.

    ``rank`` is ``None`` for unsolved attempts. ``comparison`` is with everyone who has finished.
    """

    rank: int | None
    comparison: AttemptComparison


def shared_ranks(above: int, tied: int, attempts: Iterable[tuple[Score, bool]]) -> list[int]:
    """Ranks for a page of sorted attempts: equal scores share a rank, and the next rank is skipped (1, 1, 3).

    Each attempt is a score and whether it is confirmed. Only confirmed ones move the others down: an unconfirmed one
    gets the rank that it would have. Before the page, ``above`` confirmed attempts have a better score than its first
    attempt and ``tied`` have the same.
    """
    ranks: list[int] = []
    previous: Score | None = None
    for score, is_confirmed in attempts:
        if previous is not None and score != previous:
            above, tied = above + tied, 0
        ranks.append(above + 1)
        tied += is_confirmed
        previous = score
    return ranks


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyDeal:
    """The deal of a day for one rule set. ``seed`` is secret until the deal is closed.

    ``record`` is the hash over all attempts, which closing the deal computes.
    """

    day: date
    ruleset: str
    revision: int
    seed: bytes
    commitment: str
    verified: bool | None
    created_ms: int
    closed_ms: int | None = None
    record: str | None = None

    @property
    def is_closed(self) -> bool:
        """Whether the results are final and the seed is published."""
        return self.closed_ms is not None

    @property
    def path(self) -> str:
        """The address of its page."""
        return deal_path(self.day, self.ruleset)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A player's only attempt at a deal. ``score`` and ``cards_home`` are set when it ends.

    ``listed`` attempts, those of players with names, appear in the results. Those with a ``doubt`` are
    unconfirmed and have no rank. ``stood`` is the original verdict of a hidden or set-aside attempt. ``resigned`` is
    known of the attempts that are read for their player.
    """

    game_id: str
    day: date
    ruleset: str
    player_id: str
    started_ms: int
    listed: bool
    verdict: AttemptVerdict = AttemptVerdict.OPEN
    ended_ms: int | None = None
    score: Score | None = None
    cards_home: int | None = None
    reason: str | None = None
    stood: AttemptVerdict | None = None
    doubt: Doubt | None = None
    resigned: bool = False

    @property
    def original_verdict(self) -> AttemptVerdict:
        """The verdict before the attempt was hidden or set aside."""
        return self.stood or self.verdict

    @property
    def is_confirmed(self) -> bool:
        """Whether nothing speaks against a rank."""
        return self.doubt is None

    @property
    def is_ranked(self) -> bool:
        """Whether the attempt takes part in the ranking, if it is solved."""
        return self.listed and self.is_confirmed

    @property
    def has_ended(self) -> bool:
        """Whether the result is known."""
        return self.verdict is not AttemptVerdict.OPEN


@dataclass(frozen=True, slots=True)
class PlayerDeal:
    """A deal with the player's attempt at it."""

    deal: DailyDeal
    rules: Ruleset
    attempt: Attempt | None

    @property
    def has_ended(self) -> bool:
        """Whether the player has finished the deal."""
        return self.attempt is not None and self.attempt.has_ended

    @property
    def unlisted_win(self) -> Attempt | None:
        """The player's attempt, if they solved the deal as a guest: then it is on no leaderboard."""
        own = self.attempt
        return own if own and own.verdict is AttemptVerdict.SOLVED and not own.listed else None


@dataclass(frozen=True, slots=True)
class Today:
    """Today's deals for one player.

    ``missing`` are the rule sets whose deals are still being prepared, ``late`` the attempts of
    yesterday that can still be finished.
    """

    day: date
    player_deals: list[PlayerDeal]
    missing: list[Ruleset]
    late: list[PlayerDeal]
    streak: Streak

    @property
    def in_order(self) -> list[PlayerDeal]:
        """The deals that exist, the featured ones first; the first of all is the deal of the day."""
        return in_order(self.day, self.player_deals)

    @property
    def featured(self) -> list[PlayerDeal]:
        """The featured ones among the existing deals."""
        names = {rules.id for rules in featured_rulesets(self.day)}
        return [found for found in self.in_order if found.rules.id in names]

    @property
    def left(self) -> int:
        """How many deals the player can still finish today; those being prepared count, too."""
        return len(self.missing) + sum(not found.has_ended for found in self.player_deals)

    @property
    def is_done(self) -> bool:
        """Whether the player has finished every deal that they could play today."""
        is_open = bool(self.missing or self.late)
        return not is_open and all(player_deal.has_ended for player_deal in self.player_deals)


def in_order(day: date, player_deals: Sequence[PlayerDeal]) -> list[PlayerDeal]:
    """The deals of a day, the featured ones first."""
    places = {rules.id: place for place, rules in enumerate(featured_rulesets(day))}
    return sorted(player_deals, key=lambda found: places.get(found.rules.id, len(places)))


class DailyNotFoundError(DealNotFoundError):
    """There is no daily deal of this day, or no such day or month."""

    title = gettext("No daily deals")
    default_links = (PageLink("/daily/archive", gettext("Archive")),)


class NotOpenYetError(DailyNotFoundError):
    """A deal of a future day."""

    title = gettext("Not open yet")
    default_links = (PageLink("/daily", gettext("Today's deals")),)


class NotFinishedError(ForbiddenError):
    """The results of an open deal, requested before the viewer has finished it."""

    code = "not_finished"
    title = gettext("Finish this deal first")


class BegunAlreadyError(ConflictError):
    """Another player has already started this deal in the same browser."""

    code = "begun_already"
    title = gettext("Deal already started")


class NotClosedError(ConflictError):
    """Something that is only published once a deal is closed."""

    code = "not_closed"
    title = gettext("This deal is still open")
