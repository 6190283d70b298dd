import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.http.middleware.security import CONTENT_SECURITY_POLICY
from app.settings import Settings
from tests.support.serving import HOST, running_site, visiting

pytestmark = pytest.mark.anyio

FOREIGN = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "nonsense"},
    {"Sec-Fetch-Site": ""},
    {"Sec-Fetch-Site": "cross-site", "Origin": f"http://{HOST}"},
    {"Origin": "http://elsewhere.test"},
    {"Origin": f"http://{HOST}.elsewhere.test"},
    {"Origin": f"http://{HOST}:8000"},
    {"Origin": "null"},
    {"Origin": ""},
]
OURS = [
    {},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "same-origin", "Origin": f"http://{HOST}"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": f"http://{HOST}"},
    {"Origin": f"https://{HOST}"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
async def test_a_cross_site_request_is_refused(visitor: AsyncClient, headers):
    response = await visitor.post("/api/v1/games", json={"ruleset": "bristol"}, headers=headers)
    assert response.status_code == 403
    assert response.json()["code"] == "cross_site"
    assert "set-cookie" not in response.headers


@pytest.mark.parametrize("headers", OURS, ids=str)
async def test_a_same_site_request_is_accepted(visitor: AsyncClient, headers):
    response = await visitor.post("/api/v1/games", json={"ruleset": "bristol"}, headers=headers)
    assert response.status_code == 201


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "BREW"])
async def test_every_unsafe_method_is_protected(visitor: AsyncClient, method):
    response = await visitor.request(
        method, "/api/v1/me", headers={"Sec-Fetch-Site": "cross-site"}, json={"name": "Eve"}
    )
    assert response.json()["code"] == "cross_site"


async def test_other_sites_can_link_here(visitor: AsyncClient):
    response = await visitor.get("/me", headers={"Sec-Fetch-Site": "cross-site"})
    assert response.status_code == 200


async def test_requests_with_a_bearer_token_are_accepted_from_anywhere(visitor: AsyncClient):
    token = (await visitor.post("/api/v1/players")).json()["token"]
    headers = {"Authorization": f"Bearer {token}", "Sec-Fetch-Site": "cross-site"}
    response = await visitor.post("/api/v1/games", json={"ruleset": "bristol"}, headers=headers)
    assert response.status_code == 201


async def test_basic_authentication_is_not_a_bearer_token(visitor: AsyncClient):
    headers = {"Authorization": "Basic YTpi", "Sec-Fetch-Site": "cross-site"}
    response = await visitor.post("/api/v1/games", json={"ruleset": "bristol"}, headers=headers)
    assert response.json()["code"] == "cross_site"


async def test_an_invalid_token_does_not_make_the_cookie_count(visitor: AsyncClient):
    await visitor.post("/play", data={"ruleset": "bristol"})
    before = (await visitor.get("/api/v1/me/sessions")).json()
    headers = {"Authorization": "Bearer x", "Sec-Fetch-Site": "cross-site"}
    response = await visitor.delete("/api/v1/me/sessions", headers=headers)
    assert response.status_code == 401
    assert (await visitor.get("/api/v1/me/sessions")).json() == before


async def test_a_refused_request_is_a_page(visitor: AsyncClient):
    response = await visitor.post("/me/name", headers={"Sec-Fetch-Site": "cross-site"})
    assert response.status_code == 403
    assert response.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert "another site" in response.text


@pytest.mark.parametrize("path", ["/me", "/nothing", "/api/docs"])
async def test_pages_have_all_security_headers(visitor: AsyncClient, path):
    headers = (await visitor.get(path)).headers
    assert headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]
    assert headers["cache-control"] == "private, no-cache"


async def test_fragments_have_only_the_necessary_headers(visitor: AsyncClient):
    headers = {"HX-Request": "true"}
    assert (
        "content-security-policy" not in (await visitor.post("/nothing", headers=headers)).headers
    )
    kept = (
        await visitor.get("/me", headers=headers)
    ).headers  # by a browser, which may show it as a page again
    assert kept["content-security-policy"] == CONTENT_SECURITY_POLICY


def test_the_policy_allows_only_scripts_and_styles_of_this_site():
    allowed = dict(part.split(" ", 1) for part in CONTENT_SECURITY_POLICY.split("; "))
    assert allowed["default-src"] == "'none'"
    assert allowed["script-src"] == allowed["style-src"] == "'self'"
    assert allowed["frame-ancestors"] == allowed["base-uri"] == "'none'"


async def test_api_responses_are_not_sniffed(visitor: AsyncClient):
    headers = (await visitor.get("/api/v1/rulesets")).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert "content-security-policy" not in headers


async def test_https_responses_have_hsts(site: FastAPI):
    async with visiting(site, "https") as visitor:
        assert "strict-transport-security" in (await visitor.get("/me")).headers
    async with visiting(site, "http") as visitor:
        assert "strict-transport-security" not in (await visitor.get("/me")).headers


async def test_an_https_only_site_sends_hsts_behind_a_proxy(sqlite_url):
    settings = Settings(database_url=sqlite_url, https_only=True)
    async with running_site(settings) as app, visiting(app, "http") as visitor:
        response = await visitor.post("/play", data={"ruleset": "bristol"})
    assert "strict-transport-security" in response.headers
    assert response.headers["set-cookie"].endswith("; Secure")
