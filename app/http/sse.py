"""Server-sent events (SSE): the notices of publish/subscribe as event streams to browsers.

A stream costs one task that waits for its end; notices are encoded once for all streams. Back-pressure: a slow client
skips notices that are out of date by then, and one that does not read at all is disconnected.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.errors import RateLimitedError
from app.http.connection import WriteChunk, chunk_writer, encode_chunk, start_eagerly
from app.http.dependencies import service_of
from app.http.middleware.access_log import RAW_SEND
from app.http.rate_limits import client_address
from app.networks import network_of
from app.pubsub.hub import Guard, Subscriber
from app.pubsub.presence import Visit
from app.pubsub.service import PubSub
from app.pubsub.topics import Notice, Topic
from app.settings import Settings
from app.text import gettext

HEARTBEAT_SECONDS = 10.0  # keeps connections alive through proxies
_GONE = (OSError, RuntimeError)  # uvloop raises the latter once a connection is closed
_WRITE_TIMEOUT = 20.0  # seconds
_RETRY_SECONDS = 30  # for a client with too many streams


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamOptions:
    """The opener of a stream, and the versions they have ``seen``.

    They are present as a player at some topics and as a spectator at others. ``guard`` is called again when access
    changes; subscribers with equal guards share the result. With ``needs_heartbeat`` a player is present only while
    the page sends heartbeats. With ``wants_changes`` the stream includes the HTML of changes, where a topic has them.
    """

    player_id: str | None
    players_at: Sequence[Topic] = ()
    viewers_at: Sequence[Topic] = ()
    seen: Mapping[Topic, int] | None = None
    guard: Guard | None = None
    needs_heartbeat: bool = False
    wants_changes: bool = False


class StreamLimits:
    """Counts the open streams of this process by player and by network."""

    def __init__(self, settings: Settings) -> None:
        self._by_player = settings.streams_per_player
        self._by_network = settings.streams_per_address
        self._open: Counter[str] = Counter()

    @contextmanager
    def acquire(self, player_id: str | None, address: str) -> Iterator[None]:
        """Count one more open stream; raises ``RateLimitedError``."""
        limits = {f"@{network_of(address)}": self._by_network}
        if player_id is not None:
            limits[player_id] = self._by_player
        if any(self._open[who] >= most for who, most in limits.items()):
            raise RateLimitedError(
                gettext("You have too many pages open. This one will update less often."),
                _RETRY_SECONDS,
            )
        for who in limits:
            self._open[who] += 1
        try:
            yield
        finally:
            for who in limits:
                self._open[who] -= 1
                if not self._open[who]:
                    del self._open[who]


class EventStream(Response):
    """An endless response with the notices of some topics."""

    media_type = "text/event-stream"

    def __init__(self, request: Request, topics: Sequence[Topic], options: StreamOptions) -> None:
        # Proxies must not buffer the stream.
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._pubsub: PubSub = service_of(request, PubSub)
        self._limits: StreamLimits = service_of(request, StreamLimits)
        self._address = client_address(request)
        self._topics = tuple(topics)
        self._options = options

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._limits.acquire(self._options.player_id, self._address):
            start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
            await send(start)
            # Middleware has seen the headers; the pieces of the body bypass it.
            raw_send = scope.get(RAW_SEND, send)
            writer = _StreamWriter(
                raw_send, chunk_writer(scope), self._topics, self._options, self._pubsub.versions
            )
            visits = list(self._visits())
            self._pubsub.subscribe(writer.subscriber)
            try:
                await writer.run(receive)
            finally:
                self._pubsub.unsubscribe(writer.subscriber)
                for visit in visits:
                    self._pubsub.presence.leave(visit)

    def _visits(self) -> Iterator[Visit]:
        presence, options = self._pubsub.presence, self._options
        who = options.player_id or secrets.token_hex(6)
        for topic in options.players_at:
            yield presence.enter(
                topic, who, is_player=True, needs_heartbeat=options.needs_heartbeat
            )
        for topic in options.viewers_at:
            yield presence.enter(topic, who, is_player=False)


class _StreamWriter:
    """Writes the notices of a subscriber to the connection, one piece at a time, each with the newest notices."""

    def __init__(
        self,
        send: Send,
        write_chunk: WriteChunk | None,
        topics: Sequence[Topic],
        options: StreamOptions,
        find_versions: Callable[[Sequence[Topic]], Mapping[Topic, int]],
    ) -> None:
        self._find_versions = find_versions
        self._loop = asyncio.get_running_loop()
        self._send = send
        self._write_chunk = write_chunk
        self._has_one_topic = len(topics) == 1
        self._done: asyncio.Future[None] = self._loop.create_future()
        self._write_task: asyncio.Task[None] | None = None
        self._write_began = 0.0
        # With jitter, so that streams do not send heartbeats at the same moment.
        self._timer = self._loop.call_later(
            HEARTBEAT_SECONDS * random.uniform(0.5, 1.0),  # noqa: S311
            self._send_heartbeat,
        )
        # With jitter, so that browsers that lost their streams together do not reconnect together.
        self._prefix = b"retry: %d\n\n" % (1000 + 12 * secrets.token_bytes(1)[0])
        self.subscriber = Subscriber(
            topics,
            self._wake,
            options.seen,
            options.guard,
            wants_changes=options.wants_changes,
            send_now=self._send_now,
        )

    async def run(self, receive: Receive) -> None:
        """Run until the client disconnects or the subscriber is closed."""
        disconnect = asyncio.create_task(self._wait_for_disconnect(receive))
        self._wake()
        try:
            await self._done
        finally:
            self._end()
            self._timer.cancel()
            disconnect.cancel()
            if self._write_task:
                self._write_task.cancel()

    def _wake(self) -> None:
        if self.subscriber.is_closed:
            self._end()
        elif self._write_task is None and not self._done.done():
            self._flush()

    def _send_now(self, notice: Notice) -> bool:
        """Send a notice at once unless something is waiting: the fast path for many streams."""
        if self._write_task is not None or self._prefix or self._done.done():
            return False
        piece = notice.event if self._has_one_topic else notice.event_with_topic
        if not (self._write_chunk and self._write_chunk(encode_chunk(piece))):
            self._send_piece(piece)
        return True

    def _flush(self) -> None:
        """Send waiting notices."""
        while self._write_task is None and (piece := self._next_piece()):
            self._send_piece(piece)

    def _send_piece(self, piece: bytes) -> None:
        """Send at once if the write buffer has room; only otherwise create a task."""
        try:
            remainder = start_eagerly(
                self._send({"type": "http.response.body", "body": piece, "more_body": True})
            )
        except _GONE:
            self._end()
        else:
            if remainder is not None:
                self._write_began = self._loop.time()
                self._write_task = self._loop.create_task(self._finish_write(remainder))

    async def _finish_write(self, remainder: Awaitable[None]) -> None:
        try:
            await remainder
        except _GONE:
            self._end()
        finally:
            self._write_task = None
        self._wake()

    def _next_piece(self) -> bytes:
        notices = self.subscriber.drain()
        pieces = [
            notice.event if self._has_one_topic else notice.event_with_topic for notice in notices
        ]
        if self._prefix:
            pieces.insert(0, self._prefix)
            self._prefix = b""
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _send_heartbeat(self) -> None:
        if self._write_task is None:
            self._prefix = self._heartbeat()
            self._wake()
        elif self._loop.time() - self._write_began > _WRITE_TIMEOUT:
            self._end()
            return
        self._timer = self._loop.call_later(HEARTBEAT_SECONDS, self._send_heartbeat)

    def _heartbeat(self) -> bytes:
        """Repeats the newest notices, so that a page that missed one need not poll."""
        versions = self._find_versions(self.subscriber.topics)
        told = ", ".join(f'"{topic}": {version}' for topic, version in versions.items())
        return f'event: beat\ndata: {{"versions": {{{told}}}}}\n\n'.encode()

    async def _wait_for_disconnect(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._end()

    def _end(self) -> None:
        if not self._done.done():
            self._done.set_result(None)
