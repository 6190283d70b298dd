"""How many of the moves of a game the site made: marked in the log, and said wherever its end is told."""

from __future__ import annotations

import re
from html import unescape

import pytest
from httpx import AsyncClient, Response
from sqlalchemy import text

from app.admin.integrity.verify import verify_games
from app.engine.actions import parse_action
from app.engine.history import History
from app.games.model import Kind
from app.games.moments import GameEvent
from app.games.outcome_summary import Spectated
from app.games.replay import replay
from app.games.watched_endings import watched_ending
from app.settings import Settings
from app.solver.auto_finish import automatic_finish
from tests.games.playing import post, start_game
from tests.games.test_time_played import dealt
from tests.golden.records import RECORDS
from tests.support.daily_site import play_moves
from tests.support.known import HTMX
from tests.support.serving import running_site, visiting

pytestmark = pytest.mark.anyio

WON = next(each for each in RECORDS if (each.ruleset, each.end) == ("bristol", "won"))


def moves_by_hand() -> int:
    """After how many moves of the record the finish can make the others."""
    line = History.start(WON.rules, WON.cards)
    for count, move in enumerate(WON.moves):
        if automatic_finish(line.rules, line.position):
            return count
        line = line.apply(parse_action(line.rules.layout, move))
    raise AssertionError("a decision was left until the end")


BY_HAND = moves_by_hand()


def words(html: str) -> str:
    """The text of a page, in one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


async def finished(visitor: AsyncClient) -> tuple[str, Response]:
    """A game that its player left to the finish: its address, and the answer that shows the end."""
    address = await start_game(visitor, code=WON.code)
    await play_moves(visitor, address.removeprefix("/games/"), *WON.moves[:BY_HAND])
    form = {"version": str(BY_HAND)}
    return address, await visitor.post(f"{address}/help/finish", data=form, headers=HTMX)


async def marks(visitor: AsyncClient, address: str) -> list[bool]:
    """Of each action in the log, whether it is automatic."""
    log = (await visitor.get(f"/api/v1{address}/events")).json()
    return [entry["automatic"] for entry in log]


async def test_the_moves_of_a_finish_are_told_apart(database_url: str):
    settings = Settings(database_url=database_url)
    async with running_site(settings) as app, visiting(app) as visitor:
        address, end = await finished(visitor)
        cookies = dict(visitor.cookies)
        counted = (await visitor.get(f"/api/v1{address}")).json()["moves"]
        automatic = counted - BY_HAND
        assert automatic > 1
        assert f"Moves {counted} {automatic} automatic typical win: 75" in words(end.text)
        assert f"{counted} moves ({automatic} automatic), " in words(end.text)
    async with running_site(settings) as app, visiting(app) as visitor:  # which reads the log
        visitor.cookies.update(cookies)
        assert await marks(visitor, address) == [False] * BY_HAND + [True] * automatic
        for path in (address, f"{address}/replay"):
            page = words((await visitor.get(path)).text)
            assert f"{counted} moves ({automatic} automatic), " in page
        told = (await visitor.get(f"/api/v1{address}/replay")).json()
        assert (told["moves"], told["automatic_moves"]) == (counted, automatic)
        async for report in verify_games(app.state.services.database, None):
            assert report.faults == {}


async def test_lists_and_what_is_shared_tell_them_apart_as_the_end_does(visitor: AsyncClient):
    name = {"name": "Wren", "password": "seven ravens sleep"}
    assert (await visitor.post("/api/v1/me/claim", json=name)).is_success
    address, end = await finished(visitor)
    public = {"audience": "public"}
    assert (await visitor.put(f"/api/v1{address}/audience", json=public)).is_success
    counted = (await visitor.get(f"/api/v1{address}")).json()["moves"]
    told = f"{counted} moves ({counted - BY_HAND} automatic), "
    assert f"Fair Deal · Bristol: won in {told}" in unescape(end.text)
    assert f"Wren won in {told}" in words((await visitor.get("/watch")).text)
    for path in ("/me", "/players/Wren"):
        assert f"won · {told}" in words((await visitor.get(path)).text), path


async def test_nothing_is_said_of_a_game_that_was_finished_before_there_were_marks(
    sqlite_url: str,
):
    settings = Settings(database_url=sqlite_url)
    async with running_site(settings) as app, visiting(app) as visitor:
        address, _ = await finished(visitor)
        cookies = dict(visitor.cookies)

        def forget(connection):
            connection.exec_driver_sql("DROP TRIGGER events_no_update")
            connection.execute(text("UPDATE events SET automatic = false"))

        await app.state.services.database.write(forget)
    async with running_site(settings) as app, visiting(app) as visitor:
        visitor.cookies.update(cookies)
        for path in (address, f"{address}/replay"):
            page = words((await visitor.get(path)).text)
            assert re.search(r"\d moves, \d", page)
            assert "automatic)" not in page


async def test_only_moves_by_hand_are_told_as_before(visitor: AsyncClient):
    address = await start_game(visitor, code=WON.code)
    for version, move in enumerate(WON.moves):
        end = await post(visitor, f"{address}/move", version=version, move=move)
    assert "68 moves, " in words(end.text)
    assert "automatic)" not in words(end.text)
    assert await marks(visitor, address) == [False] * 68


# --- which of them count


def event(action: str, *, is_automatic: bool = False) -> GameEvent:
    return GameEvent(action, 1, "anna", None, is_automatic)


BY_ITSELF = event("deal", is_automatic=True)


@pytest.mark.parametrize(
    ("log", "kept", "ranked"),
    [
        ([event("deal"), BY_ITSELF], 1, 1),
        ([event("deal"), BY_ITSELF, event("undo")], 0, 1),
        ([event("deal"), BY_ITSELF, event("undo"), event("redo")], 1, 1),
        ([event("deal"), BY_ITSELF, event("undo"), event("deal")], 0, 1),
        ([event("deal"), event("undo"), BY_ITSELF, event("deal")], 1, 1),
        ([BY_ITSELF, BY_ITSELF, event("undo"), event("undo"), event("redo")], 1, 2),
        ([BY_ITSELF, event("resign")], 1, 1),
    ],
)
def test_those_that_were_taken_back_count_as_other_moves_do(log, kept, ranked):
    game = replay(dealt(), log)
    assert (game.automatic_moves, game.moves >= game.automatic_moves) == (kept, True)
    assert replay(dealt(Kind.DAILY), log).automatic_moves == ranked


def test_a_restart_takes_them_back_too():
    log = [BY_ITSELF, BY_ITSELF, event("restart")]
    assert replay(dealt(), log).automatic_moves == 0
    assert replay(dealt(), [*log, event("redo")]).automatic_moves == 1


def test_those_who_watched_are_told():
    ending = watched_ending(
        replay(dealt(), [event("deal"), BY_ITSELF, event("resign")]), Spectated(("Anna",), True)
    )
    assert ending
    assert "2 moves (1 automatic), 0:00." in ending.fact
