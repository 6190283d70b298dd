from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest
from sqlalchemy import update

from app.daily import closing as closing_module
from app.daily import repository
from app.daily.closing import ClosingInProgressError, DayClosing
from app.daily.days import finish_ms, settled_ms
from app.daily.model import Score, Verdict
from app.daily.record import record_of
from app.daily.verification import Run, Verification, check
from app.db.schema import daily_attempts
from app.errors import ConflictError, DealNotFoundError
from tests.support.dailies import DAY, HOUR, MINUTE, Club, winning_line

pytestmark = pytest.mark.anyio


async def find_dealt(club: Club, ruleset: str = "bristol"):
    found = await club.database.read(lambda c: repository.find_deal(c, DAY, ruleset))
    assert found
    return found


class Killed(BaseException):
    """What a process does not survive."""


class Mortal:
    """Replays some batches, then the process is killed."""

    def __init__(self, batches: int) -> None:
        self.left = batches
        self.seen: list[str] = []

    async def __call__(self, runs: Sequence[Run]) -> list[Verification]:
        if not self.left:
            raise Killed
        self.left -= 1
        self.seen += [run.game_id for run in runs]
        return check(runs)


async def five_runs(club: Club) -> None:
    await club.welcome("cy", "di")
    await club.solve("anna")
    await club.act(await club.begin("ben"), *winning_line()[:40])
    await club.act(await club.begin("cy"), "deal", "resign")
    await club.begin("di")
    await club.act(await club.begin("gus"), "deal")
    club.clock.now = settled_ms(DAY)


async def test_a_day_is_closed_only_after_its_last_attempts(club: Club):
    await club.solve("anna")
    club.clock.now = settled_ms(DAY) - 1
    assert await club.closing.due() == []
    with pytest.raises(ConflictError):
        await club.closing.close(DAY)
    club.clock.turn(1)
    assert await club.closing.due() == [DAY]


async def test_closing_ends_what_is_open_checks_everything_and_publishes(club: Club):
    await five_runs(club)
    report = await club.closing.close(DAY)
    assert (report.deals, report.runs, report.removed) == (8, 5, 0)
    deal = await find_dealt(club)
    assert deal.closed_ms == settled_ms(DAY)
    assert deal.record
    rows = (await club.results.unsolved(None, DAY, "bristol", None, 50)).rows
    assert rows[0].name == "Ben"
    assert {row.name for row in rows} == {"Ben", "Cy", "Di"}
    assert await club.closing.due() == []


async def test_closing_again_changes_nothing(club: Club):
    await five_runs(club)
    await club.closing.close(DAY)
    before = await find_dealt(club)
    club.clock.turn(HOUR)
    report = await club.closing.close(DAY)
    assert (report.deals, report.runs) == (0, 0)
    assert await find_dealt(club) == before


async def test_a_day_without_deals_is_not_found(club: Club):
    with pytest.raises(DealNotFoundError):
        await club.closing.close(DAY - timedelta(days=9))


async def test_days_are_closed_in_order_because_each_record_ties_in_the_one_before(club: Club):
    await club.solve("anna")
    next_day = DAY + timedelta(days=1)
    club.clock.turn(24 * HOUR)
    await club.service.today(None)
    club.clock.now = settled_ms(next_day)
    with pytest.raises(ConflictError, match="10 March 2026 has to be closed first"):
        await club.closing.close(next_day)
    assert await club.closing.due() == [DAY, next_day]
    for day in (DAY, next_day):
        await club.closing.close(day)
    first = await find_dealt(club)
    second = await club.database.read(lambda c: repository.find_deal(c, next_day, "bristol"))
    assert second
    assert second.record == record_of(second, first.record, [])


async def test_a_killed_closing_is_taken_up_where_it_stopped(club: Club, monkeypatch):
    monkeypatch.setattr(closing_module, "_RUNS_AT_ONCE", 2)
    await five_runs(club)
    mortal = Mortal(batches=1)
    with pytest.raises(Killed):
        await DayClosing(club.database, club.clock, mortal).close(DAY)
    assert len(mortal.seen) == 2
    assert not (await find_dealt(club)).is_closed

    heir = Mortal(batches=99)
    second = DayClosing(club.database, club.clock, heir)
    with pytest.raises(ClosingInProgressError):  # the dead one's lease has not run out
        await second.close(DAY)
    club.clock.turn(MINUTE)
    report = await second.close(DAY)
    assert report.runs == 3
    assert not set(heir.seen) & set(mortal.seen)
    assert (await find_dealt(club)).is_closed


async def test_of_two_processes_one_closes(club: Club):
    await five_runs(club)
    found = await asyncio.gather(
        *(
            twin.closing.close(DAY)
            for twin in (club, club.another_process(), club.another_process())
        ),
        return_exceptions=True,
    )
    reports = [one for one in found if not isinstance(one, BaseException)]
    assert sum(report.runs for report in reports) == 5
    assert sum(report.deals for report in reports) == 8
    assert all(
        isinstance(one, ClosingInProgressError) for one in found if isinstance(one, BaseException)
    )


async def test_who_was_ousted_writes_nothing_more(club: Club, monkeypatch):
    monkeypatch.setattr(closing_module, "_RUNS_AT_ONCE", 1)
    await five_runs(club)

    class Slow(Mortal):
        async def __call__(self, runs: Sequence[Run]) -> list[Verification]:
            club.clock.turn(2 * MINUTE)  # long enough for somebody to take over
            await DayClosing(club.database, club.clock)._write(DAY, lambda _c: None)
            return await super().__call__(runs)

    slow = Slow(batches=99)
    with pytest.raises(ClosingInProgressError):
        await DayClosing(club.database, club.clock, slow).close(DAY)
    assert len(slow.seen) < 5


async def test_a_result_that_its_moves_do_not_bear_out_is_removed_in_the_open(club: Club):
    anna, ben = await club.solve("anna"), await club.solve("ben", detours=3)
    forged = update(daily_attempts).where(daily_attempts.c.game_id == ben.id)
    await club.database.write(lambda c: c.execute(forged.values(actions=20)))
    club.clock.now = settled_ms(DAY)
    assert (await club.closing.close(DAY)).removed == 1
    rows = (await club.results.solved(None, DAY, "bristol", None, 50)).rows
    assert [row.attempt.game_id for row in rows] == [anna.id]
    [removed] = (await club.results.removed(None, DAY, "bristol", None, 50)).rows
    assert removed.name == "Ben"
    assert removed.attempt.reason == (
        "It was booked with 20 actions in 60 seconds, "
        f"but its moves say {len(winning_line()) + 6} actions in 60 seconds."
    )


async def test_a_claimed_win_without_the_moves_is_removed(club: Club):
    game = await club.act(await club.begin("ben"), *winning_line()[:-1])
    forged = update(daily_attempts).where(daily_attempts.c.game_id == game.id)
    values = {"verdict": "solved", "actions": 50, "seconds": 9, "cards_home": 52}
    await club.database.write(lambda c: c.execute(forged.values(values)))
    club.clock.now = settled_ms(DAY)
    await club.closing.close(DAY)
    attempt = await club.attempt(game.id)
    assert attempt.verdict is Verdict.REMOVED
    assert attempt.reason == "It was booked as solved, but its moves do not solve the deal."


async def test_the_first_visit_after_closing_time_closes_the_day(club: Club):
    await club.solve("anna")
    club.scheduler.start()
    try:
        await asyncio.sleep(0.05)
        assert not (await find_dealt(club)).is_closed
        club.schedule.wake_if_due()  # noon: the coming days are made
        await asyncio.sleep(0.3)
        club.clock.now = finish_ms(DAY)
        club.schedule.wake_if_due()
        await asyncio.sleep(0.2)
        assert not (await find_dealt(club)).is_closed
        club.clock.now = settled_ms(DAY)
        club.schedule.wake_if_due()
        for _ in range(100):
            await asyncio.sleep(0.05)
            if (await find_dealt(club)).is_closed:
                break
        assert (await find_dealt(club)).is_closed
    finally:
        await club.scheduler.close()


async def test_a_solved_run_keeps_its_place_through_closing(club: Club):
    game = await club.solve("anna", detours=2, seconds=75)
    club.clock.now = settled_ms(DAY)
    await club.closing.close(DAY)
    attempt = await club.attempt(game.id)
    assert attempt.score == Score(len(winning_line()) + 4, 75)
    assert attempt.verdict is Verdict.SOLVED
