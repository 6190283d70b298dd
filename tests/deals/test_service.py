from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from functools import partial

import pytest
from sqlalchemy import delete, select, update

from app.db.engine import Database
from app.db.schema import deal_grades, games, pool_deals
from app.deals import difficulty as difficulty_service
from app.deals import repository, shipped
from app.deals.dealer import StockDealer
from app.deals.difficulty import DifficultyService
from app.deals.levels_by_wins import COUNTED_WINS, NOT_HARD
from app.deals.model import DealKind, Graded, fingerprint_of
from app.deals.searches import SearchState
from app.deals.service import DealStock
from app.engine.shuffle import deck_of_code, new_code, parse_code
from app.games.callbacks import DrawnDeal
from app.games.levels import Level, distance
from app.games.past_games import PastGames
from app.games.service import GameService
from app.jobs.queue import (
    THE_SITE,
    Failure,
    Job,
    JobFailedError,
    JobProgress,
    JobState,
    Origin,
    current_origin,
)
from app.jobs.service import Jobs
from app.rulesets import find_ruleset
from app.rulesets.bristol import BRISTOL
from app.rulesets.rouge_et_noir import ROUGE_ET_NOIR
from app.rulesets.rouge_et_noir_classic import CLASSIC
from app.rulesets.yukon import YUKON
from app.solver.difficulty import Difficulty, Grade, difficulty
from tests.support.serving import welcome
from tests.support.stocks import HOME, draw_code, open_deal, put, sealed_deal
from tests.support.workers import DirectProcess

pytestmark = pytest.mark.anyio

CODES = [f"{n:010d}" for n in range(12)]


def stock_on(database: Database) -> DealStock:
    return DealStock(database, Jobs(), lambda: 7, 0)


async def test_a_deal_is_drawn_only_once(database: Database):
    await put(database, open_deal(BRISTOL, CODES[0]), sealed_deal(BRISTOL, "a"))
    stock = stock_on(database)
    assert await draw_code(stock, BRISTOL) == parse_code(CODES[0])
    assert await draw_code(stock, BRISTOL) is None
    assert await stock.draw_sealed(BRISTOL) == hashlib.sha256(b"a").digest()
    assert await stock.draw_sealed(BRISTOL) is None


async def test_where_none_is_proven_in_time_a_room_gets_a_random_deal_that_is_said_to_be_one(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    await put(database, sealed_deal(BRISTOL, "a"))
    stock = stock_on(database)
    proven = await stock.draw_or_find_sealed(BRISTOL, "anna")
    assert proven == (hashlib.sha256(b"a").digest(), True)
    one, other = [await stock.draw_or_find_sealed(BRISTOL, "anna") for _ in range(2)]
    assert (one.is_proven, other.is_proven) == (False, False)
    assert len({one.seed, other.seed, proven.seed}) == 3
    assert {len(one.seed), len(other.seed)} == {len(proven.seed)}
    # A search that ends without a proof is not repeated while the room waits.
    searching = DealStock(database, Jobs(), lambda: 7, 1)
    states = iter([SearchState.SEARCHING, SearchState.FAILED])

    async def find_or_search(*_: object) -> SearchState:
        return next(states)

    monkeypatch.setattr(searching, "find_or_search", find_or_search)
    assert not (await searching.draw_or_find_sealed(BRISTOL, "anna")).is_proven


async def test_races_leave_a_reserve_of_deals_to_the_daily_deals(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    await put(database, *(sealed_deal(BRISTOL, str(n)) for n in range(5)))
    await put(database, sealed_deal(YUKON, "it has no daily deal"))
    stock = DealStock(database, Jobs(), lambda: 7, 0, reserve=3)
    rooms = [await stock.draw_or_find_sealed(BRISTOL, f"player {n}") for n in range(4)]
    assert [room.is_proven for room in rooms] == [True, True, False, False]
    assert (await stock.draw_or_find_sealed(YUKON, "anna")).is_proven
    assert await stock.count(DealKind.SEALED, BRISTOL) == 3
    assert [await stock.draw_sealed(BRISTOL) is None for _ in range(4)] == [False] * 3 + [True]

    # Who waits for a search gets the deal that it finds, and no other.
    await put(database, sealed_deal(BRISTOL, "left"))
    jobs = Jobs()
    searching = DealStock(database, jobs, lambda: 7, 1, reserve=3)

    def submit(owner: str, *_: object, **__: object) -> Job:
        return Job("job", owner, JobState.QUEUED, JobProgress())

    async def wait(_: str, owner: str) -> Job:
        found = sealed_deal(BRISTOL, f"found for {owner}")
        return Job("job", owner, JobState.DONE, JobProgress(), found)

    monkeypatch.setattr(jobs, "submit", submit)
    monkeypatch.setattr(jobs, "wait", wait)
    for player in ("ben", "cleo"):
        assert (await searching.draw_or_find_sealed(BRISTOL, player)).is_proven
        assert await stock.count(DealKind.SEALED, BRISTOL) == 1


async def test_after_a_search_whose_deal_could_not_be_stored_another_one_starts(
    database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    now = [0]
    jobs = Jobs()
    stock = DealStock(database, jobs, lambda: now[0], 1)

    def submit(owner: str, *_: object, **__: object) -> Job:
        return Job("job", owner, JobState.QUEUED, JobProgress())

    async def wait(_: str, owner: str) -> Job:
        return Job("job", owner, JobState.DONE, JobProgress(), sealed_deal(BRISTOL, "found"))

    def fail(*_: object) -> bool:
        raise OSError("the database is down")

    async def search() -> SearchState:
        state = await stock.find_or_search("anna", DealKind.SEALED, BRISTOL)
        await asyncio.gather(
            *(each.task for each in stock.searches._searches.values() if each.task)
        )
        return state

    monkeypatch.setattr(jobs, "submit", submit)
    monkeypatch.setattr(jobs, "wait", wait)
    with monkeypatch.context() as outage:
        outage.setattr(repository, "add", fail)
        assert await search() is SearchState.SEARCHING
    assert "the database is down" in caplog.text
    assert not (await stock.draw_or_find_sealed(BRISTOL, "anna")).is_proven
    assert await search() is SearchState.SEARCHING
    assert (await stock.draw_or_find_sealed(BRISTOL, "anna")).is_proven


async def test_only_a_deal_that_was_drawn_wakes_the_refill(database: Database):
    stock = stock_on(database)
    assert await stock.draw_sealed(BRISTOL) is None
    assert not stock.drawn.is_set()
    await put(database, sealed_deal(BRISTOL, "a"))
    assert await stock.draw_sealed(BRISTOL)
    assert stock.drawn.is_set()


async def test_a_reserve_keeps_a_number_of_deals_not_the_best_ones(database: Database):
    await put(database, *(open_deal(BRISTOL, CODES[n], wins) for n, wins in enumerate((0, 10, 16))))
    drawn = await database.write(
        lambda connection: [
            repository.draw(connection, DealKind.OPEN, BRISTOL, 7, Level.GENTLE, reserve=1)
            for _ in range(3)
        ]
    )
    assert [deal and deal.grade for deal in drawn] == [Grade.GENTLE, Grade.MEDIUM, None]


async def test_open_and_sealed_deals_and_those_of_other_games_are_kept_apart(database: Database):
    await put(database, sealed_deal(BRISTOL, "a"), open_deal(ROUGE_ET_NOIR, CODES[0]))
    stock = stock_on(database)
    assert await draw_code(stock, BRISTOL) is None
    assert await stock.draw_sealed(ROUGE_ET_NOIR) is None
    assert await stock.count(DealKind.SEALED, BRISTOL) == 1
    assert await stock.count(DealKind.OPEN, BRISTOL) == 0


async def test_two_processes_that_draw_at_once_never_get_the_same(database: Database):
    await put(database, *(open_deal(BRISTOL, code) for code in CODES))
    other = Database(database.url.render_as_string(hide_password=False))
    stocks = [stock_on(database), stock_on(other)]
    drawn = await asyncio.gather(*(draw_code(stock, BRISTOL) for stock in stocks * 7))
    await other.close()
    found = [code for code in drawn if code]
    assert len(found) == len(set(found)) == len(CODES)


async def test_a_deck_is_in_the_stock_once_in_whatever_kind_and_even_when_taken(
    database: Database,
):
    # A seed whose deck is that of a code: what an attacker who plants seeds would try.
    code = parse_code(CODES[0])
    twin = hashlib.sha256(b"fairdeal/open/1/" + CODES[0].encode()).digest()
    deals = open_deal(BRISTOL, code), sealed_deal(BRISTOL, twin)
    assert await put(database, *deals) == [True, False]
    stock = stock_on(database)
    assert await draw_code(stock, BRISTOL) == code
    assert await put(database, *deals) == [False, False]
    assert await stock.draw_sealed(BRISTOL) is None


async def test_the_order_of_drawing_tells_nothing_of_when_or_how_hard(database: Database):
    deals = [sealed_deal(BRISTOL, str(n), wins=n) for n in range(20)]
    await put(database, *deals)
    stock = stock_on(database)
    drawn = [await stock.draw_sealed(BRISTOL) for _ in deals]
    by_fingerprint = sorted(deals, key=lambda deal: deal.grade.fingerprint)
    assert drawn == [deal.seed for deal in by_fingerprint]
    assert drawn != [deal.seed for deal in deals]


async def test_what_was_drawn_keeps_its_row_so_that_it_never_comes_back(database: Database):
    await put(database, open_deal(BRISTOL, CODES[0]))
    await draw_code(stock_on(database), BRISTOL)
    rows = await database.read(lambda c: c.execute(select(pool_deals.c.taken_ms)).all())
    assert [row.taken_ms for row in rows] == [7]


async def test_how_hard_a_deal_is_is_known_by_its_deck_and_for_each_game_apart(
    database: Database,
):
    await put(database, open_deal(ROUGE_ET_NOIR, CODES[0], wins=11))
    grades = DifficultyService(database, None)
    code = parse_code(CODES[0])
    found = await grades.of_code(ROUGE_ET_NOIR, code)
    assert found == Difficulty(20, 11, HOME, ROUGE_ET_NOIR.id)
    assert found.grade is Grade.GENTLE
    assert await grades.of_deck(ROUGE_ET_NOIR, deck_of_code(code, 2)) == found
    assert await grades.of_code(CLASSIC, code) is None
    assert await grades.of_code(ROUGE_ET_NOIR, parse_code(CODES[1])) is None


async def test_the_deal_that_is_drawn_is_of_the_difficulty_asked_for(database: Database):
    # One fiendish deal, two fair ones and three gentle ones.
    wins = dict(zip(CODES[:6], (0, 10, 12, 16, 18, 20), strict=True))
    await put(
        database,
        *(open_deal(BRISTOL, code, wins=count) for code, count in wins.items()),
        open_deal(BRISTOL, CODES[6], wins=6),
    )
    stock = stock_on(database)
    assert await stock.count(DealKind.OPEN, BRISTOL, Level.GENTLE) == 3
    assert await stock.count(DealKind.OPEN, BRISTOL, Level.MEDIUM) == 2
    assert await stock.count(DealKind.OPEN, BRISTOL, Level.HARD) == 1
    assert await stock.count(DealKind.OPEN, BRISTOL, Level.FIENDISH) == 1
    drawn = [await stock.draw_graded(BRISTOL, Level.FIENDISH) for _ in range(4)]
    found = [deal.grade for deal in drawn if deal]
    # The nearest that are left follow.
    assert found == [Grade.FIENDISH, Grade.HARD, Grade.MEDIUM, Grade.MEDIUM]
    easy = await stock.draw_graded(BRISTOL, Level.MEDIUM)
    assert easy is not None
    assert easy.grade is Grade.GENTLE


async def end(database: Database, game_id: str, status: str) -> None:
    ended = update(games).where(games.c.id == game_id).values(status=status)
    await database.write(lambda connection: connection.execute(ended))


async def test_without_a_chosen_level_the_wins_of_a_game_decide(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(shipped, "first_deals", lambda _: {})
    monkeypatch.setattr(shipped, "starter_deals", lambda _: {})
    welcome(database, "anna", "ben")
    wins = dict(zip(CODES, (0, 6, 0, 6, 12, 12, 16, 16, 16, 6, 0, 0), strict=True))
    await put(database, *(open_deal(BRISTOL, code, wins=n) for code, n in wins.items()))
    stock, play = stock_on(database), GameService(database)
    dealer = StockDealer(stock, PastGames(database))
    found = []
    for ending in ("won", "lost", "won", "won", "lost", "won", "won"):
        drawn = await dealer.draw("anna", BRISTOL, None)
        assert isinstance(drawn, DrawnDeal)
        found.append((drawn.level, drawn.grade))
        game = await play.start("anna", "bristol", drawn.code)
        await end(database, game.id, ending)
    gentle, medium = (Level.GENTLE, Grade.GENTLE), (Level.MEDIUM, Grade.MEDIUM)
    # Medium ones run out: none is left that is not hard, and no gentle one either.
    assert found[:5] == [gentle, gentle, gentle, medium, medium]
    assert [level for level, _ in found[5:]] == [Level.MEDIUM] * 2
    assert {grade for _, grade in found[5:]} == {Grade.HARD}, "the nearest"
    assert await PastGames(database).count_wins("anna", BRISTOL, COUNTED_WINS) == 5
    fifth = await dealer.draw("anna", BRISTOL, None)
    assert isinstance(fifth, DrawnDeal)
    assert fifth.level is Level.ANY
    other = await dealer.draw("ben", BRISTOL, None)
    assert isinstance(other, DrawnDeal)
    assert other.level is Level.GENTLE


async def test_of_two_deals_as_near_to_a_level_the_gentler_comes_first(database: Database):
    wins = dict(zip(CODES, (6, 6, 6, 16, 16, 6, 16, 6, 6, 16, 16, 0), strict=True))
    await put(database, *(open_deal(BRISTOL, code, wins=n) for code, n in wins.items()))
    stock = stock_on(database)
    drawn = [await stock.draw_graded(BRISTOL, Level.MEDIUM) for _ in wins]
    found = [deal.grade for deal in drawn if deal]
    assert found == [Grade.GENTLE] * 5 + [Grade.HARD] * 6 + [Grade.FIENDISH]


async def test_the_difficulties_in_stock_are_told_for_all_games_at_once(database: Database):
    wins = dict(zip(CODES, (6, 6, 0), strict=False))
    await put(database, *(open_deal(BRISTOL, code, wins=n) for code, n in wins.items()))
    stock = stock_on(database)
    assert await stock.list_grades() == {"bristol": {Grade.HARD, Grade.FIENDISH}}
    assert await stock.draw_graded(BRISTOL, Level.FIENDISH)
    assert await stock.list_grades() == {"bristol": {Grade.HARD}}
    dealer = StockDealer(stock, PastGames(database))
    ready = await dealer.list_ready(Level.GENTLE)
    assert ready["bristol"] == {Grade.GENTLE, Grade.HARD}, "gentle deals come with the program"
    assert ready["spider"] == {Grade.FIENDISH}, "of the few that every site begins with"
    assert (await dealer.list_ready(Level.FIENDISH))["bristol"] == {Grade.HARD}
    assert (await dealer.list_ready(None))["bristol"] == {*NOT_HARD, Grade.HARD}


@pytest.mark.parametrize("level", [*Level, None])
@pytest.mark.parametrize("ruleset", ["spider", "rouge-et-noir", "bristol", "dover"])
async def test_what_is_said_to_be_ready_is_what_is_drawn(
    database: Database, ruleset: str, level: Level | None
):
    rules = find_ruleset(ruleset)
    assert rules
    dealer = StockDealer(DealStock(database, Jobs(), lambda: 7, 1), PastGames(database))
    ready = (await dealer.list_ready(level))[ruleset]
    drawn = await dealer.draw("anna", rules, level)
    assert isinstance(drawn, DrawnDeal)
    assert drawn.grade
    wanted = level or Level.GENTLE
    assert distance(wanted, drawn.grade) == min(distance(wanted, grade) for grade in ready)


async def test_a_deal_of_unknown_difficulty_comes_last(database: Database):
    await put(database, *(open_deal(BRISTOL, code, wins=0) for code in CODES[:6]))
    first = min((open_deal(BRISTOL, code) for code in CODES[:6]), key=lambda d: d.grade.fingerprint)
    forget = delete(deal_grades).where(deal_grades.c.fingerprint == first.grade.fingerprint)
    await database.write(lambda connection: connection.execute(forget))
    stock = stock_on(database)
    drawn = [await stock.draw_graded(BRISTOL, Level.GENTLE) for _ in range(6)]
    assert [deal.grade for deal in drawn if deal] == [Grade.FIENDISH] * 5 + [None]
    assert drawn[-1] is not None
    assert drawn[-1].code == first.code


async def test_a_grade_from_before_self_play_counts_until_it_is_replaced(database: Database):
    """The stock of a site that was updated: one deal is drawn by its old grade, the others are graded again."""
    for code, wins in zip(CODES[:3], (20, 5, 0), strict=True):
        deal = open_deal(BRISTOL, code)
        old = deal.grade._replace(difficulty=Difficulty(20, wins))
        await put(database, deal._replace(grade=old))
    stock = stock_on(database)
    levels = (Level.GENTLE, Level.MEDIUM, Level.FIENDISH)
    assert [await stock.count(DealKind.OPEN, BRISTOL, level) for level in levels] == [1, 1, 1]
    easy = await stock.draw_graded(BRISTOL, Level.GENTLE)
    assert easy == (parse_code(CODES[0]), Grade.GENTLE, Level.GENTLE)

    jobs = Jobs(start_process=DirectProcess)
    grades = DifficultyService(database, jobs)
    await grades.regrade_stock()
    for code in CODES[1:3]:
        known = await grades.of_code(BRISTOL, parse_code(code))
        assert known == difficulty(BRISTOL, deck_of_code(parse_code(code), 1))
    old_one = await grades.of_code(BRISTOL, parse_code(CODES[0]))
    assert old_one == Difficulty(
        20, 20, None, "bristol"
    )  # it was drawn; who looks at it has it graded
    await asyncio.gather(*grades._running.tasks())
    new_one = await grades.of_code(BRISTOL, parse_code(CODES[0]))
    assert new_one is not None
    assert not new_one.is_old
    again = Graded(fingerprint_of(deck_of_code(parse_code(CODES[0]), 1)), "bristol", 1, old_one)
    await database.write(lambda connection: repository.keep_grade(connection, again))
    assert await grades.of_deck(BRISTOL, deck_of_code(parse_code(CODES[0]), 1)) == new_one
    await grades.close()
    await jobs.close()


async def test_no_network_takes_every_turn_of_grading(
    database: Database, monkeypatch: pytest.MonkeyPatch
):
    async def never(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(DifficultyService, "_compute", never)
    grades = DifficultyService(database, Jobs(start_process=DirectProcess))
    try:
        for network in ("192.0.2.1", "192.0.2.2"):
            current_origin.set(Origin(network))
            before = len(grades._running)
            for _ in range(10):
                assert await grades.of_code(BRISTOL, new_code()) is None
            assert 0 < len(grades._running) - before < 10
    finally:
        current_origin.set(THE_SITE)
        await grades.close()
    assert not grades._running
    assert not grades._networks


@pytest.mark.parametrize("is_stopped", [False, True])
async def test_a_deal_that_cannot_be_graded_does_not_stop_the_others(
    database: Database, monkeypatch: pytest.MonkeyPatch, is_stopped: bool
):
    for code in CODES[:3]:
        deal = open_deal(BRISTOL, code)
        await put(database, deal._replace(grade=deal.grade._replace(difficulty=Difficulty(20, 9))))
    tried: list[bytes] = []

    async def run(_jobs: Jobs, job: Callable[[], object], **_limits: object) -> object:
        assert isinstance(job, partial)
        tried.append(job.args[2])
        if job.args[2] == tried[0]:
            if is_stopped:  # at its time limit
                return None
            raise JobFailedError(Failure.TOO_LONG)
        return job()

    monkeypatch.setattr(Jobs, "run", run)
    monkeypatch.setattr(difficulty_service, "_MOST_REGRADED", 1)
    grades = DifficultyService(database, Jobs(start_process=DirectProcess))
    for _ in range(4):
        await grades.regrade_stock()
    assert len(tried) == len(set(tried)) == 3
