"""Messages between processes over a NATS server, with a subject for each topic.

Nothing is kept there: this is what NATS calls core publish/subscribe. The client does not reconnect on its own,
because ``LinkNotifier`` does, and listens again before it tells.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from hashlib import blake2b
from typing import Any, Final
from urllib.parse import unquote

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error

from app.logs import logger_of
from app.pubsub.notifier import TIMEOUT, OnPayload
from app.pubsub.topics import Topic

_PING_EVERY = 5  # seconds; two pings without an answer break the link
_SITE: Final = "fairdeal"
_log: Final = logger_of("pubsub")


class NatsBroker:
    """The NATS servers of a URL: ``nats://user:password@one:4222,two:4222/site``, or ``tls://`` and so on.

    A user without a password is a token. Sites that share servers need different names, or they hear each other.
    """

    name = "NATS"

    def __init__(self, url: str) -> None:
        # By hand: a URL of the standard library has one host.
        scheme, _, rest = url.partition("://")
        authority, _, site = rest.partition("/")
        login, _, hosts = authority.rpartition("@")
        self.servers = [f"{scheme}://{host}" for host in hosts.split(",")]
        self._site = site.strip("/") or _SITE
        self._needs_tls = scheme == "tls"
        user, colon, password = (unquote(text) for text in login.partition(":"))
        self._login = {"user": user, "password": password} if colon else {"token": user}
        if not login:
            self._login = {}

    def channel_of(self, topic: Topic) -> str:
        """A subject of its own. Servers show subjects to those who watch them, so it does not name the topic."""
        return f"{self._site}.{blake2b(str(topic).encode(), digest_size=12).hexdigest()}"

    @asynccontextmanager
    async def open(self, on_payload: OnPayload) -> AsyncIterator[NatsLink]:
        """Connect to any of the servers, or raise ``OSError``."""
        client = Client()
        link = NatsLink(client, on_payload)
        try:
            async with asyncio.timeout(TIMEOUT * (1 + len(self.servers))):
                await client.connect(self.servers, **self._options(client, link))
            self._check_tls(client)
            link.is_open = True
            yield link
        except Error as error:
            raise ConnectionError(str(link.last_error or error)) from error
        finally:
            await link.close()

    def _options(self, client: Client, link: NatsLink) -> dict[str, Any]:
        def when_safe(secret: str) -> Callable[[], str]:
            def tell() -> str:
                self._check_tls(client)
                return secret

            return tell

        return {
            "allow_reconnect": False,
            "connect_timeout": 2,
            "reconnect_time_wait": 0,
            "max_reconnect_attempts": 1,
            "ping_interval": _PING_EVERY,
            "no_echo": True,
            "error_cb": link.note_error,
            "closed_cb": link.note_closed,
            **{name: when_safe(secret) for name, secret in self._login.items()},
        }

    def _check_tls(self, client: Client) -> None:
        # The client encrypts if the server asks for it, even if we asked first.
        if self._needs_tls and not client._server_info.get("tls_required"):  # noqa: SLF001
            raise ConnectionError("the server does not offer TLS")


class NatsLink:
    """A connection to a NATS server."""

    def __init__(self, client: Client, on_payload: OnPayload) -> None:
        self.is_open = False
        self.last_error: Exception | None = None
        self._client = client
        self._on_payload = on_payload
        self._subscriptions: dict[str, Subscription] = {}
        self._work: asyncio.Event | None = None

    async def listen(self, added: Collection[str], dropped: Collection[str]) -> None:
        """Start to hear some subjects and stop hearing others."""
        for subject in dropped:
            await self._subscriptions.pop(subject).unsubscribe()
        for subject in added:
            self._subscriptions[subject] = await self._client.subscribe(subject, cb=self._pass_on)
        await self._flush()

    async def publish(self, payloads: Sequence[tuple[str, str]]) -> None:
        """Send payloads, each to its subject; return when the server has them."""
        for subject, payload in payloads:
            await self._client.publish(subject, payload.encode())
        await self._flush()

    async def _flush(self) -> None:
        """Return when the server has everything.

        The client sends its ping before what still waits to be sent, so the first answer only says that this is under
        way, and the second one comes after it.
        """
        await self.check()
        await self.check()

    async def wait(self, work: asyncio.Event, seconds: float) -> None:
        """Wait until there is work; what arrives is passed on by the client's own tasks."""
        self._work = work
        if not self._client.is_closed:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await work.wait()
        if self._client.is_closed:
            raise ConnectionError(str(self.last_error or "the connection was closed"))

    async def check(self) -> None:
        """Raise if the connection is broken."""
        await self._client.flush(int(TIMEOUT))

    async def note_error(self, error: Exception) -> None:
        """The client met an error."""
        self.last_error = error
        if self.is_open:
            _log.warning("NATS: %s", error)

    async def note_closed(self) -> None:
        """The connection has ended."""
        if self._work:
            self._work.set()

    async def close(self) -> None:
        """Close the client. After an error it closes itself, and what then fails is left to be done here."""
        self.is_open = False
        with suppress(Error, OSError, RuntimeError):  # the last from a transport that is gone
            async with asyncio.timeout(TIMEOUT):
                await self._client.close()
        for subscription in self._subscriptions.values():
            subscription._stop_processing()  # noqa: SLF001
        reading: asyncio.Task[None] | None = self._client._reading_task  # noqa: SLF001
        if reading:
            await asyncio.wait([reading], timeout=TIMEOUT)
            if reading.done() and not reading.cancelled():
                reading.exception()  # else it is logged as one that nobody knows of

    async def _pass_on(self, message: Msg) -> None:
        self._on_payload(message.data.decode(errors="replace"))
