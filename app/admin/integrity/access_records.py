"""Access records: the device that started a game, and when its page connected. Kept for some days.

A middleware collects them as requests are answered. Nothing waits for the database, and an ordinary
move costs no more than a check of its path.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from http import HTTPStatus
from typing import Final, NamedTuple

from cachetools import TTLCache
from sqlalchemy import Connection, and_, insert, select
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.clock import DAY_MS, Clock
from app.db.engine import Database
from app.db.schema import daily_attempts, games, players, race_seats, sightings, table_seats
from app.db.writer import Row, WriteBuffer
from app.http.dependencies import ServiceSet
from app.http.rate_limits import client_address
from app.http.templates import PLAYER
from app.identity.device_labels import device_label
from app.networks import network_of

START: Final = "start"
CONNECT: Final = "connect"
RECONNECT: Final = "reconnect"

_REPEAT_MS: Final = 10_000  # a page that is reloaded again and again is recorded once in this time
_MAX_RECENT: Final = 2_000
_NEW_GAME_STATUSES: Final = {201, 303}
_GAME_LOCATION: Final = re.compile(rb"(?:/api/v1)?/games/([\w-]{1,64})")
_STREAM_PATH: Final = re.compile(r"/api/v1/games/([\w-]{1,64})/stream")
_s = sightings.c


class AccessRecord(NamedTuple):
    """A player's access to a game: ``START``, ``CONNECT`` or ``RECONNECT``."""

    what: str
    client: str
    at_ms: int
    player_id: str | None


class AccessRecorder:
    """Collects access records in memory; a scheduled task writes them."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._clock = clock
        self._buffer = WriteBuffer(database.write, _insert)
        self._recent: TTLCache[tuple[str, ...], bool] = TTLCache(
            _MAX_RECENT, _REPEAT_MS, timer=clock
        )

    def record(self, request: Request, game_id: str, what: str) -> None:
        """Record the access of a known player."""
        player = request.scope.get(PLAYER)
        if player is None:
            return
        client = device_label(request.headers.get("user-agent", ""))
        key = (game_id, what, client, player.id)
        if key in self._recent:
            return
        self._recent[key] = True
        now_ms = self._clock()
        self._buffer.add(
            {
                "game_id": game_id,
                "player_id": player.id,
                "what": what,
                "client": client,
                "place": device_hash(now_ms, client_address(request), client),
                "at_ms": now_ms,
            }
        )

    async def flush(self) -> None:
        """Write what was recorded."""
        await self._buffer.flush()


class AccessRecordMiddleware:
    """Notices responses that start a game or connect its page."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] != "http" or not (scope["method"] == "POST" or path.endswith("/stream")):
            await self._app(scope, receive, send)
            return

        async def send_and_record(message: Message) -> None:
            if message["type"] == "http.response.start":
                access = _parse_start(scope, message) or _parse_connect(scope, message)
                if access:
                    services: ServiceSet = scope["app"].services
                    services.of(AccessRecorder).record(Request(scope), *access)
            await send(message)

        await self._app(scope, receive, send_and_record)


def device_hash(at_ms: int, address: str, client: str) -> bytes:
    """The same for similar devices in one network on one day; another on the next day, so nobody can be followed."""
    text = "\0".join((str(at_ms // DAY_MS), network_of(address), client))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


def list_access_records(connection: Connection, game_id: str, limit: int) -> list[AccessRecord]:
    """The remaining access records of a game, in order."""
    query = select(_s.what, _s.client, _s.at_ms, _s.player_id).where(_s.game_id == game_id)
    return [AccessRecord(*row) for row in connection.execute(query.order_by(_s.seq).limit(limit))]


def find_same_device_attempts(connection: Connection, game_id: str, limit: int) -> list[str]:
    """Other players' attempts at the deal of a daily game that a similar device started on the same day."""
    own, other = daily_attempts.alias("mine"), daily_attempts.alias("theirs")
    own_start, other_start = sightings.alias("here"), sightings.alias("there")
    query = (
        select(other.c.game_id)
        .select_from(own)
        .join(own_start, and_(own_start.c.game_id == own.c.game_id, own_start.c.what == START))
        .join(
            other_start,
            and_(other_start.c.place == own_start.c.place, other_start.c.what == START),
        )
        .join(other, other.c.game_id == other_start.c.game_id)
        .where(
            own.c.game_id == game_id,
            other.c.day == own.c.day,
            other.c.ruleset == own.c.ruleset,
            other.c.player_id != own.c.player_id,
        )
        .distinct()
        .order_by(other.c.game_id)
        .limit(limit)
    )
    return list(connection.scalars(query))


def list_same_device_racers(connection: Connection, code: str) -> list[list[str]]:
    """The names of racers whose games were opened on similar devices in one network on one day, device by device."""
    query = (
        select(_s.place, players.c.name)
        .select_from(race_seats)
        .join(sightings, _s.game_id == race_seats.c.game_id)
        .join(players, players.c.id == race_seats.c.player_id)
        .where(race_seats.c.code == code)
        .distinct()
        .order_by(players.c.name)
    )
    names: defaultdict[bytes, list[str]] = defaultdict(list)
    for place, name in connection.execute(query):
        names[place].append(name)
    # A race over midnight has the same racers at two hashes.
    return sorted(map(list, {tuple(found) for found in names.values() if len(found) > 1}))


def _parse_start(scope: Scope, message: Message) -> tuple[str, str] | None:
    """The new game that a response leads to. A move redirects to its own game, which is not new."""
    if scope["method"] != "POST" or message["status"] not in _NEW_GAME_STATUSES:
        return None
    for name, value in message["headers"]:
        if name == b"location":
            found = _GAME_LOCATION.fullmatch(value)
            game_id = found[1].decode() if found else ""
            is_new = game_id and not scope["path"].startswith(
                (f"/games/{game_id}", f"/api/v1/games/{game_id}")
            )
            return (game_id, START) if is_new else None
    return None


def _parse_connect(scope: Scope, message: Message) -> tuple[str, str] | None:
    found = _STREAM_PATH.fullmatch(scope["path"])
    if found is None or message["status"] != HTTPStatus.OK:
        return None
    # A browser that reconnects automatically says which event it received last.
    is_back = any(name == b"last-event-id" for name, _ in scope["headers"])
    return found[1], RECONNECT if is_back else CONNECT


def _insert(connection: Connection, rows: list[Row]) -> None:
    """Keep the records of a game's own players; other viewers are not recorded."""
    game_ids = {row["game_id"] for row in rows}
    owners = select(games.c.id, games.c.owner_id).where(games.c.id.in_(game_ids))
    seated = select(table_seats.c.game_id, table_seats.c.player_id).where(
        table_seats.c.game_id.in_(game_ids)
    )
    own = {tuple(row) for query in (owners, seated) for row in connection.execute(query)}
    kept = [row for row in rows if (row["game_id"], row["player_id"]) in own]
    started = set(
        connection.scalars(select(_s.game_id).where(_s.game_id.in_(game_ids), _s.what == START))
    )
    # Returning to a daily attempt is answered like starting it.
    new = [row for row in kept if row["what"] != START or row["game_id"] not in started]
    if new:
        connection.execute(insert(sightings), new)
