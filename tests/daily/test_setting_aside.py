"""A day always closes: an attempt that cannot be judged in time is set aside with a reason, and judged later."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from sqlalchemy import select, update

from app.daily import attempt_logs, published_record, repository, verification
from app.daily import closing as closing_module
from app.daily.attempt_logs import GameLength, take_portion
from app.daily.closing import DayClosing, verify_in_worker
from app.daily.leaderboard import ResultList
from app.daily.model import settled_ms
from app.daily.result_recording import hide, restore
from app.daily.setting_aside import SetAside
from app.daily.verification import AttemptToVerify, Verification, verify_attempts
from app.db.schema import daily_attempts
from app.errors import ConflictError
from app.games.archived import ArchivedError
from app.games.attempt_verdicts import AttemptVerdict
from app.jobs.queue import Failure, JobFailedError
from app.jobs.service import Jobs
from app.rulesets import DAILY_RULESETS
from tests.daily.test_published_record import load_script
from tests.support.archives import TakenMonth
from tests.support.dailies import DAY, DailyServer, winning_moves

pytestmark = pytest.mark.anyio

NEXT_DAY = DAY + timedelta(days=1)


class TimesOut:
    """Verifies attempts, but not in time if a certain one is among them."""

    def __init__(self, *endless: str, failure: Failure | None = Failure.TOO_LONG) -> None:
        self.endless = set(endless)
        self.failure = failure
        self.portions: list[list[int]] = []

    async def __call__(self, attempts: Sequence[AttemptToVerify]) -> list[Verification]:
        self.portions.append([len(one.events) for one in attempts])
        if any(one.game_id in self.endless for one in attempts):
            raise JobFailedError(self.failure)
        return verify_attempts(attempts)


async def read_record(daily: DailyServer, day: date = DAY) -> dict[str, Any]:
    deal = await daily.database.read(lambda c: repository.find_deal(c, day, "bristol"))
    assert deal
    pieces = [piece async for piece in published_record.stream_record(daily.database, deal)]
    record: dict[str, Any] = json.loads("".join(pieces))
    return record


@pytest.mark.parametrize("failure", list(Failure))
async def test_an_attempt_that_times_out_is_set_aside_and_the_day_and_the_next_one_close(
    daily: DailyServer, failure: Failure
):
    anna, ben = await daily.solve("anna"), await daily.solve("ben", detours=3)
    daily.clock.advance(24 * 3_600_000)
    await daily.start("anna")
    verify = TimesOut(ben.id, failure=failure)
    closing = DayClosing(daily.database, daily.clock, verify)
    daily.clock.now = settled_ms(DAY)
    report = await closing.close(DAY)
    assert (report.deals, report.attempts, report.removed, report.set_aside) == (
        len(DAILY_RULESETS),
        1,
        0,
        1,
    )
    daily.clock.now = settled_ms(NEXT_DAY)
    assert (await closing.close(NEXT_DAY)).attempts == 1
    assert await closing.list_due_days() == []

    assert [row.attempt.game_id for row in await daily.list_results(None)] == [anna.id]
    attempt = await daily.find_attempt(ben.id)
    length = len(winning_moves()) + 6
    reason = f"It could not be replayed when the day closed: it has {length} actions. It can still be judged."
    assert (attempt.verdict, attempt.reason) == (AttemptVerdict.SET_ASIDE, reason)
    deal = await daily.results.find_deal("ben", DAY, "bristol")
    assert deal.standing is None
    for which in (ResultList.UNSOLVED, ResultList.REMOVED):
        assert await daily.list_results(None, which) == []


async def test_a_real_job_that_takes_too_long_is_set_aside(daily: DailyServer, monkeypatch):
    game = await daily.solve("anna")
    daily.clock.now = settled_ms(DAY)
    monkeypatch.setattr(closing_module, "_VERIFY_SECONDS", 0.2)
    monkeypatch.setattr(closing_module, "verify_attempts", _sleep)
    jobs = Jobs(1)
    try:
        closing = DayClosing(daily.database, daily.clock, verify_in_worker(jobs))
        assert (await closing.close(DAY)).set_aside == 1
    finally:
        await jobs.close()
    assert (await daily.find_attempt(game.id)).verdict is AttemptVerdict.SET_ASIDE


def _sleep(attempts: Sequence[AttemptToVerify]) -> list[Verification]:
    time.sleep(60)
    return verify_attempts(attempts)


async def test_a_server_that_stops_sets_nothing_aside(daily: DailyServer):
    game = await daily.solve("anna")
    daily.clock.now = settled_ms(DAY)
    with pytest.raises(JobFailedError):
        await DayClosing(daily.database, daily.clock, TimesOut(game.id, failure=None)).close(DAY)
    assert (await daily.find_attempt(game.id)).verdict is AttemptVerdict.SOLVED


def test_portions_are_bounded_by_actions():
    lengths = [GameLength(str(n), actions) for n, actions in enumerate([3, 4, 3, 11, 1, 9, 1])]
    taken = []
    while portion := take_portion(lengths, 10):
        taken.append([length.actions for length in portion])
        lengths = lengths[len(portion) :]
    assert taken == [[3, 4, 3], [11], [1, 9], [1]]


async def test_closing_verifies_portions_of_bounded_length(daily: DailyServer, monkeypatch):
    monkeypatch.setattr(closing_module, "_ACTIONS_AT_ONCE", 50)
    await daily.add_players(*(f"p{number}" for number in range(7)))
    for number in range(7):
        await daily.act(await daily.start(f"p{number}"), "deal", *["resign"][: number % 2])
    await daily.solve("anna")
    daily.clock.now = settled_ms(DAY)
    verify = TimesOut()
    report = await DayClosing(daily.database, daily.clock, verify).close(DAY)
    assert report.attempts == 8
    long = len(winning_moves())
    assert long > 50
    assert [long] in verify.portions
    assert all(sum(portion) <= 50 for portion in verify.portions if portion != [long])


async def test_an_attempt_of_absurd_length_is_set_aside_without_reading_it_at_once(
    daily: DailyServer, monkeypatch
):
    monkeypatch.setattr(attempt_logs, "_EVENTS_AT_ONCE", 7)
    for module in (closing_module, published_record):
        monkeypatch.setattr(module, "_ACTIONS_AT_ONCE", 20)
    await daily.solve("ben", detours=2)
    short = await daily.act(await daily.start("anna"), "deal")
    daily.clock.now = settled_ms(DAY)
    verify = TimesOut()
    report = await DayClosing(daily.database, daily.clock, verify, most_actions=20).close(DAY)
    assert (report.attempts, report.set_aside, verify.portions) == (1, 1, [[1]])
    record = await read_record(daily)
    script = load_script()
    assert script.check(record) == []
    runs = {run["verdict"]: run for run in record["runs"]}
    assert runs["unsolved"]["id"] == short.id
    long = runs["set_aside"]
    assert long["reason"].startswith(f"It has {len(winning_moves()) + 4} actions, too many")
    assert len(long["moves"]) == len(winning_moves()) + 4
    long["moves"][3][0] += 1
    assert script.check(record) == [f"run {long['id']}: its moves or times do not match its hash"]


async def test_an_attempt_set_aside_is_judged_later_without_changing_the_record(daily: DailyServer):
    good, bad = await daily.solve("anna"), await daily.solve("ben", detours=3)
    await daily.act(await daily.start("gus"), "deal")
    forged = update(daily_attempts).where(daily_attempts.c.game_id == bad.id)
    await daily.database.write(lambda c: c.execute(forged.values(actions=20)))
    daily.clock.now = settled_ms(DAY)
    everything = await daily.database.read(
        lambda c: list(c.scalars(select(daily_attempts.c.game_id)))
    )
    report = await DayClosing(daily.database, daily.clock, TimesOut(*everything)).close(DAY)
    assert (report.attempts, report.set_aside) == (0, 3)
    before = await read_record(daily)
    judged = await daily.closing.judge_set_aside(DAY)
    assert (judged.attempts, judged.removed) == (3, 1)
    after = await read_record(daily)
    assert {run["verdict"] for run in before["runs"]} == {"set_aside"}
    assert sorted(run["verdict"] for run in after["runs"]) == ["removed", "solved", "unsolved"]
    assert before["record"] == after["record"]
    assert [run["digest"] for run in before["runs"]] == [run["digest"] for run in after["runs"]]
    assert load_script().check(after) == []
    [row] = await daily.list_results(None)
    assert (row.attempt.game_id, row.attempt.reason) == (good.id, None)
    assert (await daily.closing.judge_set_aside(DAY)).attempts == 0


async def test_a_hidden_attempt_that_is_set_aside_stays_hidden(daily: DailyServer):
    game = await daily.solve("anna")
    await daily.database.write(partial(hide, game_id=game.id, reason="Hidden."))
    daily.clock.now = settled_ms(DAY)
    await DayClosing(daily.database, daily.clock, TimesOut(game.id)).close(DAY)
    attempt = await daily.find_attempt(game.id)
    assert (attempt.verdict, attempt.stood) == (AttemptVerdict.HIDDEN, AttemptVerdict.SET_ASIDE)
    await daily.closing.judge_set_aside(DAY)
    attempt = await daily.find_attempt(game.id)
    assert (attempt.verdict, attempt.stood, attempt.reason) == (
        AttemptVerdict.HIDDEN,
        AttemptVerdict.SOLVED,
        "Hidden.",
    )
    await daily.database.write(partial(restore, game_id=game.id))
    assert len(await daily.list_results(None)) == 1


async def test_an_attempt_that_another_process_judged_meanwhile_is_not_set_aside(
    daily: DailyServer,
):
    game = await daily.solve("anna")
    found = SetAside(await daily.find_attempt(game.id))
    daily.clock.now = settled_ms(DAY)
    await daily.closing.close(DAY)
    judged = await daily.find_attempt(game.id)
    await daily.database.write(partial(found.store, reason="Too slow."))
    assert await daily.find_attempt(game.id) == judged
    assert judged.verdict is AttemptVerdict.SOLVED


async def test_runs_of_open_days_are_not_set_aside_by_judging(daily: DailyServer):
    await daily.solve("anna")
    assert (await daily.closing.judge_set_aside(DAY)).attempts == 0
    with pytest.raises(ConflictError):
        await daily.closing.close(DAY)


async def test_a_digest_in_parts_is_the_digest(daily: DailyServer):
    game = await daily.solve("anna")
    [recorded] = await daily.database.read(partial(attempt_logs.read_attempts, game_ids=[game.id]))
    parts = verification.AttemptDigest("bristol", DAY, game.id, game.started_ms)
    for start in range(0, len(recorded.events), 9):
        parts.add(recorded.events[start : start + 9])
    whole = verification.digest("bristol", DAY, game.id, game.started_ms, recorded.events)
    assert parts.hexdigest() == whole


async def test_all_attempts_set_aside_are_judged_however_many_there_are(
    daily: DailyServer, monkeypatch
):
    for name in ("anna", "ben", "gus"):
        await daily.act(await daily.start(name), "deal")
    daily.clock.now = settled_ms(DAY)
    everything = await daily.database.read(
        lambda c: list(c.scalars(select(daily_attempts.c.game_id)))
    )
    await DayClosing(daily.database, daily.clock, TimesOut(*everything)).close(DAY)
    monkeypatch.setattr(closing_module, "_SET_ASIDE_AT_ONCE", 2)
    assert (await daily.closing.judge_set_aside(DAY)).attempts == 3


async def test_nothing_is_judged_or_published_while_its_moves_are_in_an_archive(
    daily: DailyServer,
):
    game = await daily.solve("anna")
    month = TakenMonth(daily.database, daily.clock())
    await month.take_out()
    daily.clock.now = settled_ms(DAY)
    for closing in (daily.closing, DayClosing(daily.database, daily.clock, most_actions=1)):
        with pytest.raises(ArchivedError):
            await closing.close(DAY)
        assert (await daily.find_attempt(game.id)).verdict is AttemptVerdict.SOLVED
    await month.put_back()
    report = await DayClosing(daily.database, daily.clock, TimesOut(game.id)).close(DAY)
    assert report.set_aside == 1  # it was still to be judged
    before = await read_record(daily)
    await month.take_out()
    with pytest.raises(ArchivedError):
        await daily.closing.judge_set_aside(DAY)
    deal = await daily.service.find_closed_deal(DAY, "bristol")
    with pytest.raises(ArchivedError):
        await daily.database.read(partial(published_record.require_moves, deal=deal))
    with pytest.raises(ArchivedError):
        await read_record(daily)
    await month.put_back()
    await daily.database.read(partial(published_record.require_moves, deal=deal))
    assert await read_record(daily) == before
    assert (await daily.closing.judge_set_aside(DAY)).attempts == 1
    assert (await daily.find_attempt(game.id)).verdict is AttemptVerdict.SOLVED
