"""Sharing: deals behind links, their results, replays, forks, and text records."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from cachetools import LRUCache
from sqlalchemy import Connection

from app.clock import day_of
from app.db.engine import Database
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, pack_deck, parse_code
from app.engine.transition import is_lost
from app.errors import ConflictError, DealNotFoundError, GameNotFoundError
from app.games.model import Game, GameEvent, Kind, Status, deck_of, get_ruleset
from app.games.repository import read_log
from app.games.service import GameService
from app.sharing import repository
from app.sharing.model import (
    BadRecordError,
    DealResult,
    FinishedGame,
    Fork,
    GameDetails,
    OpenDeal,
    SecretDealError,
    StillPlayedError,
    UnfinishedDealError,
)
from app.sharing.replay_steps import Replay, canonical, make_replay, play_out, visible_cards
from app.sharing.text_record import Deck, Record, RecordError, print_record, printable

_MAX_RESULTS: Final = 50
_MAX_CACHED_STEPS: Final = 50_000  # of about a kilobyte each


class _Start(NamedTuple):
    """What a fork or an imported game begins with: its cards, its actions, and where they come from."""

    rules: Ruleset
    deal: Code | bytes
    actions: Sequence[str]
    status: Status
    fork: Fork | None


class SharingService:
    """Shared deals and replays. The games that start here are never ranked."""

    def __init__(self, database: Database, games: GameService) -> None:
        self._database = database
        self._games = games
        self._import_lock = asyncio.Lock()
        self._replays: LRUCache[tuple[str, int], Replay] = LRUCache(
            _MAX_CACHED_STEPS, getsizeof=lambda one: min(one.last + 1, _MAX_CACHED_STEPS)
        )

    # --- deals

    def deal(self, ruleset: str, code: str) -> OpenDeal:
        """A deal by the name of its game and its code."""
        rules = get_ruleset(ruleset)
        try:
            return OpenDeal(rules, parse_code(code))
        except ValueError as error:
            raise DealNotFoundError(str(error)) from error

    async def results(self, deal: OpenDeal, player_id: str | None) -> list[DealResult] | None:
        """The best results on a deal; ``None`` until the player has finished it."""
        if player_id is None:
            return None

        def find(connection: Connection) -> list[DealResult] | None:
            if not repository.has_finished(connection, deal.rules, deal.code, player_id):
                return None
            return repository.list_best_results(
                connection, deal.rules, deal.code, player_id, _MAX_RESULTS
            )

        return await self._database.read(find)

    async def results_of_finished(
        self, deal: OpenDeal, player_id: str | None
    ) -> Sequence[DealResult]:
        """The best results on a deal; raises ``UnfinishedDealError`` until the player has finished it."""
        results = await self.results(deal, player_id)
        if results is None:
            raise UnfinishedDealError("You can see the results once you have finished this deal.")
        return results

    async def open_game(self, deal: OpenDeal, player_id: str | None) -> str | None:
        """The id of a player's unfinished game on a deal, if there is one."""
        if player_id is None:
            return None
        find = partial(
            repository.find_open_game, rules=deal.rules, code=deal.code, player_id=player_id
        )
        return await self._database.read(find)

    # --- finished games

    async def finished_game(self, game_id: str, viewer_id: str | None) -> FinishedGame:
        """A finished game with its replay.

        Raises ``StillPlayedError`` before its end and, while its deal is secret, ``SecretDealError`` for all but its
        player.
        """
        details = await self._details(game_id)
        _check_access(details, viewer_id)
        if details.row.status == Status.PLAYING:
            raise StillPlayedError("You can watch the replay once the game has ended.")
        return FinishedGame(details, await self._replay(details))

    async def fork(self, player_id: str, game_id: str, at: int) -> Game:
        """Start a new game from step ``at`` of a finished one.

        Its log begins with the moves that lead there, without those that were undone.
        """
        finished = await self.finished_game(game_id, player_id)
        game = finished.replay.game_at(at)
        if finished.details.is_secret:
            raise SecretDealError("You can play on from here once this deal has been published.")
        if game.status is Status.WON:
            raise ConflictError("The game is won here, so there is nothing left to play.")
        row = finished.details.row
        start = _Start(
            rules=game.rules,
            deal=row.seed or Code(row.code or ""),
            actions=[str(action) for action in game.history.actions()],
            status=Status.LOST if is_lost(game.rules, game.position) else Status.PLAYING,
            fork=Fork(game_id, at),
        )
        return await self._start(player_id, start)

    # --- records

    async def record(self, game_id: str, viewer_id: str | None) -> str:
        """A game as a text record. While its deal is secret, only for its player, and without the deal."""
        details = await self._details(game_id)
        _check_access(details, viewer_id)
        played = await self._replay(details)
        end = played.end
        record = Record(
            rules=end.rules,
            deal=None if details.is_secret else _deal(details, end.rules),
            player=printable(details.player) or None,
            day=day_of(end.started_ms),
            result=end.status,
            seconds=end.elapsed_ms // 1000,
            actions=tuple(canonical(end, event.action) for event in played.events),
        )
        return print_record(record, visible_cards(played))

    async def import_record(self, player_id: str, text: str) -> Game:
        """Import a text record as a game of the player; an unfinished one can be played on.

        Raises ``BadRecordError`` for the first line that cannot be read or played.
        """
        try:
            async with self._import_lock:  # so that long records do not slow down the games
                record, end = await asyncio.to_thread(play_out, text)
        except RecordError as error:
            raise BadRecordError(str(error), error.line) from error
        start = _Start(
            rules=record.rules,
            deal=pack_deck(record.deal) if isinstance(record.deal, tuple) else record.deal or b"",
            actions=record.actions,
            status=end.status,
            fork=None,
        )
        return await self._start(player_id, start)

    # --- inside

    async def _details(self, game_id: str) -> GameDetails:
        found = await self._database.read(partial(repository.find_details, game_id=game_id))
        if found is None:
            raise GameNotFoundError("There is no game at this address.")
        if Kind(found.row.kind).is_attempt and not (await self._games.load(game_id)).has_ended:
            return replace(found, is_secret=True)  # its player could look up the hidden cards
        return found

    async def _replay(self, details: GameDetails) -> Replay:
        key = (details.row.id, details.row.version)
        known = self._replays.get(key)
        if known is None:
            opening = await self._games.load_at(details.row.id, 0)
            log = await self._database.read(partial(read_log, game_id=details.row.id))
            known = await asyncio.to_thread(make_replay, opening, log[: details.row.version])
            self._replays[key] = known
        return known

    async def _start(self, player_id: str, start: _Start) -> Game:
        """Deal a game and store the log that it begins with, in one transaction."""

        def add(connection: Connection, game: Game) -> None:
            log = [
                GameEvent(action=action, at_ms=game.started_ms, actor_id=player_id, key=None)
                for action in start.actions
            ]
            repository.add_events(connection, game.id, log, start.status)
            repository.add_origin(connection, game.id, start.fork)

        game = await self._games.deal_out(player_id, start.rules, start.deal, Kind.OPEN, add)
        return await self._games.load(game.id)


def _check_access(details: GameDetails, viewer_id: str | None) -> None:
    if details.is_secret and details.row.owner_id != viewer_id:
        raise SecretDealError(
            "Other players haven't played this deal yet, so only its player can see it."
        )


def _deal(details: GameDetails, rules: Ruleset) -> Code | Deck:
    code = details.row.code
    return Code(code) if code else tuple(deck_of(rules, None, details.row.seed))
