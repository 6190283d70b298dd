"""Deals and finished games as something to show: results, replays, records, and games played on."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection

from app.clock import day_of
from app.db.engine import Database
from app.engine.ruleset import Ruleset
from app.engine.shuffle import (
    Code,
    pack_deck,
    parse_code,
)
from app.engine.transition import is_lost
from app.errors import (
    ConflictError,
    DealNotFoundError,
    GameNotFoundError,
    MalformedError,
)
from app.games.model import Game, GameEvent, Kind, Status, deck_of, get_ruleset
from app.games.repository import read_log
from app.games.service import GameService
from app.sharing.errors import (
    BadRecordError,
    SecretDealError,
    StillPlayedError,
    UnfinishedDealError,
)
from app.sharing.playing_out import play_out
from app.sharing.record import (
    Deck,
    Record,
    RecordError,
    print_record,
    printable,
)
from app.sharing.replay import Replay, canonical, notes, replay
from app.sharing.repository import (
    Background,
    DealResult,
    Fork,
    add_log,
    add_origin,
    best_results,
    find_background,
    find_open_game,
    has_finished,
)

_MOST_RESULTS: Final = 50
_MOST_STEPS: Final = 50_000  # kept for those who step through a game; each weighs about a kilobyte


@dataclass(frozen=True, slots=True)
class OpenDeal:
    """A deal that anybody may open."""

    rules: Ruleset
    code: Code


@dataclass(frozen=True, slots=True)
class Story:
    """A finished game to look back on, and what is around it."""

    background: Background
    replay: Replay


class _Beginning(NamedTuple):
    """What a new game begins with: its cards, the moves made already, and where those come from."""

    rules: Ruleset
    deal: Code | bytes
    actions: Sequence[str]
    status: Status
    fork: Fork | None


class SharingService:
    """Shows what may be shown, and starts games from it. Nothing here is ever ranked."""

    def __init__(self, database: Database, play: GameService) -> None:
        """``play`` keeps the games; this adds to them only by starting new ones."""
        self._database = database
        self._play = play
        self._reading = asyncio.Lock()
        self._replays: OrderedDict[tuple[str, int], Replay] = OrderedDict()

    # --- deals

    def deal(self, ruleset: str, code: str) -> OpenDeal:
        """Read a deal as an address or a person writes it."""
        rules = get_ruleset(ruleset)
        try:
            return OpenDeal(rules, parse_code(code))
        except ValueError as error:
            raise DealNotFoundError(str(error)) from error

    async def results(self, deal: OpenDeal, player_id: str | None) -> list[DealResult] | None:
        """How others fared, once the player has finished the deal; ``None`` before."""
        if player_id is None:
            return None

        def find(connection: Connection) -> list[DealResult] | None:
            if not has_finished(connection, deal.rules, deal.code, player_id):
                return None
            return best_results(connection, deal.rules, deal.code, player_id, _MOST_RESULTS)

        return await self._database.read(find)

    async def results_of_finished(
        self, deal: OpenDeal, player_id: str | None
    ) -> Sequence[DealResult]:
        """The same, but raises ``UnfinishedDealError`` before the player has finished."""
        results = await self.results(deal, player_id)
        if results is None:
            raise UnfinishedDealError(
                "How others fared on this deal is for those who have finished it."
            )
        return results

    async def open_game(self, deal: OpenDeal, player_id: str | None) -> str | None:
        """The id of the game that a player has under way on a deal, if there is one."""
        if player_id is None:
            return None
        return await self._database.read(
            partial(find_open_game, rules=deal.rules, code=deal.code, player_id=player_id)
        )

    # --- finished games

    async def story(self, game_id: str, viewer_id: str | None) -> Story:
        """A finished game, step by step.

        Raises ``StillPlayedError`` for one that goes on, and ``SecretDealError`` for everybody but
        its player while its deal must not be told.
        """
        background = await self._background(game_id)
        _refuse_strangers(background, viewer_id)
        if background.row.status == Status.PLAYING:
            raise StillPlayedError("The replay opens when the game has ended.")
        return Story(background, await self._replay(background))

    async def fork(self, player_id: str, game_id: str, at: int) -> Game:
        """A new game of the player's that begins where a finished one stood after step ``at``.

        Its log begins with the moves that lead there, without those that were taken back.
        """
        story = await self.story(game_id, player_id)
        background = story.background
        if not 0 <= at <= story.replay.last:
            raise MalformedError(f"This game has the steps 0 to {story.replay.last}.")
        if background.is_secret:
            raise SecretDealError("This deal can be played on from when it has been published.")
        game = story.replay.tables[at]
        if game.status is Status.WON:
            raise ConflictError("All cards are home here: there is nothing left to play.")
        beginning = _Beginning(
            rules=game.rules,
            deal=background.row.seed or Code(background.row.code or ""),
            actions=[str(action) for action in game.history.actions()],
            status=Status.LOST if is_lost(game.rules, game.position) else Status.PLAYING,
            fork=Fork(game_id, at),
        )
        return await self._start(player_id, beginning)

    # --- records

    async def record(self, game_id: str, viewer_id: str | None) -> str:
        """A game as plain text. While its deal is secret, only for its player, and without it."""
        background = await self._background(game_id)
        _refuse_strangers(background, viewer_id)
        story = await self._replay(background)
        end = story.end
        record = Record(
            rules=end.rules,
            deal=None if background.is_secret else _deal(background, end.rules),
            player=printable(background.player) or None,
            day=day_of(end.started_ms),
            result=end.status,
            seconds=end.elapsed_ms // 1000,
            actions=tuple(canonical(end, entry.action) for entry in story.entries),
        )
        return print_record(record, notes(story))

    async def bring(self, player_id: str, text: str) -> Game:
        """A record as a game of the player's, finished or to be played on.

        Raises ``BadRecordError`` for the first line that cannot be read or does not play.
        """
        try:
            async with self._reading:  # a crowd of long records must not slow down the tables
                record, end = await asyncio.to_thread(play_out, text)
        except RecordError as error:
            raise BadRecordError(str(error), error.line) from error
        beginning = _Beginning(
            rules=record.rules,
            deal=pack_deck(record.deal) if isinstance(record.deal, tuple) else record.deal or b"",
            actions=record.actions,
            status=end.status,
            fork=None,
        )
        return await self._start(player_id, beginning)

    # --- inside

    async def _background(self, game_id: str) -> Background:
        found = await self._database.read(partial(find_background, game_id=game_id))
        if found is None:
            raise GameNotFoundError("There is no game at this address.")
        if Kind(found.row.kind).is_attempt and not (await self._play.load(game_id)).has_ended:
            return replace(found, is_secret=True)  # else who plays it could look under its cards
        return found

    async def _replay(self, background: Background) -> Replay:
        key = (background.row.id, background.row.version)
        known = self._replays.get(key)
        if known is None:
            opening = await self._play.load_at(background.row.id, 0)
            log = await self._database.read(partial(read_log, game_id=background.row.id))
            known = await asyncio.to_thread(replay, opening, log[: background.row.version])
            self._keep(key, known)
        return known

    def _keep(self, key: tuple[str, int], made: Replay) -> None:
        self._replays[key] = made
        while len(self._replays) > 1 and sum(r.last for r in self._replays.values()) > _MOST_STEPS:
            self._replays.popitem(last=False)

    async def _start(self, player_id: str, beginning: _Beginning) -> Game:
        """Deal a game and give it the log that it begins with, in one transaction."""

        def begin(connection: Connection, game: Game) -> None:
            log = [
                GameEvent(action=action, at_ms=game.started_ms, actor_id=player_id, key=None)
                for action in beginning.actions
            ]
            add_log(connection, game.id, log, beginning.status)
            add_origin(connection, game.id, beginning.fork)

        rules, deal = beginning.rules, beginning.deal
        game = await self._play.deal_out(player_id, rules, deal, Kind.OPEN, begin)
        return await self._play.load(game.id)


def _refuse_strangers(background: Background, viewer_id: str | None) -> None:
    if background.is_secret and background.row.owner_id != viewer_id:
        raise SecretDealError("Others have yet to play this deal, so only its player may look.")


def _deal(background: Background, rules: Ruleset) -> Code | Deck:
    code = background.row.code
    return Code(code) if code else tuple(deck_of(rules, None, background.row.seed))
