"""What happens at a shared table in the same moment, twice, or after a month."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from app.db.engine import Database
from app.games.model import Status
from app.games.outcome import Result
from app.games.service import GameService
from app.pubsub.service import PubSub
from app.shared_tables.service import WAITS_MS, SharedTableService
from tests.golden.records import RECORDS
from tests.shared_tables.test_acting import apart, shared

pytestmark = pytest.mark.anyio

WON = min(
    (record for record in RECORDS if record.code and record.end == "won"),
    key=lambda record: len(record.moves),
)


async def test_two_tabs_of_one_seat_move_at_once(
    play: GameService, company: SharedTableService
) -> None:
    game = await shared(play, company, "ben")
    one, other = apart(game)
    same = await asyncio.gather(*(play.act(game.id, "ben", 0, one) for _ in range(2)))
    assert sorted(fate.result.name for fate in same) == ["ACCEPTED", "STALE"]
    assert all("Ben" not in fate.sentence for fate in same)
    # The second tab has not seen the move of the first, and what it means to move lies as it lay.
    assert (await play.act(game.id, "ben", 0, other)).result is Result.ACCEPTED
    assert [entry.action for entry in await play.events(game.id)] == [one, other]


async def test_the_move_that_wins_is_made_once_by_however_many(
    play: GameService, company: SharedTableService
) -> None:
    game = await play.start("anna", WON.ruleset, WON.code)
    await company.share(game.id, "anna")
    await company.sit((await company.company(game.id)).table.token, "ben")
    *line, last = WON.moves
    for version, move in enumerate(line):
        who = ("anna", "ben")[version % 2]
        assert (await play.act(game.id, who, version, move)).result is Result.ACCEPTED
    fates = await asyncio.gather(
        *(play.act(game.id, who, len(line), last) for who in ("anna", "ben", "anna", "ben"))
    )
    assert [fate.result for fate in fates].count(Result.ACCEPTED) == 1
    assert {fate.result for fate in fates} <= {Result.ACCEPTED, Result.OVER, Result.STALE}
    end = await play.load(game.id)
    assert (end.status, end.version) == (Status.WON, len(line) + 1)
    for who in ("anna", "ben"):
        (result,) = await company.results(who)
        assert (result.played, result.won) == (1, 1)


async def test_a_table_waits_for_thirty_days_and_can_be_taken_up_after_them(
    play: GameService, company: SharedTableService, database: Database
) -> None:
    game = await shared(play, company, "ben")
    await company.get_up(game.id, "anna")
    touched = (await play.load(game.id)).updated_ms + 60_000
    for late, is_waiting in ((touched + WAITS_MS - 120_000, True), (touched + WAITS_MS, False)):
        live = PubSub(database)
        later = SharedTableService(database, partial(int, late), live)
        waiting = [one.game_id for one in await later.waiting("ben", 6)]
        assert waiting == ([game.id] if is_waiting else [])
        await live.close()
    assert (await play.act(game.id, "ben", 0, "deal")).result is Result.ACCEPTED
