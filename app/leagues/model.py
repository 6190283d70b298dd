"""A league, its members and its weeks as values, its limits, and the errors of leagues."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NamedTuple, Self

from app.clock import day_of
from app.errors import ConflictError, ForbiddenError, MalformedError, NotFoundError, PageLink
from app.text import gettext

MAX_MEMBERS: Final = 50
MAX_LEAGUES: Final = 20
"""How many leagues a player can be in."""

_WEEK: Final = re.compile(r"(\d{4})-W(\d{2})", re.ASCII)
_DAYS: Final = 7


class LeagueNotFoundError(NotFoundError):
    """A link that leads to no league, or not any more."""

    title = gettext("League not found")
    default_links = (PageLink("/leagues", gettext("Your leagues")),)


class WeekNotFoundError(NotFoundError):
    """A week or day without a board: before the league began, or still to come."""

    title = gettext("No leaderboard for this week")


class LeagueFullError(ConflictError):
    """A league with as many members as a league can have."""

    code = "league_full"
    title = gettext("This league is full")


class TooManyLeaguesError(ConflictError):
    """A player in as many leagues as a player can be in."""

    code = "too_many_leagues"
    title = gettext("You are in too many leagues")


class RemovedFromLeagueError(ForbiddenError):
    """A player whom the owner removed."""

    code = "removed_from_league"
    title = gettext("You can't join this league")


class NotAMemberError(ForbiddenError):
    """A command or a board for members, or about a player who isn't one."""

    code = "not_a_member"
    title = gettext("Only for members")


class NotYourLeagueError(ForbiddenError):
    """A command for the owner."""

    code = "not_your_league"
    title = gettext("Only for the owner")


class League(NamedTuple):
    """A league. ``link`` is the secret part of its address; a new one replaces it. ``games`` are rule set ids."""

    id: str
    link: str
    name: str
    games: tuple[str, ...]
    founded_ms: int


@dataclass(frozen=True, slots=True)
class Member:
    """A player in a league. Results count from the day of ``since_ms``; ``number`` rises with each who joins."""

    player_id: str
    name: str
    is_named: bool
    since_ms: int
    number: int
    is_removed: bool = False

    @property
    def since(self) -> date:
        """The day from which results count."""
        return day_of(self.since_ms)


class Roster(NamedTuple):
    """The members of a league in the order in which they joined, and those whom the owner removed."""

    members: tuple[Member, ...]
    removed: tuple[Member, ...]

    @property
    def owner(self) -> Member:
        """The founder; when they have left, the member who has been there longest."""
        return self.members[0]

    @property
    def is_full(self) -> bool:
        """Whether nobody else can join."""
        return len(self.members) >= MAX_MEMBERS

    def find(self, player_id: str | None) -> Member | None:
        """The member with this id."""
        return next((one for one in self.members if one.player_id == player_id), None)

    def is_owner(self, player_id: str | None) -> bool:
        """Whether a player owns the league."""
        return self.owner.player_id == player_id

    def was_removed(self, player_id: str | None) -> bool:
        """Whether the owner has removed a player."""
        return any(one.player_id == player_id for one in self.removed)


class Week(NamedTuple):
    """An ISO week, Monday to Sunday, of UTC days."""

    year: int
    number: int

    @classmethod
    def of(cls, day: date) -> Self:
        """The week that a day is in."""
        year, number, _ = day.isocalendar()
        return cls(year, number)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``2026-W11``; raises ``MalformedError``."""
        match = _WEEK.fullmatch(text)
        try:
            if match:
                date.fromisocalendar(int(match[1]), int(match[2]), 1)
                return cls(int(match[1]), int(match[2]))
        except ValueError:
            pass
        raise MalformedError(
            gettext("%(value)s isn't a week. Weeks look like 2026-W11.", value=repr(text[:40]))
        )

    @property
    def days(self) -> tuple[date, ...]:
        """Its seven days."""
        monday = date.fromisocalendar(self.year, self.number, 1)
        return tuple(monday + timedelta(days=number) for number in range(_DAYS))

    @property
    def previous(self) -> Week:
        """The week before."""
        return Week.of(self.days[0] - timedelta(days=1))

    @property
    def following(self) -> Week:
        """The week after."""
        return Week.of(self.days[-1] + timedelta(days=1))

    def __str__(self) -> str:
        return f"{self.year:04}-W{self.number:02}"
