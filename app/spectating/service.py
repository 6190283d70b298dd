"""Who may watch: chosen by whoever a table belongs to, and told to everybody who watches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection

from app.db.engine import Database
from app.errors import ConflictError, NotYourGameError
from app.games.model import Game, Status
from app.games.service import GameService
from app.games.stream import game_topic
from app.pubsub.service import PubSub
from app.spectating.repository import Audience, Listed, audience_of, choose, listed

_MOST = 24


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A line of the list of live tables."""

    game: Listed
    viewers: int


@dataclass(frozen=True, slots=True)
class LiveTables:
    """A page of them, and where the next one begins."""

    tables: Sequence[LiveTable]
    after: tuple[int, str] | None


class SpectatingService:
    """Keeps the choices. That they hold is seen to by the play service, which asks for every visitor."""

    def __init__(
        self, database: Database, play: GameService, live: PubSub, clock: Callable[[], int]
    ) -> None:
        """``live`` tells the streams of those who may watch no longer."""
        self._database = database
        self._play = play
        self._live = live
        self._clock = clock

    async def audience(self, table: Game) -> Audience:
        """Who may watch a table, as its player chose."""
        return await self._database.read(partial(audience_of, game_id=table.id))

    async def choose(self, game_id: str, player_id: str, audience: Audience) -> None:
        """Choose who may watch. Whoever watches and may not any more is let go at once.

        Raises ``GameNotFoundError``, ``NotYourGameError`` and, for ranked play, ``ConflictError``.
        """
        table = await self._play.load(game_id)
        if table.owner_id != player_id:
            raise NotYourGameError("Only the player who sits at this table says who may watch.")
        if table.kind.is_ranked:
            raise ConflictError("Ranked play is watched by nobody until its results are final.")
        if table.kind.is_attempt and audience is Audience.PUBLIC:
            raise ConflictError("Others have yet to try the same cards: this table is not listed.")
        is_listed = audience is Audience.PUBLIC and table.status is Status.PLAYING
        listed_ms = self._clock() if is_listed else None

        def store(connection: Connection) -> None:
            choose(connection, game_id, audience, listed_ms)

        await self._database.write(store)
        if audience is Audience.NOBODY:
            self._live.recheck_access(game_topic(game_id))

    async def live_tables(self, after: tuple[int, str] | None, most: int = _MOST) -> LiveTables:
        """Tables that are played in public now."""
        found = await self._database.read(
            partial(listed, now_ms=self._clock(), after=after, most=most + 1)
        )
        shown = found[:most]
        topics = [game_topic(game.game_id) for game in shown]
        heres = await self._live.presence.find_all(topics)
        last = shown[-1] if len(found) > most else None
        return LiveTables(
            [
                LiveTable(game, heres[topic].viewers)
                for game, topic in zip(shown, topics, strict=True)
            ],
            (last.listed_ms, last.game_id) if last else None,
        )

    async def viewers(self, game_id: str) -> int:
        """How many look on at a table."""
        return (await self._live.presence.find(game_topic(game_id))).viewers
