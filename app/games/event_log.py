"""Tables as the database has them, by way of what this process remembers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final

from app.db.engine import Database
from app.errors import GameNotFoundError, NotYourGameError
from app.games.cache import GameCache
from app.games.callbacks import IsVeiled, close_nothing, veil_for_ever
from app.games.model import Game, GameEvent, Kind
from app.games.replay import opening_of, replay_to_end
from app.games.repository import GameRow, Seat, find_game, find_seat, read_log, recent_games

_NO_GAME: Final = "There is no game at this address."
_VEILED: Final = (
    "Others play the same cards: until they are done, this game is for its player alone."
)
_CLOSED: Final = "Nobody may watch this table at the moment: whoever plays here chose so."


class EventLog:
    """Finds tables, as they are and as they were."""

    def __init__(
        self,
        database: Database,
        is_veiled: IsVeiled = veil_for_ever,
        is_closed: IsVeiled = close_nothing,
    ) -> None:
        """``is_veiled`` says of ranked games whether they are kept secret, ``is_closed`` of all others."""
        self._database = database
        self._is_veiled = is_veiled
        self._is_closed = is_closed
        self._cache = GameCache()

    async def load(self, game_id: str) -> Game:
        """The table as it is now; raises ``GameNotFoundError``."""
        cached = self._cache.get(game_id)
        version, owner_id, kind = await self._seat(game_id)
        is_known = cached and cached.version >= version
        if cached and is_known and (cached.owner_id, cached.kind) == (owner_id, kind):
            return cached
        game = await self._catch_up(cached or await self._opening(game_id))
        # A guest who logs in brings their games along, and anybody may be asked to join in.
        game = replace(game, owner_id=owner_id, kind=kind)
        self._cache.put(game)
        return game

    async def shown(self, game_id: str, viewer_id: str | None) -> Game:
        """The table as ``load`` gives it, for somebody who may look at it.

        Anybody may watch an open game unless its player minds. A ranked one is for its player alone until its deal is
        closed: whoever watches may be about to play the same cards. Raises ``GameNotFoundError`` and
        ``NotYourGameError``.
        """
        game = await self.load(game_id)
        if game.owner_id == viewer_id:
            return game
        is_hidden = self._is_veiled if game.kind.is_ranked else self._is_closed
        hidden = await self._database.read(lambda connection: is_hidden(connection, game_id))
        if hidden and not await self.may_play(game, viewer_id):
            raise NotYourGameError(_VEILED if game.kind.is_ranked else _CLOSED)
        return game

    async def may_play(self, game: Game, player_id: str | None) -> bool:
        """Whether somebody sits at a table."""
        return game.owner_id == player_id

    async def seen(self, game_id: str, version: int) -> Game:
        """The table at ``version`` when this process knows it, which costs no query; else as it is.

        For reading what a player meant: only ``act`` decides whether that version still holds. On a shared table an
        older one may, so that there it is always the one that the player saw.
        """
        cached = self._cache.get(game_id)
        game = cached if cached and cached.version == version else await self.load(game_id)
        if game.kind is Kind.SHARED and version < game.version:
            return await self.load_at(game_id, version)
        return game

    async def version(self, game_id: str) -> int:
        """The version of a table as it is now; raises ``GameNotFoundError``."""
        return (await self._seat(game_id)).version

    async def load_at(self, game_id: str, version: int) -> Game:
        """The table as it was at ``version``; raises ``GameNotFoundError``."""
        game = await self._opening(game_id)
        log = await self._database.read(partial(read_log, game_id=game_id))
        return replay_to_end(game, islice(log, version))

    async def log(self, game_id: str) -> Sequence[GameEvent]:
        """Everything accepted so far, in order; raises ``GameNotFoundError``."""
        await self.load(game_id)
        return await self._database.read(partial(read_log, game_id=game_id))

    async def recent(self, player_id: str, most: int) -> Sequence[GameRow]:
        """A player's games, the last touched first."""
        return await self._database.read(partial(recent_games, owner_id=player_id, most=most))

    async def _seat(self, game_id: str) -> Seat:
        seat = await self._database.read(partial(find_seat, game_id=game_id))
        if seat is None:
            raise GameNotFoundError(_NO_GAME)
        return seat

    async def _opening(self, game_id: str) -> Game:
        row = await self._database.read(partial(find_game, game_id=game_id))
        if row is None:
            raise GameNotFoundError(_NO_GAME)
        return opening_of(row)

    async def _catch_up(self, game: Game) -> Game:
        log = await self._database.read(partial(read_log, game_id=game.id, after=game.version))
        return replay_to_end(game, log)
