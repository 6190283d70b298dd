"""The chance to win for those who watch a game, where its owner let them see it before the first move.

Such a game counts as assisted, since a player can watch, too. The chance is judged in a worker process from what the
players have seen: once for each version, however many watch.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

from cachetools import LRUCache
from sqlalchemy import Connection

from app.analysis import repository
from app.analysis.model import NoHelpError
from app.analysis.numbered_hints import sight_of
from app.analysis.ranked_deals import RankedDeals
from app.analysis.tasks import find_chance
from app.clock import Clock
from app.db.engine import Database
from app.errors import ConflictError, ForbiddenError, NotFoundError, NotYourGameError
from app.games.model import Game, Status
from app.games.service import GameService
from app.jobs.service import Jobs
from app.text import gettext

AT_ONCE: Final = 0.25
"""Seconds for which a page waits for the chance; without a script, the next visit shows it."""
PATIENT: Final = 3.0
"""Seconds for which the request of a page that is shown already waits."""
_JOB_SECONDS: Final = 30.0  # without compiled code on a busy machine it takes many
_MOST_KEPT: Final = 2_000


class LiveChance(NamedTuple):
    """The chance to win at a version of a game; ``None`` while it is not known."""

    version: int
    chance: float | None


class LiveChances:
    """Who may see the chance during a game, and the chance."""

    def __init__(
        self,
        database: Database,
        games: GameService,
        jobs: Jobs,
        clock: Clock,
        ranked: RankedDeals,
    ) -> None:
        self._database = database
        self._ranked = ranked
        self._games = games
        self._jobs = jobs
        self._clock = clock
        self._kept: LRUCache[tuple[str, int], float] = LRUCache(_MOST_KEPT)

    @staticmethod
    def can_be_shown(game: Game) -> bool:
        """Whether the owner can let spectators see the chance: before the first move, and never in ranked play."""
        has_help = not (game.kind.has_ranked_rules or game.kind.is_challenge_attempt)
        return has_help and game.version == 0 and game.status is Status.PLAYING

    async def is_shown(self, game: Game) -> bool:
        """Whether spectators of a game see the chance."""
        if game.kind.has_ranked_rules or await self._ranked.is_copy(game):
            return False
        return await self._database.read(partial(repository.is_shown, game_id=game.id))

    async def show(self, game_id: str, player_id: str) -> Game:
        """Let spectators see the chance, for good; from the first move on, the game counts as assisted.

        Raises ``NotYourGameError``, ``NoHelpError`` in ranked play and ``ConflictError`` after the first move.
        """
        game = await self._games.load_visible(game_id, player_id)
        if game.owner_id != player_id:
            raise NotYourGameError(
                gettext("Only the owner of the game can choose what spectators see.")
            )
        await self._ranked.check(game)
        if game.kind.is_challenge_attempt:
            raise NoHelpError(gettext("Spectators don't see the chance to win in a challenge."))
        if await self.is_shown(game):
            return game
        if not self.can_be_shown(game):
            raise ConflictError(
                gettext("Choose before the first move whether spectators see the chance to win.")
            )
        now = self._clock()

        def store(connection: Connection) -> None:
            repository.show_chances(connection, game.id, game.version, now)

        await self._database.write(store)
        return game

    async def find(self, game_id: str, viewer_id: str | None) -> LiveChance:
        """The chance for a spectator.

        Raises what ``Access.check`` raises, ``NoHelpError``, ``NotFoundError`` where it is not shown, and
        ``ForbiddenError`` for players.
        """
        game = await self._games.load_visible(game_id, viewer_id)
        await self._ranked.check(game)
        if not await self.is_shown(game):
            raise NotFoundError(gettext("Spectators of this game don't see the chance to win."))
        if await self._games.may_play(game, viewer_id):
            raise ForbiddenError(gettext("Only spectators see the chance to win."))
        return await self.of(game, PATIENT)

    async def of(self, game: Game, seconds: float) -> LiveChance:
        """The chance at the current version, if it is known within some seconds. The caller checks who may see it."""
        if game.is_over:
            return LiveChance(game.version, 1.0 if game.status is Status.WON else 0.0)
        key = (game.id, game.version)
        if (known := self._kept.get(key)) is not None:
            return LiveChance(game.version, known)
        found = await self._judge(game, seconds)
        if found is not None:
            self._kept[key] = found
        return LiveChance(game.version, found)

    async def _judge(self, game: Game, seconds: float) -> float | None:
        """What one job finds for all who watch: the first has it started, in turn with the others of their network."""
        spectators = f"spectators/{game.id}"
        work = partial(find_chance, game.rules.id, game.rules.revision, sight_of(game))
        return await self._jobs.result_in_time(
            spectators,
            work,
            seconds=_JOB_SECONDS,
            key=f"chance/{game.version}",
            patience=seconds,
        )
