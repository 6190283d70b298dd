import json
import logging

import pytest
from fastapi import FastAPI
from httpx import AsyncClient

from app.http.logging_setup import JsonFormatter

pytestmark = pytest.mark.anyio


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture):
    """The log: one parsed line for each record."""
    caplog.set_level(logging.INFO, "fairdeal")
    caplog.handler.setFormatter(JsonFormatter())
    return lambda: [json.loads(line) for line in caplog.handler.stream.getvalue().splitlines()]


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


async def test_moves_and_files_are_counted_by_route(visitor: AsyncClient, lines):
    await visitor.get("/static/css/site.css")
    assert lines()[-1]["route"] == "/static/{path:path}"
    await visitor.get("/static/no/such/file")
    assert lines()[-1]["status"] == 404
    game = (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).json()["id"]
    await visitor.post(f"/games/{game}/deal", data={"version": 0}, headers={"HX-Request": "true"})
    assert lines()[-1]["route"] == "/games/{game_id}/{word}"


async def test_no_secret_reaches_the_log(visitor: AsyncClient, caplog):
    caplog.set_level(logging.DEBUG)
    caplog.handler.setFormatter(JsonFormatter())
    token = (await visitor.post("/api/v1/players")).json()["token"]
    await visitor.post("/play?token=" + token, data={"ruleset": "bristol", "code": token[:40]})
    headers = {"Authorization": f"Bearer {token}"}
    await visitor.patch("/api/v1/me", json={"name": "Anna"}, headers=headers)
    cookie = visitor.cookies["fd_session"]
    log = caplog.handler.stream.getvalue().replace("httpx", "")
    ours = "\n".join(line for line in log.splitlines() if '"fairdeal' in line)
    assert ours.count("request_id") == 3
    assert token not in ours
    assert cookie not in ours


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
    for path in ("/healthz", "/readyz", "/metrics"):
        await visitor.get(path)
    assert lines() == []


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
