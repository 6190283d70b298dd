"""Sharing: deals behind links, their results, replays, forks, and text records."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection

from app.clock import day_of
from app.db.engine import Database
from app.engine.history import History
from app.engine.ruleset import Ruleset
from app.engine.shuffle import Code, pack_deck
from app.errors import ConflictError, GameFullError, GameNotFoundError
from app.games.game_actions import MAX_ACTIONS
from app.games.game_row import GameRow
from app.games.lookup import deck_of, get_ruleset, read_code
from app.games.model import Game, Kind, Status
from app.games.replay import with_actions
from app.games.service import GameService
from app.games.visibility import Denial, Part
from app.sharing import repository
from app.sharing.model import (
    BadRecordError,
    DealResult,
    FinishedGame,
    Fork,
    GameDetails,
    OpenDeal,
    UnfinishedDealError,
)
from app.sharing.record_headers import Deck, RecordError, printable
from app.sharing.replay_steps import Replay, canonical, play_out, visible_cards, whole_replay
from app.sharing.text_record import Record, print_record
from app.text import gettext, sentence_of

_MAX_RESULTS: Final = 50


class _Start(NamedTuple):
    """The start of a fork or an imported game: its cards, its actions, and their origin.

    ``histories`` are those after each action.
    """

    rules: Ruleset
    deal: Code | bytes
    actions: Sequence[str]
    histories: Sequence[History]
    fork: Fork | None


class SharingService:
    """Shared deals and replays. The games that start here are never ranked."""

    def __init__(self, database: Database, games: GameService) -> None:
        self._database = database
        self._games = games
        self._import_lock = asyncio.Lock()

    # --- deals

    def deal(self, ruleset: str, code: str) -> OpenDeal:
        """A deal by the name of its game and its code."""
        rules = get_ruleset(ruleset)
        return OpenDeal(rules, read_code(code, rules))

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

        results = await self._database.read(find)
        if results is None:
            return None
        owners = {one.game_id: one.player_id for one in results if one.game_id}
        shown = await self._games.visibility.list_replayable(owners, player_id)
        return [one if one.game_id in shown else replace(one, game_id=None) for one in results]

    async def results_of_finished(
        self, deal: OpenDeal, player_id: str | None
    ) -> Sequence[DealResult]:
        """The best results on a deal; raises ``UnfinishedDealError`` until the player has finished it."""
        results = await self.results(deal, player_id)
        if results is None:
            raise UnfinishedDealError(
                gettext("You can see the results once you have finished this deal.")
            )
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

        Raises what ``Access.check`` raises for ``Part.REPLAY``.
        """
        details = await self._details(game_id, viewer_id, Part.REPLAY)
        return FinishedGame(details, await self._replay(details))

    async def fork(self, player_id: str, game_id: str, at: int) -> Game:
        """Start a new game from step ``at`` of a finished one.

        Its log begins with the moves that lead there, without those that were undone.
        """
        finished = await self.finished_game(game_id, player_id)
        game = finished.replay.game_at(at)
        if finished.details.is_secret:
            raise Denial.UNPUBLISHED.error()
        if game.status is Status.WON:
            raise ConflictError(gettext("The game is won here, so there is nothing left to play."))
        if game.history.depth >= MAX_ACTIONS:
            raise GameFullError(
                gettext(
                    "By this step, the game has %(max_actions)s moves, the most a game can have."
                    " Play on from an earlier step.",
                    max_actions=MAX_ACTIONS,
                )
            )
        start = await asyncio.to_thread(_fork_start, finished.details.row, game, Fork(game_id, at))
        return await self._start(player_id, start)

    # --- records

    async def record(self, game_id: str, viewer_id: str | None) -> str:
        """A game as a text record. While its deal is secret, only for its player, and without the deal."""
        details = await self._details(game_id, viewer_id, Part.RECORD)
        played = await self._replay(details)
        end = played.end
        record = Record(
            rules=end.rules,
            deal=None if details.is_secret else _deal(details, end.rules),
            player=printable(details.player) or None,
            day=day_of(end.started_ms),
            result=end.status,
            seconds=end.elapsed_ms // 1000,
            actions=tuple(canonical(end, moment.event.action) for moment in played.moments),
        )
        return print_record(record, visible_cards(played))

    async def import_record(self, player_id: str, text: str) -> Game:
        """Import a text record as a game of the player; an unfinished one can be played on.

        Raises ``BadRecordError`` for the first line that cannot be read or played, and ``QuotaReachedError``.
        """
        await self._games.quotas.check_import(player_id)
        try:
            async with self._import_lock:  # so that long records do not slow down the games
                record, histories = await asyncio.to_thread(play_out, text)
        except RecordError as error:
            raise BadRecordError(sentence_of(error), error.line) from error
        start = _Start(
            rules=record.rules,
            deal=pack_deck(record.deal) if isinstance(record.deal, tuple) else record.deal or b"",
            actions=record.actions,
            histories=histories,
            fork=None,
        )
        return await self._start(player_id, start)

    # --- internal

    async def _details(self, game_id: str, viewer_id: str | None, part: Part) -> GameDetails:
        """A game of which the viewer may see a part. Its deal is secret if they may not see that."""
        game = await self._games.log.load(game_id)
        access = await self._games.visibility.access(game, viewer_id)
        access.check(part)
        is_secret = not access.may_see(Part.DEAL)
        found = await self._database.read(
            partial(repository.find_details, game_id=game_id, is_secret=is_secret)
        )
        if found is None:
            raise GameNotFoundError
        return found

    async def _replay(self, details: GameDetails) -> Replay:
        return whole_replay(await self._games.log.load_at(details.row.id, details.row.version))

    async def _start(self, player_id: str, start: _Start) -> Game:
        """Deal a game and store the log that it begins with, in one transaction."""
        begun: list[Game] = []

        def add(connection: Connection, game: Game) -> None:
            # Here, in a thread of the database, because it takes a while for a long log.
            after = with_actions(game, start.actions, start.histories)
            repository.add_actions(connection, after)
            repository.add_origin(connection, game.id, start.fork)
            begun.append(after)

        await self._games.deal_out(player_id, start.rules, start.deal, Kind.OPEN, add)
        self._games.log.remember(begun[-1])
        return begun[-1]


def _fork_start(row: GameRow, game: Game, fork: Fork) -> _Start:
    """The start of a fork: the game without undone moves. Slow for a long game."""
    return _Start(
        rules=game.rules,
        deal=row.seed or Code(row.code or ""),
        actions=[str(action) for action in game.history.actions()],
        histories=game.history.path(),
        fork=fork,
    )


def _deal(details: GameDetails, rules: Ruleset) -> Code | Deck:
    code = details.row.code
    return Code(code) if code else tuple(deck_of(rules, None, details.row.seed))
