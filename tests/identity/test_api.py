import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from tests.support.known import PASSWORD
from tests.support.serving import id_of, visiting

pytestmark = pytest.mark.anyio

ANNA = {"name": "Anna", "password": PASSWORD}


async def program(site: FastAPI) -> AsyncClient:
    """A client with a guest's token."""
    client = visiting(site)
    token = (await client.post("/api/v1/players")).json()["token"]
    client.headers["authorization"] = f"Bearer {token}"
    return client


async def use(client: AsyncClient, answer: dict[str, str]) -> None:
    client.headers["authorization"] = f"Bearer {answer['token']}"


async def test_a_program_claims_a_name_and_goes_on_with_a_new_token(site: FastAPI):
    client = await program(site)
    guest = (await client.get("/api/v1/me")).json()
    assert guest["guest"]
    response = await client.post("/api/v1/me/claim", json=ANNA)
    assert response.status_code == 200
    assert "set-cookie" not in response.headers
    assert response.json()["id"] == guest["id"]
    assert (await client.get("/api/v1/me")).status_code == 401
    await use(client, response.json())
    me = {"id": guest["id"], "name": "Anna", "guest": False}
    assert (await client.get("/api/v1/me")).json() == me


async def test_a_browser_gets_its_new_token_as_a_cookie(visitor: AsyncClient):
    response = await visitor.post("/api/v1/me/claim", json=ANNA)
    assert response.json()["token"] is None
    assert "HttpOnly" in response.headers["set-cookie"]
    assert (await visitor.get("/api/v1/me")).json()["name"] == "Anna"


async def test_a_program_logs_in_by_name_and_password_and_out_again(site, visitor):
    await visitor.post("/api/v1/me/claim", json=ANNA)
    client = visiting(site)
    response = await client.post("/api/v1/sessions", json={**ANNA, "label": "my bot"})
    assert response.status_code == 201
    assert "set-cookie" not in response.headers
    await use(client, response.json())
    listed = (await client.get("/api/v1/me/sessions")).json()
    (own,) = [session for session in listed if session["current"]]
    assert (own["device"], len(listed)) == ("my bot", 2)
    assert (await client.delete(f"/api/v1/me/sessions/{own['id']}")).status_code == 204
    assert (await client.get("/api/v1/me")).status_code == 401
    assert (await visitor.get("/api/v1/me")).is_success


async def test_a_guests_games_come_along_when_asked_to(site: FastAPI, visitor: AsyncClient):
    await visitor.post("/api/v1/me/claim", json=ANNA)
    anna = await id_of(visitor)
    for bring in (True, False):
        client = await program(site)
        game = (await client.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
        response = await client.post("/api/v1/sessions", json={**ANNA, "bring": bring})
        assert response.json()["id"] == anna
        games = [row["id"] for row in (await visitor.get("/me/export")).json()["games"]]
        assert (game in games) is bring
        assert (await client.get("/api/v1/me")).status_code == (401 if bring else 200)


async def test_every_refusal_has_its_code(site: FastAPI, visitor: AsyncClient):
    await visitor.post("/api/v1/me/claim", json=ANNA)
    guest = await program(site)
    new = "eight ravens wake"
    for client, method, path, body, status, code in [
        (guest, "POST", "/me/claim", ANNA, 409, "name_taken"),
        (guest, "POST", "/me/claim", {**ANNA, "name": "Admin"}, 422, "malformed"),
        (guest, "POST", "/me/claim", {"name": "Ben", "password": "short"}, 422, "malformed"),
        (guest, "POST", "/me/claim", {"name": "Ben"}, 422, "malformed"),
        (guest, "PATCH", "/me", {"name": "Ben"}, 409, "not_claimed"),
        (guest, "PUT", "/me/password", {"current": new, "new": new}, 409, "not_claimed"),
        (guest, "DELETE", "/me/sessions/0123", None, 404, "not_found"),
        (visitor, "POST", "/me/claim", {**ANNA, "name": "Ben"}, 409, "already_claimed"),
        (visitor, "PUT", "/me/password", {"current": "x", "new": new}, 403, "wrong_password"),
        (visitor, "DELETE", "/me", {"password": "wrong"}, 403, "wrong_password"),
        (visitor, "DELETE", "/me", {}, 403, "wrong_password"),
        (visiting(site), "DELETE", "/me", {}, 404, "not_found"),
        (visiting(site), "POST", "/sessions", {**ANNA, "password": "x"}, 403, "wrong_password"),
        (visiting(site), "GET", "/players/Nobody", None, 404, "not_found"),
    ]:
        response = await client.request(method, f"/api/v1{path}", json=body)
        problem = response.json()
        assert (response.status_code, problem["code"]) == (status, code), (method, path, problem)
        assert response.headers["content-type"] == "application/problem+json"
    for _ in range(20):
        response = await visiting(site).post("/api/v1/sessions", json={**ANNA, "password": "x"})
    assert (response.status_code, response.json()["code"]) == (429, "rate_limited")
    assert int(response.headers["retry-after"]) > 0


async def test_a_name_is_changed_a_password_changed_and_the_account_deleted(
    site: FastAPI, visitor: AsyncClient
):
    await visitor.post("/api/v1/me/claim", json=ANNA)
    assert (await visitor.patch("/api/v1/me", json={"name": "Lena"})).json()["name"] == "Lena"
    new = {"current": PASSWORD, "new": "eight ravens wake"}
    assert (await visitor.put("/api/v1/me/password", json=new)).is_success
    login = {"name": "lena", "password": "eight ravens wake"}
    assert (await visiting(site).post("/api/v1/sessions", json=login)).status_code == 201
    assert (await visitor.delete("/api/v1/me/sessions")).status_code == 204
    assert len((await visitor.get("/api/v1/me/sessions")).json()) == 1
    body = {"password": "eight ravens wake"}
    assert (await visitor.request("DELETE", "/api/v1/me", json=body)).status_code == 204
    assert "fd_session" not in visitor.cookies
    assert (await visiting(site).post("/api/v1/sessions", json=login)).status_code == 403


@pytest.mark.parametrize(
    ("name", "available", "reason"),
    [
        ("Ben", True, None),
        ("ANNA", False, "taken"),
        ("Jo", False, "at least 3"),
        ("Admin", False, "site's own"),
        ("<b>", False, "can't contain"),
    ],
)
async def test_a_name_can_be_checked_before_claiming(visitor, name, available, reason):
    await visitor.post("/api/v1/me/claim", json=ANNA)
    found = (await visitor.get(f"/api/v1/names/{name}")).json()
    assert found["available"] is available
    assert (found["reason"] or "").count(reason or "") or reason is None


async def test_every_operation_is_described(visitor: AsyncClient):
    described = (await visitor.get("/api/v1/openapi.json")).json()
    for path, methods in {
        "/api/v1/me": {"get", "patch", "delete"},
        "/api/v1/me/claim": {"post"},
        "/api/v1/me/password": {"put"},
        "/api/v1/me/export": {"get"},
        "/api/v1/me/sessions": {"get", "delete"},
        "/api/v1/me/sessions/{session_id}": {"delete"},
        "/api/v1/sessions": {"post"},
        "/api/v1/names/{name}": {"get"},
        "/api/v1/players/{name}": {"get"},
    }.items():
        assert methods <= set(described["paths"][path]), path
        for method in methods:
            assert described["paths"][path][method]["summary"]
    docs = (await visitor.get("/api/docs")).text
    for code in ("name_taken", "already_claimed", "not_claimed", "wrong_password", "suspended"):
        assert code in docs
