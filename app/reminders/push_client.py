"""Sends messages to push services, whose addresses came from browsers: so not into the operator's own network.

A host name is resolved here, every address it has must be a public one, and the connection goes to the address that was
checked: a different answer to a later look-up changes nothing. Redirects and proxies of the environment are not used.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, Self
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import httpx

_SECONDS: Final = 10
_CONNECT_SECONDS: Final = 5
_MAX_ANSWER: Final = (
    4096  # bytes that are read of an answer, so that its connection can be used again
)
_HTTPS: Final = 443
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")

Resolve = Callable[[str], Awaitable[Sequence[str]]]
"""The addresses of a host name."""


class PushAnswer(NamedTuple):
    """The answer of a push service: the status, and its ``Retry-After`` as sent."""

    status: int
    retry_after: str = ""


class NotSentError(Exception):
    """The message certainly did not reach the push service."""


class MaybeSentError(Exception):
    """The message was sent, but there was no answer: nobody knows whether it was accepted."""


class PushClient(Protocol):
    """Connections to push services, for as long as the context lasts."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> PushAnswer:
        """Send one message; raises ``NotSentError`` and ``MaybeSentError``."""
        ...


async def resolve(host: str) -> Sequence[str]:
    """The addresses of a host name, from the resolver of the machine; raises ``OSError``."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, _HTTPS, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


def is_public(address: str) -> bool:
    """Whether an IP address is of the public internet, also if it stands for an IPv4 address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:  # with a scope, such as fe80::1%eth0
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour
        if inner is None and parsed in _NAT64:
            inner = ipaddress.IPv4Address(int(parsed) & 0xFFFF_FFFF)
        if parsed.teredo is not None:
            return False
        if inner is not None:
            return is_public(str(inner))
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved


class SafePushClient:
    """Speaks HTTPS, on port 443, to public addresses only."""

    def __init__(
        self,
        resolve: Resolve = resolve,
        transport: Callable[[], httpx.AsyncBaseTransport] | None = None,
    ) -> None:
        """``transport`` makes another way into the network, for tests."""
        self._resolve = resolve
        self._transport = transport
        self._stack = AsyncExitStack()
        self._hosts: dict[str, asyncio.Task[tuple[str, httpx.AsyncClient]]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        for connecting in self._hosts.values():
            connecting.cancel()
        await self._stack.aclose()

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> PushAnswer:
        """Send one message; raises ``NotSentError`` and ``MaybeSentError``."""
        import httpx  # noqa: PLC0415 - slow to import, and needed for reminders only

        host = urlsplit(url).hostname or ""
        try:
            address, client = await self._connect(host)
        except OSError as error:
            raise NotSentError(type(error).__name__) from error
        try:
            async with asyncio.timeout(_SECONDS):
                return await _answer(client, _request(client, url, address, headers, body))
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise NotSentError(type(error).__name__) from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError, AttributeError) as error:
            # The last two: if a connection is reset before its first use, httpx asks a closed socket for its address.
            raise MaybeSentError(type(error).__name__) from error

    async def _connect(self, host: str) -> tuple[str, httpx.AsyncClient]:
        """The checked address of a host and the connections to it: asked once for all messages."""
        if host not in self._hosts:
            self._hosts[host] = asyncio.create_task(self._open(host))
        return await asyncio.shield(self._hosts[host])

    async def _open(self, host: str) -> tuple[str, httpx.AsyncClient]:
        import httpx  # noqa: PLC0415 - as above

        async with asyncio.timeout(_SECONDS):
            addresses = await self._resolve(host)
        if not addresses or not all(map(is_public, addresses)):
            raise NotSentError("The host has an address that is not public.")
        # Each host has connections of its own: two of them may share an address, but not a certificate.
        client = httpx.AsyncClient(
            timeout=httpx.Timeout(_SECONDS, connect=_CONNECT_SECONDS),
            follow_redirects=False,
            trust_env=False,
            transport=self._transport() if self._transport else None,
        )
        return addresses[0], await self._stack.enter_async_context(client)


def _request(
    client: httpx.AsyncClient, url: str, address: str, headers: Mapping[str, str], body: bytes
) -> httpx.Request:
    """A request to a URL at an address. The certificate is still that of the host's name."""
    import httpx  # noqa: PLC0415 - as above

    host = urlsplit(url).hostname or ""
    return client.build_request(
        "POST",
        httpx.URL(url).copy_with(host=address),
        headers={**headers, "Host": host},
        content=body,
        extensions={"sni_hostname": host},
    )


async def _answer(client: httpx.AsyncClient, request: httpx.Request) -> PushAnswer:
    response = await client.send(request, stream=True)
    try:
        size = 0
        async for chunk in response.aiter_raw():
            size += len(chunk)
            if size > _MAX_ANSWER:
                break
    finally:
        await response.aclose()
    return PushAnswer(response.status_code, response.headers.get("Retry-After", ""))
