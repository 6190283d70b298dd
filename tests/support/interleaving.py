"""Two processes on one PostgreSQL server, to pause one transaction while another runs."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Select, event, select, text

from app.db.schema import shared_tables
from tests.support.known import PASSWORD
from tests.support.patience import PATIENCE
from tests.support.serving import id_of

if TYPE_CHECKING:
    from fastapi import FastAPI
    from httpx import AsyncClient, Response

    from app.db.engine import Database

_WAITING = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


class Process(NamedTuple):
    """A site and a client of it."""

    site: FastAPI
    visitor: AsyncClient

    @property
    def database(self) -> Database:
        found: Database = self.site.state.services.database
        return found

    def stored(self, query: Select[Any]) -> Any:
        """The one value that a query finds."""
        return stored(self.database, query)

    async def deal(self) -> str:
        """Start a game; return its id."""
        response = await self.visitor.post("/api/v1/games", json={"ruleset": "bristol"})
        assert response.is_success, response.text
        return str(response.json()["id"])

    async def share(self, game: str) -> str:
        """Share a game; return the token of its invitation."""
        response = await self.visitor.post(f"/api/v1/games/{game}/together")
        assert response.is_success, response.text
        return str(
            self.stored(select(shared_tables.c.token).where(shared_tables.c.game_id == game))
        )

    async def me(self) -> str:
        """The id of the client's player."""
        return await id_of(self.visitor)

    async def create_account(self, name: str) -> Response:
        return await self.visitor.post(
            "/api/v1/me/claim", json={"name": name, "password": PASSWORD}
        )

    async def sign_in(self, name: str, **more: str) -> Response:
        return await self.visitor.post("/login", data={"name": name, "password": PASSWORD, **more})

    async def be(self, other: Process) -> None:
        """Use the session of the other process's client, as in a second window."""
        self.visitor.cookies.update(dict(other.visitor.cookies))
        assert await self.me() == await other.me()


def stored(database: Database, query: Select[Any]) -> Any:
    """The one value that a query finds."""
    with database.engine.connect() as connection:
        return connection.scalar(query)


class Hold:
    """Pauses the first transaction that executes a statement, after or ``before`` it, until released."""

    def __init__(self, database: Database, statement: str, *, before: bool = False) -> None:
        """``statement`` is a regular expression that finds it."""
        self.engine = database.engine
        self._statement = re.compile(statement, re.DOTALL)
        self._is_there, self._released = threading.Event(), threading.Event()
        name = "before_cursor_execute" if before else "after_cursor_execute"
        event.listen(self.engine, name, self._on_statement)

    def _on_statement(self, connection, _cursor, statement, *_args) -> None:
        is_read = connection.get_execution_options().get("isolation_level") == "AUTOCOMMIT"
        if is_read or self._is_there.is_set() or not self._statement.search(statement):
            return
        self._is_there.set()
        assert self._released.wait(PATIENCE), "it was not released"

    async def is_there(self) -> None:
        reached = await asyncio.to_thread(self._is_there.wait, PATIENCE)
        assert reached, f"no transaction reached {self._statement.pattern}"

    def let_go(self) -> None:
        self._released.set()


async def meet(hold: Hold, first: Awaitable[Any], second: Awaitable[Any]) -> list[Any]:
    """Run ``first`` until it is held, then ``second`` until it is done or waits for ``first``, then

    both to the end. Returns their results or exceptions.
    """
    tasks = [asyncio.ensure_future(first)]
    try:
        await hold.is_there()
        tasks.append(asyncio.ensure_future(second))
        await _wait_until_blocked(hold, tasks[1])
    finally:
        hold.let_go()
        found = await asyncio.gather(*tasks, return_exceptions=True)
    return found


async def double_click(
    here: Process, there: Process, statement: str, address: str, body: object = None
) -> list[Response]:
    """One player's request at both processes; the first is held at a statement."""
    await there.be(here)
    return await meet(
        Hold(here.database, statement),
        here.visitor.post(address, json=body),
        there.visitor.post(address, json=body),
    )


async def _wait_until_blocked(hold: Hold, task: asyncio.Future[Any]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not (task.done() or await asyncio.to_thread(_is_another_waiting, hold)):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def _is_another_waiting(hold: Hold) -> bool:
    with hold.engine.connect() as connection:
        return bool(connection.scalar(_WAITING))
