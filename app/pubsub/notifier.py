"""Notifies other processes, and hears them about the topics that are followed here, over a link that may break.

Messages may get lost, be repeated or come late. After each break the link is opened again and listens to all channels
that are followed; then the new link is reported, so that what was missed can be read.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from itertools import islice
from typing import Final, Protocol

from app.errors import first_line
from app.logs import logger_of
from app.pubsub.messages import Message, Outbox, read_payload, write_payloads
from app.pubsub.topics import Topic

TIMEOUT: Final = 5.0
"""Seconds until a link that does not answer counts as broken."""

_CHECK_EVERY = 10.0  # seconds without anything to do
_AT_ONCE = 256  # channels to listen to in one go
_RETRY: Final = (0.1, 0.5, 1.0, 2.0, 5.0)
_log: Final = logger_of("pubsub")

OnMessage = Callable[[Message], None]
OnPayload = Callable[[str], None]


class Notifier(Protocol):
    """Sends messages to the other processes of the site, and receives theirs about the topics that are followed."""

    process_id: str

    def start(self) -> None:
        """Connect in the background."""
        ...

    def send(self, message: Message, /) -> None:
        """Send a message soon; of several of one kind about one topic, only the last."""
        ...

    async def follow(self, topics: Collection[Topic], /) -> None:
        """Hear about topics from now on. When this returns, nothing new is missed, or the link is not open.

        What was missed until it opens is to be read then: ``on_connect`` is called.
        """
        ...

    def unfollow(self, topics: Iterable[Topic], /) -> None:
        """Topics need not be heard of any more."""
        ...

    async def close(self) -> None:
        """Send waiting messages if connected, then disconnect."""
        ...


class Link(Protocol):
    """An open connection to what carries the messages. A broken one raises ``OSError``."""

    async def listen(self, added: Collection[str], dropped: Collection[str]) -> None:
        """Start to hear some channels and stop hearing others; both are done when this returns."""
        ...

    async def publish(self, payloads: Sequence[tuple[str, str]]) -> None:
        """Send payloads, each to its channel."""
        ...

    async def wait(self, work: asyncio.Event, seconds: float, /) -> None:
        """Wait until there is work, but not long; meanwhile pass on what arrives."""
        ...

    async def check(self) -> None:
        """Raise if the link is broken."""
        ...


class Broker(Protocol):
    """What carries the messages."""

    name: str

    def channel_of(self, topic: Topic) -> str:
        """Where messages about a topic are sent: the same in all processes."""
        ...

    def open(self, on_payload: OnPayload, /) -> AbstractAsyncContextManager[Link]:
        """Connect, or raise ``OSError``; ``on_payload`` gets what arrives."""
        ...


class LinkNotifier:
    """The notifier of a process over a broker."""

    def __init__(
        self, broker: Broker, on_message: OnMessage, on_connect: Callable[[], None]
    ) -> None:
        """``on_message`` gets the messages of other processes; ``on_connect`` is called at each new link."""
        self.process_id = secrets.token_hex(6)
        self.connected = asyncio.Event()
        self._broker = broker
        self._on_message = on_message
        self._on_connect = on_connect
        self._outbox = Outbox()
        self._work = asyncio.Event()
        self._followed: defaultdict[str, set[Topic]] = defaultdict(set)  # by channel
        self._heard: set[str] = set()
        self._waiters: list[asyncio.Future[None]] = []
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Connect in the background."""
        self._task = asyncio.create_task(self._reconnect_forever(), name="pubsub: link")

    async def close(self) -> None:
        """Send waiting messages if connected, then disconnect."""
        if self._outbox and self.connected.is_set():
            await asyncio.sleep(0.05)
        while self._task and not self._task.done():
            self._task.cancel()  # again if need be: clients have been seen to swallow it
            await asyncio.wait([self._task], timeout=TIMEOUT)

    def send(self, message: Message) -> None:
        """Send a message soon; of several of one kind about one topic, only the last."""
        self._outbox.put(message)
        self._work.set()

    async def follow(self, topics: Collection[Topic]) -> None:
        """Hear about topics from now on; see ``Notifier``."""
        for topic in topics:
            self._followed[self._broker.channel_of(topic)].add(topic)
        if self.connected.is_set() and not self._followed.keys() <= self._heard:
            done = asyncio.get_running_loop().create_future()
            self._waiters.append(done)
            self._work.set()
            await done

    def unfollow(self, topics: Iterable[Topic]) -> None:
        """Topics need not be heard of any more. Their channels are left when there is something else to do.

        So a page that is loaded again costs nothing.
        """
        for topic in topics:
            channel = self._broker.channel_of(topic)
            if channel in self._followed:
                self._followed[channel].discard(topic)
                if not self._followed[channel]:
                    del self._followed[channel]

    async def _reconnect_forever(self) -> None:
        loop, failures = asyncio.get_running_loop(), 0
        while True:
            began = loop.time()
            try:
                async with self._broker.open(self._receive) as link:
                    await self._use(link)
            except Exception as error:  # noqa: BLE001 - after any error there is a new link
                if loop.time() - began > _CHECK_EVERY:
                    failures = 0
                reason = first_line(error)
                _log.warning(
                    "Lost the connection to %s for notices: %s",
                    self._broker.name,
                    reason,
                    exc_info=not isinstance(error, OSError),
                )
            pause = _RETRY[min(failures, len(_RETRY) - 1)]
            failures += 1
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - not a secret

    async def _use(self, link: Link) -> None:
        try:
            while True:
                while self._followed.keys() != self._heard or self._waiters:
                    await self._listen(link)
                if not self.connected.is_set():
                    self.connected.set()
                    self._on_connect()
                await self._send_waiting(link)
                if not self._work.is_set():
                    await link.wait(self._work, _CHECK_EVERY)
                if not self._work.is_set():
                    await link.check()
                self._work.clear()
        finally:
            self.connected.clear()
            self._heard.clear()
            self._release()

    async def _listen(self, link: Link) -> None:
        """Listen to what is followed now, or to a part of it: thousands at once would hold up the process."""
        wanted, waiters = set(self._followed), len(self._waiters)
        dropped = set(islice(self._heard - wanted, _AT_ONCE))
        # At once: a topic that is followed again meanwhile has to wait for the next round.
        self._heard -= dropped
        added = set(islice(wanted - self._heard, _AT_ONCE))
        async with asyncio.timeout(TIMEOUT):
            await link.listen(added, dropped)
        self._heard |= added
        if wanted <= self._heard:
            self._release(waiters)

    def _release(self, count: int | None = None) -> None:
        for waiter in self._waiters[:count]:
            if not waiter.done():
                waiter.set_result(None)
        del self._waiters[:count]

    async def _send_waiting(self, link: Link) -> None:
        messages = self._outbox.take()
        if messages:
            payloads = list(write_payloads(messages, self.process_id, self._broker.channel_of))
            try:
                async with asyncio.timeout(TIMEOUT):
                    await link.publish(payloads)
            except Exception:
                self._outbox.put_back(messages)
                raise

    def _receive(self, payload: str) -> None:
        for message in read_payload(payload, self.process_id):
            self._on_message(message)
