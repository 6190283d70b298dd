"""A fake push service, browsers that subscribe to it, and a client that sends to it in place of the real ones."""

from __future__ import annotations

import asyncio
import base64
import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from app.reminders.model import Subscription
from app.reminders.push_client import NotSentError, PushAnswer

HOST = "updates.push.services.mozilla.com"
OTHER_HOST = "fcm.googleapis.com"


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass
class Browser:
    """A browser with one subscription."""

    name: str = "one"
    host: str = HOST
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    auth: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def endpoint(self) -> str:
        return f"https://{self.host}/wpush/v2/{self.name}"

    @property
    def subscription(self) -> Subscription:
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return Subscription(self.endpoint, point, self.auth)

    @property
    def json(self) -> dict[str, Any]:
        """As `PushSubscription.toJSON` writes it."""
        found = self.subscription
        keys = {"p256dh": base64url(found.public_key), "auth": base64url(found.auth)}
        return {"endpoint": found.endpoint, "expirationTime": None, "keys": keys}

    def read(self, body: bytes) -> Any:
        """Decrypt a message."""
        text = http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth)
        return json.loads(text)


@dataclass
class Message:
    url: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class FakePushClient:
    """Keeps what is sent. ``answers`` are given one after another, then 201; an exception is raised.

    The hosts in ``silent`` cannot be reached.
    """

    answers: list[PushAnswer | Exception] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    silent: set[str] = field(default_factory=set)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        return None

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> PushAnswer:
        self.messages.append(Message(url, headers, body))
        if urlsplit(url).hostname in self.silent:
            raise NotSentError
        answer = self.answers.pop(0) if self.answers else PushAnswer(201)
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def counts(self) -> Counter[str]:
        """How often each browser was sent to, by name."""
        return Counter(message.url.rpartition("/")[2] for message in self.messages)


class LocalPushClient:
    """Sends over HTTP to a fake push service on a local port, whatever the host of the endpoint is.

    Without a library, since ten thousand messages of a test should take seconds.
    """

    def __init__(self, port: int, sender_name: str) -> None:
        """The service learns by ``X-Sender`` which process sends."""
        self._port = port
        self._name = sender_name
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        for _, writer in self._idle:
            writer.close()

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> PushAnswer:
        reader, writer = (
            self._idle.pop()
            if self._idle
            else await asyncio.open_connection("127.0.0.1", self._port)
        )
        fields = {**headers, "X-Sender": self._name, "Content-Length": str(len(body))}
        lines = [f"POST {urlsplit(url).path} HTTP/1.1", *(f"{k}: {v}" for k, v in fields.items())]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        self._idle.append((reader, writer))
        return PushAnswer(int(answer.split()[1]))
