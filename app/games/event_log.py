"""The event log: games loaded by replay, kept in a cache, and changed only by appending events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final

from cachetools import LRUCache
from sqlalchemy import Connection

from app.clock import now_ms
from app.db.engine import Database
from app.errors import GameNotFoundError
from app.games.callbacks import (
    InTransaction,
    OnCreated,
    OnStatusChanged,
    PublishVersion,
    publish_nothing,
)
from app.games.model import Game, GameEvent, Kind
from app.games.replay import opening_of, replay_to_end
from app.games.repository import (
    GameRow,
    Head,
    add_game,
    append_event,
    find_game,
    find_head,
    list_recent_games,
    read_log,
)

_NO_GAME: Final = "There's no game at this address."

# Each event of a cached game keeps about a kilobyte alive; a game without any, about as much as twenty.
_MOST_EVENTS: Final = 150_000
_EMPTY_GAME: Final = 20


class GameCache:
    """The games used last, the newest known version of each; bounded by their number of events.

    Only a shortcut: the version in the database decides what is current.
    """

    def __init__(self, most_events: int = _MOST_EVENTS) -> None:
        """Keep games with at most ``most_events`` events in total, but always the last one."""
        self._most = most_events
        self._games: LRUCache[str, Game] = LRUCache(most_events, getsizeof=self._size)

    def get(self, game_id: str) -> Game | None:
        """The newest version that this process has seen."""
        try:
            return self._games[game_id]  # `get` looks a key up twice, and every click comes by here
        except KeyError:
            return None

    def put(self, game: Game) -> None:
        """Keep ``game``, unless a newer version of it is here already."""
        old = self.get(game.id)
        if old is None or old.version <= game.version:
            self._games[game.id] = game

    def _size(self, game: Game) -> int:
        return min(game.version + _EMPTY_GAME, self._most)


class EventLog:
    """Loads games as they are or were, and appends events to them."""

    def __init__(
        self,
        database: Database,
        publish: PublishVersion = publish_nothing,
        clock: Callable[[], int] = now_ms,
        on_status_changed: Sequence[OnStatusChanged] = (),
    ) -> None:
        """``clock`` gives milliseconds since 1970, UTC."""
        self._database = database
        self._publish = publish
        self._clock = clock
        self._on_status_changed = on_status_changed
        self._cache = GameCache()

    # --- reading

    async def load(self, game_id: str) -> Game:
        """The game as it is now; raises ``GameNotFoundError``."""
        cached = self._cache.get(game_id)
        version, owner_id, kind = await self._find_head(game_id)
        is_known = cached and cached.version >= version
        if cached and is_known and (cached.owner_id, cached.kind) == (owner_id, kind):
            return cached
        game = cached or await self._load_opening(game_id)
        new = await self._database.read(partial(read_log, game_id=game_id, after=game.version))
        # The owner changes when a guest signs in, the kind when an open game becomes shared.
        game = replace(replay_to_end(game, new), owner_id=owner_id, kind=kind)
        self._cache.put(game)
        return game

    async def load_at(self, game_id: str, version: int) -> Game:
        """The game as it was at ``version``; raises ``GameNotFoundError``."""
        game = await self._load_opening(game_id)
        events = await self._database.read(partial(read_log, game_id=game_id))
        return replay_to_end(game, islice(events, version))

    async def load_seen(self, game_id: str, version: int) -> Game:
        """The game at the ``version`` that a player saw, without a query if it is cached; else as it is now.

        Good enough to find out what a click means: ``act`` decides whether that version still counts. In a shared
        game an older version may count, so there it is always the one that the player saw.
        """
        cached = self._cache.get(game_id)
        game = cached if cached and cached.version == version else await self.load(game_id)
        if game.kind is Kind.SHARED and version < game.version:
            return await self.load_at(game_id, version)
        return game

    async def events(self, game_id: str) -> Sequence[GameEvent]:
        """All events of a game, in order; raises ``GameNotFoundError``."""
        await self.load(game_id)
        return await self._database.read(partial(read_log, game_id=game_id))

    async def list_recent(self, player_id: str, most: int) -> Sequence[GameRow]:
        """A player's games, the most recent first."""
        return await self._database.read(partial(list_recent_games, owner_id=player_id, most=most))

    # --- writing

    async def add(self, row: GameRow, game: Game, on_created: OnCreated | None) -> None:
        """Store a new game; if ``on_created`` raises, there is no game."""

        def add(connection: Connection) -> None:
            add_game(connection, row)
            if on_created:
                on_created(connection, game)

        await self._database.write(add)
        self._cache.put(game)

    def new_event(self, game: Game, player_id: str, action: str, key: str | None) -> GameEvent:
        """The next event of a game, dated now."""
        at_ms = max(self._clock(), game.updated_ms)
        return GameEvent(action=action, at_ms=at_ms, actor_id=player_id, key=key)

    async def append(
        self,
        before: Game,
        events: Sequence[GameEvent],
        after: Game,
        check: InTransaction | None = None,
    ) -> bool:
        """Store the events that lead from one game to the other, all or none; ``False`` if others came first.

        ``check`` runs first, in the same transaction; if it raises, nothing is stored.
        """
        callbacks = self._on_status_changed if after.status is not before.status else ()

        def write(connection: Connection) -> bool:
            if check:
                check(connection)
            for version, event in enumerate(events, before.version):
                if not append_event(connection, before, version, event, after.status):
                    return False
            for on_status_changed in callbacks:
                on_status_changed(connection, after)
            return True

        if not await self._database.write(write):
            return False
        self._cache.put(after)
        self._publish(after.id, after.version)
        return True

    async def _find_head(self, game_id: str) -> Head:
        head = await self._database.read(partial(find_head, game_id=game_id))
        if head is None:
            raise GameNotFoundError(_NO_GAME)
        return head

    async def _load_opening(self, game_id: str) -> Game:
        row = await self._database.read(partial(find_game, game_id=game_id))
        if row is None:
            raise GameNotFoundError(_NO_GAME)
        return opening_of(row)
