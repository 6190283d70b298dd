import json
import logging
import re
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from httpx import AsyncClient
from starlette.routing import Route

from app.http.middleware.access_log import AccessLogMiddleware
from tests.support.serving import visiting

pytestmark = pytest.mark.anyio


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture, log_lines):
    """The log: one parsed line for each record."""
    caplog.set_level(logging.INFO, "fairdeal")
    return lambda: [json.loads(line) for line in log_lines()]


async def test_a_request_is_one_log_line_with_its_id(visitor: AsyncClient, lines):
    response = await visitor.post("/api/v1/games?secret=1", json={"ruleset": "bristol"})
    (line,) = lines()
    assert line["request_id"] == response.headers["x-request-id"]
    assert line["time"].endswith("+00:00")
    assert (line["level"], line["logger"]) == ("info", "fairdeal.access")
    assert (line["method"], line["path"], line["status"]) == ("POST", "/api/v1/games", 201)
    assert line["route"] == "/api/v1/games"
    assert line["bytes"] == len(response.content)
    assert line["ms"] > 0


async def test_a_line_end_in_a_request_begins_no_line(visitor: AsyncClient, lines):
    forged = '%0A{"logger": "fairdeal.access"}%0D%0A%E2%80%A8'
    await visitor.get(f"/x{forged}?y={forged}", headers={"User-Agent": "x"})
    await visitor.get(f"/rules/{forged}")
    assert [line["status"] for line in lines()] == [404, 404]


async def test_a_refused_request_is_logged_with_its_code(site: FastAPI, visitor, lines):
    made = (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).json()
    assert "code" not in lines()[-1]
    refused = [
        (f"/api/v1/games/{made['id']}/moves", {}, "not_your_game"),
        (f"/games/{made['id']}/resign", {}, "not_your_game"),
        (f"/games/{made['id']}/resign", {"HX-Request": "true"}, "not_your_game"),
        ("/me/name", {"Sec-Fetch-Site": "cross-site"}, "cross_site"),
        ("/api/v1/sessions", {}, "wrong_password"),
        ("/nothing", {}, "not_found"),
    ]
    form = {"version": "0", "name": "Nobody", "password": "nothing at all"}
    body = {**form, "version": 0, "move": "t1-f1"}
    async with visiting(site) as stranger:
        for path, headers, code in refused:
            if path.startswith("/api/"):
                answer = await stranger.post(path, headers=headers, json=body)
            else:
                answer = await stranger.post(path, headers=headers, data=form)
            line = [line for line in lines() if line["logger"] == "fairdeal.access"][-1]
            assert (line["status"], line["code"]) == (answer.status_code, code)
            assert line["client"] == "127.0.0.1"


async def test_moves_and_files_are_counted_by_route(visitor: AsyncClient, lines):
    await visitor.get("/static/css/site.css")
    assert lines()[-1]["route"] == "/static/{path:path}"
    await visitor.get("/static/no/such/file")
    assert lines()[-1]["status"] == 404
    game = (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    await visitor.post(f"/games/{game}/deal", data={"version": 0}, headers={"HX-Request": "true"})
    assert lines()[-1]["route"] == "/games/{game_id}/{word}"


async def test_no_secret_reaches_the_log(visitor: AsyncClient, caplog, log_lines):
    caplog.set_level(logging.DEBUG)
    token = (await visitor.post("/api/v1/players")).json()["token"]
    await visitor.post("/play?token=" + token, data={"ruleset": "bristol", "code": token[:40]})
    headers = {"Authorization": f"Bearer {token}"}
    await visitor.patch("/api/v1/me", json={"name": "Anna"}, headers=headers)
    cookie = visitor.cookies["fd_session"]
    ours = "\n".join(line for line in log_lines() if '"fairdeal' in line)
    assert ours.count("request_id") == 4  # three requests, and a refused change of a name
    assert token not in ours
    assert cookie not in ours


SECRET = "Zq7kT2vW9xLm4cBn"


def with_secrets(site: FastAPI) -> Iterator[tuple[str, str]]:
    """Every route with parameters, each a secret unless it is the id of a game or the like."""
    for context in iter_route_contexts(site.router.routes):
        route = context.original_route
        if isinstance(route, Route) and "{" in route.path:
            for method in route.methods or ():
                path = re.sub(
                    r"{(day|form|game_id|player_id|ruleset|step|topic|word)}", "1", route.path
                )
                yield method, re.sub(r"{\w+(:path)?}", SECRET, path)


async def test_no_route_logs_a_token_in_its_path(
    site: FastAPI, visitor: AsyncClient, caplog, log_lines
):
    caplog.set_level(logging.DEBUG, "fairdeal")
    routes = [(method, path) for method, path in with_secrets(site) if SECRET in path]
    paths = {path for _, path in routes}
    assert {f"/together/{SECRET}", f"/race/{SECRET}", f"/challenge/{SECRET}"} <= paths
    for method, path in routes:
        if path.startswith(("/static/", "/admin/")):
            continue  # the rest of the path is the name of a file, or of an unknown page
        for asked in (path, path + "/", path.replace(SECRET, SECRET + "%20"), f"/x{path}"):
            await visitor.request(method, asked)
    ours = [json.loads(line) for line in log_lines() if line.startswith("{")]
    assert len(ours) >= 4 * len(paths)
    assert [line for line in ours if SECRET in json.dumps(line) and line["logger"] != "httpx"] == []
    assert {line["path"] for line in ours if line.get("route") == "/together/{token}"} == {
        "/together/{token}"
    }


async def test_an_exception_is_logged_with_its_traceback_and_id(
    site: FastAPI, visitor: AsyncClient, lines
):
    async def crash() -> None:
        raise ZeroDivisionError

    site.add_api_route("/crash", crash)
    response = await visitor.get("/crash")
    crashed, request = lines()
    assert crashed["request_id"] == request["request_id"] == response.headers["x-request-id"]
    assert crashed["level"] == "error"
    assert "ZeroDivisionError" in crashed["exception"]
    assert request["status"] == 500


async def test_health_checks_are_not_logged(visitor: AsyncClient, lines):
    for path in ("/healthz", "/readyz", "/metrics", "/about"):
        await visitor.get(path)
    # On a busy machine /readyz may say, in a line of another logger, that the database does not answer.
    logged = [line["path"] for line in lines() if line["logger"] == "fairdeal.access"]
    assert logged == ["/about"]


async def test_a_request_id_from_a_proxy_is_kept(visitor: AsyncClient):
    given = "0123456789abcdef-A"
    response = await visitor.get("/healthz", headers={"X-Request-ID": given})
    assert response.headers["x-request-id"] == given


@pytest.mark.parametrize("given", ["short", "x" * 65, 'a"quote-in-it', "a space in it"])
async def test_an_invalid_request_id_is_replaced(visitor: AsyncClient, given):
    response = await visitor.get("/healthz", headers={"X-Request-ID": given})
    assert response.headers["x-request-id"] != given


async def test_requests_are_counted_by_route(visitor: AsyncClient):
    async def counted(line: str) -> float:
        metrics = (await visitor.get("/metrics")).text
        found = [text for text in metrics.splitlines() if text.startswith(f"{line} ")]
        return float(found[0].rpartition(" ")[2]) if found else 0.0

    game = (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).json()
    labels = 'method="GET",route="/api/v1/games/{game_id}"'
    total = f'fairdeal_requests_total{{{labels},status="200"}}'
    timed = f"fairdeal_request_seconds_count{{{labels}}}"
    before = await counted(total), await counted(timed)
    await visitor.get(f"/api/v1/games/{game['id']}")
    assert (await counted(total), await counted(timed)) == (before[0] + 1, before[1] + 1)


async def test_unknown_paths_and_methods_do_not_fill_the_metrics(visitor: AsyncClient):
    await visitor.request("BREW", "/coffee/17")
    metrics = (await visitor.get("/metrics")).text
    assert 'method="other",route="(unmatched)",status="404"' in metrics
    assert "coffee" not in metrics
    assert "BREW" not in metrics


def test_a_record_that_asks_for_no_traceback_is_a_line_without_one(lines):
    error = ValueError("never")
    for wanted in (False, True, error):
        logging.getLogger("fairdeal").warning("the link broke", exc_info=wanted)
    assert [line.get("exception") for line in lines()] == [None, None, "ValueError: never\n"]


async def test_no_layer_of_the_framework_lies_around_the_site_s_own(site: FastAPI):
    assert isinstance(site.build_middleware_stack(), AccessLogMiddleware)
