"""Clients and the site: requests in process over ASGI, with latency, lost answers, hang-ups and event streams."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from simulation.chaos import Chaos
from simulation.process import SimulatedProcess
from simulation.trace import Trace

HOST: Final = "fairdeal.test"
UNAVAILABLE: Final = 503
_NO_SERVER_SECONDS: Final = 0.2


class ConnectionLostError(Exception):
    """The client does not know whether its request was handled."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response as the client received it, and the process that sent it."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    process: int

    @property
    def json(self) -> Any:
        """The body; ``{}`` if it is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return {}

    @property
    def is_ok(self) -> bool:
        """Whether the status is below 400."""
        return self.status < 400

    @property
    def retry_after(self) -> int:
        """The seconds after which the site asks to try again; 0 if it does not."""
        found = dict(self.headers).get("retry-after", "")
        return int(found) if found.isdecimal() else 0

    @property
    def code(self) -> str:
        """The stable code of an error."""
        found = self.json
        return str(found.get("code", "")) if isinstance(found, dict) else ""


class Exchange:
    """One request on its way through a process: the client's end of it."""

    def __init__(self, process: SimulatedProcess, sent: Callable[[bytes], None]) -> None:
        """``sent`` is called with every piece of the body."""
        self.process = process
        self.status = 0
        self.headers: list[tuple[str, str]] = []
        self.body = bytearray()
        self.hung_up = asyncio.Event()
        self.done = asyncio.Event()
        self.changed = asyncio.Event()
        self._sent = sent

    async def run(self, scope: MutableMapping[str, Any], body: bytes) -> None:
        """Let the application of the process handle the request."""
        pending = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> MutableMapping[str, Any]:
            if pending:
                return pending.pop()
            await self.hung_up.wait()
            return {"type": "http.disconnect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                self.headers = [
                    (name.decode("latin-1"), value.decode("latin-1"))
                    for name, value in message["headers"]
                ]
            else:
                piece: bytes = message.get("body", b"")
                self._sent(piece)
                self.body += piece
            self.changed.set()

        try:
            await self.process.app(scope, receive, send)
        finally:
            self.end()

    def end(self) -> None:
        """Nothing more will come."""
        self.done.set()
        self.changed.set()


class Network:
    """The load balancer and the wires of clients."""

    def __init__(self, chaos: Chaos, chance: Random, trace: Trace) -> None:
        self._chaos = chaos
        self._chance = chance
        self._trace = trace
        self._open: dict[Exchange, None] = {}
        self.processes: list[SimulatedProcess] = []
        self.on_answer: Callable[[str, str, Answer], None] = lambda _method, _path, _answer: None
        self.on_error: Callable[[str, BaseException | None], None] = lambda _what, _error: None

    def now(self) -> float:
        """Virtual seconds since the start."""
        return asyncio.get_running_loop().time()

    async def request(
        self,
        who: str,
        address: str,
        method: str,
        path: str,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        *,
        process: int | None = None,
    ) -> Answer:
        """Send a request to some process, or to the one with a number; raises ``ConnectionLostError``."""
        chaos = self._chaos
        await asyncio.sleep(chaos.latency())
        chosen = self._choose(process)
        asked = f"{who}: {method} {path}{_shown(body)}"
        if chosen is None or chaos.happens(chaos.lose_request):
            self._trace.note(self.now(), f"{asked} -> never arrives")
            await asyncio.sleep(_NO_SERVER_SECONDS)
            raise ConnectionLostError
        self._trace.note(self.now(), f"{asked} at {chosen.number}")
        exchange = self._send(chosen, address, method, path, body, headers or {})
        patience = self._chance.random() * 0.02 if chaos.happens(chaos.hang_up) else 60.0
        try:
            async with asyncio.timeout(patience):
                await exchange.done.wait()
        except TimeoutError:
            exchange.hung_up.set()
            self._trace.note(self.now(), f"{asked} -> hangs up")
            raise ConnectionLostError from None
        if not exchange.status:
            self._trace.note(self.now(), f"{asked} -> connection lost")
            raise ConnectionLostError
        answer = Answer(exchange.status, exchange.headers, bytes(exchange.body), chosen.number)
        # Bytes count as sent even if they never arrive.
        self._trace.note(
            self.now(),
            f"{asked} -> {answer.status} {_short(answer)}",
            repr(answer.headers).encode() + answer.body,
        )
        self.on_answer(method, path, answer)
        if chaos.happens(chaos.lose_answer):
            self._trace.note(self.now(), f"{asked} -> answer lost")
            raise ConnectionLostError
        await asyncio.sleep(chaos.latency())
        return answer

    def find(self, number: int) -> SimulatedProcess | None:
        """The process with a number, if it runs."""
        return next((one for one in self.processes if one.number == number), None)

    async def connect(
        self,
        who: str,
        address: str,
        path: str,
        headers: Mapping[str, str],
        *,
        process: int | None = None,
    ) -> Exchange:
        """Open an event stream at some process, or a certain one; raises ``ConnectionLostError``."""
        await asyncio.sleep(self._chaos.latency())
        chosen = self._choose(process)
        if chosen is None:
            await asyncio.sleep(_NO_SERVER_SECONDS)
            raise ConnectionLostError
        self._trace.note(self.now(), f"{who}: GET {path} at {chosen.number} (stream)")

        def sent(piece: bytes) -> None:
            self._trace.note(self.now(), f"{who} hears {len(piece)} bytes", piece)

        return self._send(chosen, address, "GET", path, None, headers, sent)

    def lose(self, process: SimulatedProcess) -> None:
        """A process has died, or let go of its clients: they notice."""
        for exchange in [one for one in self._open if one.process is process]:
            exchange.status = 0
            exchange.end()
            del self._open[exchange]

    def _send(
        self,
        process: SimulatedProcess,
        address: str,
        method: str,
        path: str,
        body: object,
        headers: Mapping[str, str],
        sent: Callable[[bytes], None] = lambda _piece: None,
    ) -> Exchange:
        exchange = Exchange(process, sent)
        content = b"" if body is None else json.dumps(body).encode()
        given = {"host": HOST, "sec-fetch-site": "same-origin", **headers}
        if body is not None:
            given |= {"content-type": "application/json", "content-length": str(len(content))}
        task = process.spawn(exchange.run(_scope(address, method, path, given), content))
        self._open[exchange] = None
        process.requests.add(task)

        def finished(ended: asyncio.Task[Any]) -> None:
            self._open.pop(exchange, None)
            process.requests.discard(ended)
            if not ended.cancelled() and ended.exception():
                self.on_error(f"{method} {path}", ended.exception())

        task.add_done_callback(finished)
        return exchange

    def _choose(self, number: int | None = None) -> SimulatedProcess | None:
        ready = [
            process
            for process in self.processes
            if process.is_ready and number in {None, process.number}
        ]
        return self._chance.choice(ready) if ready else None


def _scope(
    address: str, method: str, path: str, headers: Mapping[str, str]
) -> MutableMapping[str, Any]:
    split = urlsplit(path)
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "path": unquote(split.path),
        "raw_path": split.path.encode(),
        "query_string": split.query.encode(),
        "root_path": "",
        "scheme": "http",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        "client": (address, 1),
        "server": (HOST, 80),
        "state": {},
    }


def _shown(body: object) -> str:
    return "" if body is None else f" {json.dumps(body)}"


def _short(answer: Answer) -> str:
    found = answer.json
    if not isinstance(found, dict):
        return f"{len(answer.body)} bytes"
    if "code" in found and not answer.is_ok:
        return str(found["code"])
    shown = {name: found[name] for name in ("id", "version", "status", "state") if name in found}
    return " ".join(
        f"{name}={value}" for name, value in shown.items() if not isinstance(value, dict)
    )
