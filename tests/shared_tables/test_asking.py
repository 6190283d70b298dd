"""What needs the others: who is asked, what silence means, and that what is agreed to happens once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from app.db.engine import Database
from app.errors import AppError
from app.games.model import Status
from app.games.outcome import Result
from app.games.service import GameService
from app.pubsub.service import PubSub
from app.shared_tables.dependencies import TableServices, look_around
from app.shared_tables.play import SharedPlay
from app.shared_tables.proposals import ProposalService
from app.shared_tables.service import SharedTableService
from app.shared_tables.signals import SignalService
from app.shared_tables.vote import ASKS_FOR_MS, Verdict, verdict
from tests.shared_tables.test_acting import apart, shared

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("answers", "here", "waited", "expected"),
    [
        ({"ben": None}, {"ben"}, 0, Verdict.OPEN),
        ({"ben": True}, {"ben"}, 0, Verdict.AGREED),
        ({"ben": True, "cleo": False}, {"ben"}, 0, Verdict.REFUSED),
        ({"ben": True, "cleo": None}, {"ben", "cleo"}, ASKS_FOR_MS - 1, Verdict.OPEN),
        ({"ben": True, "cleo": None}, {"ben", "cleo"}, ASKS_FOR_MS, Verdict.REFUSED),
        ({"ben": True, "cleo": None}, {"ben"}, ASKS_FOR_MS, Verdict.AGREED),
        ({"ben": None}, set(), 10 * ASKS_FOR_MS, Verdict.REFUSED),
    ],
)
def test_silence_agrees_for_who_is_away_and_for_nobody_else(
    answers: dict[str, bool | None], here: set[str], waited: int, expected: Verdict
) -> None:
    assert verdict(answers, here, waited, ASKS_FOR_MS) is expected


class Club:
    """A table at which Ben and Cleo look on with Anna, and a clock that can be turned."""

    def __init__(self, database: Database) -> None:
        self.now_ms = 1_000_000
        self.live = PubSub(database)
        tables = SharedTableService(database, lambda: self.now_ms, self.live)
        proposals = ProposalService(database, tables)
        self.services = TableServices(tables, proposals, SignalService(database, tables))
        self.play = GameService(
            database,
            clock=lambda: self.now_ms,
            shared_tables=SharedPlay(database, tables, proposals),
        )
        self.game_id = ""

    async def sit(self, *others: str) -> None:
        game = await shared(self.play, self.services.tables, *others)
        self.game_id = game.id
        one, other = apart(game)
        await self.play.act(game.id, "anna", 0, one)
        await self.play.act(game.id, "anna", 1, other)
        for who in others:
            self.services.tables.beat(game.id, who)

    async def act(self, who: str, word: str):
        version = (await self.play.load(self.game_id)).version
        return await self.play.act(self.game_id, who, version, word)

    async def question(self):
        return (await look_around(self.services, self.play, self.game_id, "anna")).question

    async def answer(self, who: str, *, agrees: bool) -> None:
        question = await self.question()
        assert question
        await self.services.proposals.answer(self.game_id, who, question.number, agrees=agrees)
        await self.services.proposals.settle(self.play, self.game_id)

    async def words(self) -> list[str]:
        return [entry.action for entry in await self.play.events(self.game_id)][2:]


@pytest.fixture
async def club(database: Database) -> AsyncIterator[Club]:
    club = Club(database)
    yield club
    await club.live.close()


async def test_what_all_who_are_there_agree_to_is_done(club: Club) -> None:
    await club.sit("ben", "cleo")
    assert (await club.act("anna", "restart")).result is Result.ASKED
    await club.answer("ben", agrees=True)
    assert await club.words() == []
    await club.answer("cleo", agrees=True)
    assert await club.words() == ["restart"]
    assert (await club.play.events(club.game_id))[-1].actor_id == "anna"


async def test_one_no_is_a_no(club: Club) -> None:
    await club.sit("ben", "cleo")
    await club.act("anna", "resign")
    await club.answer("cleo", agrees=False)
    assert await club.words() == []
    question = await club.question()
    assert question
    assert question.ended == Verdict.REFUSED


async def test_who_sits_there_alone_asks_nobody(club: Club) -> None:
    await club.sit()
    assert (await club.act("anna", "restart")).result is Result.ACCEPTED


async def test_who_is_away_is_not_asked(club: Club) -> None:
    await club.sit("ben")
    for stays in club.live.presence._players.values():
        stays["ben"].seen -= 60
    assert (await club.act("anna", "restart")).result is Result.ACCEPTED


async def test_when_the_last_of_the_others_has_just_gone_it_is_agreed(club: Club) -> None:
    await club.sit()
    await club.services.proposals.ask(club.game_id, "anna", 2, "restart")
    await club.services.proposals.settle(club.play, club.game_id)
    assert await club.words() == ["restart"]


async def test_the_last_move_of_another_goes_back_by_agreement_only(club: Club) -> None:
    await club.sit("ben")
    assert (await club.act("ben", "undo")).result is Result.ASKED
    await club.answer("anna", agrees=True)
    assert await club.words() == ["undo"]


async def test_a_question_about_a_move_lapses_when_somebody_plays_on(club: Club) -> None:
    await club.sit("ben")
    club.services.tables.beat(club.game_id, "anna")
    await club.act("ben", "undo")
    await club.act("anna", "deal")
    await club.answer("anna", agrees=True)
    assert await club.words() == ["deal"]


async def test_silence_of_who_is_there_is_a_no_and_time_decides(club: Club) -> None:
    await club.sit("ben")
    await club.act("anna", "restart")
    club.now_ms += ASKS_FOR_MS
    club.services.tables.beat(club.game_id, "ben")
    question = await club.question()
    assert question
    assert question.ended == Verdict.REFUSED
    assert await club.words() == []


async def test_one_question_at_a_time(club: Club) -> None:
    await club.sit("ben")
    await club.act("anna", "restart")
    club.services.tables.beat(club.game_id, "anna")
    again = await club.act("ben", "resign")
    assert (again.result, again.sentence) == (
        Result.ASKED,
        "The others are being asked something already.",
    )
    question = await club.question()
    assert question
    assert question.word == "restart"


async def test_nobody_answers_twice_and_nobody_who_was_not_asked(club: Club) -> None:
    await club.sit("ben", "cleo")
    await club.act("anna", "restart")
    question = await club.question()
    assert question
    await club.services.proposals.answer(club.game_id, "ben", question.number, agrees=True)
    for who in ("ben", "anna", "dora"):
        with pytest.raises(AppError):
            await club.services.proposals.answer(club.game_id, who, question.number, agrees=True)


async def test_what_is_agreed_to_happens_once_however_many_look(club: Club) -> None:
    await club.sit("ben")
    await club.act("anna", "resign")
    question = await club.question()
    assert question
    await club.services.proposals.answer(club.game_id, "ben", question.number, agrees=True)
    looks = (
        look_around(club.services, club.play, club.game_id, who) for who in ("anna", "ben") * 3
    )
    await asyncio.gather(*looks)
    assert await club.words() == ["resign"]
    assert (await club.play.load(club.game_id)).status is Status.RESIGNED


async def test_another_deal_needs_the_others_too(club: Club) -> None:
    await club.sit("ben")
    assert await club.services.proposals.next(club.play, club.game_id, "anna") == club.game_id
    await club.answer("ben", agrees=True)
    company = await club.services.tables.company(club.game_id)
    assert company.table.next_id
    assert [
        s.player_id for s in (await club.services.tables.company(company.table.next_id)).seated
    ] == [
        "anna",
        "ben",
    ]


async def test_signs_are_shown_for_seconds_and_by_who_sits_there(club: Club) -> None:
    await club.sit("ben")
    game = await club.play.load(club.game_id)
    await club.services.signals.point(game, "ben", "t3")
    await club.services.signals.say(game, "anna", "nice")
    shown = await club.services.signals.shown(club.game_id)
    assert {(s.player_id, s.place, s.saying) for s in shown} == {
        ("ben", "t3", ""),
        ("anna", "", "nice"),
    }
    club.now_ms += 7000
    assert not await club.services.signals.shown(club.game_id)
    for place in ("t99", "<b>", ""):
        with pytest.raises(AppError):
            await club.services.signals.point(game, "ben", place)
    with pytest.raises(AppError):
        await club.services.signals.say(game, "ben", "anything else")
    with pytest.raises(AppError):
        await club.services.signals.point(game, "dora", "t3")
