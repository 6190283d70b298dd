"""Load generator: many connections over plain sockets, each sending its next request after a response."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from bench.report import percentile


@dataclass(frozen=True, slots=True)
class Load:
    """The result of a run: total seconds, and sorted response times in milliseconds."""

    seconds: float
    answers_ms: Sequence[float]
    failures: Sequence[str]
    bytes_answered: int

    @property
    def per_second(self) -> float:
        """Responses per second."""
        return len(self.answers_ms) / self.seconds

    def percentile(self, percent: float) -> float:
        """A percentile of the response times in milliseconds."""
        return percentile(self.answers_ms, percent)


def post(path: str, kind: str, body: bytes, headers: Sequence[str] = ()) -> bytes:
    """The bytes of a POST request."""
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: 127.0.0.1",
        f"Content-Type: {kind}",
        f"Content-Length: {len(body)}",
        *headers,
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def run(port: int, queues: Sequence[Sequence[bytes]]) -> Load:
    """Send each queue of requests over its own connection, all concurrently."""
    return asyncio.run(_run(port, queues))


async def _run(port: int, queues: Sequence[Sequence[bytes]]) -> Load:
    times: list[float] = []
    failures: list[str] = []
    sizes: list[int] = []
    begun = perf_counter()
    await asyncio.gather(*(_connection(port, iter(q), times, failures, sizes) for q in queues))
    return Load(perf_counter() - begun, sorted(times), failures, sum(sizes))


async def _connection(
    port: int,
    requests: Iterator[bytes],
    times: list[float],
    failures: list[str],
    sizes: list[int],
) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for request in requests:
        begun = perf_counter()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        status, _, rest = head.partition(b"\r\n")
        body = await reader.readexactly(_length(rest))
        times.append((perf_counter() - begun) * 1000)
        sizes.append(len(body))
        if b" 200 " not in status:
            failures.append(f"{status.decode()} {body[:200].decode(errors='replace')}")
    writer.close()
    await writer.wait_closed()


def _length(headers: bytes) -> int:
    for line in headers.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0
