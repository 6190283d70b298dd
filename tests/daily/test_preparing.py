"""Commitments, and the preparation of proven deals."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Connection

from app.daily import repository
from app.daily.model import DailyDeal
from app.daily.preparing import DealPreparation, ProvenSeeds, commitment, new_deal
from app.db.engine import Database
from app.deals.service import DealStock
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed, new_seed
from app.errors import DealNotFoundError, NotReadyError
from app.jobs.queue import Failure, JobFailedError
from app.jobs.service import Jobs
from app.rulesets import DAILY_RULESETS
from app.rulesets.bristol import BRISTOL
from app.solver.solve import Budget, SearchOutcome, solve
from tests.support.dailies import DAY, MINUTE, WINNABLE_SEED, DailyServer
from tests.support.patience import PATIENCE
from tests.support.stocks import put, sealed_deal

WEEK = [DAY + timedelta(days=n) for n in range(8)]


async def all_deals(daily: DailyServer) -> list[DailyDeal]:
    return await daily.database.read(lambda c: repository.list_deals(c, WEEK[0], WEEK[-1]))


def test_the_commitment_is_the_documented_hash():
    seed = bytes(range(32))
    text = b"fairdeal/daily/1/signora/2026-03-10/" + seed
    assert commitment("signora", DAY, seed) == hashlib.sha256(text).hexdigest()


def test_commitments_differ_by_game_and_day():
    seed = bytes(32)
    made = {commitment(game, day, seed) for game in ("bristol", "signora") for day in WEEK}
    assert len(made) == 16


def test_a_seed_has_32_bytes():
    with pytest.raises(ValueError, match="32 bytes"):
        commitment("bristol", DAY, b"short")


def test_seeds_are_random():
    drawn = {new_deal(BRISTOL, DAY, 0).seed for _ in range(100)}
    assert len(drawn) == 100
    assert {len(seed) for seed in drawn} == {32}


@pytest.mark.anyio
async def test_the_next_seven_days_are_prepared_once(daily: DailyServer):
    jobs = [DealPreparation(daily.database, daily.clock) for _ in range(3)]
    await asyncio.gather(*(job.run() for job in jobs))
    made = await all_deals(daily)
    assert {(deal.day, deal.ruleset) for deal in made} == {
        (d, s.id) for d in WEEK for s in DAILY_RULESETS
    }
    assert len({deal.seed for deal in made}) == len(made)
    await jobs[0].run()
    assert await all_deals(daily) == made


@pytest.mark.anyio
async def test_without_a_search_for_proofs_all_deals_are_made_in_one_write(
    daily: DailyServer, monkeypatch: pytest.MonkeyPatch
):
    written: list[int] = []
    add = repository.add_deals

    def count(connection: Connection, deals: Sequence[DailyDeal]) -> None:
        written.append(len(deals))
        add(connection, deals)

    monkeypatch.setattr(repository, "add_deals", count)
    there = len(await all_deals(daily))
    await DealPreparation(daily.database, daily.clock).run()
    assert written == [len(WEEK) * len(DAILY_RULESETS) - there]


@pytest.mark.anyio
async def test_missing_deals_of_today_are_made_on_request_in_development(daily: DailyServer):
    today = await daily.service.today(None)
    again = await daily.another_process().service.today(None)
    assert [player_deal.rules.id for player_deal in today.player_deals] == [
        rules.id for rules in DAILY_RULESETS
    ]
    assert [o.deal.seed for o in today.player_deals] == [o.deal.seed for o in again.player_deals]


class FakeSeeds:
    """Random seeds. ``unprovable`` are the rule sets for which no deal can be proven."""

    def __init__(self, *unprovable: str, proves: bool | None = True) -> None:
        self.unprovable = set(unprovable)
        self.proves = proves
        self.given: list[tuple[str, bytes, bool]] = []
        self.is_drawing = asyncio.Event()

    async def draw(self, rules: Ruleset, *, is_urgent: bool) -> bytes | None:
        self.is_drawing.set()
        await asyncio.sleep(0)
        if rules.id in self.unprovable:
            return None
        self.given.append((rules.id, new_seed(), is_urgent))
        return self.given[-1][1]

    async def is_proven(self, _rules: Ruleset, _seed: bytes) -> bool | None:
        return self.proves


@pytest.mark.anyio
async def test_only_proven_deals_are_used_and_today_comes_first(daily: DailyServer):
    seeds = FakeSeeds()
    assert await DealPreparation(daily.database, daily.clock, seeds).run() == 0
    made = {(deal.day, deal.ruleset): deal for deal in await all_deals(daily)}
    assert len(made) == 8 * len(DAILY_RULESETS)
    given = iter(seeds.given)
    for day in WEEK:
        for rules in DAILY_RULESETS:
            if (day, rules) != (DAY, BRISTOL):  # made by the fixture
                ruleset, seed, is_urgent = next(given)
                assert (ruleset, is_urgent) == (rules.id, day == DAY)
                assert made[day, ruleset].seed == seed
                assert made[day, ruleset].verified is True


@pytest.mark.anyio
async def test_an_unprovable_rule_set_does_not_delay_the_others(daily: DailyServer):
    seeds = FakeSeeds("signora", "terrace")
    assert await DealPreparation(daily.database, daily.clock, seeds).run() == 16
    made = await all_deals(daily)
    assert {deal.ruleset for deal in made} == {rules.id for rules in DAILY_RULESETS} - {
        "signora",
        "terrace",
    }
    seeds.unprovable.clear()  # later
    assert await DealPreparation(daily.database, daily.clock, seeds).run() == 0
    assert len(await all_deals(daily)) == 8 * len(DAILY_RULESETS)


@pytest.mark.anyio
async def test_a_process_that_lost_its_lease_during_a_proof_stores_nothing(daily: DailyServer):
    class Slow(FakeSeeds):
        async def draw(self, rules: Ruleset, *, is_urgent: bool) -> bytes | None:
            daily.clock.advance(10 * MINUTE)
            another = DealPreparation(daily.database, daily.clock)
            await another._lease.hold()  # it takes over
            return await super().draw(rules, is_urgent=is_urgent)

    slow = Slow()
    await DealPreparation(daily.database, daily.clock, slow).run()
    assert len(slow.given) == 1
    assert [deal.ruleset for deal in await all_deals(daily)] == ["bristol"]  # the fixture's


@pytest.mark.anyio
async def test_of_two_processes_one_prepares(daily: DailyServer):
    first, second = FakeSeeds(), FakeSeeds()
    working = asyncio.create_task(DealPreparation(daily.database, daily.clock, first).run())
    await first.is_drawing.wait()
    await DealPreparation(daily.database, daily.clock, second).run()
    await working
    assert not second.given
    assert first.given
    assert len(await all_deals(daily)) == 8 * len(DAILY_RULESETS)


@pytest.mark.anyio
async def test_a_deal_with_a_commitment_is_never_replaced(daily: DailyServer):
    await DealPreparation(daily.database, daily.clock).run()
    before = await all_deals(daily)
    await DealPreparation(daily.database, daily.clock, FakeSeeds(proves=None)).run()
    assert await all_deals(daily) == before
    await DealPreparation(daily.database, daily.clock, FakeSeeds(proves=True)).run()
    assert await all_deals(daily) == [replace(deal, verified=True) for deal in before]


@pytest.mark.anyio
async def test_a_missing_deal_is_announced_and_cannot_be_started(daily: DailyServer):
    strict = DailyServer(daily.database, daily.clock, daily.named, FakeSeeds("signora"))
    today = await strict.service.today(None)
    assert [player_deal.rules.id for player_deal in today.player_deals] == ["bristol"]
    assert [rules.id for rules in today.missing] == [
        s.id for s in DAILY_RULESETS if s is not BRISTOL
    ]
    with pytest.raises(NotReadyError, match="Signora is being prepared"):
        await strict.start("anna", "signora")
    with pytest.raises(NotReadyError):
        await strict.service.find_deal("anna", DAY, "signora")
    with pytest.raises(DealNotFoundError):
        await strict.service.find_deal("anna", DAY, "whist")
    assert len(await all_deals(daily)) == 1

    # The request for the page has woken the task.
    strict.scheduler.start()
    async with asyncio.timeout(PATIENCE):
        while len((today := await strict.service.today(None)).missing) != 1:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    await strict.scheduler.close()
    assert [rules.id for rules in today.missing] == ["signora"]
    assert (await strict.start("anna", "terrace")).rules.id == "terrace"


@pytest.mark.anyio
async def test_to_ask_for_a_missing_deal_alone_wakes_the_preparation(daily: DailyServer):
    """A client may start a deal without having asked for today's list."""
    strict = DailyServer(daily.database, daily.clock, daily.named, FakeSeeds())
    strict.scheduler.start()
    with pytest.raises(NotReadyError):
        await strict.start("anna", "signora")
    async with asyncio.timeout(PATIENCE):
        while len(await all_deals(daily)) != 8 * len(DAILY_RULESETS):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    await strict.scheduler.close()
    assert (await strict.start("anna", "signora")).rules.id == "signora"


@pytest.mark.anyio
async def test_seeds_come_from_the_stock_or_a_new_proof(database: Database):
    jobs = Jobs()
    seeds = ProvenSeeds(DealStock(database, jobs, lambda: 0, PATIENCE))
    await put(database, sealed_deal(BRISTOL, WINNABLE_SEED))
    assert await seeds.draw(BRISTOL, is_urgent=True) == WINNABLE_SEED
    fresh = await seeds.draw(BRISTOL, is_urgent=True)
    assert fresh
    assert fresh != WINNABLE_SEED
    proof = solve(BRISTOL, deck_of_seed(fresh, 1), Budget(positions=2_000_000))
    assert proof.outcome is SearchOutcome.WON
    assert await seeds.is_proven(BRISTOL, WINNABLE_SEED)
    await jobs.close()


@pytest.mark.anyio
async def test_a_proof_that_always_fails_does_not_stop_the_preparation(
    daily: DailyServer, monkeypatch: pytest.MonkeyPatch
):
    async def fail(*_: object, **_limits: object) -> None:
        raise JobFailedError(Failure.KILLED)

    monkeypatch.setattr(Jobs, "run", fail)
    await DealPreparation(daily.database, daily.clock).run()  # without proofs
    stock = DealStock(daily.database, Jobs(), lambda: 0, PATIENCE)
    daily.clock.advance(24 * 60 * MINUTE)
    missing = await DealPreparation(daily.database, daily.clock, ProvenSeeds(stock)).run()
    assert missing == len(DAILY_RULESETS)  # those of the last day were tried, too
    assert {deal.verified for deal in await all_deals(daily)} == {None}


@pytest.mark.anyio
async def test_without_a_solver_only_the_stock_has_seeds(database: Database):
    seeds = ProvenSeeds(DealStock(database, Jobs(), lambda: 0, 0))
    await put(database, sealed_deal(BRISTOL, "a"))
    assert await seeds.draw(BRISTOL, is_urgent=True)
    assert await seeds.draw(BRISTOL, is_urgent=True) is None
    assert await seeds.is_proven(BRISTOL, WINNABLE_SEED) is None
