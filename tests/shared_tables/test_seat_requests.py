"""Asking for a seat with the address of a table alone: the owner answers, and nobody else decides anything."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from sqlalchemy import func, select

from app.db.engine import Database
from app.db.schema import seat_requests
from app.errors import NotYourGameError
from app.games.service import GameService
from app.shared_tables import account_merge
from app.shared_tables.model import (
    NotAskedError,
    NotYourTableError,
    TableFullError,
    TooManyRequestsError,
)
from app.shared_tables.seat_requests import MAX_ASKS, MAX_OPEN, SeatRequestService
from app.shared_tables.service import SharedTableService
from tests.shared_tables.sample_tables import shared_game
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio

API = "/api/v1"


@pytest.fixture
def requests(database: Database, tables: SharedTableService) -> SeatRequestService:
    return SeatRequestService(database, tables)


async def test_only_the_owner_lets_someone_in(
    games: GameService, tables: SharedTableService, requests: SeatRequestService
) -> None:
    game = await shared_game(games, tables, "ben")
    await requests.ask(game.id, "cleo")
    await requests.ask(game.id, "cleo")  # changes nothing
    assert [each.player_id for each in await requests.list(game.id)] == ["cleo"]
    with pytest.raises(NotYourGameError):
        await games.act(game.id, "cleo", 0, "deal")
    for other in ("ben", "cleo", "dora"):
        with pytest.raises(NotYourTableError):
            await requests.answer(game.id, other, "cleo", admits=True)
    await requests.answer(game.id, "anna", "cleo", admits=True)
    assert (await tables.load(game.id)).is_seated("cleo")
    assert not await requests.list(game.id)
    with pytest.raises(NotAskedError):
        await requests.answer(game.id, "anna", "dora", admits=True)


async def test_who_was_declined_or_removed_cannot_ask_again(
    games: GameService, tables: SharedTableService, requests: SeatRequestService
) -> None:
    game = await shared_game(games, tables, "ben")
    await requests.ask(game.id, "cleo")
    await requests.answer(game.id, "anna", "cleo", admits=False)
    await tables.remove(game.id, "anna", "ben")
    for name in ("cleo", "ben"):
        with pytest.raises(NotYourTableError):
            await requests.ask(game.id, name)
    assert not (await tables.load(game.id)).is_seated("cleo")
    await tables.join((await tables.load(game.id)).token, "cleo")  # the invitation still counts
    assert not await requests.list(game.id)


async def test_a_request_can_be_withdrawn_until_it_is_answered(
    games: GameService, tables: SharedTableService, requests: SeatRequestService
) -> None:
    game = await shared_game(games, tables)
    await requests.ask(game.id, "cleo")
    await requests.withdraw(game.id, "cleo")
    assert not await requests.list(game.id)
    with pytest.raises(NotAskedError):
        await requests.answer(game.id, "anna", "cleo", admits=True)
    await requests.ask(game.id, "cleo")
    await requests.answer(game.id, "anna", "cleo", admits=False)
    await requests.withdraw(game.id, "cleo")  # which does not undo the answer
    with pytest.raises(NotYourTableError):
        await requests.ask(game.id, "cleo")


async def test_what_changes_nothing_makes_nobody_load_the_table_again(
    games: GameService, tables: SharedTableService, requests: SeatRequestService
) -> None:
    game = await shared_game(games, tables)
    before = await tables.load(game.id)
    await requests.withdraw(game.id, "cleo")
    assert (await tables.load(game.id)).revision == before.revision
    await requests.ask(game.id, "cleo")
    await requests.ask(game.id, "cleo")
    assert (await tables.load(game.id)).revision == before.revision + 1


async def test_who_was_declined_is_so_at_the_next_deal_too(
    games: GameService, tables: SharedTableService, requests: SeatRequestService
) -> None:
    game = await shared_game(games, tables, "ben")
    for name in ("cleo", "dora"):
        await requests.ask(game.id, name)
    await requests.answer(game.id, "anna", "cleo", admits=False)
    for _ in range(2):
        game = await games.log.load(await tables.deal_next(games, game.id, "anna"))
        with pytest.raises(NotYourTableError):
            await requests.ask(game.id, "cleo")
    await requests.ask(game.id, "dora")  # who had no answer
    await tables.join((await tables.load(game.id)).token, "cleo")  # the invitation still counts


async def test_nobody_asks_again_and_again(
    site: FastAPI, visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[int]()
    monkeypatch.setattr(SharedTableService, "publish", lambda *_: told.append(1))
    path = (await visitor.post("/together", data={"ruleset": "bristol"})).headers["location"]
    async with visiting(site) as stranger, visiting(site) as other:
        asked = f"{API}{path}/together/requests"
        for _ in range(3 * MAX_ASKS):  # what is not asked is not withdrawn
            assert (await other.post(f"{asked}/withdraw")).status_code == 200
        told.clear()
        for _ in range(3 * MAX_ASKS):
            answer = await stranger.post(asked)
            await stranger.post(f"{asked}/withdraw")
        assert len(told) == 2 * MAX_ASKS
        assert (answer.status_code, answer.json()["code"]) == (403, NotYourTableError.code)
        assert (await stranger.get(f"{API}{path}/together")).json()["your_request"] == "declined"
        assert "Ask to join" not in (await stranger.get(path)).text
        assert (await visitor.get(f"{API}{path}/together")).json()["requests"] == []
        assert (await other.post(asked)).status_code == 200


async def test_a_full_table_takes_nobody(
    games: GameService, tables: SharedTableService, requests: SeatRequestService
) -> None:
    game = await shared_game(games, tables, "ben", "cleo")
    await requests.ask(game.id, "dora")
    await requests.ask(game.id, "emil")
    await requests.answer(game.id, "anna", "dora", admits=True)
    with pytest.raises(TableFullError):
        await requests.answer(game.id, "anna", "emil", admits=True)
    assert [each.player_id for each in await requests.list(game.id)] == ["emil"]
    await tables.leave(game.id, "ben")
    await requests.answer(game.id, "anna", "emil", admits=True)
    assert (await tables.load(game.id)).is_seated("emil")


async def test_a_flood_of_requests_ends(site: FastAPI, visitor: AsyncClient) -> None:
    path = (await visitor.post("/together", data={"ruleset": "bristol"})).headers["location"]
    codes = []
    for number in range(MAX_OPEN + 1):
        async with visiting(site, address=f"192.0.2.{number}") as stranger:
            answer = await stranger.post(f"{API}{path}/together/requests")
            codes.append(answer.status_code)
    assert codes == [200] * MAX_OPEN + [409]
    assert answer.json()["code"] == TooManyRequestsError.code


async def test_guests_of_one_network_make_six_requests_at_most(
    site: FastAPI, visitor: AsyncClient
) -> None:
    path = (await visitor.post("/together", data={"ruleset": "bristol"})).headers["location"]
    asking = f"{API}{path}/together/requests"
    for code in [200] * 6 + [409]:
        async with visiting(site, address="2001:db8::1") as guest:
            answer = await guest.post(asking)
            assert answer.status_code == code
    assert answer.json()["code"] == TooManyRequestsError.code
    async with visiting(site, address="2001:db8::2") as guest:  # the same /64
        assert (await guest.post(asking)).status_code == 409
        claimed = {"name": "Robin of Locksley", "password": "seven ravens sleep"}
        assert (await guest.post(f"{API}/me/claim", json=claimed)).is_success
        assert (await guest.post(asking)).status_code == 200
    async with visiting(site, address="192.0.2.1") as guest:
        assert (await guest.post(asking)).status_code == 200


async def test_requests_follow_an_account(
    games: GameService,
    tables: SharedTableService,
    requests: SeatRequestService,
    database: Database,
) -> None:
    game = await shared_game(games, tables)
    await requests.ask(game.id, "ben")
    await database.write(lambda connection: account_merge.move_seats(connection, "ben", "cleo"))
    assert [each.player_id for each in await requests.list(game.id)] == ["cleo"]
    await database.write(lambda connection: account_merge.leave_tables(connection, "cleo"))
    assert not await requests.list(game.id)


async def test_a_friend_with_the_address_asks_and_is_let_in(
    site: FastAPI, visitor: AsyncClient
) -> None:
    path = (await visitor.post("/together", data={"ruleset": "bristol"})).headers["location"]
    async with visiting(site) as friend:
        assert "Ask to join" in (await friend.get(path)).text
        asked = await friend.post(f"{path}/together/requests")
        assert (asked.status_code, asked.headers["location"]) == (303, path)
        page = (await friend.get(path)).text
        assert "You have asked to join." in page
        assert "Ask to join" not in page
        withdrawn = await friend.post(f"{path}/together/requests/withdraw")
        assert (withdrawn.status_code, withdrawn.headers["location"]) == (303, path)
        assert " asks to join." not in (await visitor.get(path)).text
        assert "Ask to join" in (await friend.get(path)).text
        await friend.post(f"{path}/together/requests")
        assert "Withdraw your request</button>" in page
        seen = (await friend.get(f"{API}{path}/together")).json()
        assert (seen["requests"], seen["your_request"]) == ([], "open")
        export = (await friend.get("/me/export")).json()  # of the game, only that they asked
        assert [row["game_id"] for row in export["seat_requests"]] == [path.rpartition("/")[2]]
        assert export["games"] == []
        (open_request,) = (await visitor.get(f"{API}{path}/together")).json()["requests"]
        host = (await visitor.get(path)).text
        assert " asks to join." in host
        answer = {"person": open_request["player"], "admits": "true"}
        assert (
            await friend.post(f"{path}/together/requests/answer", data=answer)
        ).status_code == 403
        await visitor.post(f"{path}/together/requests/answer", data=answer)
        dealt = await friend.post(f"{API}{path}/moves", json={"version": 0, "move": "deal"})
        assert dealt.status_code == 200


async def test_nobody_asks_where_watching_is_off(site: FastAPI, visitor: AsyncClient) -> None:
    path = (await visitor.post("/together", data={"ruleset": "bristol"})).headers["location"]
    await visitor.post(f"{path}/watch/audience", data={"audience": "nobody"})
    async with visiting(site) as stranger:
        assert (await stranger.post(f"{path}/together/requests")).status_code == 403
        assert (await stranger.post(f"{API}{path}/together/requests")).status_code == 403
    count = select(func.count()).select_from(seat_requests)
    assert await site.state.services.database.read(lambda c: c.scalar(count)) == 0
