"""Questions that look at every card: asked, worked on in another process, answered and kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.analysis import repository
from app.analysis.errors import NoHelpError
from app.analysis.help import may_look_back, refuse_ranked
from app.analysis.model import NOTHING_KNOWN, Winnable
from app.analysis.repository import Subject
from app.analysis.runner import AnalysisRunner, Task
from app.analysis.tasks import REVIEW_SECONDS, SECONDS, find_winnable, look_back
from app.db.engine import Database
from app.errors import ConflictError, GameOverError, NotYourGameError
from app.games.model import Game, Status
from app.games.service import GameService
from app.jobs.service import Jobs

WINNABLE: Final = "winnable"
REVIEW: Final = "review"


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """How a question about a table stands. ``share`` is how far the work on it is, from 0 to 1."""

    game: Game
    is_asked: bool
    share: float
    answer: str | None


class AnalysisService:
    """What players want to know and cannot see. In ranked play nobody is told."""

    def __init__(
        self, database: Database, play: GameService, jobs: Jobs, clock: Callable[[], int]
    ) -> None:
        self._database = database
        self._play = play
        self._clock = clock
        self._errands = AnalysisRunner(database, jobs, clock)

    async def close(self) -> None:
        """Leave open questions to the other processes. Before the jobs are closed."""
        await self._errands.close()

    # --- is it still winnable?

    async def ask_winnable(self, game_id: str, player_id: str, version: int) -> AnalysisRequest:
        """Have all cards looked at, which marks the game. Raises ``ConflictError`` for another version."""
        game = await self._playable(game_id, player_id)
        if game.version != version:
            raise ConflictError("The table has moved on since: ask again from how it stands now.")
        await self._ask(game, WINNABLE, is_help=True)
        return await self.winnable(game_id, player_id)

    async def winnable(self, game_id: str, player_id: str) -> AnalysisRequest:
        """How the question stands for the table as it is now."""
        game = await self._playable(game_id, player_id)
        work = partial(find_winnable, game.rules.id, game.rules.revision, game.position)
        task = Task(WINNABLE, work, SECONDS, Winnable.UNKNOWN)
        return await self._standing(game, task, player_id)

    # --- where did it slip away?

    async def ask_review(self, game_id: str, player_id: str) -> AnalysisRequest:
        """Have a game looked back on. Whoever takes it up again after that was helped: see ``assists``."""
        game = await self._ended(game_id, player_id)
        await self._ask(game, REVIEW, is_help=not game.is_over)
        return await self.review(game_id, player_id)

    async def review(self, game_id: str, player_id: str) -> AnalysisRequest:
        """How looking back on an ended game stands."""
        game = await self._ended(game_id, player_id)
        rules, positions = game.rules, game.history.positions()
        work = partial(look_back, rules.id, rules.revision, positions)
        task = Task(REVIEW, work, REVIEW_SECONDS, str(NOTHING_KNOWN))
        return await self._standing(game, task, player_id)

    async def found(self, game: Game) -> str | None:
        """What a review of an ended game told, when there was one; for whoever may look at it."""
        subject = Subject(game.id, REVIEW, game.version)
        kept = await self._database.read(partial(repository.find_question, subject=subject))
        return kept.answer if kept else None

    async def told(self, game_id: str) -> tuple[Game, str] | None:
        """The same by the id of a game, which its table comes with."""
        game = await self._play.load(game_id)
        text = await self.found(game) if may_look_back(game) else None
        return None if text is None else (game, text)

    # --- both

    async def give_up(self, game: Game, topic: str) -> None:
        """Stop looking. The mark on the game stays: something may have been seen already."""
        subject = Subject(game.id, topic, game.version)
        await self._database.write(partial(repository.take_back, subject=subject))
        await self._errands.give_up(subject)

    async def is_assisted(self, game: Game) -> bool:
        """Whether a game had help from hidden cards, or will have had it with the next action."""
        at = await self._database.read(partial(repository.assisted_at, game_id=game.id))
        return at is not None and (at < game.version or game.status is Status.PLAYING)

    async def _ask(self, game: Game, topic: str, *, is_help: bool) -> None:
        now = self._clock()

        def note(connection: Connection) -> None:
            if is_help:
                repository.mark_assisted(connection, game.id, game.version, now)
            repository.ask(connection, Subject(game.id, topic, game.version), now)

        await self._database.write(note)

    async def _standing(self, game: Game, task: Task, player_id: str) -> AnalysisRequest:
        subject = Subject(game.id, task.topic, game.version)
        kept = await self._database.read(partial(repository.find_question, subject=subject))
        if kept is None or kept.answer is not None:
            return AnalysisRequest(game, kept is not None, 1.0, kept.answer if kept else None)
        await self._errands.see_to(subject, kept, player_id, task)
        return AnalysisRequest(game, is_asked=True, share=kept.percent / 100, answer=None)

    async def _playable(self, game_id: str, player_id: str) -> Game:
        game = await self._own(game_id, player_id)
        if game.is_over:
            raise GameOverError("This game is over.")
        return game

    async def _ended(self, game_id: str, player_id: str) -> Game:
        game = await self._own(game_id, player_id)
        match game.status:
            case Status.PLAYING:
                raise ConflictError("A game can be looked back on when it has ended.")
            case Status.WON:
                raise ConflictError("This game was won: nothing slipped away.")
            case Status.LOST | Status.RESIGNED:
                return game

    async def _own(self, game_id: str, player_id: str) -> Game:
        game = await self._play.load_visible(game_id, player_id)
        refuse_ranked(game)
        if game.kind.is_attempt and not game.has_ended:
            raise NoHelpError("This game is compared with another: nobody looks under its cards.")
        if not await self._play.may_play(game, player_id):
            raise NotYourGameError("Only who plays this game can ask that.")
        return game
