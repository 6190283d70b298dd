"""The daily deal for players: starting today's attempts, and finding deals of today and of past days."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.clock import Clock, day_of
from app.daily import confirmation, repository
from app.daily.closed_counts import ClosedCounts
from app.daily.confirmation import ClaimedMs
from app.daily.model import (
    Attempt,
    BegunAlreadyError,
    DailyDeal,
    DailyNotFoundError,
    NotClosedError,
    NotOpenYetError,
    PlayerDeal,
    Today,
    finish_ms,
    opens_ms,
)
from app.daily.preparing import DAYS_AHEAD, new_deal
from app.daily.streaks import ONE_DAY, Streak, compute_streak
from app.db.engine import Database
from app.engine.ruleset import Ruleset
from app.errors import ConflictError, DealNotFoundError, NotReadyError
from app.games.lookup import stored_rules
from app.games.model import Game, Kind
from app.games.service import GameService
from app.i18n.formats import long_date, time_left
from app.rulesets import DAILY_RULESETS, RULESETS, find_ruleset
from app.text import gettext

_NO_DEAL: Final = gettext("There is no deal for this day.")
_DAY_OVER: Final = gettext("This day is over. You can still play its deals for practice.")
_RETRY_AFTER: Final = 5  # seconds


class _DayChangedError(Exception):
    """Midnight passed between reading the clock and dealing the game."""


class DailyService:
    """Starts attempts, and returns only what the player may know."""

    def __init__(
        self,
        database: Database,
        games: GameService,
        clock: Clock,
        claimed_ms: ClaimedMs,
        *,
        attempts_per_network: int = 8,
        unproven: bool = False,
        on_missing: Callable[[], None] = lambda: None,
    ) -> None:
        """``clock`` is the clock of ``games``: milliseconds since 1970, UTC.

        Of the attempts at a deal from one network, the first ``attempts_per_network`` can be confirmed.
        With ``unproven``, for development and tests, missing deals of today are made at once, without a
        proof that they can be won. Otherwise ``on_missing`` is called when a player asks for one.
        """
        self._unproven = unproven
        self._on_missing = on_missing
        self._database = database
        self._games = games
        self._clock = clock
        self._claimed_ms = claimed_ms
        self._attempts_per_network = attempts_per_network
        self.closed_counts = ClosedCounts(database, clock)

    @property
    def now_ms(self) -> int:
        """The current time."""
        return self._clock()

    @property
    def day(self) -> date:
        """The current day."""
        return day_of(self._clock())

    async def today(self, player_id: str | None) -> Today:
        """Today's deals."""
        now_ms = self._clock()
        day = day_of(now_ms)
        deals = await self._ensure_deals_of_today(day)

        def read(connection: Connection) -> tuple[list[DailyDeal], list[Attempt], Streak]:
            if player_id is None:
                return [], [], compute_streak(set(), day)
            yesterday = repository.list_deals(connection, day - ONE_DAY, day - ONE_DAY)
            attempts = repository.list_attempts(connection, player_id, day - ONE_DAY, day)
            solved_days = repository.list_solved_days(connection, player_id)
            return yesterday, attempts, compute_streak(solved_days, day)

        yesterday, attempts, streak = await self._database.read(read)
        late = [
            player_deal
            for player_deal in _with_attempts(yesterday, attempts)
            if player_deal.attempt
            and not player_deal.has_ended
            and now_ms <= finish_ms(player_deal.deal.day)
        ]
        return Today(day, _with_attempts(deals, attempts), _without_deal(deals), late, streak)

    async def deals_of_day(self, player_id: str | None, day: date) -> list[PlayerDeal]:
        """The deals of today or a past day; raises ``DealNotFoundError``."""
        return await self._deals_of_day(player_id, day, self._clock())

    async def _deals_of_day(
        self, player_id: str | None, day: date, now_ms: int
    ) -> list[PlayerDeal]:
        _check_is_open(day, now_ms)
        if day == day_of(now_ms):
            deals = await self._ensure_deals_of_today(day)
            return _with_attempts(deals, await self._list_attempts(player_id, day))
        player_deals = await self.list_deals(player_id, day, day)
        if not player_deals:
            raise DailyNotFoundError(_NO_DEAL)
        return player_deals

    async def list_deals(self, player_id: str | None, first: date, last: date) -> list[PlayerDeal]:
        """The deals from ``first`` to ``last``, but not later than today, with the player's attempts."""
        last = min(last, self.day)

        def read(connection: Connection) -> tuple[list[DailyDeal], list[Attempt]]:
            deals = repository.list_deals(connection, first, last)
            if player_id is None:
                return deals, []
            return deals, repository.list_attempts(connection, player_id, first, last)

        return _with_attempts(*await self._database.read_elsewhere(read))

    async def count_results(self, day: date) -> dict[str, tuple[int, int]]:
        """How many players began each closed deal of a day, and how many solved it, by rule set; played ones only."""

        def read(connection: Connection) -> dict[str, tuple[int, int]]:
            closed = {d.ruleset for d in repository.list_deals(connection, day, day) if d.is_closed}
            counts = repository.count_results(connection, day, day)
            return {ruleset: n for (_, ruleset), n in counts.items() if ruleset in closed}

        return await self._database.read_elsewhere(read)

    async def find_deal(self, player_id: str | None, day: date, ruleset: str) -> PlayerDeal:
        """A deal of today or a past day; raises ``DealNotFoundError`` and ``NotReadyError``."""
        now_ms = self._clock()
        is_today = day == day_of(now_ms)
        player_deals = await self._deals_of_day(player_id, day, now_ms)
        deal = _select_deal([each.deal for each in player_deals], ruleset, is_today=is_today)
        return next(each for each in player_deals if each.deal is deal)

    async def start(
        self, player_id: str, ruleset: str, device: bytes | None, network: str | None = None
    ) -> tuple[Game, bool]:
        """The player's attempt at today's deal, and whether it was started just now.

        ``device`` is the hash of the browser's token, if a browser asks: each deal can be started once
        per browser. ``network`` is the network of the request, if it is known.

        Raises ``DealNotFoundError``, ``NotReadyError`` and ``BegunAlreadyError``.
        """
        while True:
            day = self.day
            deal = _select_deal(await self._ensure_deals_of_today(day), ruleset, is_today=True)
            attempt = await self._find_attempt(deal, player_id, device)
            if attempt:
                return await self._games.log.load(attempt.game_id), False
            if deal.is_closed:  # if the server's clock has been set back
                raise ConflictError(_DAY_OVER)
            try:
                return await self._start(deal, player_id, device, network), True
            except _DayChangedError:
                continue
            except IntegrityError:
                # A concurrent request started the attempt. If not, the error is a bug: do not loop.
                if await self._find_attempt(deal, player_id, device) is None:
                    raise

    def check_is_today(self, day: date) -> None:
        """Raise ``DealNotFoundError`` for a future day and ``ConflictError`` for a past one."""
        now_ms = self._clock()
        _check_is_open(day, now_ms)
        if day < day_of(now_ms):
            raise ConflictError(_DAY_OVER)

    async def find_closed_deal(self, day: date, ruleset: str) -> DailyDeal:
        """A deal that is closed; raises ``DealNotFoundError`` and ``NotClosedError``."""
        deal = (await self.find_deal(None, day, ruleset)).deal
        if not deal.is_closed:
            raise NotClosedError(
                gettext(
                    "The cards of %(day)s will be published once we have verified every game.",
                    day=long_date(day),
                )
            )
        return deal

    async def start_practice(self, player_id: str, day: date, ruleset: str) -> Game:
        """Deal the cards of a closed deal as an unranked game; raises like ``find_closed_deal``."""
        deal = await self.find_closed_deal(day, ruleset)
        rules = stored_rules(deal.ruleset, deal.revision)
        return await self._games.deal_out(player_id, rules, deal.seed, Kind.OPEN)

    async def list_committed_deals(self) -> list[DailyDeal]:
        """The deals of today and the next days. Their commitments are public, their seeds are not."""
        day = self.day
        await self._ensure_deals_of_today(day)
        return await self._database.read(
            lambda connection: repository.list_deals(connection, day, day + DAYS_AHEAD)
        )

    async def first_day(self) -> date:
        """The first day in the archive."""
        return await self._database.read(repository.find_first_day) or self.day

    async def find_attempt(self, game_id: str) -> Attempt:
        """The attempt that a game belongs to; raises ``DealNotFoundError``."""
        attempt = await self._database.read(
            lambda connection: repository.find_attempt(connection, game_id)
        )
        if attempt is None:
            raise DealNotFoundError(gettext("This game isn't a daily deal."))
        return attempt

    async def _ensure_deals_of_today(self, day: date) -> list[DailyDeal]:
        """Today's deals; missing ones are asked for, or made now with ``unproven``."""
        deals = await self._database.read(
            lambda connection: repository.list_deals(connection, day, day)
        )
        missing = _without_deal(deals)
        if not missing:
            return deals
        if not self._unproven:
            self._on_missing()
            return deals
        made = [new_deal(rules, day, self._clock()) for rules in missing]

        def add(connection: Connection) -> list[DailyDeal]:
            for deal in made:
                repository.add_deal(connection, deal)
            return repository.list_deals(connection, day, day)

        return await self._database.write(add)

    async def _list_attempts(self, player_id: str | None, day: date) -> list[Attempt]:
        if player_id is None:
            return []
        return await self._database.read(
            lambda connection: repository.list_attempts(connection, player_id, day, day)
        )

    async def _find_attempt(
        self, deal: DailyDeal, player_id: str, device: bytes | None
    ) -> Attempt | None:
        def read(connection: Connection) -> Attempt | None:
            own = repository.find_attempt_of_player(connection, deal.day, deal.ruleset, player_id)
            if own or device is None:
                return own
            return repository.find_attempt_of_browser(connection, deal.day, deal.ruleset, device)

        attempt = await self._database.read(read)
        # Between the two queries another tab may have started an attempt of the same player.
        if attempt and attempt.player_id != player_id:
            raise BegunAlreadyError(
                gettext(
                    "Another player has already started this deal in this browser. Each deal can only be started once."
                )
            )
        return attempt

    async def _start(
        self, deal: DailyDeal, player_id: str, device: bytes | None, network: str | None
    ) -> Game:
        counter = None
        if network is not None:
            counter = confirmation.attempts_counter(
                deal.day, deal.ruleset, network, self._attempts_per_network
            )

        def add_attempt(connection: Connection, game: Game) -> None:
            if day_of(game.started_ms) != deal.day:
                raise _DayChangedError
            claimed_ms = self._claimed_ms(connection, player_id)
            attempt = Attempt(
                game_id=game.id,
                day=deal.day,
                ruleset=deal.ruleset,
                player_id=player_id,
                started_ms=game.started_ms,
                listed=claimed_ms is not None,
                doubt=confirmation.find_doubt(
                    connection,
                    deal.day,
                    claimed_ms=claimed_ms,
                    started_ms=game.started_ms,
                    counter=counter,
                ),
            )
            repository.add_attempt(connection, attempt, device, counter.bucket if counter else None)

        rules = stored_rules(deal.ruleset, deal.revision)
        return await self._games.deal_out(player_id, rules, deal.seed, Kind.DAILY, add_attempt)


def _check_is_open(day: date, now_ms: int) -> None:
    """Raise ``NotOpenYetError`` for a future day."""
    today = day_of(now_ms)
    if day <= today:
        return
    if day - ONE_DAY == today:
        left = time_left(opens_ms(day) - now_ms)
        raise NotOpenYetError(gettext("Tomorrow's deals open in %(left)s.", left=left))
    raise NotOpenYetError(
        gettext("The deals of %(day)s aren't open yet: they open on that day.", day=long_date(day))
    )


def _without_deal(deals: list[DailyDeal]) -> list[Ruleset]:
    """The rule sets that have none of these deals."""
    existing = {deal.ruleset for deal in deals}
    return [rules for rules in DAILY_RULESETS if rules.id not in existing]


def _with_attempts(deals: list[DailyDeal], attempts: list[Attempt]) -> list[PlayerDeal]:
    """Deals in the order of days and of the home page, each with the attempt at it."""
    order = {rules.id: place for place, rules in enumerate(RULESETS)}
    by_deal = {(attempt.day, attempt.ruleset): attempt for attempt in attempts}
    return [
        PlayerDeal(
            deal, stored_rules(deal.ruleset, deal.revision), by_deal.get((deal.day, deal.ruleset))
        )
        for deal in sorted(deals, key=lambda deal: (deal.day, order.get(deal.ruleset, len(order))))
    ]


def _select_deal(deals: list[DailyDeal], name: str, *, is_today: bool) -> DailyDeal:
    """The deal of a rule set; raises ``DealNotFoundError``, or ``NotReadyError`` if it is being prepared."""
    rules = find_ruleset(name)
    for deal in deals:
        if deal.ruleset == (rules.id if rules else name):
            return deal
    if rules in DAILY_RULESETS and is_today:
        raise NotReadyError(
            gettext(
                "Today's %(title)s is being prepared: we only deal games that can be won. Try again in a moment.",
                title=rules.title,
            ),
            _RETRY_AFTER,
        )
    raise DailyNotFoundError(_NO_DEAL)
