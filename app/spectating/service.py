"""Who may watch a game, chosen by its owner; and the list of live games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection

from app.clock import Clock
from app.db.cursors import ListCursor
from app.db.engine import Database
from app.errors import ConflictError, NotYourGameError
from app.game_kinds import Audience
from app.games.model import Game
from app.games.service import GameService
from app.games.topics import game_topic
from app.games.visibility import Part
from app.identity.repository import find_player_name
from app.pubsub.service import PubSub
from app.spectating.repository import (
    PublicGame,
    count_public_games,
    find_choice,
    list_finished_games,
    list_public_games,
    list_wins,
    save_audience,
)
from app.text import gettext

_MOST = 24
_MOST_FINISHED = 12


@dataclass(frozen=True, slots=True)
class LiveGame:
    """A game in the list of live games."""

    game: PublicGame
    viewers: int


@dataclass(frozen=True, slots=True)
class LiveGamePage:
    """A page of the list, and the cursor of the next one."""

    games: Sequence[LiveGame]
    after: ListCursor | None


class SpectatingService:
    """Stores who may watch. ``GameService.load_visible`` checks it for each viewer."""

    def __init__(
        self, database: Database, games: GameService, pubsub: PubSub, clock: Clock
    ) -> None:
        """``pubsub`` ends the streams of viewers who may no longer watch."""
        self._database = database
        self._games = games
        self._pubsub = pubsub
        self._clock = clock

    async def find_choice(self, game: Game) -> Audience | None:
        """Who may watch a game, if its player has chosen that; else anyone with the link may."""
        return await self._database.read(partial(find_choice, game_id=game.id))

    async def choose_audience(self, game_id: str, player_id: str, audience: Audience) -> None:
        """Choose who may watch. Viewers who may no longer watch are disconnected at once.

        Raises ``GameNotFoundError``, ``NotYourGameError`` and, for ranked play, ``ConflictError``.
        """
        game = await self._games.log.load(game_id)
        if game.owner_id != player_id:
            raise NotYourGameError(gettext("Only the owner of the game can choose who can watch."))
        if game.kind.is_ranked:
            raise ConflictError(
                gettext("No one can watch a ranked game until its results are final.")
            )
        if game.kind.is_challenge_attempt and audience is Audience.PUBLIC:
            raise ConflictError(
                gettext("This deal is still part of a challenge, so the game can't be listed.")
            )
        listed_ms = self._clock() if audience is Audience.PUBLIC else None

        def store(connection: Connection) -> None:
            save_audience(connection, game_id, audience, listed_ms)

        await self._database.write(store)
        if audience is Audience.NOBODY:
            self._pubsub.recheck_access(game_topic(game_id))

    async def list_live_games(self, after: ListCursor | None, most: int = _MOST) -> LiveGamePage:
        """A page of the games that are being played in public and that everyone may see."""
        found = await self._database.read(
            partial(list_public_games, now_ms=self._clock(), after=after, most=most + 1)
        )
        on_page = found[:most]
        last = on_page[-1] if len(found) > most else None
        shown = await self._keep_visible(on_page, Part.CARDS)
        topics = [game_topic(game.row.id) for game in shown]
        present = await self._pubsub.presence.find_all(topics)
        return LiveGamePage(
            [
                LiveGame(game, present[topic].viewers)
                for game, topic in zip(shown, topics, strict=True)
            ],
            ListCursor(last.listed_ms, last.row.id) if last else None,
        )

    async def list_finished_games(self) -> Sequence[PublicGame]:
        """The games played in public that ended last, of those whose replay everyone may see."""
        found = await self._database.read(
            partial(list_finished_games, now_ms=self._clock(), most=_MOST_FINISHED)
        )
        return await self._keep_visible(found, Part.REPLAY)

    async def find_latest_win(self) -> PublicGame | None:
        """The game won in public last, of those whose replay everyone may see."""
        found = await self._database.read(
            partial(list_wins, now_ms=self._clock(), most=_MOST_FINISHED)
        )
        return next(iter(await self._keep_visible(found, Part.REPLAY)), None)

    async def _keep_visible(self, found: Sequence[PublicGame], part: Part) -> Sequence[PublicGame]:
        visible = await self._games.visibility.list_visible_to_all(
            [game.row for game in found], part
        )
        return [game for game in found if game.row.id in visible]

    async def count_live_games(self) -> int:
        """How many players play in public, counted up to a hundred."""
        return await self._database.read(partial(count_public_games, now_ms=self._clock()))

    async def find_player_name(self, game: Game) -> str:
        """The name of the player whose game is watched."""
        return await self._database.read(partial(find_player_name, player_id=game.owner_id))

    async def count_viewers(self, game_id: str) -> int:
        """How many viewers watch a game."""
        return (await self._pubsub.presence.find(game_topic(game_id))).viewers
