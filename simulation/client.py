"""A browser or program of one person: cookies, requests that are tried again, and event streams that reconnect."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from http.cookies import SimpleCookie
from typing import Final

from simulation.network import UNAVAILABLE, Answer, ConnectionLostError, Exchange, Network

_TRIES: Final = 4
_RETRY_SECONDS: Final = 1.0


class Client:
    """Remembers cookies like a browser."""

    def __init__(self, network: Network, who: str, address: str) -> None:
        self.network = network
        self.who = who
        self.address = address
        self.cookies: dict[str, str] = {}
        self.lost = 0
        """How many answers were lost, or said that the site is unavailable."""

    async def request(
        self, method: str, path: str, body: object = None, *, key: str | None = None
    ) -> Answer:
        """One request; raises ``ConnectionLostError``."""
        headers = self.headers()
        if key is not None:
            headers["idempotency-key"] = key
        answer = await self.network.request(self.who, self.address, method, path, body, headers)
        self._keep_cookies(answer)
        return answer

    async def get(self, path: str) -> Answer:
        """A GET, tried again when the connection is lost."""
        return await self.insist("GET", path)

    async def post(self, path: str, body: object = None) -> Answer:
        """A POST that is sent once; raises ``ConnectionLostError``."""
        return await self.request("POST", path, body)

    async def insist(
        self, method: str, path: str, body: object = None, *, key: str | None = None
    ) -> Answer:
        """The same request again and again until it is answered; raises ``ConnectionLostError`` in the end.

        "Unavailable" is no answer: in the end that, too, is a lost connection.
        """
        for _ in range(_TRIES):
            with suppress(ConnectionLostError):
                answer = await self.request(method, path, body, key=key)
                if answer.status != UNAVAILABLE:
                    return answer
            self.lost += 1
            await asyncio.sleep(_RETRY_SECONDS)
        raise ConnectionLostError

    def headers(self) -> dict[str, str]:
        """What a browser sends with every request."""
        headers = {"user-agent": "Simulation", "accept": "*/*"}
        if self.cookies:
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return headers

    def _keep_cookies(self, answer: Answer) -> None:
        for name, value in answer.headers:
            if name.lower() == "set-cookie":
                for morsel in SimpleCookie(value).values():
                    if morsel.value and morsel["max-age"] != "0":
                        self.cookies[morsel.key] = morsel.value
                    else:
                        self.cookies.pop(morsel.key, None)


class Listener:
    """An event stream of a client that reconnects by itself, like a browser's EventSource."""

    def __init__(
        self, client: Client, path: str, hear: Callable[[int], None], *, since: int | None = None
    ) -> None:
        """``hear`` is called with each version. With ``since`` the changes after it are sent, too."""
        self.client = client
        self.path = path
        self.last = -1
        self.player_id = ""
        """Who opened it."""
        self.is_closed = False
        self.refusal = 0
        """The status with which the stream was refused for good."""
        self._hear = hear
        self._since = since
        self._exchange: Exchange | None = None
        self._task = asyncio.get_running_loop().create_task(self._listen())

    def close(self) -> None:
        """Close the page."""
        self.is_closed = True
        self._task.cancel()
        if self._exchange:
            self._exchange.hung_up.set()

    async def _listen(self) -> None:
        while not self.refusal:
            path, headers = self.path, self.client.headers()
            if self._since is not None:
                path = f"{path}?since={max(self.last, self._since)}"
            elif self.last >= 0:
                headers["last-event-id"] = str(self.last)
            try:
                self._exchange = exchange = await self.client.network.connect(
                    self.client.who, self.client.address, path, headers
                )
                await self._read(exchange)
            except ConnectionLostError:
                pass
            await asyncio.sleep(_RETRY_SECONDS)

    async def _read(self, exchange: Exchange) -> None:
        at = 0
        while True:
            await exchange.changed.wait()
            exchange.changed.clear()
            if 400 <= exchange.status < 500 and exchange.status != 429:
                self.refusal = exchange.status
                return
            end = exchange.body.rfind(b"\n\n") + 2
            if end > at + 1:
                self._parse(bytes(exchange.body[at:end]))
                at = end
            if exchange.done.is_set():
                return

    def _parse(self, text: bytes) -> None:
        for event in text.split(b"\n\n"):
            fields = dict(line.partition(b": ")[::2] for line in event.splitlines())
            if fields.get(b"event") in {b"beat", b"here"} or b"data" not in fields:
                continue
            found = json.loads(fields[b"data"])
            if isinstance(found, dict) and isinstance(found.get("version"), int):
                version: int = found["version"]
                self.last = max(self.last, version)
                self._hear(version)
