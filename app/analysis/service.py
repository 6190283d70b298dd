"""Questions that need every card: asked, searched for by a background job, answered and stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection

from app.analysis import repository
from app.analysis.judging import turns_of
from app.analysis.model import (
    NOTHING_FOUND,
    FullReview,
    HintsGiven,
    NoHelpError,
    NoReviewYetError,
    WinnabilityVerdict,
    Winnable,
    replay_steps,
)
from app.analysis.ranked_deals import RankedDeals
from app.analysis.repository import JUDGED_REVIEW, WINNABLE, Question, Subject
from app.analysis.runner import AnalysisRunner, Task
from app.analysis.tasks import REVIEW_SECONDS, WINNABLE_SECONDS, find_review, find_winnable
from app.clock import Clock
from app.db.engine import Database
from app.db.schema import REVIEW_TOPICS
from app.errors import ConflictError, GameOverError
from app.games.model import Game, Status
from app.games.service import GameService
from app.games.visibility import Part, StillPlayedError
from app.i18n.formats import time_left
from app.jobs.service import Jobs
from app.text import gettext

_MOST_ANSWERS: Final = 20  # of a game, that are looked at on each view of its table


@dataclass(frozen=True, slots=True)
class QuestionState:
    """The state of a question about a game.

    ``share`` is the progress of the search, from 0 to 1.
    ``found`` is what the search has found so far, ``is_marked`` whether the game bears the mark of it already.
    """

    game: Game
    is_asked: bool
    share: float
    answer: str | None
    found: str = ""
    is_marked: bool = False


class KnownAnswer(NamedTuple):
    """Whether a game could be won after so many moves."""

    winnable: Winnable
    moves: int


FindPublishedMs = Callable[[Connection, str], int | None]
"""Finds when the deal of a game is published, in milliseconds since 1970, UTC; ``None`` where that is not known."""


class AnalysisService:
    """Answers to what players cannot see: in unranked games, and in ranked ones once their deal is published."""

    def __init__(
        self,
        database: Database,
        games: GameService,
        jobs: Jobs,
        clock: Clock,
        ranked: RankedDeals,
        *,
        find_published_ms: FindPublishedMs,
    ) -> None:
        self._database = database
        self._ranked = ranked
        self._find_published_ms = find_published_ms
        self._games = games
        self._clock = clock
        self._runner = AnalysisRunner(database, jobs, clock)

    async def close(self) -> None:
        """Leave open questions to the other processes. Call this before the jobs are closed."""
        await self._runner.close()

    # --- is it still winnable?

    async def ask_winnable(self, game_id: str, player_id: str, version: int) -> QuestionState:
        """Start the search, which marks the game as assisted.

        Raises ``ConflictError`` for another version, and ``TooManyJobsError``.
        """
        game = await self._playable(game_id, player_id)
        if game.version != version:
            raise ConflictError(
                gettext("The game has changed. Ask again from the current position.")
            )
        await self._ask(game, WINNABLE, player_id, is_help=True)
        return await self.winnable(game_id, player_id)

    async def winnable(self, game_id: str, player_id: str) -> QuestionState:
        """The state of the question for the game as it is now."""
        game = await self._playable(game_id, player_id)
        task = Task(WINNABLE, partial(_winnable_search, game), WINNABLE_SECONDS, Winnable.UNKNOWN)
        found = await self._state(game, task, player_id)
        return replace(found, is_marked=await self._assisted_version(game) is not None)

    async def find_last_answer(self, game: Game) -> KnownAnswer | None:
        """The latest answer about a position that still leads to that of the game, if it tells anything."""
        list_answers = partial(
            repository.list_answers, game_id=game.id, topic=WINNABLE, most=_MOST_ANSWERS
        )
        now = game.history.actions()
        for version, text in await self._database.read(list_answers):
            then = game.at(version).history.actions()
            for depth, winnable in WinnabilityVerdict.parse(text).known_positions(len(then)):
                if depth <= len(now) and then[:depth] == now[:depth]:
                    return KnownAnswer(winnable, depth)
        return None

    async def verdict(self, game: Game) -> WinnabilityVerdict | None:
        """The answer about a game as it is now, if there is one."""
        stored = await self._question(Subject(game.id, WINNABLE, game.version))
        return (
            WinnabilityVerdict.parse(stored.answer)
            if stored and stored.answer is not None
            else None
        )

    # --- how well was it played, and where did it slip away?

    async def ask_review(self, game_id: str, player_id: str) -> QuestionState:
        """Start a review. A game that goes on after that, by undo, is marked as assisted."""
        game = await self._ended(game_id, player_id)
        await self._ask(game, JUDGED_REVIEW, player_id, is_help=not game.has_ended)
        return await self.review(game_id, player_id)

    async def review(self, game_id: str, player_id: str) -> QuestionState:
        """The state of the review of an ended game."""
        game = await self._ended(game_id, player_id)
        is_won = game.status is Status.WON
        fallback = str(FullReview(None, None if is_won else NOTHING_FOUND))
        task = Task(JUDGED_REVIEW, partial(review_search, game), REVIEW_SECONDS, fallback)
        return await self._state(game, task, player_id)

    async def find_review(self, game: Game, *, unless_asked: bool = False) -> str | None:
        """The stored review of an ended game, or ``None``. The caller checks that it may be shown.

        One of an earlier release counts, too; with ``unless_asked`` only if no new one is being made.
        """
        for topic in REVIEW_TOPICS:
            stored = await self._question(Subject(game.id, topic, game.version))
            if stored and (stored.answer is not None or unless_asked):
                return stored.answer
        return None

    async def find_shown_review(
        self, game_id: str, viewer_id: str | None
    ) -> tuple[Game, str] | None:
        """A game and its stored review, for all who may see its replay; raises what ``Access.check`` raises.

        Its player does not see a review of an earlier release while the new one is being made.
        """
        game = await self._games.log.load(game_id)
        if not await self.can_be_reviewed(game, viewer_id):
            return None
        await self._games.visibility.check(game, viewer_id, Part.REPLAY)
        text = await self.find_review(game, unless_asked=viewer_id == game.owner_id)
        return None if text is None else (game, text)

    async def can_be_reviewed(self, game: Game, viewer_id: str | None) -> bool:
        """Whether a review may be shown: the game has ended, and no ranking depends on its cards any more."""
        if not game.kind.has_ranked_rules:
            return game.can_be_reviewed and not await self._ranked.is_copy(game)
        if not game.has_ended:
            return False
        access = await self._games.visibility.access(game, viewer_id)
        return not (access.is_private or access.is_deal_secret or access.is_challenge_attempt)

    # --- both questions

    async def cancel(self, game_id: str, player_id: str, topic: str) -> None:
        """Stop a search; what was found of an answer stays, and so does the mark on the game."""
        is_winnable = topic == WINNABLE
        game = await (self._playable if is_winnable else self._ended)(game_id, player_id)
        subject = Subject(game.id, WINNABLE if is_winnable else JUDGED_REVIEW, game.version)
        stored = await self._question(subject)
        if stored and stored.answer is None:
            give_up = partial(repository.withdraw, subject=subject)
            if is_winnable and stored.found:
                give_up = partial(repository.save_answer, subject=subject, text=stored.found)
            await self._database.write(give_up)
            await self._runner.cancel(subject)

    async def note_hint(self, game: Game) -> None:
        """Count a hint that a player of a game was given, so that its result says how many there were."""
        is_counted = game.version in (await self.hints_given(game)).versions
        if not is_counted:
            note = partial(repository.note_hint, game_id=game.id, version=game.version)
            await self._database.write(note)

    async def hints_given(self, game: Game) -> HintsGiven:
        """The hints that the player of a game was given."""
        return await self._database.read(partial(repository.find_hints, game_id=game.id))

    async def is_assisted(self, game: Game) -> bool:
        """Whether a game was assisted, or will be with its next action."""
        at = await self._assisted_version(game)
        return at is not None and (at < game.version or game.status is Status.PLAYING)

    async def _assisted_version(self, game: Game) -> int | None:
        find = partial(repository.find_assisted_version, game_id=game.id)
        return await self._database.read(find)

    async def _ask(self, game: Game, topic: str, player_id: str, *, is_help: bool) -> None:
        now, subject = self._clock(), Subject(game.id, topic, game.version)
        if await self._question(subject) is None:
            self._runner.check_capacity(player_id)  # a question that is refused leaves no mark

        def note(connection: Connection) -> None:
            if is_help:
                repository.mark_assisted(connection, game.id, game.version, now)
            repository.add_question(connection, subject, now)

        await self._database.write(note)

    async def _state(self, game: Game, task: Task, player_id: str) -> QuestionState:
        subject = Subject(game.id, task.topic, game.version)
        stored = await self._question(subject)
        if stored is None or stored.answer is not None:
            return QuestionState(game, stored is not None, 1.0, stored.answer if stored else None)
        await self._runner.ensure_running(subject, stored, player_id, task)
        return QuestionState(
            game,
            is_asked=True,
            share=stored.percent / 100,
            answer=None,
            found=stored.found,
        )

    async def _question(self, subject: Subject) -> Question | None:
        return await self._database.read(partial(repository.find_question, subject=subject))

    async def _playable(self, game_id: str, player_id: str) -> Game:
        game = await self.load_own(game_id, player_id)
        if game.is_over:
            raise GameOverError(gettext("This game is over."))
        return game

    async def _ended(self, game_id: str, player_id: str) -> Game:
        game = await self._games.load_visible(game_id, player_id)
        if game.kind.has_ranked_rules and not await self.can_be_reviewed(game, player_id):
            raise NoReviewYetError(await self._when_published(game), game.id)
        await self._ranked.check_copy(game)
        self._check_attempt(game)
        await self._games.visibility.check(game, player_id, Part.QUESTION)
        if game.status is Status.PLAYING:
            raise StillPlayedError(gettext("You can review a game once it has ended."), game.id)
        return game

    async def _when_published(self, game: Game) -> str:
        """When a ranked game can be reviewed, in a sentence."""
        published_ms = await self._database.read(
            lambda connection: self._find_published_ms(connection, game.id)
        )
        left_ms = published_ms - self._clock() if published_ms else 0
        if left_ms <= 0:
            return gettext("This game is ranked. You can review it once its deal is published.")
        return gettext(
            "You can review this game when the results are out, in %(left)s.",
            left=time_left(left_ms),
        )

    async def load_own(self, game_id: str, player_id: str) -> Game:
        """A game of a player in which every card may be searched; raises ``NoHelpError`` and what visibility does."""
        game = await self._games.load_visible(game_id, player_id)
        await self._ranked.check(game)
        self._check_attempt(game)
        await self._games.visibility.check(game, player_id, Part.QUESTION)
        return game

    @staticmethod
    def _check_attempt(game: Game) -> None:
        if game.is_open_attempt:
            raise NoHelpError(gettext("Help that uses hidden cards is off in a challenge."))


def _winnable_search(game: Game) -> Callable[[], str]:
    return partial(find_winnable, game.rules.id, game.rules.revision, game.history.positions())


def review_search(game: Game) -> Callable[[], str]:
    """The search for the review of an ended game, for a worker process."""
    steps = replay_steps(game.logged_actions())
    return partial(
        find_review,
        game.rules.id,
        game.rules.revision,
        turns_of(game, steps),
        game.history.positions(),
        " ".join(map(str, game.history.actions())),
    )
