"""Messages between processes, their text, and the outbox in which they wait to be sent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple, Self

from app.pubsub.topics import Topic

VERSION: Final = "="
PRESENCE: Final = "~"
ACCESS: Final = "!"

_MAX_PAYLOAD = 7000  # bytes; PostgreSQL allows just under 8000
_MAX_WAITING = 20_000  # messages kept without a connection; processes also poll


class Message(NamedTuple):
    """A topic has a new version, or its presence or the access to it has changed."""

    topic: Topic
    sign: str
    version: int | None = None

    def __str__(self) -> str:
        return f"{self.topic}{self.sign}{'' if self.version is None else self.version}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The message of a text; raises ``ValueError``."""
        if text[-1:] in {PRESENCE, ACCESS}:
            return cls(Topic.parse(text[:-1]), text[-1])
        name, _, version = text.rpartition(VERSION)
        return cls(Topic.parse(name), VERSION, int(version))


def read_payload(payload: str, own_id: str) -> Iterator[Message]:
    """The messages of other processes in a payload; those of a later release are left out."""
    sender, *texts = payload.split(" ")
    for text in texts if sender != own_id else ():
        with suppress(ValueError):
            yield Message.parse(text)


class Outbox:
    """Messages that wait to be sent: of each kind about a topic, only the newest."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[Topic, str], Message] = {}

    def put(self, message: Message) -> None:
        """Add a message, unless too many wait."""
        key = (message.topic, message.sign)
        if len(self._waiting) < _MAX_WAITING or key in self._waiting:
            self._waiting[key] = message

    def take(self) -> list[Message]:
        """Remove and return all messages."""
        messages = list(self._waiting.values())
        self._waiting.clear()
        return messages

    def put_back(self, messages: list[Message]) -> None:
        """Return messages that could not be sent; newer ones win."""
        self._waiting = {(m.topic, m.sign): m for m in messages} | self._waiting

    def __len__(self) -> int:
        return len(self._waiting)


def write_payloads(
    messages: list[Message], own_id: str, channel_of: Callable[[Topic], str]
) -> Iterator[tuple[str, str]]:
    """Payloads with the messages, each with its channel."""
    by_channel: defaultdict[str, list[str]] = defaultdict(list)
    for message in messages:
        by_channel[channel_of(message.topic)].append(str(message))
    for channel, texts in by_channel.items():
        payload = own_id
        for text in texts:
            payload += f" {text}"
            if len(payload) >= _MAX_PAYLOAD:
                yield channel, payload
                payload = own_id
        if payload != own_id:
            yield channel, payload
