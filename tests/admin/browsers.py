"""Browsers of players and staff, for the tests of the admin pages."""

from __future__ import annotations

from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

import pyotp
from fastapi import FastAPI
from httpx import AsyncClient

from app.admin.auth.repository import Role
from app.admin.auth.service import StaffService
from app.identity.second_factor.service import STEP_MS
from app.identity.sessions import Sessions
from tests.support.serving import visiting

PASSWORD = "a long and quiet evening"


class Browsers:
    """Opens browsers at one site, for people with and without a role."""

    def __init__(self, site: FastAPI) -> None:
        self.site = site
        self._stack = AsyncExitStack()
        self._secrets: dict[str, str] = {}

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
    def staff(self) -> StaffService:
        staff: StaffService = self.site.state.services.staff
        return staff

    async def visitor(self) -> AsyncClient:
        """A new browser without a session."""
        return await self._stack.enter_async_context(visiting(self.site))

    async def player(self, name: str) -> AsyncClient:
        """A player with an account."""
        client = await self.visitor()
        form = {"name": name, "password": PASSWORD, "again": PASSWORD}
        assert (await client.post("/join", data=form)).status_code == 303
        return client

    async def newly_appointed(self, name: str, role: str) -> AsyncClient:
        """A staff member who has no second factor yet."""
        client = await self.player(name)
        await self.staff.grant_role(name, Role(role))
        return client

    async def signed_in_staff(self, name: str, role: str) -> AsyncClient:
        """A staff member with an authenticator app who has not re-authenticated yet."""
        client = await self.newly_appointed(name, role)
        self._secrets[name] = (await self.staff.issue_authenticator(name)).secret
        return client

    def code(self, name: str, steps: int = 0) -> str:
        """The code that the app of a staff member shows now, or some steps of 30 seconds later."""
        now_ms: int = self.staff._clock()
        return pyotp.TOTP(self._secrets[name]).generate_otp(now_ms // STEP_MS + steps)

    def door_form(self, name: str) -> dict[str, str]:
        """What opens the admin pages to a staff member, once every 30 seconds."""
        return {"password": PASSWORD, "code": self.code(name)}

    async def staff_member(self, name: str, role: str) -> AsyncClient:
        """A staff member who has re-authenticated."""
        client = await self.signed_in_staff(name, role)
        answer = await client.post("/admin/enter", data=self.door_form(name))
        assert (answer.status_code, answer.headers["location"]) == (303, "/admin/games")
        return client

    async def id_of(self, client: AsyncClient) -> str:
        """The player id of a browser's session."""
        sessions: Sessions = self.site.state.services.sessions
        found = await sessions.find(client.cookies["fd_session"])
        assert found is not None
        return found.player.id
