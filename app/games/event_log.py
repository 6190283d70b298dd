"""The event log: games loaded by replay, kept in a cache, and changed only by appending events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from cachetools import LRUCache
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.clock import Clock, now_ms
from app.db.cursors import ListCursor
from app.db.engine import Database
from app.errors import GameNotFoundError
from app.games.archived import ArchivedError
from app.games.callbacks import (
    InTransaction,
    OnCreated,
    OnStatusChanged,
    PublishVersion,
    publish_nothing,
)
from app.games.game_row import GameRow
from app.games.model import Game, Kind
from app.games.moments import GameEvent
from app.games.replay import opening_of, replay
from app.games.repository import (
    Head,
    add_game,
    append_event,
    find_game,
    find_head,
    find_keyed_version,
    list_games,
    list_recent_games,
    list_unfinished_games,
    read_log_without_keys,
    read_logs,
)
from app.text import gettext

_NO_GAME: Final = gettext(
    "There is no game at this address. If guests don't come back for a long time, we delete their"
    " games."
)

# Each event of a cached game keeps at most about a kilobyte alive; a game without any, about as much as twenty.
_MOST_EVENTS: Final = 150_000
_EMPTY_GAME: Final = 20
_MOST_ON_LOOP: Final = 1_000
"""Events that are replayed at once. A longer replay runs in a thread, so that the others go on."""


class _OvertakenError(Exception):
    """Others came first: what was written in the transaction must not last."""


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
            return self._games[game_id]  # hot path: `get` would look up twice
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
        clock: Clock = now_ms,
        on_status_changed: Sequence[OnStatusChanged] = (),
    ) -> None:
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
        game = cached or await self.load_opening(game_id)
        read = partial(read_log_without_keys, game=game)
        if cached:  # only what was played in another process is missing
            new = await self._database.read(read)
        else:  # a whole game is replayed, and a page waits for it
            new = await self._database.read_elsewhere(read, is_short=True)
        if len(new) > _MOST_ON_LOOP:
            game = await asyncio.to_thread(replay, game, new)
        else:
            game = replay(game, new)
        # The owner changes when a guest signs in, the kind when an open game becomes shared.
        game = replace(game, owner_id=owner_id, kind=kind)
        if game.version < version:
            raise ArchivedError
        self._cache.put(game)
        return game

    def find_cached(self, game_id: str) -> Game | None:
        """The newest version that this process knows, without a query; others may have played on."""
        return self._cache.get(game_id)

    async def load_opening(self, game_id: str) -> Game:
        """The game as it was dealt, without its log; raises ``GameNotFoundError``."""
        row = await self._database.read(partial(find_game, game_id=game_id))
        if row is None:
            raise GameNotFoundError(_NO_GAME)
        return opening_of(row)

    async def load_all(self, rows: Sequence[GameRow]) -> list[Game]:
        """Games as they were when their rows were read, or later; their logs are read in one query."""
        known = {row.id: self._cache.get(row.id) or opening_of(row) for row in rows}
        behind = {row.id: known[row.id] for row in rows if known[row.id].version < row.version}
        read = partial(read_logs, known=behind.values())
        logs = await self._database.read(read) if behind else {}

        def catch_up() -> list[Game]:
            return [replay(known[game_id], log) for game_id, log in logs.items()]

        is_long = sum(map(len, logs.values())) > _MOST_ON_LOOP
        for game in await asyncio.to_thread(catch_up) if is_long else catch_up():
            known[game.id] = game
        games = [replace(known[row.id], owner_id=row.owner_id, kind=Kind(row.kind)) for row in rows]
        for game in games:
            self._cache.put(game)
        return games

    async def load_some(self, game_ids: Collection[str]) -> dict[str, Game]:
        """Those of some games that exist and whose moves are here, as they are now, by id: in two queries."""
        rows = await self.list_rows(game_ids) if game_ids else ()
        games = zip(rows, await self.load_all(rows), strict=True)
        return {row.id: game for row, game in games if game.version >= row.version}

    async def load_at(self, game_id: str, version: int) -> Game:
        """The game as it was at ``version``; raises ``GameNotFoundError``."""
        return (await self.load(game_id)).at(version)

    async def find_keyed_version(self, game: Game, key: str) -> int | None:
        """The version that the action with an idempotency key made, if there is one."""
        return await self._database.read(partial(find_keyed_version, game=game, key=key))

    async def load_seen(self, game_id: str, version: int) -> Game:
        """The game at the ``version`` that a player saw, without a query if it is cached; else as it is now.

        Good enough to find out what a click means: ``GameService.act`` decides whether that version still counts. In a
        shared game an older version may count, so there it is always the one that the player saw.
        """
        cached = self._cache.get(game_id)
        game = cached if cached and cached.version == version else await self.load(game_id)
        return game.at(version) if game.kind is Kind.SHARED else game

    async def events(self, game_id: str) -> Sequence[GameEvent]:
        """All events of a game, in order, without keys; raises ``GameNotFoundError``."""
        return [moment.event for moment in (await self.load(game_id)).moments()]

    async def list_rows(self, game_ids: Collection[str]) -> Sequence[GameRow]:
        """Some games without their events, in any order; those that do not exist are left out."""
        return await self._database.read(partial(list_games, game_ids=game_ids))

    async def list_recent(self, player_id: str, most: int) -> Sequence[GameRow]:
        """A player's games, the most recent first."""
        return await self._database.read(partial(list_recent_games, owner_id=player_id, most=most))

    async def list_unfinished(
        self, player_id: str, after: ListCursor | None, most: int
    ) -> Sequence[GameRow]:
        """A player's games that may go on, the most recent first, from a place in the list on."""
        return await self._database.read(
            partial(list_unfinished_games, owner_id=player_id, after=after, most=most)
        )

    async def _find_head(self, game_id: str) -> Head:
        head = await self._database.read(partial(find_head, game_id=game_id))
        if head is None:
            raise GameNotFoundError(_NO_GAME)
        return head

    # --- writing

    async def add(self, row: GameRow, game: Game, on_created: OnCreated | None) -> None:
        """Store a new game; if ``on_created`` raises, there is no game."""

        def add(connection: Connection) -> None:
            add_game(connection, row)
            if on_created:
                on_created(connection, game)

        await self._database.write(add)
        self._cache.put(game)

    def remember(self, game: Game) -> None:
        """Keep a game that is stored, so that it need not be replayed."""
        self._cache.put(game)

    def new_event(
        self,
        game: Game,
        player_id: str,
        action: str,
        key: str | None,
        *,
        is_automatic: bool = False,
    ) -> GameEvent:
        """The next event of a game, dated now."""
        return GameEvent(
            action=action,
            at_ms=max(self._clock(), game.updated_ms),
            actor_id=player_id,
            key=key,
            is_automatic=is_automatic,
        )

    async def append(
        self,
        before: Game,
        events: Sequence[GameEvent],
        after: Game,
        check: InTransaction | None = None,
        meanwhile: Callable[[], None] | None = None,
    ) -> bool:
        """Store the events that lead from one game to the other, all or none; ``False`` if others came first.

        Also ``False`` if an event of the game has one of their idempotency keys. ``check`` runs first, in the same
        transaction: what it writes lasts only if the events do, and if it raises, nothing is stored. ``meanwhile`` as
        in ``Database.write``.
        """
        callbacks = self._on_status_changed if after.status is not before.status else ()

        def write(connection: Connection) -> bool:
            if check:
                check(connection)
            for version, event in enumerate(events, before.version):
                if not append_event(connection, before, version, event, after):
                    if check:
                        raise _OvertakenError
                    return False  # nothing to roll back, with which others may be committed
            for on_status_changed in callbacks:
                on_status_changed(connection, after)
            return True

        is_one_statement = len(events) == 1 and not check and not callbacks
        try:
            is_stored = await self._database.write(
                write, is_one_statement=is_one_statement, meanwhile=meanwhile
            )
        except _OvertakenError:
            return False
        except IntegrityError:
            keys = [event.key for event in events if event.key]
            if not any([await self.find_keyed_version(before, key) for key in keys]):
                raise
            return False
        if not is_stored:
            return False
        self._cache.put(after)
        self._publish(after.id, after.version)
        return True
