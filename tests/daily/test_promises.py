"""Seeds, promises, and what is published in the end."""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import json
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from app.daily import repository
from app.daily.days import settled_ms
from app.daily.model import Deal
from app.daily.preparing import DealPreparation, commitment, fresh_deal
from app.daily.record import document
from app.db.engine import Database
from app.db.migrate import upgrade
from app.engine.ruleset import Ruleset
from app.engine.shuffle import deck_of_seed, new_seed
from app.errors import DealNotFoundError, NotReadyError
from app.rulesets import RULESETS
from app.rulesets.bristol import BRISTOL
from tests.support.dailies import DAY, HOUR, MINUTE, Club, at, winning_line

SCRIPT = Path(__file__).parents[2] / "static" / "verify_daily.py"
Record = dict[str, Any]
WEEK = [DAY + timedelta(days=n) for n in range(8)]


def load_script():
    rules = importlib.util.spec_from_file_location("verify_daily", SCRIPT)
    assert rules
    assert rules.loader
    module = importlib.util.module_from_spec(rules)
    rules.loader.exec_module(module)
    return module


async def all_deals(club: Club) -> list[Deal]:
    return await club.database.read(lambda c: repository.deals_between(c, WEEK[0], WEEK[-1]))


def test_a_commitment_is_the_hash_that_the_page_describes():
    seed = bytes(range(32))
    text = b"fairdeal/daily/1/signora/2026-03-10/" + seed
    assert commitment("signora", DAY, seed) == hashlib.sha256(text).hexdigest()


def test_a_promise_for_one_game_and_day_is_none_for_another():
    seed = bytes(32)
    made = {commitment(game, day, seed) for game in ("bristol", "signora") for day in WEEK}
    assert len(made) == 16


def test_a_seed_has_32_bytes():
    with pytest.raises(ValueError, match="32 bytes"):
        commitment("bristol", DAY, b"short")


def test_seeds_come_from_nothing_but_chance():
    drawn = {fresh_deal(BRISTOL, DAY, 0).seed for _ in range(100)}
    assert len(drawn) == 100
    assert {len(seed) for seed in drawn} == {32}


@pytest.mark.anyio
async def test_the_coming_seven_days_are_made_once(club: Club):
    jobs = [DealPreparation(club.database, club.clock) for _ in range(3)]
    await asyncio.gather(*(job.run() for job in jobs))
    made = await all_deals(club)
    assert {(deal.day, deal.ruleset) for deal in made} == {
        (d, s.id) for d in WEEK for s in RULESETS
    }
    assert len({deal.seed for deal in made}) == len(made)
    await jobs[0].run()
    assert await all_deals(club) == made


@pytest.mark.anyio
async def test_todays_deals_are_there_even_if_nobody_has_made_them(club: Club):
    today = await club.service.today(None)
    again = await club.another_process().service.today(None)
    assert [player_deal.rules.id for player_deal in today.player_deals] == [
        rules.id for rules in RULESETS
    ]
    assert [o.deal.seed for o in today.player_deals] == [o.deal.seed for o in again.player_deals]


class Drawn:
    """Seeds as the stock would give them; of the games in ``barren`` none can be proven."""

    def __init__(self, *barren: str, proves: bool | None = True) -> None:
        self.barren = set(barren)
        self.proves = proves
        self.given: list[tuple[str, bytes, bool]] = []
        self.busy = asyncio.Event()

    async def draw(self, rules: Ruleset, *, awaited: bool) -> bytes | None:
        self.busy.set()
        await asyncio.sleep(0)
        if rules.id in self.barren:
            return None
        self.given.append((rules.id, new_seed(), awaited))
        return self.given[-1][1]

    async def is_proven(self, _spec: Ruleset, _seed: bytes) -> bool | None:
        return self.proves


@pytest.mark.anyio
async def test_only_proven_deals_are_promised_and_today_comes_first(club: Club):
    seeds = Drawn()
    assert await DealPreparation(club.database, club.clock, seeds).run() == 0
    made = {(deal.day, deal.ruleset): deal for deal in await all_deals(club)}
    assert len(made) == 8 * len(RULESETS)
    given = iter(seeds.given)
    for day in WEEK:
        for rules in RULESETS:
            if (day, rules) != (DAY, BRISTOL):  # the fixture has made that one
                ruleset, seed, awaited = next(given)
                assert (ruleset, awaited) == (rules.id, day == DAY)
                assert made[day, ruleset].seed == seed
                assert made[day, ruleset].verified is True


@pytest.mark.anyio
async def test_what_cannot_be_proven_is_not_promised_and_holds_nobody_up(club: Club):
    seeds = Drawn("signora", "terrace")
    assert await DealPreparation(club.database, club.clock, seeds).run() == 16
    made = await all_deals(club)
    assert {deal.ruleset for deal in made} == {rules.id for rules in RULESETS} - {
        "signora",
        "terrace",
    }
    seeds.barren.clear()  # later
    assert await DealPreparation(club.database, club.clock, seeds).run() == 0
    assert len(await all_deals(club)) == 8 * len(RULESETS)


@pytest.mark.anyio
async def test_who_lost_the_lease_over_a_long_proof_promises_nothing_more(club: Club):
    class Slow(Drawn):
        async def draw(self, rules: Ruleset, *, awaited: bool) -> bytes | None:
            club.clock.turn(10 * MINUTE)
            await DealPreparation(club.database, club.clock)._hold()  # somebody took over
            return await super().draw(rules, awaited=awaited)

    slow = Slow()
    await DealPreparation(club.database, club.clock, slow).run()
    assert len(slow.given) == 1
    assert [deal.ruleset for deal in await all_deals(club)] == ["bristol"]  # the fixture's


@pytest.mark.anyio
async def test_of_two_processes_one_prepares(club: Club):
    first, second = Drawn(), Drawn()
    working = asyncio.create_task(DealPreparation(club.database, club.clock, first).run())
    await first.busy.wait()
    await DealPreparation(club.database, club.clock, second).run()
    await working
    assert not second.given
    assert first.given
    assert len(await all_deals(club)) == 8 * len(RULESETS)


@pytest.mark.anyio
async def test_a_promised_deal_stays_whatever_the_solver_says(club: Club):
    await DealPreparation(club.database, club.clock).run()
    before = await all_deals(club)
    await DealPreparation(club.database, club.clock, Drawn(proves=None)).run()
    assert await all_deals(club) == before
    await DealPreparation(club.database, club.clock, Drawn(proves=True)).run()
    assert await all_deals(club) == [replace(deal, verified=True) for deal in before]


@pytest.mark.anyio
async def test_a_deal_that_is_not_there_yet_can_be_seen_coming_and_not_be_begun(club: Club):
    strict = Club(club.database, club.clock, club.named, Drawn("signora"))
    today = await strict.service.today(None)
    assert [player_deal.rules.id for player_deal in today.player_deals] == ["bristol"]
    assert [rules.id for rules in today.missing] == [s.id for s in RULESETS if s is not BRISTOL]
    with pytest.raises(NotReadyError, match="Signora is being prepared"):
        await strict.begin("anna", "signora")
    with pytest.raises(NotReadyError):
        await strict.service.player_deal("anna", DAY, "signora")
    with pytest.raises(DealNotFoundError):
        await strict.service.player_deal("anna", DAY, "whist")
    assert len(await all_deals(club)) == 1

    # The request for the page has woken the task.
    strict.scheduler.start()
    for _ in range(200):
        today = await strict.service.today(None)
        if len(today.missing) == 1:
            break
        await asyncio.sleep(0.02)
    await strict.scheduler.close()
    assert [rules.id for rules in today.missing] == ["signora"]
    assert (await strict.begin("anna", "terrace")).rules.id == "terrace"


@pytest.fixture
async def published(sqlite_url: str):
    """The record of a closed day with three runs."""
    database = Database(sqlite_url)
    upgrade(database)
    club = Club(database)
    await club.welcome("anna", "ben")
    await club.welcome("gus", named=False)
    await club.deal_winnable()
    await club.solve("anna")
    await club.solve("gus", detours=1)
    late = await club.begin("ben")
    club.clock.now = at("01:59:59", DAY + timedelta(days=1))
    late = await club.act(late, *winning_line()[:2])
    club.clock.now = settled_ms(DAY)
    await club.closing.close(DAY)
    await club.act(late, "resign")  # after the day, so no part of the run
    deal = await club.service.closed_deal(DAY, "bristol")
    text = "".join([piece async for piece in document(database, deal)])
    await database.close()
    return json.loads(text)


@pytest.mark.anyio
async def test_the_script_finds_an_honest_day_honest(published: Record, tmp_path: Path):
    file = tmp_path / "record.json"
    file.write_text(json.dumps(published))
    checked = subprocess.run(  # noqa: ASYNC221 - nothing else waits
        [sys.executable, "-I", str(SCRIPT), str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout
    assert "3 runs, 2 solved, 0 removed" in checked.stdout


def test_the_script_deals_like_the_server():
    script = load_script()
    for decks in (1, 2):
        for seed in (bytes(32), bytes(range(32))):
            ours = [card.text for card in deck_of_seed(seed, decks)]
            assert script.deck_of(seed, decks) == ours


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("forge", "fault"),
    [
        (lambda doc: doc.update(seed="00" * 32), "the seed is not the one that was promised"),
        (lambda doc: doc.update(day="2026-03-11"), "the seed is not the one that was promised"),
        (lambda doc: doc["deck"].reverse(), "the deck does not follow from the seed"),
        (lambda doc: doc["runs"].pop(), "the record does not follow from the runs"),
        (lambda doc: doc["runs"][0]["moves"].pop(), "its moves or times are not what"),
        (lambda doc: doc["runs"][0]["moves"][0].__setitem__(0, 1), "its moves or times are not"),
        (lambda doc: doc["runs"][0].update(actions=1), "it took another number of actions"),
        (lambda doc: doc["runs"][0].update(seconds=1), "it took another time than its moves"),
        (lambda doc: doc.update(finish_by="2026-03-10T00:00:00Z"), "it ended too late"),
        (lambda doc: doc.update(closed="2026-03-10T00:00:00Z"), "it did not begin on that day"),
    ],
)
async def test_the_script_finds_what_was_changed(published: Record, forge, fault: str):
    script = load_script()
    doc = published
    assert script.check(doc) == []
    forge(doc)
    assert any(fault in found for found in script.check(doc)), script.check(doc)


@pytest.mark.anyio
async def test_a_promise_or_record_kept_from_before_cannot_be_exchanged(published: Record):
    script = load_script()
    doc = published
    assert script.check(doc, doc["commitment"].upper(), doc["record"]) == []
    assert script.check(doc, "0" * 64) == ["the promise is not the one that you saw"]
    assert script.check(doc, None, "0" * 64) == ["the record is not the one that you saw"]


def test_the_clock_of_the_tests_is_where_they_think():
    assert at("12:00") - at("11:00") == HOUR
