"""Asking a company: who is there is asked, and what they agree to is done in the same moment."""

from __future__ import annotations

from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.db.engine import Database
from app.errors import ConflictError
from app.games.service import GameService
from app.shared_tables import proposal_repository, repository
from app.shared_tables.errors import NotAskedError, NotYourTableError
from app.shared_tables.proposal_repository import Question
from app.shared_tables.repository import State
from app.shared_tables.service import SharedTableService
from app.shared_tables.vote import ASKS_FOR_MS, Verdict, verdict

NEXT: Final = "next"
"""The word for another deal, beside those of the log."""

_OF_ONE_POSITION: Final = frozenset({"undo", "redo"})
"""Meant for the table as it was asked at; anything else holds for the game."""


class _EndedError(ConflictError):
    """Somebody else has closed the question."""


class ProposalService:
    """Small votes."""

    def __init__(self, database: Database, company: SharedTableService) -> None:
        """``company`` knows the clock, and who is there."""
        self._database = database
        self._company = company

    async def others(self, game_id: str, player_id: str) -> list[str]:
        """Who sits at the table and looks at it, besides one."""
        here = await self._company.here(game_id)
        seated = (await self._company.company(game_id)).seated
        return [s.player_id for s in seated if s.player_id in here and s.player_id != player_id]

    async def ask(self, game_id: str, player_id: str, version: int, word: str) -> str:
        """Ask those who are there; a sentence about it. What is being asked already comes first."""
        others = await self.others(game_id, player_id)

        def put(connection: Connection) -> tuple[int, str]:
            stir = repository.stir(connection, game_id, self._company.now_ms)
            known = proposal_repository.last_question(connection, game_id)
            if known and not known.ended:
                return stir, "The others are being asked something already."
            until_ms = self._company.now_ms + ASKS_FOR_MS
            question = Question(stir, word, player_id, version, until_ms, None, {})
            proposal_repository.ask(connection, game_id, question, others)
            return stir, "The others are asked whether they agree."

        stir, sentence = await self._database.write(put)
        self._company.stirred(game_id, stir)
        return sentence

    async def next(self, play: GameService, game_id: str, player_id: str) -> str:
        """Deal another game, at once or when the others agree; the id of the game to look at."""
        company = await self._company.company(game_id)
        if not company.table.next_id and await self.others(game_id, player_id):
            if not company.is_seated(player_id):
                raise NotYourTableError("Only who sits at this table can do that.")
            table = await play.load(game_id)
            await self.ask(game_id, player_id, table.version, NEXT)
            return game_id
        return await self._company.go_on(play, game_id, player_id)

    async def answer(self, game_id: str, player_id: str, number: int, *, agrees: bool) -> None:
        """Say yes or no; raises ``NotAskedError``."""

        def note(connection: Connection) -> int:
            stir = repository.stir(connection, game_id, self._company.now_ms)
            known = repository.state_of(connection, game_id, player_id)
            if known is None or known[0] is not State.SEATED:
                raise NotYourTableError("Only who sits at this table can do that.")
            if not proposal_repository.answer(
                connection, game_id, number, player_id, agrees=agrees
            ):
                raise NotAskedError("You are not asked that, or have answered already.")
            return stir

        self._company.stirred(game_id, await self._database.write(note))

    async def settle(self, play: GameService, game_id: str) -> Question | None:
        """Do what was agreed to, if so; the question that was asked last."""
        question = await self._last(game_id)
        if question is None or question.ended:
            return question
        here = await self._company.here(game_id)
        table = await play.load(game_id)
        ruling = verdict(question.answers, here, self._company.now_ms, question.until_ms)
        has_moved_on = question.word in _OF_ONE_POSITION and table.version != question.version
        if table.is_over and question.word != NEXT:
            has_moved_on = True
        if ruling is Verdict.OPEN and not has_moved_on:
            return question
        if ruling is Verdict.AGREED and not has_moved_on:
            await self._do(play, game_id, question)
        else:
            await self._end(game_id, question, Verdict.REFUSED)
        return await self._last(game_id)

    async def _do(self, play: GameService, game_id: str, question: Question) -> None:
        def close(connection: Connection) -> None:
            if not proposal_repository.end(connection, game_id, question.number, Verdict.AGREED):
                raise _EndedError("This has been settled.")

        if question.word == NEXT:
            if await self._end(game_id, question, Verdict.AGREED):
                await self._company.go_on(play, game_id, question.asker_id)
            return
        for _ in range(20):  # each time that fails, somebody has moved
            table = await play.load(game_id)
            entry = play.new_event(table, question.asker_id, question.word, None)
            try:
                after = table.after(entry)
                if await play.append(table, [entry], after, close):
                    break
            except _EndedError:
                return
            except ValueError:
                await self._end(game_id, question, Verdict.REFUSED)
                return
            if question.word in _OF_ONE_POSITION:
                return  # looked at again, it has moved on
        await self._tell(game_id)

    async def _end(self, game_id: str, question: Question, how: Verdict) -> bool:
        def close(connection: Connection) -> tuple[int, bool]:
            stir = repository.stir(connection, game_id, self._company.now_ms)
            return stir, proposal_repository.end(connection, game_id, question.number, how)

        stir, has_ended = await self._database.write(close)
        self._company.stirred(game_id, stir)
        return has_ended

    async def _tell(self, game_id: str) -> None:
        stir = await self._database.write(
            partial(repository.stir, game_id=game_id, at_ms=self._company.now_ms)
        )
        self._company.stirred(game_id, stir)

    async def _last(self, game_id: str) -> Question | None:
        return await self._database.read(
            partial(proposal_repository.last_question, game_id=game_id)
        )
