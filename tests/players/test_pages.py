import pytest
from httpx import AsyncClient

pytestmark = pytest.mark.anyio


async def test_a_name_is_taken_and_shown(visitor: AsyncClient):
    response = await visitor.post("/me/name", data={"name": " Zoë O'Hara "})
    assert (response.status_code, response.headers["location"]) == (303, "/me")
    assert "Zoë O&#39;Hara" in (await visitor.get("/me")).text
    assert (await visitor.get("/api/v1/me")).json()["name"] == "Zoë O'Hara"


async def test_a_guest_has_a_name_of_two_words_before_they_take_one(visitor: AsyncClient):
    await visitor.post("/api/v1/games", json={"ruleset": "bristol"})
    name = (await visitor.get("/api/v1/me")).json()["name"]
    assert len(name.split()) == 2
    assert name in (await visitor.get("/me")).text


@pytest.mark.parametrize(
    "name",
    ["", "<script>alert(1)</script>", "Anna\u202e", "An\u200bna", "x" * 25, "x" * 201, "\x00"],
)
async def test_a_name_that_cannot_be_is_explained_on_a_page_with_a_way_back(visitor, name):
    headers = {"Referer": "http://fairdeal.test/me"}
    response = await visitor.post("/me/name", data={"name": name}, headers=headers)
    assert response.status_code == 422
    assert 'href="/me"' in response.text
    assert "<script>alert" not in response.text
    assert "\u202e" not in response.text


@pytest.mark.parametrize("name", ["", "<b>", "Anna\u202e", 7, None, ["Anna"], "x" * 300])
async def test_a_name_that_cannot_be_is_malformed_to_programs(visitor: AsyncClient, name):
    response = await visitor.patch("/api/v1/me", json={"name": name})
    assert response.status_code == 422
    assert response.json()["code"] == "malformed"


async def test_half_a_character_is_no_name(visitor: AsyncClient):
    headers = {"Content-Type": "application/json"}
    response = await visitor.patch("/api/v1/me", content=b'{"name": "\\ud800"}', headers=headers)
    assert response.status_code == 422
    assert response.json()["code"] == "malformed"


async def test_a_form_that_is_no_form_is_refused(visitor: AsyncClient):
    for kind, body in [
        ("application/json", b'{"name": "Anna"}'),
        ("multipart/form-data; boundary=x", b"no boundary here"),
        ("multipart/form-data", b"--x"),
        ("application/x-www-form-urlencoded", b"%%%=&&&=\xff\xfe"),
    ]:
        response = await visitor.post("/me/name", content=body, headers={"Content-Type": kind})
        assert response.status_code in {400, 422}
        assert 'href="/"' in response.text


async def test_leaving_forgets_the_player(visitor: AsyncClient):
    await visitor.post("/me/name", data={"name": "Anna"})
    token = visitor.cookies["fd_session"]
    response = await visitor.post("/me/sign-out")
    assert (response.status_code, response.headers["location"]) == (303, "/")
    assert "fd_session" not in visitor.cookies
    assert (await visitor.get("/api/v1/me")).status_code == 404
    headers = {"Authorization": f"Bearer {token}"}
    assert (await visitor.get("/api/v1/me", headers=headers)).status_code == 401


async def test_leaving_without_ever_having_come_is_no_error(visitor: AsyncClient):
    assert (await visitor.post("/me/sign-out")).status_code == 303
