"""Proposals at a shared table: actions that need the consent of the other players, such as undo or resign.

Players who are present are asked; silence counts as consent only from those who are away when the time is up.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.clock import MINUTE_MS
from app.db.engine import Database
from app.errors import ConflictError
from app.games.concurrency import MAX_TRIES, OvertakenError
from app.games.game_actions import RESIGN
from app.games.quotas import QuotaReachedError
from app.games.service import GameService
from app.shared_tables import proposal_repository, repository
from app.shared_tables.model import (
    PLAYERS_ONLY,
    NotAskedError,
    NotYourTableError,
    Proposal,
    ProposalState,
)
from app.shared_tables.service import OVERTAKEN, SharedTableService, check_seated
from app.text import gettext

NEXT: Final = "next"
"""The word for the next game, beside the words of the event log."""

ANSWER_WITHIN_MS: Final = 10_000
_EXPIRES_AFTER_MS: Final = MINUTE_MS
"""A proposal that nobody has settled for so long is refused."""

_OWNER_AWAY: Final = gettext(
    "This table's owner isn't here and hasn't moved in this game. The next game has to wait for them."
)
_CLOSED: Final = gettext("This question is closed.")
_ASKED: Final = gettext("Waiting for an answer.")
_ASKED_BEFORE: Final = gettext("Another question is still open.")
_BOUND_TO_VERSION: Final = frozenset({"undo", "redo"})
"""These are meant for the game as it was when they were proposed; others hold for the whole game."""


class _EndedError(ConflictError):
    """Another request has closed the proposal."""


class ProposalService:
    """Makes, answers, withdraws and settles proposals."""

    def __init__(self, database: Database, tables: SharedTableService) -> None:
        """``tables`` knows the clock and who is present."""
        self._database = database
        self._tables = tables

    async def others(self, game_id: str, player_id: str) -> list[str]:
        """The players at a table who are present, without the player."""
        present = await self._tables.list_present(game_id)
        seated = (await self._tables.load(game_id)).seated
        return [
            seat.player_id
            for seat in seated
            if seat.player_id in present and seat.player_id != player_id
        ]

    async def propose(self, game_id: str, player_id: str, version: int, word: str) -> str:
        """Ask the players who are present; a sentence about it. An open proposal comes first.

        Who asks the same again, since no answer came through, is told the same.
        """
        others = await self.others(game_id, player_id)

        def add(connection: Connection) -> tuple[int | None, str]:
            repository.lock(connection, game_id)
            known = proposal_repository.find_last(connection, game_id)
            if known and not known.ended:
                return None, _ASKED if _is_same(known, player_id, version, word) else _ASKED_BEFORE
            revision = repository.raise_revision(connection, game_id, self._tables.now_ms)
            until_ms = self._tables.now_ms + ANSWER_WITHIN_MS
            proposal = Proposal(revision, word, player_id, version, until_ms, None, {})
            proposal_repository.add(connection, game_id, proposal, others)
            return revision, _ASKED

        revision, sentence = await self._database.write(add)
        if revision is not None:
            self._tables.publish(game_id, revision)
        return sentence

    async def propose_next(self, games: GameService, game_id: str, player_id: str) -> str:
        """Deal the next game, at once or when the others agree; the id of the game to show."""
        table = await self._tables.load(game_id)
        if not table.next_id:
            if not table.is_seated(player_id):
                raise NotYourTableError(PLAYERS_ONLY)
            others = await self.others(game_id, player_id)
            if not (table.may_deal_next(player_id) or table.owner_id in others):
                raise NotYourTableError(_OWNER_AWAY)
            if others:
                game = await games.log.load(game_id)
                await self.propose(game_id, player_id, game.version, NEXT)
                return game_id
        return await self._tables.deal_next(games, game_id, player_id)

    async def answer(
        self, games: GameService, game_id: str, player_id: str, number: int, *, agrees: bool
    ) -> None:
        """Agree or refuse, and carry the proposal out if that decides it; raises ``NotAskedError``."""
        await self.note_answer(game_id, player_id, number, agrees=agrees)
        await self.settle(games, game_id)

    async def note_answer(self, game_id: str, player_id: str, number: int, *, agrees: bool) -> None:
        """Store an answer; raises ``NotAskedError``."""

        def note(connection: Connection) -> int:
            revision = repository.raise_revision(connection, game_id, self._tables.now_ms)
            check_seated(connection, game_id, player_id)
            if not proposal_repository.set_answer(
                connection, game_id, number, player_id, agrees=agrees
            ):
                last = proposal_repository.find_last(connection, game_id)
                if last is None or last.number != number or last.ended:
                    raise NotAskedError(_CLOSED)
                raise NotAskedError(
                    gettext("This question is not for you, or you have already answered it.")
                )
            return revision

        self._tables.publish(game_id, await self._database.write(note))

    async def withdraw(self, game_id: str, player_id: str, number: int) -> None:
        """End the player's own proposal; nothing changes when it has been decided. Raises ``NotAskedError``."""

        def end(connection: Connection) -> int | None:
            repository.lock(connection, game_id)
            check_seated(connection, game_id, player_id)
            known = proposal_repository.find_last(connection, game_id)
            if known is None or (known.number, known.proposer_id) != (number, player_id):
                raise NotAskedError(gettext("Only the player who asked can withdraw the question."))
            if not proposal_repository.end(connection, game_id, number, ProposalState.WITHDRAWN):
                return None
            return repository.raise_revision(connection, game_id, self._tables.now_ms)

        revision = await self._database.write(end)
        if revision is not None:
            self._tables.publish(game_id, revision)

    async def settle(self, games: GameService, game_id: str) -> Proposal | None:
        """Carry out or close the last proposal when it is due; the last proposal after that.

        Raises ``OvertakenError`` when moves come first all the time: the proposal stays open.
        """
        proposal = await self._find_last(game_id)
        if proposal is None or proposal.ended:
            return proposal
        present = await self._tables.list_present(game_id)
        game = await games.log.load(game_id)
        result = proposal_state(proposal.answers, present, self._tables.now_ms, proposal.until_ms)
        is_obsolete = proposal.word in _BOUND_TO_VERSION and game.version != proposal.version
        if game.is_over and proposal.word != NEXT:
            is_obsolete = True
        if result is ProposalState.AGREED and proposal.word == NEXT:
            table = await self._tables.load(game_id)
            has_owner = proposal.answers.get(table.owner_id) is True
            is_obsolete = not (has_owner or table.may_deal_next(proposal.proposer_id))
        if result is ProposalState.OPEN and not is_obsolete:
            return proposal
        if result is ProposalState.AGREED and not is_obsolete:
            await self._carry_out(games, game_id, proposal)
        else:
            await self._close(game_id, proposal, ProposalState.REFUSED)
        return await self._find_last(game_id)

    async def _carry_out(self, games: GameService, game_id: str, proposal: Proposal) -> None:
        def close(connection: Connection) -> None:
            if not proposal_repository.end(
                connection, game_id, proposal.number, ProposalState.AGREED
            ):
                raise _EndedError(_CLOSED)

        if proposal.word == NEXT:
            await self._close(
                game_id, proposal, await self._deal_next(games, game_id, proposal, close)
            )
            return
        for _ in range(MAX_TRIES):
            game = await games.log.load(game_id)
            event = games.log.new_event(game, proposal.proposer_id, proposal.word, None)
            if proposal.word != RESIGN:
                if game.is_full:
                    await self._close(game_id, proposal, ProposalState.REFUSED)
                    return
                try:
                    await games.quotas.check_action(game, game.owner_id)
                except QuotaReachedError:
                    await self._close(game_id, proposal, ProposalState.NO_ROOM)
                    return
            try:
                after = game.after(event)
            except ValueError:  # impossible by now
                await self._close(game_id, proposal, ProposalState.REFUSED)
                return
            try:
                if await games.log.append(game, [event], after, close):
                    break
            except _EndedError:
                return
            if proposal.word in _BOUND_TO_VERSION:
                return  # the next request finds it obsolete
        else:
            raise OvertakenError(OVERTAKEN)  # the next request tries again
        revision = await self._database.write(
            partial(repository.raise_revision, game_id=game_id, at_ms=self._tables.now_ms)
        )
        self._tables.publish(game_id, revision)

    async def _deal_next(
        self,
        games: GameService,
        game_id: str,
        proposal: Proposal,
        close: Callable[[Connection], None],
    ) -> ProposalState:
        """Deal the next game and close its proposal in one transaction; what the proposal has come to.

        If the database fails, the proposal stays open, and the next request deals.
        """
        try:
            await self._tables.deal_next(games, game_id, proposal.proposer_id, close)
        except QuotaReachedError:
            return ProposalState.NO_ROOM
        except NotYourTableError:  # who asked has left
            return ProposalState.WITHDRAWN
        except _EndedError:
            pass  # and so is closed already
        return ProposalState.AGREED

    async def _close(self, game_id: str, proposal: Proposal, result: ProposalState) -> None:
        def close(connection: Connection) -> int:
            revision = repository.raise_revision(connection, game_id, self._tables.now_ms)
            proposal_repository.end(connection, game_id, proposal.number, result)
            return revision

        self._tables.publish(game_id, await self._database.write(close))

    async def _find_last(self, game_id: str) -> Proposal | None:
        return await self._database.read(partial(proposal_repository.find_last, game_id=game_id))


def _is_same(proposal: Proposal, player_id: str, version: int, word: str) -> bool:
    is_of_now = word not in _BOUND_TO_VERSION or proposal.version == version
    return is_of_now and (proposal.proposer_id, proposal.word) == (player_id, word)


def proposal_state(
    answers: Mapping[str, bool | None], present: Collection[str], now_ms: int, until_ms: int
) -> ProposalState:
    """Whether the others agree. One refusal decides; when the time is up, silence of those present refuses too.

    What nobody could carry out for a minute is refused, so that it surprises no one later.
    """
    if False in answers.values() or now_ms > until_ms + _EXPIRES_AFTER_MS:
        return ProposalState.REFUSED
    silent = [player_id for player_id, agrees in answers.items() if agrees is None]
    if not silent:
        return ProposalState.AGREED
    if now_ms < until_ms:
        return ProposalState.OPEN
    if any(player_id in present for player_id in silent):
        return ProposalState.REFUSED
    return ProposalState.AGREED
