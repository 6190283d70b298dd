"""By what device a game was begun, and when its page was connected again: kept for a while, apart from the log.

Seen in passing, where requests are answered: nothing of it waits for the database, and no move costs more than a
glance at its address. What was seen gathers in memory and is written together; a crash may lose the last of it.
"""

from __future__ import annotations

import hashlib
import re
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, and_, insert, select
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.clock import DAY_MS
from app.db.engine import Database
from app.db.schema import daily_attempts, games, seats, sightings
from app.http.dependencies import ServiceSet
from app.http.rate_limits import client_address
from app.http.templates import PLAYER
from app.identity.dependencies import device_label
from app.identity.throttle import network_of

START: Final = "start"
CONNECT: Final = "connect"
RECONNECT: Final = "reconnect"

_MOST_WAITING: Final = 5_000
_MOST_AT_ONCE: Final = 500
_QUIET_MS: Final = 10_000  # a page that is loaded again and again is told of once in a while
_MOST_RECENT: Final = 2_000
_FRESH: Final = {201, 303}  # how a new game is answered: with its address
_GAME: Final = re.compile(rb"(?:/api/v1)?/games/([\w-]{1,64})")
_STREAM: Final = re.compile(r"/api/v1/games/([\w-]{1,64})/stream")
_s = sightings.c


class AccessRecord(NamedTuple):
    """Something that was seen of whoever plays a game."""

    what: str
    client: str
    at_ms: int
    player_id: str | None


class AccessRecords:
    """Takes them in, and writes them down when somebody says so."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        """``clock`` gives milliseconds since 1970, UTC."""
        self._database = database
        self._clock = clock
        self._waiting: deque[dict[str, Any]] = deque(maxlen=_MOST_WAITING)
        self._recent: dict[tuple[str, str], int] = {}

    def note(self, request: Request, game_id: str, what: str) -> None:
        """Take one in, if it comes from somebody who is somebody."""
        player = request.scope.get(PLAYER)
        now_ms = self._clock()
        client = device_label(request.headers.get("user-agent", ""))
        if player is None or self._was_just_told(game_id, what + client + player.id, now_ms):
            return
        self._waiting.append(
            {
                "game_id": game_id,
                "player_id": player.id,
                "what": what,
                "client": client,
                "place": place_of(now_ms, client_address(request), client),
                "at_ms": now_ms,
            }
        )

    async def write(self) -> None:
        """Write down what waits."""
        while self._waiting:
            rows = [self._waiting.popleft() for _ in range(min(_MOST_AT_ONCE, len(self._waiting)))]
            await self._database.write(partial(_add, rows=rows))

    def _was_just_told(self, game_id: str, what: str, now_ms: int) -> bool:
        before_ms = self._recent.get((game_id, what))
        if before_ms is not None and now_ms < before_ms + _QUIET_MS:
            return True
        if len(self._recent) >= _MOST_RECENT:
            self._recent.clear()
        self._recent[(game_id, what)] = now_ms
        return False


class Watch:
    """A layer of the server that sees games begin and pages connect."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] != "http" or not (scope["method"] == "POST" or path.endswith("/stream")):
            await self._app(scope, receive, send)
            return

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                found = _begun(scope, message) or _connected(scope, message)
                if found:
                    services: ServiceSet = scope["app"].state.services
                    seen = services.of(AccessRecords)
                    seen.note(Request(scope), *found)
            await send(message)

        await self._app(scope, receive, watched)


def place_of(at_ms: int, address: str, client: str) -> bytes:
    """The same for devices that look alike in one network on one day; nobody is known by it on the next."""
    text = "\0".join((str(at_ms // DAY_MS), network_of(address), client))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


def read_sightings(connection: Connection, game_id: str, most: int) -> list[AccessRecord]:
    """What is still known of a game, in order."""
    query = select(_s.what, _s.client, _s.at_ms, _s.player_id).where(_s.game_id == game_id)
    return [AccessRecord(*row) for row in connection.execute(query.order_by(_s.seq).limit(most))]


def alike(connection: Connection, game_id: str, most: int) -> list[str]:
    """Other players' attempts at the deal of a daily game that began on a device that looks the same, the same day."""
    mine, theirs = daily_attempts.alias("mine"), daily_attempts.alias("theirs")
    here, there = sightings.alias("here"), sightings.alias("there")
    query = (
        select(theirs.c.game_id)
        .select_from(mine)
        .join(here, and_(here.c.game_id == mine.c.game_id, here.c.what == START))
        .join(there, and_(there.c.place == here.c.place, there.c.what == START))
        .join(theirs, theirs.c.game_id == there.c.game_id)
        .where(
            mine.c.game_id == game_id,
            theirs.c.day == mine.c.day,
            theirs.c.ruleset == mine.c.ruleset,
            theirs.c.player_id != mine.c.player_id,
        )
        .distinct()
        .order_by(theirs.c.game_id)
        .limit(most)
    )
    return list(connection.scalars(query))


def _begun(scope: Scope, message: Message) -> tuple[str, str] | None:
    """A new game is answered with its address; a move only leads back to where it was made."""
    if scope["method"] != "POST" or message["status"] not in _FRESH:
        return None
    for name, value in message["headers"]:
        if name == b"location":
            found = _GAME.fullmatch(value)
            game_id = found[1].decode() if found else ""
            is_new = game_id and not scope["path"].startswith(
                (f"/games/{game_id}", f"/api/v1/games/{game_id}")
            )
            return (game_id, START) if is_new else None
    return None


def _connected(scope: Scope, message: Message) -> tuple[str, str] | None:
    found = _STREAM.fullmatch(scope["path"])
    if found is None or message["status"] != 200:  # noqa: PLR2004
        return None
    # A browser whose stream broke says with the next one what it heard last.
    is_back = any(name == b"last-event-id" for name, _ in scope["headers"])
    return found[1], RECONNECT if is_back else CONNECT


def _add(connection: Connection, rows: list[dict[str, Any]]) -> None:
    """Keep what was seen of a game's own players; somebody who looks on is nobody's business."""
    wanted = {row["game_id"] for row in rows}
    owners = select(games.c.id, games.c.owner_id).where(games.c.id.in_(wanted))
    sitters = select(seats.c.game_id, seats.c.player_id).where(seats.c.game_id.in_(wanted))
    theirs = {tuple(row) for query in (owners, sitters) for row in connection.execute(query)}
    kept = [row for row in rows if (row["game_id"], row["player_id"]) in theirs]
    started = set(
        connection.scalars(select(_s.game_id).where(_s.game_id.in_(wanted), _s.what == START))
    )
    # Going on with an attempt is answered like beginning it.
    fresh = [row for row in kept if row["what"] != START or row["game_id"] not in started]
    if fresh:
        connection.execute(insert(sightings), fresh)
