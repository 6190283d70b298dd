"""Merging games: all of a daily deal once it has closed, those of an open deal when a player explores it.

It goes in small portions, each traced in a worker process and stored in a transaction of its own. So it can stop at
any moment, and another process continues; a game that two processes trace is stored once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final

from app.daily import attempt_logs
from app.daily import repository as daily_repository
from app.daily.attempt_logs import GameLength
from app.daily.model import DailyDeal
from app.daily.verification import counted_events
from app.db.engine import Database
from app.db.portions import split_into_portions
from app.explorer import repository
from app.explorer.lines import DealKey, GameLog, KeptLine, trace_games
from app.jobs.queue import JobFailedError
from app.jobs.scheduler import PeriodicTask
from app.jobs.service import Jobs
from app.logs import logger_of
from app.sharing.model import OpenDeal
from app.single_flight import KeyedTasks

_INTERVAL: Final = 300.0  # seconds
_DEALS_AT_ONCE: Final = 50
_GAMES_AT_ONCE: Final = 200
_ACTIONS_AT_ONCE: Final = 20_000  # a second of work
_STEPS_PER_WRITE: Final = 2_000
_TRACE_SECONDS: Final = 60.0
_WAIT_SECONDS: Final = 1.0
_MOST_RUNNING: Final = 20

_log: Final = logger_of("explorer")


def daily_key(deal: DailyDeal) -> DealKey:
    """The deal of a day, which must be closed."""
    return DealKey(deal.ruleset, deal.revision, deal.seed)


def open_key(deal: OpenDeal) -> DealKey:
    """An open deal."""
    return DealKey(deal.rules.id, deal.rules.revision, deal.code)


class GameMerging:
    """Merges games in the background."""

    def __init__(self, database: Database, jobs: Jobs) -> None:
        self._database = database
        self._jobs = jobs
        self._running: KeyedTasks[DealKey, None] = KeyedTasks()
        self._wake = asyncio.Event()

    def task(self) -> PeriodicTask:
        """The task that merges the games of closed days."""
        return PeriodicTask(
            name="merge the games of closed days",
            seconds=_INTERVAL,
            run=self.merge_closed_days,
            wake=self._wake,
        )

    def wake(self) -> None:
        """Merge the games of closed days soon."""
        self._wake.set()

    async def close(self) -> None:
        """Stop. What is stored stays."""
        await self._running.close()

    async def merge_closed_days(self) -> None:
        """Merge all games of all closed daily deals."""
        find = partial(repository.list_unmerged_deals, most=_DEALS_AT_ONCE)
        while places := await self._database.read(find):
            for day, ruleset in places:
                deal = await self._database.read(
                    partial(daily_repository.find_deal, day=day, ruleset=ruleset)
                )
                if deal is None:  # deleted since: the next round lists what is left
                    return
                await self._merge_daily(deal)

    async def merge_open(self, deal: OpenDeal) -> bool:
        """Have the ended games of an open deal merged, and wait a moment for that; whether it is done with."""
        key = open_key(deal)
        if key not in self._running:
            if not await self._list_open(deal):
                return True
            if len(self._running) >= _MOST_RUNNING:
                return False
        # Another request may have come first meanwhile: then this is its task.
        running = self._running.start(key, partial(self._merge_open, deal), name="explorer")
        done, _ = await asyncio.wait({running}, timeout=_WAIT_SECONDS)
        return running in done

    async def _merge_daily(self, deal: DailyDeal) -> None:
        while lengths := await self._database.read(
            lambda connection: attempt_logs.list_lengths(
                connection, deal, repository.NOT_MERGED, limit=_GAMES_AT_ONCE
            )
        ):
            portion = attempt_logs.take_portion(lengths, _ACTIONS_AT_ONCE)
            ids = [game.game_id for game in portion]
            games = await self._database.read(partial(attempt_logs.read_attempts, game_ids=ids))
            logs = [
                GameLog(
                    game.attempt.game_id,
                    length.actions,
                    [event.action for event in counted_events(deal.day, game.events)],
                )
                for game, length in zip(games, portion, strict=True)
            ]
            await self._merge(daily_key(deal), logs)
        await self._database.write(partial(repository.mark_merged, deal=deal))

    async def _merge_open(self, deal: OpenDeal) -> None:
        try:
            while lengths := await self._list_open(deal):
                portion = attempt_logs.take_portion(lengths, _ACTIONS_AT_ONCE)
                logs = await self._database.read(partial(repository.read_logs, lengths=portion))
                await self._merge(open_key(deal), logs)
        except Exception:  # noqa: BLE001 - it runs in the background; the next visit tries again
            _log.exception("Could not merge the games of %s", deal.path)

    async def _list_open(self, deal: OpenDeal) -> list[GameLength]:
        found = await self._database.read(
            partial(
                repository.list_unmerged_games,
                rules=deal.rules,
                code=deal.code,
                most=_GAMES_AT_ONCE,
            )
        )
        return [GameLength(*each) for each in found]

    async def _merge(self, key: DealKey, logs: Sequence[GameLog]) -> None:
        for lines in split_into_portions(
            await self._trace(key, logs), _STEPS_PER_WRITE, lambda line: len(line.steps)
        ):
            await self._database.write(partial(repository.add_lines, lines=lines))

    async def _trace(self, key: DealKey, logs: Sequence[GameLog]) -> list[KeptLine]:
        try:
            return await self._jobs.run(partial(trace_games, key, logs), seconds=_TRACE_SECONDS)
        except JobFailedError as error:
            if error.failure is None:  # the server stops
                raise
            if len(logs) > 1:
                return [line for log in logs for line in await self._trace(key, [log])]
            _log.warning("The game %s is left out: it could not be traced", logs[0].game_id)
            return [KeptLine(logs[0].game_id, logs[0].version, ())]
