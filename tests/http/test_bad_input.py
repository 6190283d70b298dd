"""Invalid input to every route: the response always says what is wrong, and no exception is unhandled."""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Protocol
from urllib.parse import quote

import pytest
from annotated_types import Le
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts
from httpx import AsyncClient, Response
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from starlette.routing import Route

from app.errors import AppError
from app.http.errors import status_of
from app.settings import Settings
from tests.http.test_errors import below
from tests.support.push import Browser
from tests.support.serving import running_site, visiting

pytestmark = pytest.mark.anyio

TEXTS = [
    "",
    "nothing",
    "\x00",
    "a\x00b",
    "..",
    "../../etc/passwd",
    "' OR 1=1 --",
    "<script>alert(1)</script>",
    "\u202eesrever",
    "zero\u200bwidth",
    "😀" * 50,
    "x" * 5000,
    "-1",
    "1e9",
    "NaN",
    "9" * 400,
    str(2**31),
    str(2**63),
    "[object Object]",
    "t1-t2:0",
    "stock",
    "{{ 7 * 7 }}",
]
VALUES: list[object] = [*TEXTS, None, True, 7, -1, 2**63, 2**200, 1.5, [], [[]], {}, {"a": 1}]
# What one database may take and another not: the same code answers everything else on both.
HARD_TO_STORE: list[object] = ["a\x00b", "😀" * 50, "x" * 5000, "9" * 400, -1, 2**63, 2**200, 1.5]
TEXTS_HARD_TO_STORE = ["\x00", *(str(value) for value in HARD_TO_STORE), str(2**31), "NaN"]
CLICK, MOVE, LOOK, PLAY = "/games/{game}/click", "/games/{game}/move", "/look", "/play"
FORMS = {
    "version": (CLICK, MOVE),
    "held": (CLICK, MOVE),
    "clicked": (CLICK,),
    "move": (MOVE,),
    "back": (LOOK, PLAY),
    "theme": (LOOK,),
    "suits": (LOOK,),
    "hand": (LOOK,),
    "code": (PLAY,),
}
"""The fields of the forms around a table, each with the addresses that read it."""

CURSORS = ["1.x", "1." + "x" * 60, "9" * 15 + ".x", "9" * 16 + ".x", "1.😀", "2026-01-01.x"]

KNOWN: dict[str, Any] = {
    "ruleset": "bristol",
    "name": "Anna",
    "subscription": Browser().json,
    "zone": "UTC",
    "word": "next",
}
"""Values of fields that have to be good ones, or nothing else about a request is looked at."""

CODES = {error.code for error in below(AppError) if 400 <= status_of(error) < 500} - {
    "rate_limited"
}
RACES = {"/race", "/api/v1/races"}
TWICE = {"twice": "yes"}  # so that no password is new: who is asked for theirs may only guess
GUESSES = {"/api/v1/sessions"}  # wrong passwords are limited by name


@pytest.fixture
async def site(database_url: str) -> AsyncIterator[FastAPI]:
    much = 10**6
    settings = Settings(
        database_url=database_url,
        actions_per_minute=much,
        games_per_minute=much,
        reminders_per_minute=much,
        rooms_per_minute=much,
        wrong_codes_per_minute=much,
        guests_at_once=much,
        imports_at_once=much,
        imports_per_day=much,
        proof_seconds=0,  # no race can start: there are no proven deals
    )
    async with running_site(settings) as app:
        yield app


@pytest.fixture
async def visitor(site: FastAPI) -> AsyncIterator[AsyncClient]:
    async with visiting(site) as client:
        yield client


def routes(site: FastAPI) -> Iterator[tuple[str, str]]:
    for context in iter_route_contexts(site.router.routes):
        route = context.original_route
        if isinstance(route, Route):
            for method in route.methods or ():
                yield method, route.path


def actions(site: FastAPI) -> Iterator[tuple[str, APIRoute]]:
    """The routes that change something, each with its method."""
    for context in iter_route_contexts(site.router.routes):
        route = context.original_route
        if isinstance(route, APIRoute):
            for method in (route.methods or set()) - {"GET", "HEAD"}:
                yield method, route


class Parameter(Protocol):
    """What is of interest here of a parameter of a route, whose class FastAPI keeps to itself."""

    field_info: FieldInfo

    @property
    def alias(self) -> str: ...


def body_params(dependant: Dependant) -> Iterator[Parameter]:
    """The parameters that a route and what it depends on take from the body."""
    yield from dependant.body_params
    for each in dependant.dependencies:
        yield from body_params(each)


def query_params(dependant: Dependant) -> Iterator[Parameter]:
    """The parameters that a route and what it depends on take from the query."""
    yield from dependant.query_params
    for each in dependant.dependencies:
        yield from query_params(each)


def edges(field: Parameter) -> list[int]:
    """The largest number that a field takes, and the one after it."""
    most = [rule.le for rule in field.field_info.metadata if isinstance(rule, Le)]
    return [int(number) + more for number in most for more in (0, 1) if isinstance(number, int)]


class Example:
    """A body as a schema of the API describes it, so that one wrong value is all that is wrong with it."""

    def __init__(self, schemas: dict[str, Any]) -> None:
        self._schemas = schemas

    def of(self, schema: dict[str, Any], name: str = "") -> Any:
        if name in KNOWN:
            return KNOWN[name]
        if "$ref" in schema:
            return self.of(self._schemas[schema["$ref"].rpartition("/")[2]])
        for several in ("anyOf", "allOf", "oneOf", "enum"):
            if several in schema:
                first = schema[several][0]
                return first if several == "enum" else self.of(first)
        match schema.get("type"):
            case "object":
                fields = schema.get("properties", {})
                return {field: self.of(its, field) for field, its in fields.items()}
            case "array":
                return [self.of(schema.get("items", {}))]
            case "integer" | "number":
                return schema.get("minimum", 0)
            case "boolean":
                return True
            case _:
                return schema.get("const", "x")


def spoiled(body: Any, value: object) -> Iterator[Any]:
    """A body with another value in place of each of its own, one after another."""
    yield value
    if isinstance(body, dict):
        for name, own in body.items():
            yield from ({**body, name: other} for other in spoiled(own, value))
    elif isinstance(body, list):
        for place, own in enumerate(body):
            yield from ([*body[:place], other, *body[place + 1 :]] for other in spoiled(own, value))


def fields_read(route: APIRoute) -> list[str]:
    """The names of the fields that a route reads from a body or a form; none if it reads no body."""
    names: list[str] = []
    for field in body_params(route.dependant):
        model = field.field_info.annotation
        if isinstance(model, type) and issubclass(model, BaseModel):
            names += model.model_fields
        else:
            names.append(field.alias)
    return names


def assert_explained(response: Response) -> None:
    """The response must be an intended one."""
    request = response.request
    if response.status_code == 503 and request.url.path in RACES:
        assert "winnable deal of" in response.text
        return
    assert response.status_code < 500, f"{request.method} {request.url}: {request.content!r}"
    if response.status_code >= 400:
        if request.url.path.startswith("/api/"):
            problem = response.json()
            assert response.headers["content-type"] == "application/problem+json"
            assert problem["status"] == response.status_code
            is_guess = request.url.path in GUESSES and response.status_code == 429
            assert problem["code"] in CODES or is_guess, (request.url.path, problem)
        else:
            assert response.headers["content-type"].startswith("text/html")
            assert "<script>alert" not in response.text


async def game_of(visitor: AsyncClient) -> str:
    response = await visitor.post("/api/v1/games", json={"ruleset": "signora"})
    return str(response.json()["id"])


def texts_for(database_url: str) -> list[str]:
    return TEXTS if database_url.startswith("sqlite") else TEXTS_HARD_TO_STORE


async def test_nonsense_in_a_path(site: FastAPI, visitor: AsyncClient, database_url: str):
    await game_of(visitor)
    body = {"version": 0, "move": "deal", "name": "Anna", "ruleset": "bristol"}
    for method, path in routes(site):
        if "{" not in path or path.endswith("/stream"):
            continue
        for text in texts_for(database_url):
            parts = [
                quote(text, safe="") if part.startswith("{") else part for part in path.split("/")
            ]
            address = "/".join(parts)
            if path.startswith("/api/"):
                response = await visitor.request(method, address, json=body)
            else:
                response = await visitor.request(method, address, data=body)
            assert_explained(response)
            # Empty, or one level up, it is the address of something else. That of a form leads to the page above if it
            # is asked for as a page. An old address leads to the new one, which refuses. And any text can be checked as
            # a name.
            leads_up = method == "GET" and response.status_code == 303
            is_elsewhere = text in {"", ".."} or leads_up or response.status_code == 308
            assert response.status_code >= 400 or is_elsewhere or "/names/" in path


async def test_nonsense_in_a_body(site: FastAPI, visitor: AsyncClient, database_url: str):
    game = await game_of(visitor)
    good = {"version": 0, "move": "t1-f1", "ruleset": "bristol", "code": None, "name": "Anna"}
    values = VALUES if database_url.startswith("sqlite") else HARD_TO_STORE
    as_texts = list(dict.fromkeys(map(str, values)))  # in a form, -1 and "-1" are the same
    for method, route in actions(site):
        address = route.path.replace("{game_id}", game).replace("{word}", "deal")
        is_api = address.startswith("/api/")
        sent: Sequence[object] = values if is_api else as_texts
        fields = fields_read(route)
        for field in fields or ["version"]:
            # One body is as good as another where none is read.
            for value in sent if fields else sent[:1]:
                if is_api:
                    body = {**good, field: value}
                    response = await visitor.request(method, address, json=body)
                else:
                    form = {**good, "code": "", "clicked": "t1", "held": "", **TWICE, field: value}
                    plain = {key: str(value) for key, value in form.items()}
                    response = await visitor.request(method, address, data=plain)
                assert_explained(response)
    assert (await visitor.get(f"/api/v1/games/{game}")).is_success


async def test_nonsense_in_each_field_of_a_whole_body(site: FastAPI, visitor: AsyncClient):
    game = await game_of(visitor)
    assert (await visitor.post(f"/api/v1/games/{game}/together")).is_success
    described = (await visitor.get("/api/v1/openapi.json")).json()
    example, asked = Example(described["components"]["schemas"]), set()
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if content is None:
                continue
            asked.add(path)
            address = path.replace("{game_id}", game)
            whole = example.of(content["schema"])
            for value in [*HARD_TO_STORE, 2**31, 2**31 - 1]:
                for body in spoiled(whole, value):
                    assert_explained(await visitor.request(method, address, json=body))
    assert {"/api/v1/games", "/api/v1/reminders/subscription"} <= asked


async def test_nonsense_in_a_form_of_the_table(visitor: AsyncClient, database_url: str):
    game = await game_of(visitor)
    good = {"version": "0", "clicked": "t1", "held": "", "move": "t1-f1", "ruleset": "bristol"}
    good |= {"back": "/", "theme": "auto", "suits": "two", "hand": "right"}
    for field, paths in FORMS.items():
        for text in texts_for(database_url):
            for path in paths:
                address = path.format(game=game)
                for headers in ({}, {"HX-Request": "true"}):
                    form = {**good, field: text}
                    assert_explained(await visitor.post(address, data=form, headers=headers))


async def test_nonsense_in_a_query_or_a_header(site: FastAPI, visitor: AsyncClient):
    game = await game_of(visitor)
    for text in TEXTS:
        for path in (f"/games/{game}", f"/games/{game}/board", f"/api/v1/games/{game}"):
            query = {"held": text, "since": text}
            assert_explained(await visitor.get(path, params=query))
        for header in ("Idempotency-Key", "Cookie", "Referer", "Accept", "Accept-Encoding"):
            headers = [(header.encode(), text.encode("utf-8"))]
            address = f"/api/v1/games/{game}/moves"
            body = {"version": 10**6, "move": "t1-f1"}
            assert_explained(await visitor.post(address, json=body, headers=headers))
            assert_explained(await visitor.get("/nothing", headers=headers))


async def test_nonsense_in_each_field_of_a_query(site: FastAPI, visitor: AsyncClient):
    game = await game_of(visitor)
    known = {"{game_id}": game, "{ruleset}": "bristol", "{day}": "2026-01-05", "{word}": "deal"}
    asked = set()
    for context in iter_route_contexts(site.router.routes):
        route = context.original_route
        if not isinstance(route, APIRoute) or route.path.endswith("/stream"):
            continue
        address = "/".join(known.get(part, part) for part in route.path.split("/"))
        for field in query_params(route.dependant):
            asked.add((route.path, field.alias))
            for text in [*TEXTS_HARD_TO_STORE, *CURSORS, *map(str, edges(field))]:
                for method in route.methods or ():
                    query = {field.alias: text}
                    response = await visitor.request(method, address, params=query)
                    assert_explained(response)
                    assert response.status_code >= 400 or "\0" not in text, response.request.url
    assert {("/watch", "after"), ("/games/{game_id}", "left")} <= asked


async def test_what_no_database_can_store_is_malformed(visitor: AsyncClient):
    game = await game_of(visitor)
    assert (await visitor.post(f"/api/v1/games/{game}/together")).is_success
    for path in ("/api/v1/races?after=1.%00", "/api/v1/watch?after=1.%00", "/api/v1/races?x=%00"):
        answer = await visitor.get(path)
        assert (answer.status_code, answer.json()["code"]) == (422, "malformed"), path
    for path in ("/watch?after=1.%00", f"/games/{game}?left=%00", "/?%00"):
        answer = await visitor.get(path)
        assert answer.status_code == 422, path
        assert "character" in answer.text
    for number, status in ((2**31 - 1, 409), (2**31, 422)):
        body = {"number": number, "agrees": True}
        answer = await visitor.post(f"/api/v1/games/{game}/together/answer", json=body)
        assert answer.status_code == status, answer.json()
        form = {"number": str(number), "agrees": "true"}
        answer = await visitor.post(f"/games/{game}/together/answer", data=form)
        assert answer.status_code == status


async def test_a_nul_that_reaches_the_database_is_malformed(
    visitor: AsyncClient, database_url: str
):
    await game_of(visitor)
    body = {"old_endpoint": "\0", "subscription": Browser().json}
    answer = await visitor.put("/api/v1/reminders/subscription", json=body)
    # SQLite stores it, so there it is the address of no reminder.
    expected = (404, "not_found") if database_url.startswith("sqlite") else (422, "malformed")
    assert (answer.status_code, answer.json()["code"]) == expected


async def test_half_a_character_that_reaches_the_database_is_malformed(visitor: AsyncClient):
    game = await game_of(visitor)
    assert (await visitor.post(f"/api/v1/games/{game}/together")).is_success
    answer = await visitor.post(
        f"/api/v1/games/{game}/together/seat",
        content=b'{"player": "\\ud800"}',
        headers={"Content-Type": "application/json"},
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "malformed")


async def test_another_players_game_can_be_seen_but_not_changed(site, visitor):
    game = await game_of(visitor)
    async with visiting(site) as stranger:
        assert (await stranger.get(f"/games/{game}")).is_success
        for word in ("moves", "undo", "redo", "restart", "resign"):
            body = {"version": 0, "move": "t1-f1"}
            response = await stranger.post(f"/api/v1/games/{game}/{word}", json=body)
            assert (response.status_code, response.json()["code"]) == (403, "not_your_game")
        form = {"version": "0", "clicked": "t1", "held": ""}
        response = await stranger.post(f"/games/{game}/click", data=form)
        assert response.status_code == 403
        assert 'href="/"' in response.text
    assert (await visitor.get(f"/api/v1/games/{game}")).json()["version"] == 0
