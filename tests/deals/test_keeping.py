from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from app.db.engine import Database
from app.db.migrate import upgrade
from app.deals.difficulty import DifficultyService
from app.deals.refill import StockRefill
from app.deals.repository import Kind
from app.deals.service import DealStock, Hope
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_code, deck_of_seed, parse_code
from app.jobs.job import TooManyJobsError
from app.jobs.service import Jobs
from app.rulesets import RULESETS
from app.rulesets.bristol import BRISTOL
from app.solver.solve import Budget, Outcome, solve
from tests.support.stocks import open_deal, put, sealed_deal

pytestmark = pytest.mark.anyio


class Shelf(DealStock):
    """A stock whose deals are believed, and that has none to give of one game."""

    def __init__(self, database: Database, barren: Ruleset | None = None) -> None:
        super().__init__(database, Jobs(), lambda: 0, 15)
        self.database = database
        self.barren = barren
        self.asked: Counter[tuple[Kind, str]] = Counter()

    async def prove(self, kind, rules, owner, urgency=None):  # noqa: ARG002 - as the base class has it
        self.asked[kind, rules.id] += 1
        if rules is self.barren:
            return False
        word = f"{sum(self.asked.values()):010d}"
        make = open_deal if kind is Kind.OPEN else sealed_deal
        return all(await put(self.database, make(rules, word)))


async def counts(pool: DealStock) -> set[int]:
    return {await pool.count(kind, rules) for kind in Kind for rules in RULESETS}


async def test_the_stock_is_filled_evenly_and_no_further(database: Database):
    pool = Shelf(database)
    await StockRefill(database, pool, lambda: 0, 2).fill()
    assert await counts(pool) == {2}
    await pool.draw_sealed(BRISTOL)
    await StockRefill(database, pool, lambda: 0, 2).fill()
    assert await counts(pool) == {2}
    assert sum(pool.asked.values()) == 2 * 2 * len(RULESETS) + 1


async def test_a_game_that_gives_no_proof_holds_nobody_up(database: Database):
    pool = Shelf(database, barren=BRISTOL)
    await asyncio.wait_for(StockRefill(database, pool, lambda: 0, 1).fill(), 30)
    assert await counts(pool) == {0, 1}
    assert await pool.count(Kind.OPEN, BRISTOL) == 0
    assert 1 < pool.asked[Kind.OPEN, BRISTOL.id] < 10


async def test_one_process_fills_at_a_time(database: Database):
    pool = Shelf(database)
    first, second = (StockRefill(database, pool, lambda: 0, 1) for _ in range(2))
    assert await first._hold()
    await second.fill()
    assert not pool.asked
    await first.fill()
    assert await counts(pool) == {1}
    await second.fill()  # the lease was given back


async def test_who_waits_at_an_empty_shelf_gets_a_deal_that_can_be_won(sqlite_url: str):
    """The one test here that proves deals: workers are slow to start."""
    database = await fresh(sqlite_url)
    jobs = Jobs(most_per_owner=1)
    pool = DealStock(database, jobs, lambda: 0, 15)
    assert await pool.hope("anna", Kind.OPEN, BRISTOL) is Hope.LOOKING
    with pytest.raises(TooManyJobsError):
        await pool.hope("anna", Kind.SEALED, BRISTOL)
    assert await until_known(pool, "anna", Kind.OPEN, BRISTOL) is Hope.READY
    code = await pool.draw_open(BRISTOL)
    assert code
    assert can_be_won(BRISTOL, deck_of_code(code, 1))
    assert await DifficultyService(database, None).of_code(BRISTOL, code)

    assert await pool.prove(Kind.SEALED, BRISTOL, "test")
    seed = await pool.draw_sealed(BRISTOL)
    assert seed
    assert can_be_won(BRISTOL, deck_of_seed(seed, 1))

    grades = DifficultyService(database, jobs)
    other = parse_code("7KQ4M2XWTP")
    assert await grades.of_code(BRISTOL, other) is None
    await asyncio.gather(*grades._at_work.values())
    assert await grades.of_code(BRISTOL, other)
    await pool.close()
    await jobs.close()
    await database.close()


async def test_when_nothing_is_proven_in_time_that_is_said_and_the_next_look_tries_anew(
    sqlite_url: str,
):
    database = await fresh(sqlite_url)
    jobs = Jobs()
    pool = DealStock(database, jobs, lambda: 0, 1e-9)  # over before a first deal is tried
    assert await pool.hope("anna", Kind.OPEN, BRISTOL) is Hope.LOOKING
    assert await until_known(pool, "anna", Kind.OPEN, BRISTOL) is Hope.NOTHING
    assert await pool.hope("anna", Kind.OPEN, BRISTOL) is Hope.LOOKING
    await pool.close()
    await jobs.close()
    await database.close()


async def fresh(url: str) -> Database:
    database = Database(url)
    upgrade(database)
    return database


async def until_known(pool: DealStock, owner: str, kind: Kind, rules: Ruleset) -> Hope:
    for _ in range(600):
        hope = await pool.hope(owner, kind, rules)
        if hope is not Hope.LOOKING:
            return hope
        await asyncio.sleep(0.05)
    raise AssertionError("nothing came of it")


def can_be_won(rules: Ruleset, deck) -> bool:
    return solve(rules, deck, Budget(positions=2_000_000)).outcome is Outcome.WON
