from __future__ import annotations

import pytest

from app.daily.preparing import ProvenSeeds
from app.db.engine import Database
from app.deals.service import DealStock
from app.engine.shuffle import deck_of_seed
from app.jobs.service import Jobs
from app.rulesets.bristol import BRISTOL
from app.solver.solve import Budget, Outcome, solve
from tests.support.dailies import WINNABLE_SEED
from tests.support.stocks import put, sealed_deal

pytestmark = pytest.mark.anyio


async def test_the_stock_comes_first_and_is_added_to_when_it_is_empty(database: Database):
    jobs = Jobs()
    seeds = ProvenSeeds(DealStock(database, jobs, lambda: 0, 20))
    await put(database, sealed_deal(BRISTOL, WINNABLE_SEED))
    assert await seeds.draw(BRISTOL, awaited=True) == WINNABLE_SEED
    fresh = await seeds.draw(BRISTOL, awaited=True)
    assert fresh
    assert fresh != WINNABLE_SEED
    proof = solve(BRISTOL, deck_of_seed(fresh, 1), Budget(positions=2_000_000))
    assert proof.outcome is Outcome.WON
    assert await seeds.is_proven(BRISTOL, WINNABLE_SEED)
    await jobs.close()


async def test_where_nothing_is_proven_there_is_what_the_stock_has(database: Database):
    seeds = ProvenSeeds(DealStock(database, Jobs(), lambda: 0, 0))
    await put(database, sealed_deal(BRISTOL, "a"))
    assert await seeds.draw(BRISTOL, awaited=True)
    assert await seeds.draw(BRISTOL, awaited=True) is None
    assert await seeds.is_proven(BRISTOL, WINNABLE_SEED) is None
