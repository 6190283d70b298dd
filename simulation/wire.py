"""The wire between processes, in place of a broker: it drops, doubles, delays and reorders."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Collection, Iterable
from contextvars import Context, copy_context

from app.pubsub.messages import Message
from app.pubsub.notifier import Notifier, OnMessage
from app.pubsub.topics import Topic
from simulation.chaos import Chaos

_SEND_SECONDS = 0.002  # messages sent within it share a payload


class Wire:
    """Knows the notifiers of all running processes."""

    def __init__(self, chaos: Chaos) -> None:
        self._chaos = chaos
        self._members: dict[str, VirtualNotifier] = {}

    def connect(self, on_message: OnMessage, on_connect: Callable[[], None]) -> Notifier:
        """The notifier of one process: see ``app.pubsub.brokers.ConnectNotifier``."""
        return VirtualNotifier(self, on_message, on_connect)

    def join(self, member: VirtualNotifier) -> None:
        """Deliver what others send to a member from now on."""
        self._members[member.process_id] = member

    def leave(self, process_id: str) -> None:
        """Deliver nothing to it any more."""
        self._members.pop(process_id, None)

    def delay(self) -> float:
        """Seconds that something takes on the wire."""
        return self._chaos.wire_delay()

    def send(self, sender_id: str, messages: list[Message]) -> None:
        """Deliver a payload to all other members, or not."""
        loop = asyncio.get_running_loop()
        for process_id, member in list(self._members.items()):
            if process_id == sender_id:
                continue
            for _ in range(self._chaos.copies()):
                delay = self._chaos.wire_delay()
                loop.call_later(delay, member.receive, messages, context=member.context)


class VirtualNotifier:
    """Has the interface of ``Notifier``, and hears of nothing but what is followed."""

    def __init__(self, wire: Wire, on_message: OnMessage, on_connect: Callable[[], None]) -> None:
        self.process_id = secrets.token_hex(6)
        self.context: Context = copy_context()
        self._wire = wire
        self._on_message = on_message
        self._on_connect = on_connect
        self._waiting: dict[tuple[Topic, str], Message] = {}
        self._followed: set[Topic] = set()
        self._timer: asyncio.TimerHandle | None = None
        self.is_connected = False

    def start(self) -> None:
        """Connect."""
        self._wire.join(self)
        self.reconnect()

    async def close(self) -> None:
        """Send what waits, then disconnect."""
        self._send()
        self._wire.leave(self.process_id)
        self.is_connected = False

    def send(self, message: Message) -> None:
        """Send a message soon; of several of one kind about one topic, only the last."""
        self._waiting[message.topic, message.sign] = message
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_SEND_SECONDS, self._send)

    async def follow(self, topics: Collection[Topic]) -> None:
        """Hear about topics, after some time on the wire."""
        await asyncio.sleep(self._wire.delay())
        self._followed.update(topics)

    def unfollow(self, topics: Iterable[Topic]) -> None:
        """Hear no more about topics."""
        self._followed.difference_update(topics)

    def disconnect(self) -> None:
        """Lose the connection: what is sent meanwhile is lost."""
        self.is_connected = False

    def reconnect(self) -> None:
        """Have a connection again."""
        if not self.is_connected:
            self.is_connected = True
            self._on_connect()

    def receive(self, messages: list[Message]) -> None:
        """A payload of another process has arrived."""
        if self.is_connected:
            for message in messages:
                if message.topic in self._followed:
                    self._on_message(message)

    def _send(self) -> None:
        self._timer = None
        messages, self._waiting = list(self._waiting.values()), {}
        if messages:
            self._wire.send(self.process_id, messages)
