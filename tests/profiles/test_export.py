import asyncio
import json
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.engine.cards import fresh_deck
from app.identity.openid import repository as openid_repository
from app.identity.openid.provider import Identity
from app.profiles import export
from tests.support.archives import TakenMonth
from tests.support.serving import id_of, visiting

pytestmark = pytest.mark.anyio

CLAIM = {"name": "Anna", "password": "seven ravens sleep"}


async def claimed(visitor: AsyncClient, name: str = "Anna") -> AsyncClient:
    response = await visitor.post("/api/v1/me/claim", json={**CLAIM, "name": name})
    assert response.status_code == 200
    return visitor


async def played(visitor: AsyncClient, moves: int) -> str:
    state = (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).json()
    for version in range(moves):
        body = {"version": version, "move": "deal"}
        response = await visitor.post(
            f"/api/v1/games/{state['id']}/moves",
            json=body,
            headers={"Idempotency-Key": f"k{version}"},
        )
        assert response.is_success
    return str(state["id"])


async def test_the_export_contains_everything_about_one_player_only(
    site: FastAPI, visitor: AsyncClient
):
    mine = {await played(visitor, count % 4) for count in range(23)}  # more than one page
    await claimed(visitor)
    daily = await visitor.post("/api/v1/daily/today/bristol/attempt")
    async with visiting(site) as other:
        theirs = await played(other, 2)
        await claimed(other, "Bertrand")
    response = await visitor.get("/me/export")
    assert response.headers["content-disposition"] == 'attachment; filename="fairdeal-my-data.json"'
    assert response.headers["cache-control"] == "no-store"
    found = response.json()
    assert found["format"] == "fairdeal/export/1"
    me = (await visitor.get("/api/v1/me")).json()
    assert (found["player"]["id"], found["player"]["name"]) == (me["id"], "Anna")
    assert found["player"]["claimed_ms"] >= found["player"]["created_ms"] > 0
    assert {game["id"] for game in found["games"]} == mine | {daily.json()["id"]}
    assert sum(len(game["log"]) for game in found["games"]) == sum(n % 4 for n in range(23))
    longest = max(found["games"], key=lambda game: len(game["log"]))
    assert [entry["action"] for entry in longest["log"]] == ["deal"] * 3
    assert longest["log"][2]["key"] == "k2"
    assert [attempt["game_id"] for attempt in found["daily_attempts"]] == [daily.json()["id"]]
    assert len(found["sessions"]) == 1
    assert theirs not in response.text
    assert "Bertrand" not in response.text
    assert (await visitor.get("/api/v1/me/export")).json()["games"] == found["games"]


async def test_moves_in_the_archive_are_not_told_as_none(site: FastAPI, visitor: AsyncClient):
    moved, untouched = await played(visitor, 2), await played(visitor, 0)
    services = site.state.services
    month = TakenMonth(services.database, services.clock())

    async def logs() -> dict[str, Any]:
        found = (await visitor.get("/me/export")).json()
        return {game["id"]: game["log"] for game in found["games"]}

    before = await logs()
    await month.take_out()
    assert await logs() == {moved: None, untouched: []}
    await month.put_back()
    assert await logs() == before


async def test_the_export_contains_no_secrets(site: FastAPI, visitor: AsyncClient):
    await claimed(visitor)
    daily = (await visitor.post("/api/v1/daily/today/signora/attempt")).json()
    text = (await visitor.get("/me/export")).text
    (game,) = json.loads(text)["games"]
    assert (game["id"], game["code"], game["log"]) == (daily["id"], None, [])
    with site.state.services.database.engine.connect() as connection:
        raw = connection.connection.driver_connection
        seeds = [row[0].hex() for row in raw.execute("SELECT seed FROM daily_deals")]
        hashes = [row[0].hex() for row in raw.execute("SELECT token_hash FROM sessions")]
        (password_hash,) = raw.execute("SELECT password_hash FROM accounts").fetchone()
    assert seeds
    for secret in (*seeds, *hashes, password_hash, visitor.cookies["fd_session"]):
        assert secret not in text


async def test_an_imported_game_keeps_its_deck(visitor: AsyncClient):
    deck = [card.text for card in fresh_deck(1)]
    record = f"Game: Bristol\nDeck: {' '.join(deck)}\n\n1. deal\n"
    response = await visitor.post("/api/v1/records", json={"record": record})
    assert response.status_code == 201, response.text
    (imported,) = (await visitor.get("/me/export")).json()["games"]
    assert imported["id"] == response.json()["id"]
    assert (imported["deck"], imported["code"], imported["forked_from"]) == (deck, None, None)
    assert [entry["action"] for entry in imported["log"]] == ["deal"]


async def test_a_guest_has_an_export_and_a_visitor_without_session_has_none(visitor: AsyncClient):
    assert (await visitor.get("/api/v1/me/export")).status_code == 404
    await played(visitor, 0)
    found = (await visitor.get("/api/v1/me/export")).json()
    assert found["player"]["claimed_ms"] is None
    assert len(found["games"]) == 1


async def test_only_the_players_own_moves_at_a_shared_table_are_exported(
    site: FastAPI, visitor: AsyncClient
):
    game = await played(visitor, 1)
    await visitor.put(f"/api/v1/games/{game}/audience", json={"audience": "nobody"})
    shared = await visitor.post(f"/api/v1/games/{game}/together")
    async with visiting(site) as guest, visiting(site) as friend:
        await guest.post(f"/api/v1{shared.json()['invitation']}")
        for version, (who, move) in enumerate([(guest, "deal"), (visitor, "deal")], start=1):
            body = {"version": version, "move": move}
            assert (await who.post(f"/api/v1/games/{game}/moves", json=body)).is_success
        await claimed(friend, "Bertrand")
        token = {"name": "Bertrand", "password": CLAIM["password"], "bring": "yes"}
        await guest.post("/login", data=token)  # the account takes over the seat and its moves
        body = {"version": 3, "move": "deal"}
        assert (await guest.post(f"/api/v1/games/{game}/moves", json=body)).is_success
        (theirs,) = (await guest.get("/api/v1/me/export")).json()["games"]
    (mine,) = (await visitor.get("/api/v1/me/export")).json()["games"]
    assert [entry["version"] for entry in mine["log"]] == [1, 3]
    assert [entry["version"] for entry in theirs["log"]] == [2, 4]
    assert mine["id"] == theirs["id"] == game
    assert (mine["audience"], mine["seat"]["state"]) == ("nobody", "seated")
    assert theirs["seat"]["since_ms"] >= mine["seat"]["since_ms"] > 0


async def test_the_export_tells_of_recovery_codes_and_connected_accounts(
    site: FastAPI, visitor: AsyncClient
):
    await claimed(visitor)
    player = await id_of(visitor)
    body = {"password": CLAIM["password"]}
    codes = (await visitor.post("/api/v1/me/recovery-codes", json=body)).json()["codes"]
    identity = Identity("https://login.test", "anna")
    with site.state.services.database.engine.begin() as connection:
        openid_repository.link(connection, identity, player, 7)
    text = (await visitor.get("/me/export")).text
    found = json.loads(text)
    assert found["recovery_codes_left"] == 10
    linked = {"issuer": identity.issuer, "subject": identity.subject, "linked_ms": 7}
    assert found["connected_accounts"] == [linked]
    assert not any(code in text for code in codes)


async def test_the_export_is_read_and_written_in_short_portions_off_the_event_loop(
    site: FastAPI, visitor: AsyncClient, monkeypatch: pytest.MonkeyPatch
):
    games = {await played(visitor, moves) for moves in (3, 3, 9, 1, 1, 1, 0)}
    whole = (await visitor.get("/me/export")).json()["games"]
    player_id = await id_of(visitor)
    on_loop: list[bool] = []
    write = json.dumps

    def noting(value: object, **how: Any) -> str:
        try:
            asyncio.get_running_loop()
            on_loop.append(True)
        except RuntimeError:
            on_loop.append(False)
        return write(value, **how)

    monkeypatch.setattr("app.profiles.export.json.dumps", noting)
    monkeypatch.setattr(export, "_ACTIONS_AT_ONCE", 4)
    monkeypatch.setattr(export, "_GAMES_AT_ONCE", 3)
    database = site.state.services.database
    pieces = [piece async for piece in export.document(database, player_id)]
    monkeypatch.undo()
    assert {game["id"] for game in whole} == games
    assert json.loads("".join(pieces))["games"] == whole
    assert max(piece.count('"action"') for piece in pieces) == 9  # one game is never split
    assert sum(1 for piece in pieces if piece.count('"action"') > 4) == 1
    assert len(on_loop) > len(games)
    assert not any(on_loop)
