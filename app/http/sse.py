"""Streams of server-sent events: what the live layer has to tell, as browsers listen to it.

A stream costs one task that waits for its end; what it sends is written once for all who hear it.
Whoever reads too slowly misses what is overtaken, and whoever does not read at all is let go.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import Counter
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.errors import RateLimitedError
from app.http.connection import WriteChunk, chunk_writer, packed
from app.http.dependencies import service_of
from app.http.eager_start import begin
from app.http.middleware.access_log import STRAIGHT
from app.http.rate_limits import client_address
from app.pubsub.hub import Guard, Subscriber
from app.pubsub.presence import Visit
from app.pubsub.service import PubSub
from app.pubsub.topics import Notice, Topic
from app.settings import Settings

BEAT_EVERY = 10.0  # seconds between signs of life
_GIVE_UP_AFTER = 20.0  # seconds that one piece may take
_AGAIN_IN = 30  # seconds, for whoever has too many
_BEAT = b"event: beat\ndata: {}\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listener:
    """Who listens, as whom, and what they know already.

    ``counts_as`` is how they are present at each topic: as a player, as one who looks on, or not at all.
    ``guard`` is asked again when rights change; make it equal for readers with equal rights.
    With ``is_vouched`` a player counts as present only while the page sends signs of life.
    Who ``follows`` is shown what changed, where the topic can be shown to many.
    """

    player_id: str | None
    players_at: Sequence[Topic] = ()
    viewers_at: Sequence[Topic] = ()
    seen: Mapping[Topic, int] | None = None
    guard: Guard | None = None
    is_vouched: bool = False
    follows: bool = False


class StreamLimits:
    """Counts the open streams of this process by player and by address."""

    def __init__(self, settings: Settings) -> None:
        self._by_player = settings.streams_per_player
        self._by_address = settings.streams_per_address
        self._open: Counter[str] = Counter()

    @contextmanager
    def taken(self, player_id: str | None, address: str) -> Iterator[None]:
        """Have one more open; raises ``RateLimitedError``."""
        limits = {f"@{address}": self._by_address}
        if player_id is not None:
            limits[player_id] = self._by_player
        if any(self._open[who] >= most for who, most in limits.items()):
            raise RateLimitedError(
                "Too many pages of yours are listening at once. This one will ask now and then instead.",
                _AGAIN_IN,
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
    """The news of some topics. An answer that goes on for as long as both sides like."""

    media_type = "text/event-stream"

    def __init__(self, request: Request, topics: Sequence[Topic], listener: Listener) -> None:
        # A proxy in front must pass every piece on at once.
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._live: PubSub = service_of(request, PubSub)
        self._limits: StreamLimits = service_of(request, StreamLimits)
        self._address = client_address(request)
        self._topics = tuple(topics)
        self._listener = listener

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._limits.taken(self._listener.player_id, self._address):
            start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
            await send(start)
            # The layers between had their say about the headers; pieces of the body are none of their business.
            straight = scope.get(STRAIGHT, send)
            pipe = _Pipe(straight, chunk_writer(scope), self._topics, self._listener)
            visits = list(self._visits())
            self._live.join(pipe.reader)
            try:
                await pipe.hold(receive)
            finally:
                self._live.leave(pipe.reader)
                for visit in visits:
                    self._live.presence.leave(visit)

    def _visits(self) -> Iterator[Visit]:
        presence, listener = self._live.presence, self._listener
        who = listener.player_id or secrets.token_hex(6)
        for topic in listener.players_at:
            yield presence.enter(topic, who, is_player=True, is_vouched=listener.is_vouched)
        for topic in listener.viewers_at:
            yield presence.enter(topic, who, is_player=False)


class _Pipe:
    """From a reader to the connection: one piece at a time, each made of the newest there is."""

    def __init__(
        self,
        send: Send,
        write_chunk: WriteChunk | None,
        topics: Sequence[Topic],
        listener: Listener,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._send = send
        self._write_chunk = write_chunk
        self._is_alone = len(topics) == 1
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._writing: asyncio.Task[None] | None = None
        self._began = 0.0
        self._is_quiet = True
        # Not all at the same moment either.
        self._timer = self._loop.call_later(
            BEAT_EVERY * random.uniform(0.5, 1.0),  # noqa: S311
            self._beat,
        )
        # Browsers that lose their streams together are not to come back together.
        self._due = b"retry: %d\n\n" % (1000 + 12 * secrets.token_bytes(1)[0])
        self.reader = Subscriber(
            topics,
            self._wake,
            listener.seen,
            listener.guard,
            follows=listener.follows,
            give=self._give,
        )

    async def hold(self, receive: Receive) -> None:
        """Until the other side is gone, or nothing more will come."""
        listening = asyncio.create_task(self._until_gone(receive))
        self._wake()
        try:
            await self._ended
        finally:
            self._end()
            self._timer.cancel()
            listening.cancel()
            if self._writing:
                self._writing.cancel()

    def _wake(self) -> None:
        if self.reader.is_dismissed:
            self._end()
        elif self._writing is None and not self._ended.done():
            self._write()

    def _give(self, notice: Notice) -> bool:
        """The short way of what goes to many: while nothing waits here, it is sent at once."""
        if self._writing is not None or self._due or self._ended.done():
            return False
        piece = notice.alone if self._is_alone else notice.among
        if self._write_chunk and self._write_chunk(packed(piece)):
            self._is_quiet = False
        else:
            self._send_off(piece)
        return True

    def _write(self) -> None:
        """Send what waits."""
        while self._writing is None and (piece := self._next()):
            self._send_off(piece)

    def _send_off(self, piece: bytes) -> None:
        """While the connection has room, a piece is gone at once, and needs no task of its own."""
        self._is_quiet = False
        try:
            rest = begin(
                self._send({"type": "http.response.body", "body": piece, "more_body": True})
            )
        except OSError:
            self._end()
        else:
            if rest is not None:
                self._began = self._loop.time()
                self._writing = self._loop.create_task(self._write_on(rest))

    async def _write_on(self, rest: Awaitable[None]) -> None:
        try:
            await rest
        except OSError:
            self._end()
        finally:
            self._writing = None
        self._wake()

    def _next(self) -> bytes:
        news = self.reader.take()
        pieces = [item.alone if self._is_alone else item.among for item in news]
        if self._due:
            pieces.insert(0, self._due)
            self._due = b""
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def _beat(self) -> None:
        if self._writing is None:
            if self._is_quiet:  # else what was sent is sign enough
                self._due = _BEAT
                self._wake()
            self._is_quiet = True
        elif self._loop.time() - self._began > _GIVE_UP_AFTER:
            self._end()
            return
        self._timer = self._loop.call_later(BEAT_EVERY, self._beat)

    async def _until_gone(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._end()

    def _end(self) -> None:
        if not self._ended.done():
            self._ended.set_result(None)
