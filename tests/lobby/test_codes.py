"""One field for any code or link."""

from __future__ import annotations

import re
from html import escape

import pytest
from httpx import AsyncClient

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("7kq4m2", "/race/7KQ4M2"),
        (" 7kq 4m2 ", "/race/7KQ4M2"),
        ("#11982", "/deal/freecell/MS-11982"),
        ("11982", "/deal/freecell/MS-11982"),
        ("http://fairdeal.test/race/7KQ4M2", "/race/7KQ4M2"),
        ("fairdeal.test/challenge/abcDEF_-123", "/challenge/abcDEF_-123"),
        ("fairdeal.test/ghost/abcDEF_-123", "/ghost/abcDEF_-123"),
        ("/together/abcDEF_-123", "/together/abcDEF_-123"),
        (
            "https://fairdeal.test/daily/2026-03-10/bristol?list=solved#x",
            "/daily/2026-03-10/bristol?list=solved",
        ),
        ("http://fairdeal.test/league/abc", "/league/abc"),
        ("http://fairdeal.test/games/abc/replay", "/games/abc/replay"),
    ],
)
async def test_a_code_or_a_link_leads_there(visitor: AsyncClient, typed: str, address: str):
    answer = await visitor.get("/go", params={"code": typed})
    assert (answer.status_code, answer.headers["location"]) == (303, address)


async def test_the_code_of_a_deal_asks_for_its_game(visitor: AsyncClient):
    page = await visitor.get("/go", params={"code": "7kq4m 2xwtp"})
    assert page.status_code == 200
    assert 'value="7KQ4M-2XWTP"' in page.text
    assert 'action="/deal"' in page.text
    deal = await visitor.get("/deal", params={"ruleset": "klondike", "code": "7KQ4M-2XWTP"})
    assert deal.headers["location"] == "/deal/klondike/7KQ4M-2XWTP"


async def test_a_number_of_microsoft_is_dealt_in_its_game_whichever_is_chosen(visitor: AsyncClient):
    started = await visitor.post("/play", data={"ruleset": "klondike", "code": "#11982"})
    page = await visitor.get(started.headers["location"])
    assert (started.status_code, "FreeCell" in page.text) == (303, True)
    found = await visitor.get("/deal", params={"ruleset": "klondike", "code": "#11982"})
    assert found.headers["location"] == "/deal/freecell/MS-11982"


@pytest.mark.parametrize(
    ("typed", "is_code"),
    [
        ("HKQXM-XWTPR", True),
        ("HKQXMXWTPR", True),
        (" HKQXM-XWTPR ", True),
        ("hello there", False),
        ("HELLO-THERE", False),
        ("green trees", False),
        ("Greentrees", False),
        ("hell0 there", True),
    ],
)
async def test_words_are_no_code_of_a_deal(visitor: AsyncClient, typed: str, is_code: bool):
    """Without a digit a code is known by the way in which it is printed."""
    page = await visitor.get("/go", params={"code": typed})
    assert page.status_code == (200 if is_code else 422)
    assert ('action="/deal"' in page.text) is is_code
    if not is_code:
        assert "such as 7KQ4M-2XWTP" in page.text
        assert f'value="{typed}"' in page.text


async def test_a_link_with_any_ten_letters_stays_valid(visitor: AsyncClient):
    """Such as one that was shared before the field took words for what they are."""
    page = await visitor.get("/deal/klondike/HE110-THERE")
    assert page.status_code == 200
    old = await visitor.get("/deal", params={"ruleset": "klondike", "code": "hello there"})
    assert old.headers["location"] == "/deal/klondike/HE110-THERE"


@pytest.mark.parametrize(
    "typed",
    [
        "https://elsewhere.test/race/7KQ4M2",
        "//elsewhere.test/race/7KQ4M2",
        "/\\elsewhere.test",
        "javascript://fairdeal.test/%0Aalert(1)",
        "http://fairdeal.test/",
        "http://[fairdeal.test/race/7KQ4M2",
        "/admin",
        "hello",
        "",
    ],
)
async def test_anything_else_is_explained_and_leads_nowhere(visitor: AsyncClient, typed: str):
    answer = await visitor.get("/go", params={"code": typed})
    assert answer.status_code == 422
    assert "location" not in answer.headers
    heading = "We don&#39;t know this link" if "/" in typed else "We don&#39;t know this code"
    assert f"<h1>{heading}</h1>" in answer.text
    assert "Malformed" not in answer.text
    (field,) = re.findall(r'<input id="go-code"[^>]*>', answer.text)
    assert f'value="{escape(typed)}"' in field
    assert ('aria-describedby="unknown"' in field) is bool(typed)


@pytest.mark.parametrize("typed", ["7KQ4M-2XWTP", "hello"])
async def test_a_guest_is_known_there(visitor: AsyncClient, typed: str):
    await visitor.post("/play", data={"ruleset": "bristol"})
    page = (await visitor.get("/go", params={"code": typed})).text
    assert 'class="self"' in page
    assert 'class="sign-in"' not in page


@pytest.mark.parametrize("path", ["/", "/together"])
async def test_the_field_is_where_one_plays_with_others(visitor: AsyncClient, path: str):
    page = (await visitor.get(path)).text
    assert 'action="/go"' in page
    assert 'for="go-code">Got a code or an invitation? Paste it here</label>' in page
    assert "Challenge a friend" in page


async def test_a_code_that_is_none_is_told_at_its_field_which_keeps_it(visitor: AsyncClient):
    answer = await visitor.post("/play", data={"ruleset": "terrace", "code": "zzz"})
    assert answer.status_code == 303
    page = await visitor.get(answer.headers["location"])
    assert page.status_code == 404
    field = re.search(r"<input id=\"code\".*?>", page.text, re.DOTALL)
    assert field
    assert 'value="zzz"' in field[0]
    assert 'aria-invalid="true"' in field[0]
    assert '<option value="terrace" selected' in page.text
