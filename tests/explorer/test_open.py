"""The explorer of an open deal: for those who have finished it, and without games that others may not watch."""

from __future__ import annotations

import pytest

from app.clock import DAY_MS
from app.errors import DealNotFoundError, IllegalMoveError
from app.explorer.model import Explored
from app.game_kinds import Audience
from app.games.model import Game
from app.sharing.model import UnfinishedDealError
from app.spectating import repository as spectating_repository
from tests.explorer.conftest import Explorers
from tests.support.archives import TakenMonth

pytestmark = pytest.mark.anyio

CODE = "A7KQ2-MXW4P"


async def play(explorers: Explorers, player: str, *actions: str) -> Game:
    game = await explorers.games.start(player, "bristol", CODE)
    for action in actions:
        outcome = await explorers.games.act(game.id, player, game.version, action)
        assert outcome.result.name == "ACCEPTED", outcome.sentence
        game = outcome.game
    return game


async def explore(explorers: Explorers, viewer: str | None, line: str = "") -> Explored:
    return (await explorers.service.explore_open(viewer, "bristol", CODE, line)).explored


async def test_only_those_who_have_finished_may_explore(explorers: Explorers):
    await play(explorers, "anna", "deal", "resign")
    await play(explorers, "ben", "deal")
    for viewer in (None, "ben", "cleo"):
        for line in ("", "deal", "t1-t1", "nonsense"):
            with pytest.raises(UnfinishedDealError):
                await explore(explorers, viewer, line)
    # What is still played does not count.
    assert (await explore(explorers, "anna")).played.games == 1
    with pytest.raises(IllegalMoveError):
        await explore(explorers, "anna", "t1-t1")
    with pytest.raises(DealNotFoundError):
        await explorers.service.explore_open("anna", "bristol", "nonsense", "")


async def test_games_that_end_later_are_merged_when_they_are_asked_for(explorers: Explorers):
    await play(explorers, "anna", "deal", "deal", "undo", "resign")
    found = await explore(explorers, "anna")
    (branch,) = found.played.branches
    assert (branch.action, branch.games, branch.median_actions, branch.median_moves) == (
        "deal",
        1,
        4,
        1,
    )
    assert (await explore(explorers, "anna", "deal")).played.ended == 1
    await play(explorers, "ben", "deal", "deal", "resign")
    assert (await explore(explorers, "anna")).played.games == 2
    after = (await explore(explorers, "anna", "deal")).played
    assert (after.ended, [(branch.action, branch.games) for branch in after.branches]) == (
        1,
        [("deal", 1)],
    )


async def test_games_that_others_may_not_watch_count_for_their_players_only(explorers: Explorers):
    await play(explorers, "anna", "deal", "resign")
    hidden = await play(explorers, "ben", "deal", "deal", "resign")
    shown = await play(explorers, "cleo", "resign")
    write = explorers.daily.database.write
    await write(
        lambda connection: spectating_repository.save_audience(
            connection, hidden.id, Audience.NOBODY, None
        )
    )
    owners = {hidden.id: "ben", shown.id: "cleo"}
    for viewer in ("anna", "ben"):
        replayable = await explorers.games.visibility.list_replayable(owners, viewer)
        assert (await explore(explorers, viewer)).played.games == 1 + len(replayable)
    assert (await explore(explorers, "anna", "deal")).played.games == 1
    assert (await explore(explorers, "ben", "deal")).played.games == 2


async def test_forks_do_not_count(explorers: Explorers):
    game = await play(explorers, "anna", "deal", "resign")
    fork = await explorers.sharing.fork("ben", game.id, 1)
    await explorers.games.act(fork.id, "ben", fork.version, "resign")
    assert (await explore(explorers, "anna")).played.games == 1
    assert await explorers.service.find_address(game.id, "anna") == f"/deal/bristol/{CODE}/explorer"


async def test_games_of_an_archived_month_are_merged_once_it_is_put_back(explorers: Explorers):
    clock = explorers.daily.clock
    await play(explorers, "anna", "deal", "deal", "resign")
    month = TakenMonth(explorers.daily.database, clock())
    clock.advance(31 * DAY_MS)
    await play(explorers, "ben", "deal", "resign")
    await month.take_out()
    assert (await explore(explorers, "ben")).played.games == 1
    await month.put_back()
    opening = (await explore(explorers, "ben")).played
    assert (opening.games, opening.ended) == (2, 0)
    assert (await explore(explorers, "ben", "deal,deal")).played.games == 1
