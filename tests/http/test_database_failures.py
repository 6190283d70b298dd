"""A full disk or a locked file is answered as 503, and the same request works once the database does."""

from __future__ import annotations

import html
import logging
import resource
import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import make_url

from tests.support.known import HTMX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from httpx import AsyncClient, Response

pytestmark = pytest.mark.anyio

MOVE = {"version": 0, "move": "deal"}


@contextmanager
def full_disk(path: Path) -> Iterator[None]:
    """No file of this process grows beyond the log of the database, so its next commit fails."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = path.with_name(f"{path.name}-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another program keeps the lock for writing."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.close()


@pytest.fixture(params=[full_disk, locked], ids=lambda kind: str(kind.__name__))
def failing(
    request: pytest.FixtureRequest, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], AbstractContextManager[None]]:
    """While it is entered, nothing can be written."""
    connect = sqlite3.connect

    def impatient(*arguments: Any, **options: Any) -> Any:
        return connect(*arguments, **{**options, "timeout": 0.01})

    monkeypatch.setattr(sqlite3.dbapi2, "connect", impatient)
    path = Path(make_url(sqlite_url).database or "")
    return lambda: request.param(path)


async def deal(visitor: AsyncClient) -> str:
    found = (await visitor.post("/api/v1/games", json={"ruleset": "bristol"})).json()
    return str(found["id"])


def assert_unavailable(response: Response) -> None:
    assert response.status_code == 503
    assert int(response.headers["retry-after"]) > 0
    assert "couldn't be saved. Try again" in html.unescape(response.text)


async def test_a_move_that_is_not_saved_is_a_503_and_can_be_tried_again(visitor, failing):
    path = f"/api/v1/games/{await deal(visitor)}/moves"
    key = {"Idempotency-Key": "once"}
    with failing():
        response = await visitor.post(path, json=MOVE, headers=key)
        assert_unavailable(response)
        assert response.json()["code"] == "unavailable"
    again = await visitor.post(path, json=MOVE, headers=key)
    assert again.status_code == 200
    assert again.json()["version"] == 1
    assert (await visitor.post(path, json=MOVE, headers=key)).json() == again.json()


async def test_a_click_that_is_not_saved_is_a_notice(visitor, failing):
    path = f"/games/{await deal(visitor)}"
    click = {"clicked": "stock", "version": "0"}
    with failing():
        response = await visitor.post(f"{path}/click", data=click, headers=HTMX)
        assert_unavailable(response)
        assert response.text.startswith('<hx-partial id="notice"')
        page = await visitor.post(f"{path}/click", data=click)
        assert_unavailable(page)
        assert "<h1" in page.text
    assert (await visitor.post(f"{path}/click", data=click, headers=HTMX)).status_code == 200


async def test_a_failing_database_is_logged_once(visitor, failing, caplog):
    path = f"/api/v1/games/{await deal(visitor)}/moves"
    with caplog.at_level(logging.ERROR, "fairdeal"), failing():
        for _ in range(5):
            assert_unavailable(await visitor.post(path, json=MOVE))
    (record,) = caplog.records
    assert record.getMessage() == "The database is not available"
    assert record.exc_info
