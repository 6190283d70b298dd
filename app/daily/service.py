"""The daily deal for its players: what there is today, one attempt each, and where everybody stands."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.clock import day_of
from app.daily import repository
from app.daily.days import finish_ms
from app.daily.errors import BegunAlreadyError, NotClosedError
from app.daily.model import Attempt, Deal, PlayerDeal, Today
from app.daily.preparing import AHEAD, fresh_deal
from app.daily.recording import IsNamed
from app.daily.streaks import Streak, streak
from app.db.engine import Database
from app.errors import ConflictError, DealNotFoundError, NotReadyError
from app.games.model import Game, Kind, stored_rules
from app.games.service import GameService
from app.http.formats import long_date
from app.rulesets import RULESETS, find_ruleset

NO_DEAL = "There is no deal of that day here, or not yet."


_RETRY_AFTER = 5  # seconds


def player_deals_of(dealt: list[Deal], mine: list[Attempt]) -> list[PlayerDeal]:
    """Deals in the order of the lobby, each with the attempt at it."""
    order = {rules.id: place for place, rules in enumerate(RULESETS)}
    attempted = {(attempt.day, attempt.ruleset): attempt for attempt in mine}
    return [
        PlayerDeal(
            deal, stored_rules(deal.ruleset, deal.revision), attempted.get((deal.day, deal.ruleset))
        )
        for deal in sorted(dealt, key=lambda deal: (deal.day, order.get(deal.ruleset, len(order))))
    ]


def find_dealt(dealt: list[Deal], name: str, *, is_today: bool) -> Deal:
    """The deal of a game; raises ``DealNotFoundError``, or ``NotReadyError`` where it is being prepared."""
    rules = find_ruleset(name)
    for deal in dealt:
        if deal.ruleset == (rules.id if rules else name):
            return deal
    if rules and is_today:
        raise NotReadyError(
            f"Today’s deal of {rules.title} is being prepared: it is shown to be winnable first. Ready in a moment.",
            _RETRY_AFTER,
        )
    raise DealNotFoundError(NO_DEAL)


def find_player_deal(player_deals: list[PlayerDeal], name: str, *, is_today: bool) -> PlayerDeal:
    """The offer of a game; raises like ``deal_of``."""
    deal = find_dealt([player_deal.deal for player_deal in player_deals], name, is_today=is_today)
    return next(player_deal for player_deal in player_deals if player_deal.deal is deal)


_ONE = timedelta(days=1)


class _DayTurnedError(Exception):
    """Midnight came between our look at the clock and the dealing."""


class DailyService:
    """Begins attempts, and tells only what a player may know."""

    def __init__(
        self,
        database: Database,
        play: GameService,
        clock: Callable[[], int],
        is_named: IsNamed,
        *,
        unproven: bool = False,
        on_missing: Callable[[], None] = lambda: None,
    ) -> None:
        """``clock`` gives milliseconds since 1970, UTC: the same that ``play`` goes by.

        With ``unproven`` today's missing deals are made on the spot, proven or not: for development and tests.
        Otherwise ``on_missing`` is told that somebody waits for them.
        """
        self._unproven = unproven
        self._on_missing = on_missing
        self._database = database
        self._play = play
        self._clock = clock
        self._is_named = is_named

    @property
    def now_ms(self) -> int:
        """The time, as all of this goes by."""
        return self._clock()

    async def today(self, player_id: str | None) -> Today:
        """Today's deals, as far as they are there."""
        day = day_of(self._clock())
        dealt = await self._dealt(day)

        def read(connection: Connection) -> tuple[list[Deal], list[Attempt], Streak]:
            if player_id is None:
                return [], [], streak(set(), day)
            before = repository.deals_between(connection, day - _ONE, day - _ONE)
            mine = repository.attempts_between(connection, player_id, day - _ONE, day)
            return before, mine, streak(repository.solved_days(connection, player_id), day)

        before, mine, days = await self._database.read(read)
        late = [
            player_deal
            for player_deal in player_deals_of(before, mine)
            if player_deal.attempt
            and not player_deal.attempt.has_ended
            and self._clock() <= finish_ms(player_deal.deal.day)
        ]
        there = {deal.ruleset for deal in dealt}
        missing = [rules for rules in RULESETS if rules.id not in there]
        if missing:
            self._on_missing()
        return Today(day, player_deals_of(dealt, mine), missing, late, days)

    async def of_day(self, player_id: str | None, day: date) -> list[PlayerDeal]:
        """The deals of a day that has opened; raises ``DealNotFoundError``."""
        if day == day_of(self._clock()):
            return (await self.today(player_id)).player_deals

        def read(connection: Connection) -> tuple[list[Deal], list[Attempt]]:
            mine = repository.attempts_between(connection, player_id, day, day) if player_id else []
            return repository.deals_between(connection, day, day), mine

        self._check_opened(day)
        player_deals = player_deals_of(*await self._database.read(read))
        if not player_deals:
            raise DealNotFoundError(NO_DEAL)
        return player_deals

    async def player_deal(self, player_id: str | None, day: date, ruleset: str) -> PlayerDeal:
        """One deal of a day that has opened; raises ``DealNotFoundError`` and ``NotReadyError``."""
        is_today = day == day_of(self._clock())
        return find_player_deal(await self.of_day(player_id, day), ruleset, is_today=is_today)

    async def start(self, player_id: str, ruleset: str, device: bytes | None) -> tuple[Game, bool]:
        """The player's attempt at today's deal of a game, and whether it begins only now.

        ``device`` is the browser that asks, if it is one: in a browser each deal is begun once, whoever
        sits there. Raises ``DealNotFoundError``, ``NotReadyError`` and ``BegunAlreadyError``.
        """
        while True:
            day = day_of(self._clock())
            deal = find_dealt(await self._dealt(day), ruleset, is_today=True)
            begun = await self._begun(deal, player_id, device)
            if begun:
                return await self._play.load(begun.game_id), False
            if deal.is_closed:  # by a clock that has been set back since
                raise ConflictError("This day is over. Its cards can be played for practice.")
            try:
                return await self._begin(deal, player_id, device), True
            except _DayTurnedError:
                continue
            except IntegrityError:
                # Another tab was faster; or else the fault is ours, and trying again would not end.
                if await self._begun(deal, player_id, device) is None:
                    raise

    async def closed_deal(self, day: date, ruleset: str) -> Deal:
        """A deal whose secrets are out; raises ``DealNotFoundError`` and ``NotClosedError``."""
        deal = (await self.player_deal(None, day, ruleset)).deal
        if not deal.is_closed:
            raise NotClosedError(
                f"The cards of {long_date(day)} are published once every run has been checked."
            )
        return deal

    async def practise(self, player_id: str, day: date, ruleset: str) -> Game:
        """Deal the cards of a closed day to a player, for no ranks; raises like ``closed_deal``."""
        deal = await self.closed_deal(day, ruleset)
        rules = stored_rules(deal.ruleset, deal.revision)
        return await self._play.deal_out(player_id, rules, deal.seed, Kind.OPEN)

    async def promises(self) -> list[Deal]:
        """The deals of today and of the coming days: their commitments are for everybody, their seeds are not."""
        day = day_of(self._clock())
        await self._dealt(day)
        return await self._database.read(
            lambda connection: repository.deals_between(connection, day, day + AHEAD)
        )

    async def between(self, player_id: str | None, first: date, last: date) -> list[PlayerDeal]:
        """The deals of some days that have opened, and the visitor's attempts at them."""
        last = min(last, day_of(self._clock()))

        def read(connection: Connection) -> tuple[list[Deal], list[Attempt]]:
            mine = (
                repository.attempts_between(connection, player_id, first, last) if player_id else []
            )
            return repository.deals_between(connection, first, last), mine

        return player_deals_of(*await self._database.read(read))

    async def oldest(self) -> date:
        """The day that the archive begins with."""
        return await self._database.read(repository.first_day) or day_of(self._clock())

    async def attempt_of_game(self, game_id: str) -> Attempt:
        """The attempt that a game is; raises ``DealNotFoundError``."""
        found = await self._database.read(
            lambda connection: repository.attempt_of_game(connection, game_id)
        )
        if found is None:
            raise DealNotFoundError("This game is not an attempt at a daily deal.")
        return found

    async def _dealt(self, day: date) -> list[Deal]:
        """The deals of a day that are there."""
        found = await self._database.read(
            lambda connection: repository.deals_between(connection, day, day)
        )
        missing = [rules for rules in RULESETS if rules.id not in {deal.ruleset for deal in found}]
        if not (missing and self._unproven):
            return found
        fresh = [fresh_deal(rules, day, self._clock()) for rules in missing]

        def add(connection: Connection) -> list[Deal]:
            for deal in fresh:
                repository.add_deal(connection, deal)
            return repository.deals_between(connection, day, day)

        return await self._database.write(add)

    async def _begun(self, deal: Deal, player_id: str, device: bytes | None) -> Attempt | None:
        def read(connection: Connection) -> Attempt | None:
            mine = repository.attempt_of_player(connection, deal.day, deal.ruleset, player_id)
            if mine or device is None:
                return mine
            return repository.attempt_of_device(connection, deal.day, deal.ruleset, device)

        found = await self._database.read(read)
        # The second look may find what another tab has begun for the same player since the first.
        if found and found.player_id != player_id:
            raise BegunAlreadyError(
                "This deal was begun in this browser before, by another player. Each deal is begun once."
            )
        return found

    async def _begin(self, deal: Deal, player_id: str, device: bytes | None) -> Game:
        def also(connection: Connection, game: Game) -> None:
            if day_of(game.started_ms) != deal.day:
                raise _DayTurnedError
            attempt = Attempt(
                game_id=game.id,
                day=deal.day,
                ruleset=deal.ruleset,
                player_id=player_id,
                started_ms=game.started_ms,
                listed=self._is_named(connection, player_id),
            )
            repository.begin(connection, attempt, device)

        rules = stored_rules(deal.ruleset, deal.revision)
        return await self._play.deal_out(player_id, rules, deal.seed, Kind.DAILY, also)

    def _check_opened(self, day: date) -> None:
        if day > day_of(self._clock()):
            raise DealNotFoundError(NO_DEAL)
