from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date, timedelta

import pytest
from sqlalchemy import update

from app.daily import closing as closing_module
from app.daily import repository
from app.daily.closing import ClosingInProgressError, DayClosing
from app.daily.leaderboard import ResultList
from app.daily.model import Score, finish_ms, settled_ms
from app.daily.published_record import hash_record
from app.daily.verification import AttemptToVerify, Verification, verify_attempts
from app.db.schema import daily_attempts
from app.errors import ConflictError, DealNotFoundError
from app.games.attempt_verdicts import AttemptVerdict
from app.rulesets import DAILY_RULESETS
from tests.support.dailies import DAY, HOUR, MINUTE, DailyServer, winning_moves
from tests.support.patience import PATIENCE, until

pytestmark = pytest.mark.anyio


async def find_deal(daily: DailyServer, ruleset: str = "bristol"):
    found = await daily.database.read(lambda c: repository.find_deal(c, DAY, ruleset))
    assert found
    return found


class Killed(BaseException):
    """The end of a process."""


class CrashingVerifier:
    """Verifies some batches, then the process is killed."""

    def __init__(self, batches: int) -> None:
        self.left = batches
        self.verified: list[str] = []

    async def __call__(self, attempts: Sequence[AttemptToVerify]) -> list[Verification]:
        if not self.left:
            raise Killed
        self.left -= 1
        self.verified += [one.game_id for one in attempts]
        return verify_attempts(attempts)


async def play_five_runs(daily: DailyServer) -> None:
    await daily.add_players("cy", "di")
    await daily.solve("anna")
    await daily.act(await daily.start("ben"), *winning_moves()[:40])
    await daily.act(await daily.start("cy"), "deal", "resign")
    await daily.start("di")
    await daily.act(await daily.start("gus"), "deal")
    daily.clock.now = settled_ms(DAY)


async def test_a_day_is_closed_only_after_its_last_attempts(daily: DailyServer):
    await daily.solve("anna")
    daily.clock.now = settled_ms(DAY) - 1
    assert await daily.closing.list_due_days() == []
    with pytest.raises(ConflictError):
        await daily.closing.close(DAY)
    daily.clock.advance(1)
    assert await daily.closing.list_due_days() == [DAY]


async def test_closing_ends_open_attempts_and_verifies_all_attempts(daily: DailyServer):
    await play_five_runs(daily)
    report = await daily.closing.close(DAY)
    assert (report.deals, report.attempts, report.removed) == (len(DAILY_RULESETS), 5, 0)
    deal = await find_deal(daily)
    assert deal.closed_ms == settled_ms(DAY)
    assert deal.record
    rows = await daily.list_results(None, ResultList.UNSOLVED)
    assert rows[0].name == "Ben"
    assert {row.name for row in rows} == {"Ben", "Cy", "Di"}
    assert await daily.closing.list_due_days() == []


async def test_closing_again_changes_nothing(daily: DailyServer):
    await play_five_runs(daily)
    await daily.closing.close(DAY)
    before = await find_deal(daily)
    daily.clock.advance(HOUR)
    report = await daily.closing.close(DAY)
    assert (report.deals, report.attempts) == (0, 0)
    assert await find_deal(daily) == before


async def test_a_day_without_deals_is_not_found(daily: DailyServer):
    with pytest.raises(DealNotFoundError):
        await daily.closing.close(DAY - timedelta(days=9))


async def test_days_are_closed_in_order_because_records_are_chained(daily: DailyServer):
    await daily.solve("anna")
    next_day = DAY + timedelta(days=1)
    daily.clock.advance(24 * HOUR)
    await daily.service.today(None)
    daily.clock.now = settled_ms(next_day)
    with pytest.raises(ConflictError, match="Close 10 March 2026 first"):
        await daily.closing.close(next_day)
    assert await daily.closing.list_due_days() == [DAY, next_day]
    for day in (DAY, next_day):
        await daily.closing.close(day)
    first = await find_deal(daily)
    second = await daily.database.read(lambda c: repository.find_deal(c, next_day, "bristol"))
    assert second
    assert second.record == hash_record(second, first.record, [])


async def test_another_process_continues_after_a_crash(daily: DailyServer, monkeypatch):
    monkeypatch.setattr(closing_module, "_ATTEMPTS_AT_ONCE", 2)
    await play_five_runs(daily)
    crashing = CrashingVerifier(batches=1)
    with pytest.raises(Killed):
        await DayClosing(daily.database, daily.clock, crashing).close(DAY)
    assert len(crashing.verified) == 2
    assert not (await find_deal(daily)).is_closed

    successor = CrashingVerifier(batches=99)
    second = DayClosing(daily.database, daily.clock, successor)
    with pytest.raises(ClosingInProgressError):  # the lease of the killed process has not run out
        await second.close(DAY)
    daily.clock.advance(3 * MINUTE)
    report = await second.close(DAY)
    assert report.attempts == 3
    assert not set(successor.verified) & set(crashing.verified)
    assert (await find_deal(daily)).is_closed


async def test_of_two_processes_one_closes(daily: DailyServer):
    await play_five_runs(daily)
    found = await asyncio.gather(
        *(
            server.closing.close(DAY)
            for server in (daily, daily.another_process(), daily.another_process())
        ),
        return_exceptions=True,
    )
    reports = [one for one in found if not isinstance(one, BaseException)]
    assert sum(report.attempts for report in reports) == 5
    assert sum(report.deals for report in reports) == len(DAILY_RULESETS)
    assert all(
        isinstance(one, ClosingInProgressError) for one in found if isinstance(one, BaseException)
    )


async def test_a_process_that_lost_its_lease_writes_nothing(daily: DailyServer, monkeypatch):
    monkeypatch.setattr(closing_module, "_ATTEMPTS_AT_ONCE", 1)
    await play_five_runs(daily)

    class Slow(CrashingVerifier):
        async def __call__(self, attempts: Sequence[AttemptToVerify]) -> list[Verification]:
            daily.clock.advance(4 * MINUTE)  # longer than the lease
            assert await DayClosing(daily.database, daily.clock)._lease(DAY).hold()
            return await super().__call__(attempts)

    slow = Slow(batches=99)
    with pytest.raises(ClosingInProgressError):
        await DayClosing(daily.database, daily.clock, slow).close(DAY)
    assert len(slow.verified) < 5


async def test_a_result_that_contradicts_its_moves_is_removed_with_a_reason(daily: DailyServer):
    anna, ben = await daily.solve("anna"), await daily.solve("ben", detours=3)
    forged = update(daily_attempts).where(daily_attempts.c.game_id == ben.id)
    await daily.database.write(lambda c: c.execute(forged.values(actions=20)))
    daily.clock.now = settled_ms(DAY)
    assert (await daily.closing.close(DAY)).removed == 1
    rows = await daily.list_results(None)
    assert [row.attempt.game_id for row in rows] == [anna.id]
    [removed] = await daily.list_results(None, ResultList.REMOVED)
    assert removed.name == "Ben"
    assert removed.attempt.reason == (
        "It was booked with 20 actions in 60 seconds, "
        f"but its moves say {len(winning_moves()) + 6} actions in 60 seconds."
    )


async def test_a_claimed_win_without_the_moves_is_removed(daily: DailyServer):
    game = await daily.act(await daily.start("ben"), *winning_moves()[:-1])
    forged = update(daily_attempts).where(daily_attempts.c.game_id == game.id)
    values = {"verdict": "solved", "actions": 50, "seconds": 9, "cards_home": 52}
    await daily.database.write(lambda c: c.execute(forged.values(values)))
    daily.clock.now = settled_ms(DAY)
    await daily.closing.close(DAY)
    attempt = await daily.find_attempt(game.id)
    assert attempt.verdict is AttemptVerdict.REMOVED
    assert attempt.reason == "It was booked as solved, but its moves do not solve the deal."


async def test_the_first_request_after_the_deadline_closes_the_day(
    daily: DailyServer, monkeypatch: pytest.MonkeyPatch
):
    await daily.solve("anna")
    due: list[list[date]] = []
    list_due_days = daily.closing.list_due_days

    async def noted() -> list[date]:
        due.append(await list_due_days())
        return due[-1]

    monkeypatch.setattr(daily.closing, "list_due_days", noted)
    daily.scheduler.start()
    try:
        daily.schedule.wake_if_due()  # at noon: prepares the next days
        await until(lambda: len(due) == 1)
        daily.clock.now = finish_ms(DAY)
        daily.schedule.wake_if_due()
        await until(lambda: len(due) == 2)
        assert due == [[], []]
        assert not (await find_deal(daily)).is_closed
        daily.clock.now = settled_ms(DAY)
        daily.schedule.wake_if_due()
        await until(lambda: len(due) == 3)
        assert due[-1] == [DAY]
        async with asyncio.timeout(PATIENCE):
            while not (await find_deal(daily)).is_closed:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    finally:
        await daily.scheduler.close()


async def test_closing_keeps_the_score_of_a_solved_attempt(daily: DailyServer):
    game = await daily.solve("anna", detours=2, seconds=75)
    daily.clock.now = settled_ms(DAY)
    await daily.closing.close(DAY)
    attempt = await daily.find_attempt(game.id)
    assert attempt.score == Score(len(winning_moves()) + 4, 75)
    assert attempt.verdict is AttemptVerdict.SOLVED


async def test_after_an_error_closing_can_be_tried_again_at_once(daily: DailyServer):
    await play_five_runs(daily)

    async def fail(_attempts: Sequence[AttemptToVerify]) -> list[Verification]:
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        await DayClosing(daily.database, daily.clock, fail).close(DAY)
    assert (await DayClosing(daily.database, daily.clock).close(DAY)).attempts == 5
