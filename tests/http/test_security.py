import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.http.middleware.security import CONTENT_SECURITY_POLICY
from app.http.sse import EventStream
from app.settings import Settings
from tests.support.serving import HOST, running_site, started, visiting

pytestmark = pytest.mark.anyio

NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'"

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
    assert headers["cache-control"] == "no-store" if path == "/me" else "private, no-cache"


async def test_fragments_have_only_the_necessary_headers(visitor: AsyncClient):
    headers = {"HX-Request": "true"}
    fragment = (await visitor.post("/nothing", headers=headers)).headers
    assert fragment["x-content-type-options"] == "nosniff"
    assert fragment["content-security-policy"] == NOTHING_RUNS
    assert "permissions-policy" not in fragment
    kept = (
        await visitor.get("/me", headers=headers)
    ).headers  # by a browser, which may show it as a page again
    assert kept["content-security-policy"] == CONTENT_SECURITY_POLICY


def test_the_policy_allows_only_scripts_and_styles_of_this_site():
    allowed = dict(part.split(" ", 1) for part in CONTENT_SECURITY_POLICY.split("; "))
    assert allowed["default-src"] == "'none'"
    assert allowed["script-src"] == allowed["style-src"] == "'self'"
    assert set(" ".join(allowed.values()).split()) == {"'none'", "'self'", "data:"}
    assert [what for what, where in allowed.items() if "data:" in where] == [
        "img-src",
        "font-src",
    ]
    assert allowed["frame-ancestors"] == allowed["base-uri"] == allowed["object-src"] == "'none'"


@pytest.mark.parametrize("path", ["/static/-/js/table.js", "/static/-/css/site.css"])
async def test_parts_of_a_page_are_shown_as_text_and_only_to_this_site(visitor: AsyncClient, path):
    answer = await visitor.get(path)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-type"].startswith(("text/javascript", "text/css"))
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/api/v1/rulesets", "/api/v1/nothing", "/robots.txt"])
async def test_what_is_no_page_can_run_nothing(visitor: AsyncClient, path):
    answer = await visitor.get(path)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert not answer.headers["content-type"].startswith("text/html")
    assert answer.headers["content-security-policy"] == NOTHING_RUNS
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/static/-/img/cards.svg", "/static/-/img/favicon.svg"])
async def test_a_picture_opened_by_its_link_can_run_nothing(visitor: AsyncClient, path):
    policy = (await visitor.get(path)).headers["content-security-policy"]
    assert policy == f"{NOTHING_RUNS}; style-src 'unsafe-inline'"


async def test_only_same_origin_scripts_read_responses(visitor: AsyncClient):
    for method, path in [("GET", "/api/v1/rulesets"), ("OPTIONS", "/api/v1/games")]:
        headers = {"Origin": "https://elsewhere.test", "Access-Control-Request-Method": "POST"}
        answer = await visitor.request(method, path, headers=headers)
        assert not [name for name in answer.headers if name.startswith("access-control-")]


@pytest.mark.parametrize("path", ["/", "/me", "/api/v1/rulesets", "/static/-/css/site.css"])
async def test_trace_is_not_allowed(visitor: AsyncClient, path):
    answer = await visitor.request("TRACE", path, headers={"X-Secret": "echoed?"})
    assert answer.status_code in {403, 405}
    assert "echoed?" not in answer.text


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/nothing", "text/html; charset=utf-8"),
        ("/robots.txt", "text/plain; charset=utf-8"),
        ("/static/-/css/site.css", "text/css; charset=utf-8"),
        ("/static/-/js/table.js", "text/javascript; charset=utf-8"),
        ("/static/-/img/favicon.svg", "image/svg+xml; charset=utf-8"),
        ("/sw.js", "text/javascript; charset=utf-8"),
        ("/daily/feed.atom", "application/atom+xml; charset=utf-8"),
        ("/api/v1/rulesets", "application/json"),  # which is UTF-8 by definition
        ("/api/v1/nothing", "application/problem+json"),
    ],
)
async def test_every_text_says_its_encoding(visitor: AsyncClient, path, content_type):
    assert (await visitor.get(path)).headers["content-type"] == content_type


async def test_files_of_a_game_and_streams_say_their_encoding(visitor: AsyncClient):
    game = (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    record = await visitor.get(f"/games/{game}/record.txt")
    assert record.headers["content-type"] == "text/plain; charset=utf-8"
    assert EventStream.media_type == "text/event-stream"  # which is UTF-8 by definition


async def test_fields_that_are_not_offered_change_nothing(visitor: AsyncClient):
    await visitor.post("/api/v1/me/claim", json={"name": "Anna", "password": "corvid umbrella 7"})
    before = (await visitor.get("/api/v1/me")).json()
    more = {"id": "x", "guest": True, "role": "administrator", "suspended": False}
    after = (await visitor.patch("/api/v1/me", json={"name": "Annika", **more})).json()
    assert after == {**before, "name": "Annika"}
    made = {"ruleset": "bristol", "owner_id": "x", "status": "won", "kind": "daily", "version": 9}
    game = (await visitor.post("/api/v1/games", json=made)).json()
    assert (game["status"], game["version"]) == ("playing", 0)
    assert (await visitor.get("/admin/games")).status_code == 404


async def test_of_a_repeated_parameter_one_counts_and_a_body_is_no_query(visitor: AsyncClient):
    made = await visitor.post("/api/v1/games", json={"ruleset": "bristol"})
    game = made.json()["id"]
    moved = await visitor.post(f"/api/v1/games/{game}/moves?version=0&move=deal", json={})
    assert moved.json()["code"] == "malformed"
    assert (await visitor.get(f"/api/v1/games/{game}")).json()["version"] == 0
    twice = await visitor.get("/me?done=name&done=joined")
    assert "The name is yours" in twice.text
    assert "You have changed your name" not in twice.text


async def test_https_responses_have_hsts(site: FastAPI):
    async with visiting(site, "https") as visitor:
        for method, path in [("GET", "/me"), ("GET", "/api/v1/rulesets"), ("POST", "/nothing")]:
            answer = await visitor.request(method, path, headers={"HX-Request": "true"})
            hsts = answer.headers["strict-transport-security"]
            assert hsts == "max-age=63072000"
    async with visiting(site, "http") as visitor:
        assert "strict-transport-security" not in (await visitor.get("/me")).headers


async def test_an_https_only_site_sends_hsts_behind_a_proxy(sqlite_url):
    settings = Settings(database_url=sqlite_url, https_only=True)
    async with running_site(settings) as app, visiting(app, "http") as visitor:
        response = await visitor.post("/play", data={"ruleset": "bristol"})
    assert "strict-transport-security" in response.headers
    assert response.headers["set-cookie"].endswith("; Secure")


@pytest.mark.parametrize("includes", [False, True])
async def test_the_operator_may_include_subdomains(sqlite_url, includes):
    settings = Settings(database_url=sqlite_url, https_only=True, hsts_subdomains=includes)
    async with started(settings) as app, visiting(app) as visitor:
        sent = (await visitor.get("/me")).headers["strict-transport-security"]
    assert ("includeSubDomains" in sent) is includes
