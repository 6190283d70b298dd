"""Proposals: who is asked, what silence means, and that they are carried out once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import pytest
from sqlalchemy.exc import SQLAlchemyError

from app.db.engine import Database
from app.errors import AppError
from app.games import quotas
from app.games.concurrency import OvertakenError
from app.games.model import Status
from app.games.outcome import ActionResult
from app.games.quotas import Quota, Quotas
from app.games.service import GameService
from app.pubsub.service import PubSub
from app.shared_tables import repository
from app.shared_tables.dependencies import TableServices, load_overview
from app.shared_tables.gestures import GestureService
from app.shared_tables.model import NotAskedError, NotYourTableError, ProposalState
from app.shared_tables.play import SharedPlay
from app.shared_tables.proposals import ANSWER_WITHIN_MS, ProposalService, proposal_state
from app.shared_tables.seat_requests import SeatRequestService
from app.shared_tables.service import SharedTableService
from app.shared_tables.views import shared_table_view
from tests.shared_tables.sample_tables import (
    before_next_append,
    game_service,
    independent_moves,
    shared_game,
)

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("answers", "here", "waited", "expected"),
    [
        ({"ben": None}, {"ben"}, 0, ProposalState.OPEN),
        ({"ben": True}, {"ben"}, 0, ProposalState.AGREED),
        ({"ben": True, "cleo": False}, {"ben"}, 0, ProposalState.REFUSED),
        ({"ben": True, "cleo": None}, {"ben", "cleo"}, ANSWER_WITHIN_MS - 1, ProposalState.OPEN),
        ({"ben": True, "cleo": None}, {"ben", "cleo"}, ANSWER_WITHIN_MS, ProposalState.REFUSED),
        ({"ben": True, "cleo": None}, {"ben"}, ANSWER_WITHIN_MS, ProposalState.AGREED),
        ({"ben": None}, set(), 10 * ANSWER_WITHIN_MS, ProposalState.REFUSED),
    ],
)
def test_silence_agrees_only_for_absent_players(
    answers: dict[str, bool | None], here: set[str], waited: int, expected: ProposalState
) -> None:
    assert proposal_state(answers, here, waited, ANSWER_WITHIN_MS) is expected


class TableProcess:
    """A server process with a fake clock, and a table of Anna's with others present."""

    def __init__(self, database: Database) -> None:
        self.now_ms = 1_000_000
        self.database = database
        self.pubsub = PubSub(database)
        tables = SharedTableService(database, lambda: self.now_ms, self.pubsub)
        proposals = ProposalService(database, tables)
        self.games = GameService(
            database,
            clock=lambda: self.now_ms,
            shared_tables=SharedPlay(database, tables, proposals, Quotas(database)),
        )
        gestures = GestureService(database, tables)
        requests = SeatRequestService(database, tables)
        self.services = TableServices(self.games, tables, proposals, gestures, requests)
        self.game_id = ""

    async def sit(self, *others: str) -> None:
        game = await shared_game(self.games, self.services.tables, *others)
        self.game_id = game.id
        one, other = independent_moves(game)
        await self.games.act(game.id, "anna", 0, one)
        await self.games.act(game.id, "anna", 1, other)
        for who in others:
            self.services.tables.heartbeat(game.id, who)

    async def act(self, who: str, word: str):
        version = (await self.games.log.load(self.game_id)).version
        return await self.games.act(self.game_id, who, version, word)

    async def act_elsewhere(self, who: str, version: int, action: str) -> None:
        """Act by another process, which nothing here can hold up."""
        outcome = await game_service(self.database).act(self.game_id, who, version, action)
        assert outcome.result is ActionResult.ACCEPTED

    async def proposal(self):
        return (await load_overview(self.services, self.game_id, "anna")).proposal

    async def answer(self, who: str, *, agrees: bool) -> None:
        proposal = await self.proposal()
        assert proposal
        await self.services.proposals.answer(
            self.games, self.game_id, who, proposal.number, agrees=agrees
        )

    async def words(self) -> list[str]:
        return [entry.action for entry in await self.games.log.events(self.game_id)][2:]


@pytest.fixture
async def server(database: Database) -> AsyncIterator[TableProcess]:
    server = TableProcess(database)
    yield server
    await server.pubsub.close()


async def test_a_proposal_that_all_agree_to_is_carried_out(server: TableProcess) -> None:
    await server.sit("ben", "cleo")
    assert (await server.act("anna", "restart")).result is ActionResult.ASKED
    await server.answer("ben", agrees=True)
    assert await server.words() == []
    await server.answer("cleo", agrees=True)
    assert await server.words() == ["restart"]
    assert (await server.games.log.events(server.game_id))[-1].actor_id == "anna"


async def test_one_refusal_decides(server: TableProcess) -> None:
    await server.sit("ben", "cleo")
    await server.act("anna", "resign")
    await server.answer("cleo", agrees=False)
    assert await server.words() == []
    proposal = await server.proposal()
    assert proposal
    assert proposal.ended == ProposalState.REFUSED
    revision = (await server.services.tables.load(server.game_id)).revision
    with pytest.raises(NotAskedError, match=r"^This question is closed\.$"):
        await server.answer("ben", agrees=True)
    assert await server.proposal() == proposal
    assert (await server.services.tables.load(server.game_id)).revision == revision


async def test_only_who_asked_can_withdraw_the_question(server: TableProcess) -> None:
    await server.sit("ben", "cleo")
    await server.act("anna", "restart")
    proposal = await server.proposal()
    assert proposal
    withdraw = partial(server.services.proposals.withdraw, server.game_id, number=proposal.number)
    with pytest.raises(NotAskedError):
        await withdraw("ben")
    assert (await server.proposal()) == proposal
    await withdraw("anna")
    for who in ("ben", "cleo"):
        with pytest.raises(NotAskedError, match=r"^This question is closed\.$"):
            await server.answer(who, agrees=True)
    server.now_ms += 10 * ANSWER_WITHIN_MS
    assert await server.words() == []
    overview = await load_overview(server.services, server.game_id, "anna")
    assert overview.proposal
    assert overview.proposal.ended == ProposalState.WITHDRAWN
    assert shared_table_view(overview, "anna", "").proposal is None, "nobody has declined"
    assert (await server.act("anna", "restart")).result is ActionResult.ASKED


async def test_a_question_that_was_decided_stays_decided(server: TableProcess) -> None:
    await server.sit("ben")
    await server.act("anna", "resign")
    proposal = await server.proposal()
    assert proposal
    await server.answer("ben", agrees=False)
    revision = (await server.services.tables.load(server.game_id)).revision
    await server.services.proposals.withdraw(server.game_id, "anna", proposal.number)
    proposal = await server.proposal()
    assert proposal
    assert proposal.ended == ProposalState.REFUSED
    assert (await server.services.tables.load(server.game_id)).revision == revision


async def test_a_single_player_needs_no_consent(server: TableProcess) -> None:
    await server.sit()
    assert (await server.act("anna", "restart")).result is ActionResult.ACCEPTED


async def test_absent_players_are_not_asked(
    server: TableProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.sit("ben")
    monkeypatch.setattr("app.pubsub.presence.AWAY_AFTER", 0.0)
    assert (await server.act("anna", "restart")).result is ActionResult.ACCEPTED


async def test_a_proposal_without_others_is_agreed(server: TableProcess) -> None:
    await server.sit()
    await server.services.proposals.propose(server.game_id, "anna", 2, "restart")
    await server.services.proposals.settle(server.games, server.game_id)
    assert await server.words() == ["restart"]


async def test_undoing_the_move_of_another_needs_consent(server: TableProcess) -> None:
    await server.sit("ben")
    assert (await server.act("ben", "undo")).result is ActionResult.ASKED
    await server.answer("anna", agrees=True)
    assert await server.words() == ["undo"]


async def test_an_undo_proposal_lapses_with_the_next_move(server: TableProcess) -> None:
    await server.sit("ben")
    server.services.tables.heartbeat(server.game_id, "anna")
    await server.act("ben", "undo")
    proposal = await server.proposal()
    assert proposal
    await server.act("anna", "deal")
    answer = server.services.proposals.answer
    await answer(server.games, server.game_id, "anna", proposal.number, agrees=True)
    assert await server.words() == ["deal"]
    proposal = await server.proposal()
    assert proposal
    assert proposal.ended == ProposalState.REFUSED


async def test_silence_of_present_players_refuses_in_time(server: TableProcess) -> None:
    await server.sit("ben")
    await server.act("anna", "restart")
    server.now_ms += ANSWER_WITHIN_MS
    server.services.tables.heartbeat(server.game_id, "ben")
    proposal = await server.proposal()
    assert proposal
    assert proposal.ended == ProposalState.REFUSED
    assert await server.words() == []


async def test_one_proposal_at_a_time(server: TableProcess) -> None:
    await server.sit("ben")
    await server.act("anna", "restart")
    server.services.tables.heartbeat(server.game_id, "anna")
    again = await server.act("ben", "resign")
    assert (again.result, again.sentence) == (
        ActionResult.ASKED,
        "Another question is still open.",
    )
    proposal = await server.proposal()
    assert proposal
    assert proposal.word == "restart"


async def test_who_asks_the_same_again_is_told_the_same(server: TableProcess) -> None:
    await server.sit("ben")
    revisions = []
    for _ in range(2):  # the response to the first request was lost
        said = await server.games.act(server.game_id, "anna", 2, "resign", "key")
        assert (said.result, said.sentence) == (
            ActionResult.ASKED,
            "Waiting for an answer.",
        )
        revisions.append((await server.services.tables.load(server.game_id)).revision)
    assert revisions[0] == revisions[1]
    other = await server.act("anna", "restart")
    assert other.sentence == "Another question is still open."
    await server.answer("ben", agrees=True)
    assert await server.words() == ["resign"]


async def test_an_undo_of_another_move_is_not_the_same_question(server: TableProcess) -> None:
    await server.sit("ben")
    server.services.tables.heartbeat(server.game_id, "anna")
    await server.act("ben", "undo")
    await server.act("anna", "deal")
    again = await server.act("ben", "undo")
    assert again.sentence == "Another question is still open."


async def test_only_players_who_were_asked_answer_once(server: TableProcess) -> None:
    await server.sit("ben", "cleo")
    await server.act("anna", "restart")
    proposal = await server.proposal()
    assert proposal
    await server.services.proposals.note_answer(server.game_id, "ben", proposal.number, agrees=True)
    for who in ("ben", "anna", "dora"):
        with pytest.raises(AppError):
            await server.services.proposals.note_answer(
                server.game_id, who, proposal.number, agrees=True
            )


async def test_concurrent_requests_carry_out_a_proposal_once(server: TableProcess) -> None:
    await server.sit("ben")
    await server.act("anna", "resign")
    proposal = await server.proposal()
    assert proposal
    await server.services.proposals.note_answer(server.game_id, "ben", proposal.number, agrees=True)
    requests = (load_overview(server.services, server.game_id, who) for who in ("anna", "ben") * 3)
    await asyncio.gather(*requests)
    assert await server.words() == ["resign"]
    assert (await server.games.log.load(server.game_id)).status is Status.RESIGNED


@pytest.mark.parametrize("word", ["resign", "restart"])
async def test_a_move_that_comes_first_does_not_use_up_what_all_agreed_to(
    server: TableProcess, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    await server.sit("ben")
    await server.act("anna", word)
    before_next_append(server.games, monkeypatch, partial(server.act_elsewhere, "ben", 2, "deal"))
    await server.answer("ben", agrees=True)
    assert await server.words() == ["deal", word]
    proposal = await server.proposal()
    assert proposal
    assert proposal.ended == ProposalState.AGREED


async def test_an_undo_that_a_move_overtakes_is_not_said_to_be_agreed(
    server: TableProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.sit("ben")
    await server.act("ben", "undo")
    before_next_append(server.games, monkeypatch, partial(server.act_elsewhere, "anna", 2, "deal"))
    await server.answer("anna", agrees=True)
    proposal = await server.proposal()
    assert proposal
    assert proposal.ended == ProposalState.REFUSED
    assert await server.words() == ["deal"]


async def test_a_failure_to_store_what_all_agreed_to_is_no_refusal(
    server: TableProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> bool:
        raise ValueError("the disk is full")

    await server.sit("ben")
    await server.act("anna", "restart")
    with monkeypatch.context() as broken:
        broken.setattr(server.games.log, "append", fail)
        with pytest.raises(ValueError, match="the disk is full"):
            await server.answer("ben", agrees=True)
    await server.services.proposals.settle(server.games, server.game_id)
    assert await server.words() == ["restart"]


async def test_what_moves_overtake_all_the_time_stays_open(
    server: TableProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def be_late(*_: object) -> bool:
        return False

    await server.sit("ben")
    await server.act("anna", "resign")
    with monkeypatch.context() as busy:
        busy.setattr(server.games.log, "append", be_late)
        with pytest.raises(OvertakenError) as refused:
            await server.answer("ben", agrees=True)
    assert refused.value.code == "overtaken"
    assert await server.words() == []
    await server.services.proposals.settle(server.games, server.game_id)
    assert await server.words() == ["resign"]


async def test_what_has_become_impossible_is_refused(server: TableProcess) -> None:
    await server.sit("ben")
    version = (await server.games.log.load(server.game_id)).version
    proposals = server.services.proposals
    await proposals.propose(server.game_id, "anna", version, "redo")  # there is nothing to redo
    await server.answer("ben", agrees=True)
    proposal = await server.proposal()
    assert proposal
    assert proposal.ended == ProposalState.REFUSED


async def test_the_next_deal_needs_consent(server: TableProcess) -> None:
    await server.sit("ben")
    assert (
        await server.services.proposals.propose_next(server.games, server.game_id, "anna")
        == server.game_id
    )
    await server.answer("ben", agrees=True)
    tables = server.services.tables
    table = await tables.load(server.game_id)
    assert table.next_id
    next_table = await tables.load(table.next_id)
    assert [seat.player_id for seat in next_table.seated] == ["anna", "ben"]


async def test_an_agreed_next_game_outlives_a_failure_to_deal_it(
    server: TableProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise SQLAlchemyError("the disk is full")

    await server.sit("ben")
    await server.services.proposals.propose_next(server.games, server.game_id, "anna")
    with monkeypatch.context() as broken:
        broken.setattr(repository, "copy_seats", fail)
        with pytest.raises(SQLAlchemyError):
            await server.answer("ben", agrees=True)
    overview = await load_overview(server.services, server.game_id, "anna")
    assert overview.table.next_id
    assert overview.proposal
    assert overview.proposal.ended == ProposalState.AGREED


async def test_what_could_not_be_carried_out_for_minutes_surprises_no_one(
    server: TableProcess,
) -> None:
    await server.sit("ben")
    await server.services.proposals.propose_next(server.games, server.game_id, "anna")
    proposal = await server.proposal()
    assert proposal
    await server.services.proposals.note_answer(server.game_id, "ben", proposal.number, agrees=True)
    server.now_ms += 10 * ANSWER_WITHIN_MS
    overview = await load_overview(server.services, server.game_id, "anna")
    assert overview.table.next_id is None
    assert overview.proposal
    assert overview.proposal.ended == ProposalState.REFUSED


async def test_a_next_game_that_the_owner_has_no_room_for_can_be_agreed_again(
    server: TableProcess,
) -> None:
    await server.sit("ben")
    propose = partial(server.services.proposals.propose_next, server.games, server.game_id, "anna")
    room, server.games.quotas = (
        server.games.quotas,
        Quotas(server.database, Quota(1, 99, 1), Quota(1, 99, 1)),
    )
    await propose()
    await server.answer("ben", agrees=True)
    overview = await load_overview(server.services, server.game_id, "ben")
    said = shared_table_view(overview, "ben", "").proposal
    assert said
    assert said.text == "No next game: this table's owner can't keep any more games."
    server.games.quotas = room
    await propose()
    await server.answer("ben", agrees=True)
    assert (await server.services.tables.load(server.game_id)).next_id


async def test_what_all_agreed_to_needs_room_for_the_owners_moves(
    server: TableProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "_ACTIONS_PER_CHECK", 2)
    await server.sit("ben")
    server.games.quotas = Quotas(server.database, Quota(9, 2, 1), Quota(9, 2, 1))
    await server.act("anna", "restart")
    await server.answer("ben", agrees=True)
    assert await server.words() == []
    overview = await load_overview(server.services, server.game_id, "ben")
    said = shared_table_view(overview, "ben", "").proposal
    assert said
    assert said.text == "This table's owner can't keep any more moves."
    await server.act("anna", "resign")
    await server.answer("ben", agrees=True)
    assert await server.words() == ["resign"]


async def test_the_question_of_a_player_who_left_is_withdrawn(server: TableProcess) -> None:
    await server.sit("ben", "cleo")
    server.services.tables.heartbeat(server.game_id, "anna")
    await server.services.proposals.propose_next(server.games, server.game_id, "ben")
    await server.services.tables.leave(server.game_id, "ben")
    for who in ("anna", "cleo"):
        await server.answer(who, agrees=True)
    proposal = await server.proposal()
    assert proposal
    assert proposal.ended == ProposalState.WITHDRAWN


async def test_games_are_not_dealt_to_an_owner_who_stays_away(
    server: TableProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.sit("ben", "cleo")
    tables, proposals = server.services.tables, server.services.proposals
    here: set[str] = set()

    async def list_present(_: str) -> set[str]:
        return here

    monkeypatch.setattr(tables, "list_present", list_present)
    # Anna has moved in this game, so that the others may go on once.
    second = await proposals.propose_next(server.games, server.game_id, "ben")
    assert second != server.game_id
    for others in (set[str](), {"cleo"}):
        here = others
        with pytest.raises(NotYourTableError):
            await proposals.propose_next(server.games, second, "ben")
    # While Anna is here, she is asked. When she goes without an answer, that is none.
    here, server.game_id = {"anna", "cleo"}, second
    assert await proposals.propose_next(server.games, second, "ben") == second
    here = {"cleo"}
    await server.answer("cleo", agrees=True)
    server.now_ms += ANSWER_WITHIN_MS
    await proposals.settle(server.games, second)
    assert (await tables.load(second)).next_id is None
    here = {"anna"}
    assert await proposals.propose_next(server.games, second, "ben") == second
    await server.answer("anna", agrees=True)
    third = (await tables.load(second)).next_id
    assert third
    here = set()
    assert await proposals.propose_next(server.games, third, "anna") != third


async def test_signals_of_players_are_shown_for_seconds(server: TableProcess) -> None:
    await server.sit("ben")
    game = await server.games.log.load(server.game_id)
    await server.services.gestures.point(game, "ben", "t3")
    await server.services.gestures.say(game, "anna", "nice")
    shown = await server.services.gestures.list_recent(server.game_id)
    assert {(s.player_id, s.place, s.saying) for s in shown} == {
        ("ben", "t3", ""),
        ("anna", "", "nice"),
    }
    server.now_ms += 7000
    assert not await server.services.gestures.list_recent(server.game_id)
    for place in ("t99", "<b>", ""):
        with pytest.raises(AppError):
            await server.services.gestures.point(game, "ben", place)
    with pytest.raises(AppError):
        await server.services.gestures.say(game, "ben", "anything else")
    with pytest.raises(AppError):
        await server.services.gestures.point(game, "dora", "t3")
