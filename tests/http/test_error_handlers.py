import html
import logging
import re

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient, Response

from app.errors import NotFoundError, NotReadyError, UnavailableError
from app.http import error_handlers
from app.http.middleware.faults import ErrorMiddleware
from app.identity.sessions import Sessions
from app.text import gettext
from tests.support.known import HTMX

pytestmark = pytest.mark.anyio

JSON = {"Content-Type": "application/json"}


def assert_problem(response: Response, status: int, code: str) -> None:
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == status
    assert problem["code"] == code
    assert problem["type"] == f"/api/docs#{code}"
    assert problem["title"]
    assert problem["detail"].endswith(".")


async def crash() -> None:
    secret = "a secret in a variable"
    raise ZeroDivisionError(secret)


async def test_an_unknown_path_of_the_api_is_a_problem(visitor: AsyncClient):
    assert_problem(await visitor.get("/api/v1/nothing"), 404, "not_found")


async def test_an_unknown_path_is_a_page_with_a_link_back(visitor: AsyncClient):
    response = await visitor.get("/nothing")
    assert response.status_code == 404
    assert response.headers["content-type"].startswith("text/html")
    assert 'href="/"' in response.text


async def test_a_page_that_is_not_there_knows_its_player(visitor: AsyncClient):
    assert 'href="/login"' in (await visitor.get("/nothing")).text
    await visitor.post("/api/v1/games", json={"ruleset": "bristol"})
    page = (await visitor.get("/nothing")).text
    assert 'aria-label="Your profile, as guest ' in page
    assert 'href="/login"' not in page


@pytest.mark.parametrize("error", [RuntimeError("broken"), OSError(28, "No space left on device")])
async def test_an_error_page_does_not_fail_with_its_player(
    visitor: AsyncClient, monkeypatch, error
):
    await visitor.post("/api/v1/games", json={"ruleset": "bristol"})

    async def fail(*_arguments):
        raise error

    monkeypatch.setattr(Sessions, "find", fail)
    response = await visitor.get("/nothing")
    assert response.status_code == 404
    assert 'href="/login"' in response.text


async def refuse() -> None:
    raise UnavailableError("Not now.")


@pytest.mark.parametrize("handler", [refuse, crash])
async def test_a_failure_of_ours_does_not_ask_the_database_for_its_player(
    site: FastAPI, visitor: AsyncClient, monkeypatch, handler
):
    await visitor.post("/api/v1/games", json={"ruleset": "bristol"})
    asked: list[object] = []

    async def find(*arguments):
        asked.append(arguments)

    monkeypatch.setattr(Sessions, "find", find)
    site.add_api_route("/failing", handler)
    assert (await visitor.get("/failing")).status_code >= 500
    assert not asked
    await visitor.get("/nothing")
    assert asked


async def test_an_unknown_path_is_a_notice_for_htmx(visitor: AsyncClient):
    response = await visitor.get("/nothing", headers=HTMX)
    assert response.status_code == 404
    assert response.text.startswith('<hx-partial id="notice"')
    assert "<html" not in response.text


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("DELETE", "/api/v1/games", "POST"),
        ("GET", "/api/v1/games", "POST"),
        ("PUT", "/api/v1/rulesets", "GET"),
        ("BREW", "/api/v1/rulesets", "GET"),
    ],
)
async def test_a_wrong_method_is_a_problem_with_the_allowed_ones(
    visitor: AsyncClient, method, path, allow
):
    response = await visitor.request(method, path)
    assert_problem(response, 405, "method_not_allowed")
    assert response.headers["allow"] == allow


@pytest.mark.parametrize(
    ("path", "above"),
    [
        ("/play", "/games"),
        ("/new-deals", "/games"),
        ("/look", "/"),
        ("/games/g_1/zzz", "/games/g_1"),
        ("/games/g_1/click", "/games/g_1"),
        ("/games/g_1/help/hint", "/games/g_1"),
        ("/games/g_1/replay/fork", "/games/g_1/replay"),
        ("/race/K7QX/ready", "/race/K7QX"),
        ("/daily/bristol/play", "/daily"),
        ("/me/sign-out", "/me"),
        ("/login/passkey", "/login"),
        ("/games/%C3%A4%3F/zzz", "/games/%C3%A4%3F"),
    ],
)
async def test_who_opens_the_address_of_a_form_gets_the_page_above_it(visitor, path, above):
    answer = await visitor.get(path)
    assert (answer.status_code, answer.headers["location"]) == (303, above)


async def test_a_script_that_opens_the_address_of_a_form_hears_that_it_is_wrong(visitor):
    answer = await visitor.get("/me/sign-out", headers={"HX-Request": "true"})
    assert answer.status_code == 405


@pytest.mark.parametrize(
    ("name", "id_", "title"),
    [
        ("klondyke", "klondike", "Klondike"),
        ("free-cel", "freecell", "FreeCell"),
        ("Beleaguerd Castle", "beleaguered-castle", "Beleaguered Castle"),
    ],
)
async def test_a_mistyped_game_names_the_one_that_was_meant(visitor, name, id_, title):
    answer = await visitor.get(f"/rules/{name}")
    assert answer.status_code == 404
    assert "There is no game with that name" in answer.text
    assert f'Did you mean <a href="/rules/{id_}">{title}</a>?' in answer.text
    assert 'href="/games">All games' in answer.text


async def test_what_is_like_no_game_names_none(visitor):
    answer = await visitor.get("/rules/xxxxxxxx")
    assert "There is no game with that name" in answer.text
    assert "There is no game called “xxxxxxxx”." in answer.text
    assert "Did you mean" not in answer.text


async def test_a_wrong_method_is_a_page(visitor: AsyncClient):
    response = await visitor.post("/healthz")
    assert response.status_code == 405
    assert response.headers["allow"] == "GET"
    assert response.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"hello",
        b'{"ruleset": bristol}',
        b"\xff\xfe\xfd",
        b"[" * 50_000,
        b'{"ruleset": ' + b"9" * 5000 + b"}",
    ],
    ids=["cut off", "text", "bare word", "not UTF-8", "too deep", "endless number"],
)
async def test_a_body_that_is_not_json_is_malformed(visitor: AsyncClient, body):
    assert_problem(
        await visitor.post("/api/v1/games", content=body, headers=JSON), 400, "malformed"
    )


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"ruleset": "bristol"}', "text/plain"),
        (b'{"ruleset": "bristol"}', "application/x-www-form-urlencoded"),
        (b'{"ruleset": "bristol"}', "nonsense"),
        (b"", "application/json"),
        (b"null", "application/json"),
        (b"[]", "application/json"),
        (b'"bristol"', "application/json"),
        (b"{}", "application/json"),
        (b'{"ruleset": null}', "application/json"),
        (b'{"ruleset": 7}', "application/json"),
        (b'{"ruleset": "bristol", "code": 7}', "application/json"),
    ],
)
async def test_a_body_of_the_wrong_shape_is_malformed(visitor: AsyncClient, body, kind):
    response = await visitor.post(
        "/api/v1/games", content=body, headers={"Content-Type": kind} if kind else {}
    )
    assert_problem(response, 422, "malformed")


async def test_a_missing_field_is_named(visitor: AsyncClient):
    response = await visitor.post("/api/v1/games", json={})
    assert response.json()["detail"] == "'ruleset' is missing."


@pytest.mark.parametrize(
    ("link", "without"), [("/ratings?page=abc", "/ratings"), (f"/games?q={'x' * 80}", "/games")]
)
async def test_a_link_with_a_wrong_end_leads_people_to_its_page(
    visitor: AsyncClient, link: str, without: str
):
    answer = await visitor.get(link)
    assert answer.status_code == 422
    assert "<h1>We can&#39;t read this link</h1>" in answer.text
    assert f'href="{without}">Open the page without that part</a>' in answer.text
    assert "must be" not in answer.text
    problem = await visitor.get("/api/v1/ratings?page=abc")
    assert_problem(problem, 422, "malformed")
    assert problem.json()["detail"] == "'page' must be a whole number."


async def test_a_lone_surrogate_gets_a_response(visitor: AsyncClient):
    body = b'{"ruleset": "\\ud800"}'
    assert_problem(
        await visitor.post("/api/v1/games", content=body, headers=JSON), 404, "not_found"
    )


async def lone_surrogate() -> None:
    raise NotFoundError("There is no \ud800 here.")


async def test_a_lone_surrogate_can_be_shown_on_a_page(site: FastAPI, visitor: AsyncClient):
    site.add_api_route("/half", lone_surrogate)
    response = await visitor.get("/half")
    assert response.status_code == 404
    assert "There is no ? here." in response.text


async def test_a_lone_surrogate_can_be_shown_in_json(site: FastAPI, visitor: AsyncClient):
    site.add_api_route("/api/v1/half", lone_surrogate)
    response = await visitor.get("/api/v1/half")
    assert_problem(response, 404, "not_found")
    assert response.json()["detail"] == "There is no \ud800 here."


@pytest.mark.parametrize(
    ("referer", "back"),
    [
        ("http://fairdeal.test/games/7", "/games/7"),
        ("http://fairdeal.test/games/7?held=t3#x", "/games/7"),
        ("http://fairdeal.test/nothing", None),
        ("http://elsewhere.test/games/7", None),
        ("http://fairdeal.test//elsewhere.test", None),
        ("http://fairdeal.test/\\elsewhere.test", None),
        ("javascript:alert(1)", None),
        ("http://[", None),
        ("", None),
    ],
)
async def test_the_link_back_stays_on_this_site(visitor: AsyncClient, referer, back):
    response = await visitor.get("/nothing", headers={"Referer": referer})
    assert response.status_code == 404
    assert ("Go back" in response.text) == (back is not None)
    if back:
        assert f'href="{back}"' in response.text


@pytest.mark.parametrize("path", ["/crash", "/api/v1/crash"])
async def test_an_unhandled_exception_shows_only_its_id(
    site: FastAPI, visitor: AsyncClient, caplog, path
):
    site.add_api_route(path, crash)
    with caplog.at_level(logging.ERROR, "fairdeal"):
        response = await visitor.get(path)
    assert response.status_code == 500
    assert response.headers["x-request-id"] in response.text
    assert "secret" not in response.text
    assert "Traceback" not in response.text
    assert response.headers["x-content-type-options"] == "nosniff"
    policy = response.headers["content-security-policy"]
    assert ("script-src 'self'" in policy) == (path == "/crash")
    assert policy.startswith("default-src 'none'; ")
    assert "ZeroDivisionError" in caplog.text


async def test_an_exception_in_the_error_page_still_gets_a_response(
    site: FastAPI, visitor: AsyncClient, monkeypatch
):
    monkeypatch.setattr(error_handlers, "page", None)
    site.add_api_route("/crash", crash)
    response = await visitor.get("/crash")
    assert response.status_code == 500
    assert response.headers["content-type"].startswith("text/plain")
    assert response.headers["x-request-id"] in response.text


async def test_an_exception_after_the_response_started_is_raised():
    async def half_an_answer(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise ZeroDivisionError

    visitor = AsyncClient(transport=ASGITransport(ErrorMiddleware(half_an_answer)))
    with pytest.raises(ZeroDivisionError):
        await visitor.get("http://fairdeal.test/")


async def test_a_missing_page_helps_onwards(visitor: AsyncClient):
    page = html.unescape((await visitor.get("/nothing")).text)
    assert "We can't find that page" in page
    for path in ("/games", "/daily"):
        assert f'href="{path}"' in page
    form = re.search(r'<form[^>]*action="/go".*?</form>', page, re.DOTALL)
    assert form is not None
    assert 'name="code"' in form[0]


async def test_a_refused_page_has_no_search(visitor: AsyncClient):
    page = (await visitor.post("/healthz")).text
    assert 'action="/go"' not in page


@pytest.mark.parametrize(
    ("path", "way_on"),
    [
        ("/challenge/nothing", "/together"),
        ("/together/nothing", "/together"),
        ("/race/ZZZZZZ", "/together"),
        ("/league/nothing", "/leagues"),
        ("/daily/2020-01-01", "/daily/archive"),
        ("/me/recovery-codes", "/login"),
    ],
)
async def test_a_wrong_link_leads_on_to_what_it_was_for(
    visitor: AsyncClient, path: str, way_on: str
):
    page = (await visitor.get(path)).text
    main = page[page.index("<main") : page.index("</main>")]
    assert re.findall(r'<a class="primary"\s+href="(.*?)"', main) == [way_on]


async def test_the_page_of_what_is_not_ready_asks_again(site: FastAPI, visitor: AsyncClient):
    async def slow() -> None:
        raise NotReadyError(gettext("Try again in a minute."), 30)

    site.add_api_route("/slow", slow, methods=["GET", "POST"])
    page = (await visitor.get("/slow")).text
    assert '<meta http-equiv="refresh" content="30">' in page
    assert re.search(r'<a class="primary" href="">Try again</a>', page)
    # To send a form again is for its sender to decide.
    assert "refresh" not in (await visitor.post("/slow")).text


async def test_a_missing_page_tells_home_from_the_cards_that_are_home(visitor: AsyncClient):
    page = (await visitor.get("/nothing", headers={"Accept-Language": "de"})).text
    assert re.search(r'href="/">Start</a>', page)
    assert re.search(r'href="/games">Alle Spiele</a>', page)


async def test_half_a_character_that_cannot_be_stored_is_malformed(caplog):
    async def store(_scope, _receive, _send):
        "\ud800".encode()

    visitor = AsyncClient(transport=ASGITransport(ErrorMiddleware(store)))
    answer = await visitor.get("http://fairdeal.test/api/v1/games")
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")
    assert not caplog.records
