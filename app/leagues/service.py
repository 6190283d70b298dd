"""Leagues: founding, joining and leaving them, what their owners do, and the board of a week for a member."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.clock import Clock, day_of
from app.daily.model import PlayerDeal
from app.daily.service import DailyService
from app.db.engine import Database
from app.db.ids import new_id, new_link
from app.errors import MalformedError
from app.identity.names import parse_name
from app.identity.repository import lock_player
from app.leagues import repository
from app.leagues.model import (
    MAX_LEAGUES,
    MAX_MEMBERS,
    League,
    LeagueFullError,
    LeagueNotFoundError,
    NotAMemberError,
    NotYourLeagueError,
    RemovedFromLeagueError,
    Roster,
    TooManyLeaguesError,
    Week,
    WeekNotFoundError,
)
from app.leagues.scoring import WeekBoard, make_board
from app.rulesets import DAILY_RULESETS
from app.text import gettext, ngettext

_NOT_FOUND: Final = gettext(
    "There is no league at this link. Its owner may have made a new link or closed the league."
)
_OWNER_ONLY: Final = gettext("Only the owner of this league can do that.")
_MEMBERS_ONLY: Final = gettext("You aren't a member of this league.")


@dataclass(frozen=True, slots=True)
class LeagueState:
    """A league as a viewer may see it.

    Only members get the board of a week. ``own_deals`` are the viewer's own deals of the days of this week that are
    still open, in a list those of today; nobody else's results of these days are in here.
    """

    league: League
    roster: Roster
    viewer_id: str | None
    today: date
    board: WeekBoard | None = None
    own_deals: Sequence[PlayerDeal] = ()

    @property
    def is_member(self) -> bool:
        """Whether the viewer is in the league."""
        return self.roster.find(self.viewer_id) is not None

    @property
    def is_owner(self) -> bool:
        """Whether the viewer owns the league."""
        return self.roster.is_owner(self.viewer_id)

    @property
    def is_removed(self) -> bool:
        """Whether the owner has removed the viewer."""
        return self.roster.was_removed(self.viewer_id)

    @property
    def is_full(self) -> bool:
        """Whether nobody else can join."""
        return self.roster.is_full

    @property
    def to_play(self) -> int:
        """How many of today's deals the viewer can still play for the league."""
        return sum(one.deal.day == self.today and not one.has_ended for one in self.own_deals)

    @property
    def first_week(self) -> Week:
        """The week in which the league was founded."""
        return Week.of(day_of(self.league.founded_ms))


class LeagueService:
    """Leagues and their boards."""

    def __init__(self, database: Database, daily: DailyService, clock: Clock) -> None:
        self._database = database
        self._daily = daily
        self._clock = clock

    async def found(self, player_id: str, name: str, games: Sequence[str]) -> League:
        """Found a league over some games; raises ``MalformedError`` and ``TooManyLeaguesError``."""
        league = League(new_id(), new_link(), parse_name(name), _read_games(games), self._clock())

        def add(connection: Connection) -> None:
            _check_has_room(connection, player_id)
            repository.add_league(connection, league)
            repository.add_member(connection, league.id, player_id, league.founded_ms)

        await self._database.write(add)
        return league

    async def get_state(
        self, link: str, viewer_id: str | None, week_text: str | None = None
    ) -> LeagueState:
        """A league; for members with the board of a week, by default of this one.

        Raises ``LeagueNotFoundError``, ``MalformedError`` and ``WeekNotFoundError``.
        """
        today = day_of(self._clock())
        week = Week.parse(week_text) if week_text else Week.of(today)

        def read(connection: Connection) -> LeagueState:
            league = _find(connection, link)
            roster = repository.read_roster(connection, league.id)
            state = LeagueState(league, roster, viewer_id, today)
            if not state.first_week <= week <= Week.of(today):
                raise WeekNotFoundError(gettext("This league has no leaderboard for this week."))
            if not state.is_member:
                return state
            closed = repository.list_closed_days(connection, week.days)
            attempts = repository.list_attempts(connection, league, roster, closed)
            return replace(state, board=make_board(week, closed, roster.members, attempts))

        state = await self._database.read(read)
        board = state.board
        if board is None:
            return state
        deals = await self._daily.list_deals(viewer_id, week.days[0], week.days[-1])
        own = [
            one
            for one in deals
            if one.deal.day not in board.closed and one.deal.ruleset in state.league.games
        ]
        return replace(state, own_deals=own)

    async def list_leagues(self, player_id: str) -> list[LeagueState]:
        """The leagues of a player, without boards: first those with something to play today, then by name."""
        today = day_of(self._clock())

        def read(connection: Connection) -> list[tuple[League, Roster]]:
            return [
                (league, repository.read_roster(connection, league.id))
                for league in repository.list_leagues(connection, player_id)
            ]

        found = await self._database.read(read)
        deals = await self._daily.list_deals(player_id, today, today) if found else []
        states = [
            LeagueState(
                league,
                roster,
                player_id,
                today,
                own_deals=[one for one in deals if one.deal.ruleset in league.games],
            )
            for league, roster in found
        ]
        return sorted(states, key=lambda state: (not state.to_play, state.league.name.casefold()))

    async def join(self, link: str, player_id: str) -> None:
        """Join a league, or do nothing as a member.

        Raises ``LeagueNotFoundError``, ``RemovedFromLeagueError``, ``LeagueFullError`` and ``TooManyLeaguesError``.
        """
        now_ms = self._clock()

        def add(connection: Connection) -> None:
            lock_player(connection, player_id)
            league, roster = _lock(connection, link)
            if roster.find(player_id):
                return
            if roster.was_removed(player_id):
                raise RemovedFromLeagueError(
                    gettext("The owner of this league removed you from it.")
                )
            if roster.is_full:
                raise LeagueFullError(
                    ngettext(
                        "This league is full: it has %(n)s member.",
                        "This league is full: it has %(n)s members.",
                        MAX_MEMBERS,
                    )
                )
            _check_has_room(connection, player_id)
            repository.add_member(connection, league.id, player_id, now_ms)

        await self._database.write(add)

    async def leave(self, link: str, player_id: str) -> None:
        """Leave a league, with all results; raises ``LeagueNotFoundError`` and ``NotAMemberError``."""

        def leave(connection: Connection) -> None:
            league, roster = _lock(connection, link)
            _check_member(roster, player_id, _MEMBERS_ONLY)
            repository.delete_member(connection, league.id, player_id)

        await self._database.write(leave)

    async def remove(self, link: str, owner_id: str, player_id: str) -> None:
        """Remove a member, as the owner; raises ``NotYourLeagueError`` and ``NotAMemberError``."""

        def remove(connection: Connection, league: League, roster: Roster) -> None:
            _check_member(roster, player_id, gettext("This player isn't a member of the league."))
            if player_id == owner_id:
                raise NotAMemberError(
                    gettext("You can't remove yourself. Leave the league instead.")
                )
            repository.set_removed(connection, league.id, player_id)

        await self._as_owner(link, owner_id, remove)

    async def readmit(self, link: str, owner_id: str, player_id: str) -> None:
        """Let a removed player join again, as the owner; raises like ``remove``."""

        def readmit(connection: Connection, league: League, roster: Roster) -> None:
            if not roster.was_removed(player_id):
                raise NotAMemberError(gettext("You haven't removed this player."))
            repository.delete_member(connection, league.id, player_id)

        await self._as_owner(link, owner_id, readmit)

    async def rename(self, link: str, owner_id: str, name: str) -> None:
        """Rename a league, as the owner; raises ``MalformedError`` and ``NotYourLeagueError``."""
        chosen = parse_name(name)
        await self._as_owner(
            link,
            owner_id,
            lambda connection, league, _: repository.rename(connection, league.id, chosen),
        )

    async def renew_link(self, link: str, owner_id: str) -> str:
        """Replace the link, as the owner. The old one leads nowhere. Returns the new one."""
        new = new_link()
        await self._as_owner(
            link,
            owner_id,
            lambda connection, league, _: repository.set_link(connection, league.id, new),
        )
        return new

    async def close(self, link: str, owner_id: str) -> None:
        """Delete a league, as the owner."""
        await self._as_owner(
            link,
            owner_id,
            lambda connection, league, _: repository.delete_league(connection, league.id),
        )

    async def find(self, link: str) -> League:
        """The league at a link; raises ``LeagueNotFoundError``."""
        return await self._database.read(partial(_find, link=link))

    async def _as_owner(
        self, link: str, owner_id: str, work: Callable[[Connection, League, Roster], None]
    ) -> None:
        def change(connection: Connection) -> None:
            league, roster = _lock(connection, link)
            if not roster.is_owner(owner_id):
                raise NotYourLeagueError(_OWNER_ONLY)
            work(connection, league, roster)

        await self._database.write(change)


def _find(connection: Connection, link: str, *, lock: bool = False) -> League:
    league = repository.find_league(connection, link, lock=lock)
    if league is None:
        raise LeagueNotFoundError(_NOT_FOUND)
    return league


def _lock(connection: Connection, link: str) -> tuple[League, Roster]:
    league = _find(connection, link, lock=True)
    return league, repository.read_roster(connection, league.id)


def _check_member(roster: Roster, player_id: str, sentence: str) -> None:
    if roster.find(player_id) is None:
        raise NotAMemberError(sentence)


def _check_has_room(connection: Connection, player_id: str) -> None:
    lock_player(connection, player_id)
    if len(repository.list_leagues(connection, player_id)) >= MAX_LEAGUES:
        raise TooManyLeaguesError(
            ngettext(
                "You are in %(n)s league, and that's the limit. Leave one first.",
                "You are in %(n)s leagues, and that's the limit. Leave one first.",
                MAX_LEAGUES,
            )
        )


def _read_games(games: Sequence[str]) -> tuple[str, ...]:
    """Rule set ids in the order of the home page; raises ``MalformedError``."""
    known = [rules.id for rules in DAILY_RULESETS]
    wrong = sorted(set(games).difference(known))
    if wrong:
        raise MalformedError(gettext("There is no game called %(name)s.", name=repr(wrong[0][:60])))
    if not games:
        raise MalformedError(gettext("Choose at least one game."))
    return tuple(each for each in known if each in games)
