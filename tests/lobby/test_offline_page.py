"""The page that is shown without a network."""

from __future__ import annotations

import re

import pytest
from httpx import AsyncClient

pytestmark = pytest.mark.anyio

STYLE = re.compile(r"/static/[^\"']*?css/([\w-]+\.css)")


async def test_the_last_table_lies_as_it_lay_and_all_of_it_is_kept(visitor: AsyncClient):
    page = (await visitor.get("/offline")).text
    needed = set(STYLE.findall(page))
    assert {"cards.css", "table.css", "table-phone.css"} <= needed, "as on the page of a game"
    worker = (await visitor.get("/sw.js")).text
    assert needed - set(re.findall(r"css/([\w-]+\.css)", worker)) == set()
