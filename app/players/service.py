"""Who is playing: guests are made when they first need to be someone, and are known by a token.

What a token opens is remembered in this process for a few seconds, so that a move costs no query for it. Ending a
session is felt at once in the process that ends it, and within those seconds in the others.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Connection

from app.players import repository
from app.players.names import guest_name, parse_name
from app.storage.database import Database

_REMEMBERED_SECONDS = 5.0
_REMEMBERED_SESSIONS = 20_000
_DAY_MS = 86_400_000

# 32 random bytes as `secrets.token_urlsafe` writes them.
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who plays, as the rest of the site knows them."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Visit:
    """A player who showed a token; ``is_first_today`` when it had not been seen for a day."""

    player: Player
    is_first_today: bool


@dataclass(frozen=True, slots=True)
class _Remembered:
    player: Player
    until: float


class PlayerService:
    """Finds, makes and names players."""

    def __init__(
        self,
        database: Database,
        session_days: int,
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._lifetime_ms = session_days * _DAY_MS
        self._clock = clock
        self._ticks = ticks
        self._remembered: dict[bytes, _Remembered] = {}

    async def find(self, token: str) -> Visit | None:
        """Whoever a token belongs to; None for one that is malformed, unknown, ended or expired."""
        if not _TOKEN.fullmatch(token):
            return None
        token_hash = _hash(token)
        known = self._remembered.get(token_hash)
        if known is not None and known.until > self._ticks():
            return Visit(known.player, is_first_today=False)
        now_ms = self._now_ms()
        oldest_ms = now_ms - self._lifetime_ms
        found = await self._database.read(
            partial(repository.find_session, token_hash=token_hash, oldest_ms=oldest_ms)
        )
        if found is None:
            self._remembered.pop(token_hash, None)
            return None
        is_first_today = found.seen_ms < now_ms - _DAY_MS
        if is_first_today:
            await self._database.write(
                partial(repository.touch_session, token_hash=token_hash, now_ms=now_ms)
            )
        player = Player(found.player_id, found.name)
        self._remember(token_hash, player)
        return Visit(player, is_first_today)

    async def new_guest(self) -> tuple[Player, str]:
        """A player who was nobody before, and the token that shows who they are: kept nowhere but with them."""
        player = Player(secrets.token_urlsafe(12), guest_name())
        token = secrets.token_urlsafe(32)
        token_hash = _hash(token)
        now_ms = self._now_ms()

        def add(connection: Connection) -> None:
            repository.add_player(connection, player.id, player.name, now_ms)
            repository.add_session(connection, token_hash, player.id, now_ms)

        await self._database.write(add)
        self._remember(token_hash, player)
        return player, token

    async def rename(self, player: Player, text: str) -> Player:
        """Give a player the name they typed; raises ``MalformedError`` when it cannot be one."""
        renamed = Player(player.id, parse_name(text))
        await self._database.write(
            partial(repository.rename_player, player_id=player.id, name=renamed.name)
        )
        self._forget_player(player.id)
        return renamed

    async def sign_out(self, token: str) -> None:
        """End the session of one token."""
        token_hash = _hash(token)
        await self._database.write(partial(repository.end_session, token_hash=token_hash))
        self._remembered.pop(token_hash, None)

    async def sign_out_everywhere(self, player: Player) -> None:
        """End all sessions of a player."""
        await self._database.write(partial(repository.end_sessions_of, player_id=player.id))
        self._forget_player(player.id)

    def _remember(self, token_hash: bytes, player: Player) -> None:
        if len(self._remembered) >= _REMEMBERED_SESSIONS:
            self._remembered.clear()  # costs each player one query
        self._remembered[token_hash] = _Remembered(player, self._ticks() + _REMEMBERED_SECONDS)

    def _forget_player(self, player_id: str) -> None:
        self._remembered = {
            token_hash: known
            for token_hash, known in self._remembered.items()
            if known.player.id != player_id
        }

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
