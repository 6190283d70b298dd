"""The explorer for viewers: a position of a deal and where its games went, as far as they may see it.

Daily deals can be explored by all once they have closed, open deals by those who have finished them: until then the
explorer says nothing, not even whether a line is possible.
"""

from __future__ import annotations

import asyncio
from datetime import date
from functools import partial
from typing import Any, Final, NamedTuple

from sqlalchemy import Select

from app.daily.model import DailyDeal, deal_path
from app.daily.service import DailyService
from app.db.engine import Database
from app.engine.history import History
from app.engine.rules import legal_actions
from app.errors import DealNotFoundError, NotReadyError
from app.explorer import repository
from app.explorer.chances import Chances
from app.explorer.lines import DealKey, position_hash, read_line
from app.explorer.merging import GameMerging, daily_key, open_key
from app.explorer.model import Explored
from app.games.model import Game, Kind
from app.games.service import GameService
from app.sharing import repository as sharing_repository
from app.sharing.model import OpenDeal, UnfinishedDealError
from app.sharing.service import SharingService
from app.text import gettext

_RETRY_AFTER: Final = 10  # seconds
_SHORT: Final = 1_000  # characters of a line that is played in a millisecond or two


class ExploredDaily(NamedTuple):
    """A closed daily deal at a position."""

    deal: DailyDeal
    explored: Explored


class ExploredOpen(NamedTuple):
    """An open deal at a position; ``is_adding`` while the viewer's own game is still to be merged."""

    deal: OpenDeal
    explored: Explored
    is_adding: bool


class ExplorerService:
    """Explores deals."""

    def __init__(
        self,
        database: Database,
        games: GameService,
        daily: DailyService,
        sharing: SharingService,
        *,
        merging: GameMerging,
        chances: Chances,
    ) -> None:
        self._database = database
        self._games = games
        self._daily = daily
        self._sharing = sharing
        self._merging = merging
        self._chances = chances

    async def close(self) -> None:
        """Stop what runs in the background. Call this before the jobs are closed."""
        await self._merging.close()
        await self._chances.close()

    async def explore_daily(
        self, viewer_id: str | None, day: date, ruleset: str, line: str
    ) -> ExploredDaily:
        """A closed daily deal after a line.

        Raises ``DealNotFoundError``, ``NotClosedError``, ``NotReadyError``, and what ``read_line`` raises.
        """
        deal = await self._daily.find_closed_deal(day, ruleset)
        if not await self._database.read(partial(repository.is_merged, deal=deal)):
            self._merging.wake()
            raise NotReadyError(
                gettext("The games of this deal are being put together. Try again in a minute."),
                _RETRY_AFTER,
            )
        counted = repository.daily_games()
        return ExploredDaily(deal, await self._explore(daily_key(deal), line, counted, viewer_id))

    async def explore_open(
        self, viewer_id: str | None, ruleset: str, code: str, line: str
    ) -> ExploredOpen:
        """An open deal that the viewer has finished, after a line.

        Raises ``RulesetNotFoundError``, ``DealNotFoundError``, ``UnfinishedDealError``, and what ``read_line`` raises.
        """
        deal = self._sharing.deal(ruleset, code)
        if viewer_id is None or not await self._database.read(
            partial(
                sharing_repository.has_finished,
                rules=deal.rules,
                code=deal.code,
                player_id=viewer_id,
            )
        ):
            raise UnfinishedDealError(
                gettext("You can explore this deal once you have finished it.")
            )
        is_adding = not await self._merging.merge_open(deal) and await self._database.read(
            partial(
                repository.has_unmerged_game,
                rules=deal.rules,
                code=deal.code,
                player_id=viewer_id,
            )
        )
        counted = repository.open_games(deal.rules, deal.code, viewer_id)
        explored = await self._explore(open_key(deal), line, counted, viewer_id)
        return ExploredOpen(deal, explored, is_adding)

    async def find_address(self, game_id: str, viewer_id: str | None) -> str:
        """The explorer of a game's deal; raises ``DealNotFoundError`` if it has none."""
        game = await self._games.load_visible(game_id, viewer_id)
        if game.kind is Kind.DAILY:
            attempt = await self._daily.find_attempt(game.id)
            return f"{deal_path(attempt.day, attempt.ruleset)}/explorer"
        if has_open_deal(game):
            return f"/deal/{game.rules.id}/{game.code}/explorer"
        raise DealNotFoundError(gettext("Only daily deals and deals with a code can be explored."))

    async def _explore(
        self, key: DealKey, line: str, counted: Select[Any], viewer_id: str | None
    ) -> Explored:
        if len(line) > _SHORT:
            history = await asyncio.to_thread(_play, key, line)
        else:
            history = _play(key, line)
        position = position_hash(key.name, history.position)
        played = await self._database.read_elsewhere(
            partial(repository.find_games, position=position, counted=counted)
        )
        is_played = bool(
            played.games
        )  # no work, and no row, for a position that a visitor makes up
        chances = await self._chances.find(position, history, viewer_id) if is_played else None
        actions = legal_actions(history.rules, history.position)
        return Explored(history, actions, played, chances)


def has_open_deal(game: Game) -> bool:
    """Whether a game was dealt from a code and is played by one player."""
    return game.kind is Kind.OPEN and game.code is not None


def _play(key: DealKey, line: str) -> History:
    return read_line(key.opening(), line)
