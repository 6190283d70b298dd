"""People in front of the admin pages and behind them."""

from __future__ import annotations

from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from fastapi import FastAPI
from httpx import AsyncClient

from app.admin.auth.repository import Role
from app.admin.auth.service import StaffAccess
from app.identity.service import PlayerService
from tests.support.serving import visiting

PASSWORD = "a long and quiet evening"


class Hands:
    """Browsers of several people at one site."""

    def __init__(self, site: FastAPI) -> None:
        self.site = site
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    @property
    def office(self) -> StaffAccess:
        office: StaffAccess = self.site.state.services.staff
        return office

    async def stranger(self) -> AsyncClient:
        """Somebody who has never been here."""
        return await self._stack.enter_async_context(visiting(self.site))

    async def player(self, name: str) -> AsyncClient:
        """Somebody with an account."""
        client = await self.stranger()
        form = {"name": name, "password": PASSWORD, "again": PASSWORD}
        assert (await client.post("/join", data=form)).status_code == 303
        return client

    async def bearer(self, name: str, role: str) -> AsyncClient:
        """Somebody with a role who has yet to give the password again."""
        client = await self.player(name)
        await self.office.grant(name, Role(role))
        return client

    async def officer(self, name: str, role: str) -> AsyncClient:
        """Somebody behind the door."""
        client = await self.bearer(name, role)
        answer = await client.post("/admin/enter", data={"password": PASSWORD})
        assert answer.status_code == 303
        return client

    async def id_of(self, client: AsyncClient) -> str:
        """The id of somebody who has a session."""
        players: PlayerService = self.site.state.services.players
        found = await players.find(client.cookies["fd_session"])
        assert found is not None
        return found.player.id
