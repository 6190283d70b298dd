from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from app.db.engine import Database
from app.db.migrate import upgrade
from app.deals import searches
from app.deals.difficulty import DifficultyService
from app.deals.model import DealKind
from app.deals.refill import StockRefill
from app.deals.searches import SearchState
from app.deals.service import DealStock
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, deck_of_seed, parse_code
from app.games.levels import Level
from app.jobs.admission import Places, TooManyJobsError
from app.jobs.service import Jobs
from app.rulesets import DAILY_RULESETS
from app.rulesets.bristol import BRISTOL
from app.solver.solve import Budget, SearchOutcome, solve
from tests.support.patience import PATIENCE
from tests.support.stocks import draw_code, open_deal, put, sealed_deal

pytestmark = pytest.mark.anyio


class Shelf(DealStock):
    """A stock whose deals are believed, and that has none to give of one game."""

    def __init__(self, database: Database, barren: Ruleset | None = None) -> None:
        super().__init__(database, Jobs(), lambda: 0, 15)
        self.database = database
        self.barren = barren
        self.asked: Counter[tuple[DealKind, str]] = Counter()

    async def prove(self, kind, rules, owner, urgency=None):  # noqa: ARG002 - as the base class has it
        self.asked[kind, rules.id] += 1
        if rules is self.barren:
            return False
        word = f"{sum(self.asked.values()):010d}"
        make = open_deal if kind is DealKind.OPEN else sealed_deal
        return all(await put(self.database, make(rules, word)))


async def counts(stock: DealStock) -> set[int]:
    return {await stock.count(kind, rules) for kind in DealKind for rules in DAILY_RULESETS}


async def test_the_stock_is_filled_evenly_and_no_further(database: Database):
    stock = Shelf(database)
    await StockRefill(database, stock, lambda: 0, 2).fill()
    assert await counts(stock) == {2}
    await stock.draw_sealed(BRISTOL)
    await StockRefill(database, stock, lambda: 0, 2).fill()
    assert await counts(stock) == {2}
    assert sum(stock.asked.values()) == 2 * 2 * len(DAILY_RULESETS) + 1


async def test_a_game_without_proofs_does_not_hold_up_the_others(database: Database):
    stock = Shelf(database, barren=BRISTOL)
    async with asyncio.timeout(PATIENCE):
        await StockRefill(database, stock, lambda: 0, 1).fill()
    assert await counts(stock) == {0, 1}
    assert await stock.count(DealKind.OPEN, BRISTOL) == 0
    assert 1 < stock.asked[DealKind.OPEN, BRISTOL.id] < 10


async def test_one_process_fills_at_a_time(database: Database):
    stock = Shelf(database)
    first, second = (StockRefill(database, stock, lambda: 0, 1) for _ in range(2))
    assert await first._lease.hold()
    await second.fill()
    assert not stock.asked
    await first.fill()
    assert await counts(stock) == {1}
    await second.fill()  # the lease was given back


async def test_who_waits_at_an_empty_shelf_gets_a_deal_that_can_be_won(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
):
    """The one test here that proves deals: workers are slow to start."""
    monkeypatch.setattr(searches, "WAIT_SECONDS", PATIENCE)
    database = await fresh(sqlite_url)
    jobs = Jobs(places=Places(per_owner=1))
    stock = DealStock(database, jobs, lambda: 0, PATIENCE)
    assert await stock.find_or_search("anna", DealKind.OPEN, BRISTOL) is SearchState.SEARCHING
    with pytest.raises(TooManyJobsError):
        await stock.find_or_search("anna", DealKind.SEALED, BRISTOL)
    assert await until_known(stock, "anna", DealKind.OPEN, BRISTOL) is SearchState.READY
    code = await draw_code(stock, BRISTOL)
    assert code
    assert can_be_won(BRISTOL, deck_of_code(code, 1))
    assert await DifficultyService(database, None).of_code(BRISTOL, code)

    assert await stock.prove(DealKind.SEALED, BRISTOL, "test")
    seed = await stock.draw_sealed(BRISTOL)
    assert seed
    assert can_be_won(BRISTOL, deck_of_seed(seed, 1))

    grades = DifficultyService(database, jobs)
    other = parse_code("7KQ4M2XWTP")
    assert await grades.of_code(BRISTOL, other) is None
    await asyncio.gather(*grades._running.tasks())
    assert await grades.of_code(BRISTOL, other)
    await stock.close()
    await jobs.close()
    await database.close()


async def test_when_nothing_is_proven_in_time_that_is_said_and_the_next_look_tries_anew(
    sqlite_url: str,
):
    database = await fresh(sqlite_url)
    jobs = Jobs()
    stock = DealStock(database, jobs, lambda: 0, 1e-9)  # over before a first deal is tried
    assert await stock.find_or_search("anna", DealKind.OPEN, BRISTOL) is SearchState.SEARCHING
    assert await until_known(stock, "anna", DealKind.OPEN, BRISTOL) is SearchState.FAILED
    assert await stock.find_or_search("anna", DealKind.OPEN, BRISTOL) is SearchState.SEARCHING
    await stock.close()
    await jobs.close()
    await database.close()


async def fresh(url: str) -> Database:
    database = Database(url)
    upgrade(database)
    return database


async def until_known(stock: DealStock, owner: str, kind: DealKind, rules: Ruleset) -> SearchState:
    async with asyncio.timeout(PATIENCE):
        while (state := await stock.find_or_search(owner, kind, rules)) is SearchState.SEARCHING:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    return state


def can_be_won(rules: Ruleset, deck) -> bool:
    return solve(rules, deck, Budget(positions=2_000_000)).outcome is SearchOutcome.WON


class Graded(Shelf):
    """A stock in which every third deal is gentle and the others are fiendish; none is fair."""

    async def prove(self, kind, rules, owner, urgency=None):  # noqa: ARG002 - as the base class has it
        self.asked[kind, rules.id] += 1
        word = f"{sum(self.asked.values()):010d}"
        if kind is DealKind.SEALED:
            return all(await put(self.database, sealed_deal(rules, word)))
        wins = 0 if self.asked[kind, rules.id] % 3 else 20
        return all(await put(self.database, open_deal(rules, word, wins=wins)))


async def test_deals_of_each_difficulty_are_kept_as_far_as_there_are(database: Database):
    stock = Graded(database)
    async with asyncio.timeout(PATIENCE):
        await StockRefill(database, stock, lambda: 0, 3, 2).fill()
    assert await stock.count(DealKind.OPEN, BRISTOL, Level.GENTLE) == 2
    assert await stock.count(DealKind.OPEN, BRISTOL, Level.MEDIUM) == 0
    # The search for what there is none of ends, also when it runs again.
    assert {await stock.count(DealKind.OPEN, rules) for rules in DAILY_RULESETS} == {6}
    proofs = sum(stock.asked.values())
    await StockRefill(database, stock, lambda: 0, 3, 2).fill()
    assert sum(stock.asked.values()) == proofs
