"""A visitor in one of the scenes at the end, without faults: every request must succeed."""

from __future__ import annotations

from typing import Any, Final

from simulation.client import Client
from simulation.network import Answer, Exchange, Network
from simulation.trace import Violation

WORKS: Final = "the site works when nothing disturbs it"
ADDRESS: Final = "192.0.2.96"


class Visitor:
    """A client that stays with one process."""

    def __init__(self, network: Network, who: str, process: int) -> None:
        self.client = Client(network, who, ADDRESS)
        self.process = process

    async def request(self, method: str, path: str, body: object = None) -> Answer:
        """A request that must arrive."""
        return await self.client.network.request(
            self.client.who,
            ADDRESS,
            method,
            path,
            body,
            self.client.headers(),
            process=self.process,
        )

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """A request that must be answered with success; what it was answered."""
        answer = await self.request(method, path, body)
        if not answer.is_ok:
            raise Violation(WORKS, f"{method} {path}: {answer.status} {answer.code}")
        return answer.json

    async def arrive(self) -> None:
        """Become a guest."""
        found = await self.ask("POST", "/api/v1/players")
        self.client.cookies["fd_session"] = found["token"]

    async def open_page(self, game_id: str) -> Exchange:
        """Be present."""
        path = f"/api/v1/games/{game_id}/stream"
        return await self.client.network.connect(
            self.client.who, ADDRESS, path, self.client.headers(), process=self.process
        )
