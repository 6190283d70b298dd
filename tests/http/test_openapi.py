import html
import re

import pytest
from httpx import AsyncClient
from markupsafe import escape

from tests.http.test_errors import CONTRACT

pytestmark = pytest.mark.anyio


async def test_the_page_shows_every_operation(visitor: AsyncClient):
    described = (await visitor.get("/api/v1/openapi.json")).json()
    page = (await visitor.get("/api/docs")).text
    assert len(described["paths"]) > 8
    for path, item in described["paths"].items():
        assert f"<code>{path}</code>" in page
        for operation in item.values():
            assert f"<h3>{escape(operation['summary'])}</h3>" in page


async def test_each_command_of_a_first_game_can_be_copied_and_has_short_lines(visitor: AsyncClient):
    page = (await visitor.get("/api/docs")).text
    commands = re.findall(r'<pre id="([^"]+)" tabindex="0">(.*?)</pre>', page, re.DOTALL)
    assert [command.split()[0] for _, command in commands] == ["curl"] * 3
    for name, command in commands:
        assert f'data-copy="{name}"' in page
        lines = html.unescape(command).splitlines()
        assert max(map(len, lines[1:]), default=0) <= 40, "a phone shows 40 characters"
        assert all(line.endswith(" \\") for line in lines[:-1])
    assert re.search(r'src="[^"]*/js/copy.js"', page)


async def test_the_address_that_one_guesses_leads_there(visitor: AsyncClient):
    for guess in ("/api", "/api/"):
        answer = await visitor.get(guess)
        assert answer.is_redirect
        assert answer.headers["location"] == "/api/docs"


@pytest.mark.parametrize("code", CONTRACT)
async def test_every_error_code_has_its_anchor(visitor: AsyncClient, code):
    assert f'id="{code}"' in (await visitor.get("/api/docs")).text


async def test_errors_are_described_as_problems(visitor: AsyncClient):
    described = (await visitor.get("/api/v1/openapi.json")).json()
    assert "HTTPValidationError" not in str(described)
    for item in described["paths"].values():
        for operation in item.values():
            content = operation["responses"]["default"]["content"]
            assert list(content) == ["application/problem+json"]
            assert all(status < "400" for status in set(operation["responses"]) - {"default"})


async def test_pages_are_not_in_the_description(visitor: AsyncClient):
    described = (await visitor.get("/api/v1/openapi.json")).json()
    assert all(path.startswith("/api/v1/") for path in described["paths"])


async def test_the_page_loads_nothing_from_other_sites(visitor: AsyncClient):
    page = (await visitor.get("/api/docs")).text
    scripts = re.findall(r"<script[^>]*>[^<]*", page)
    assert [
        one for one in scripts if not re.match(r'<script src="/static/[^"]+" type="module">', one)
    ] == []
    assert re.findall(r'(?:src|href)="(?!/)[^#"]*"', page) == []


async def test_every_schema_has_a_plain_name(visitor: AsyncClient):
    described = (await visitor.get("/api/v1/openapi.json")).json()
    names = described["components"]["schemas"]
    # Where two models have the same name, FastAPI puts their modules before it: app__races__api__SeatBody.
    assert [name for name in names if not re.fullmatch("[A-Za-z]+", name)] == []


async def test_the_head_of_the_page_names_who_reads_it(visitor: AsyncClient):
    assert ">Sign in</a>" in (await visitor.get("/api/docs")).text
    await visitor.post("/api/v1/games", json={"ruleset": "bristol"})
    name = (await visitor.get("/api/v1/me")).json()["name"]
    page = (await visitor.get("/api/docs")).text
    assert f'title="You are playing as a guest: {name}"' in page
    assert ">Sign in</a>" not in page
