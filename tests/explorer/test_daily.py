"""The explorer of a daily deal: what it counts, from when on, and what it never counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from statistics import median

import pytest

from app.daily import result_recording
from app.daily.closing import DayClosing
from app.daily.model import NotClosedError, settled_ms
from app.daily.verification import AttemptToVerify, Verification
from app.errors import DealNotFoundError, IllegalMoveError, MalformedError, NotReadyError
from app.explorer import repository
from app.explorer.lines import KeptLine
from app.explorer.model import MAX_LINE
from app.jobs.queue import Failure, JobFailedError
from tests.explorer.conftest import Explorers
from tests.support.archives import TakenMonth
from tests.support.dailies import DAY, winning_moves

pytestmark = pytest.mark.anyio


async def play_three(explorers: Explorers) -> list[str]:
    """Anna and Ben win, Ben by the first two moves in another order; Cleo ends after one. Their games."""
    daily, moves = explorers.daily, winning_moves()
    anna = await daily.solve("anna", detours=2)
    ben = await daily.act(await daily.start("ben"), moves[1], moves[0], *moves[2:])
    cleo = await daily.act(await daily.start("cleo"), moves[1], "undo", moves[0], "resign")
    return [anna.id, ben.id, cleo.id]


async def test_the_games_of_a_closed_day_are_one_tree(explorers: Explorers):
    first, second, third, *_ = winning_moves()
    assert second != "deal"
    await play_three(explorers)
    await explorers.close_day()
    opening = await explorers.explore()
    lengths = {"anna": len(winning_moves()) + 4, "ben": len(winning_moves()), "cleo": 4}
    assert (opening.played.games, opening.played.won, opening.played.ended) == (3, 2, 0)
    by_first, by_second = opening.played.branches
    assert (by_first.action, by_first.games, by_first.won) == (first, 2, 1)
    assert by_first.median_actions == median([lengths["anna"], lengths["cleo"]])
    assert (by_second.action, by_second.games, by_second.won) == (second, 1, 1)
    assert by_second.median_actions == lengths["ben"]
    # What Cleo took back does not count, and where she resigned is an end.
    after = await explorers.explore(first)
    assert (after.played.games, after.played.ended) == (2, 1)
    assert [branch.action for branch in after.played.branches] == [second]
    # The two orders of the same moves meet.
    for line in (f"{first},{second}", f"{second},{first}"):
        met = (await explorers.explore(line)).played
        assert (met.games, met.won) == (2, 2)
        assert [(branch.action, branch.games) for branch in met.branches] == [(third, 2)]
    end = (await explorers.explore(",".join(winning_moves()))).played
    assert (end.games, end.ended, list(end.branches)) == (2, 2, [])


async def test_nothing_is_said_before_the_day_has_closed(explorers: Explorers):
    await play_three(explorers)
    for day_is_over in (False, True):
        if day_is_over:
            explorers.daily.clock.now = settled_ms(DAY)
        for viewer in (None, "anna", "dora"):
            for line in ("", winning_moves()[0], "t1-t1", "nonsense"):
                with pytest.raises(NotClosedError):
                    await explorers.explore(line, viewer)
    await explorers.merging.merge_closed_days()  # which finds none
    await explorers.daily.closing.close(DAY)
    with pytest.raises(NotReadyError):
        await explorers.explore()
    await explorers.merging.merge_closed_days()
    assert (await explorers.explore()).played.games == 3


async def test_a_hidden_game_disappears_and_comes_back(explorers: Explorers):
    anna, _, cleo = await play_three(explorers)
    write = explorers.daily.database.write
    await write(lambda connection: result_recording.hide(connection, cleo, "Because."))
    await explorers.close_day()
    await write(lambda connection: result_recording.hide(connection, anna, "Because."))
    assert (await explorers.explore()).played.games == 1
    met = (await explorers.explore(",".join(winning_moves()[:2]))).played
    assert (met.games, met.won) == (1, 1)
    for game_id in (anna, cleo):
        await write(partial(result_recording.restore, game_id=game_id))
    assert (await explorers.explore()).played.games == 3


async def test_games_that_are_judged_after_their_day_was_merged_count_from_then_on(
    explorers: Explorers,
):
    first, second, *_ = winning_moves()
    games = await play_three(explorers)
    await explorers.daily.act(await explorers.daily.start("dora"), first, second)
    write = explorers.daily.database.write
    await write(lambda connection: result_recording.hide(connection, games[2], "Because."))

    async def never(_attempts: Sequence[AttemptToVerify]) -> list[Verification]:
        raise JobFailedError(Failure.TOO_LONG)

    await explorers.close_day(DayClosing(explorers.daily.database, explorers.daily.clock, never))
    assert (await explorers.explore()).played.games == 0
    assert (await explorers.daily.closing.judge_set_aside(DAY)).attempts == 4
    await explorers.merging.merge_closed_days()  # which finds nothing to do
    opening = (await explorers.explore()).played
    assert (opening.games, opening.won) == (3, 2)
    met = (await explorers.explore(f"{first},{second}")).played
    assert (met.games, met.ended) == (3, 1)  # Dora's was never finished
    await write(partial(result_recording.restore, game_id=games[2]))
    assert (await explorers.explore()).played.games == 4


async def test_merging_goes_on_where_it_was_stopped_and_adds_no_game_twice(
    explorers: Explorers, monkeypatch: pytest.MonkeyPatch
):
    anna, *_ = await play_three(explorers)
    monkeypatch.setattr("app.explorer.merging._ACTIONS_AT_ONCE", 1)  # a game at a time
    run, calls = explorers.jobs.run, 0

    class Stopped(Exception):  # noqa: N818
        pass

    async def stop_at_the_second(work, **more):
        nonlocal calls
        calls += 1
        if calls == 2:
            raise Stopped
        return await run(work, **more)

    monkeypatch.setattr(explorers.jobs, "run", stop_at_the_second)
    with pytest.raises(Stopped):
        await explorers.close_day()
    with pytest.raises(NotReadyError):
        await explorers.explore()
    await explorers.merging.merge_closed_days()
    assert calls == 4
    assert (await explorers.explore()).played.games == 3
    # Another process that has traced the same game stores nothing.
    line = KeptLine(anna, 1, [(1, "deal")])
    await explorers.daily.database.write(
        lambda connection: repository.add_lines(connection, [line])
    )
    assert (await explorers.explore()).played.games == 3


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("t1-f9", MalformedError),
        ("undo", MalformedError),
        ("deal,,deal", MalformedError),
        (",".join(["deal"] * (MAX_LINE + 1)), MalformedError),
        ("t1-t1", IllegalMoveError),
    ],
)
async def test_lines_that_cannot_be_played_are_refused(explorers: Explorers, line, error):
    await explorers.close_day()
    with pytest.raises(error):
        await explorers.explore(line)
    with pytest.raises(DealNotFoundError):
        await explorers.service.explore_daily(None, DAY, "whist", line)


async def test_a_line_that_nobody_played_is_empty_and_costs_no_judgement(explorers: Explorers):
    await play_three(explorers)
    await explorers.close_day()
    explored = await explorers.explore("deal,deal", "anna")
    assert (explored.played.games, list(explored.played.branches), explored.chance) == (0, [], None)
    assert not explorers.jobs.done


async def test_the_chance_is_judged_once_a_player_asks_and_then_stored(explorers: Explorers):
    await play_three(explorers)
    await explorers.close_day()
    assert (await explorers.explore()).chance is None
    assert not explorers.jobs.done  # a robot starts no work
    assert (await explorers.explore("", "anna")).chance is None
    await explorers.settle()
    found = await explorers.explore()
    assert found.chances is not None
    assert set(found.chances) == set(map(str, found.actions))
    assert found.chance == max(found.chances.values())
    assert 0 < found.chance < 1
    assert len(explorers.jobs.done) == 1


async def test_days_of_an_archived_month_are_merged_once_it_is_put_back(explorers: Explorers):
    daily = explorers.daily
    await play_three(explorers)
    daily.clock.now = settled_ms(DAY)
    await daily.closing.close(DAY)
    month = TakenMonth(daily.database, daily.clock())
    await month.take_out()
    await explorers.merging.merge_closed_days()
    with pytest.raises(NotReadyError):
        await explorers.explore()
    await month.put_back()
    await explorers.merging.merge_closed_days()
    assert (await explorers.explore()).played.won == 2
