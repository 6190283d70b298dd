"""Guests and sessions: who a session token belongs to.

The player of a token is cached for a few seconds, so that a move costs no query for it. Ending a session takes effect
at once in the process that ends it, and within those seconds in the others.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from cachetools import TTLCache
from sqlalchemy import Connection

from app.clock import DAY_MS, HOUR_MS, MINUTE_MS, Clock, now_ms
from app.db.engine import Database
from app.db.ids import new_id
from app.errors import NotFoundError
from app.identity import repository
from app.identity.model import (
    Authenticated,
    OpenSince,
    Player,
    Session,
    SignInAgainError,
    hash_token,
    new_token,
)
from app.identity.names import guest_name
from app.identity.security_log import SecurityEvent, log_security_event
from app.text import gettext, ngettext

_CACHE_SECONDS: Final = 5.0
_CACHED_SESSIONS: Final = 20_000
NEW_MINUTES: Final = 10
"""How long a session is new: as long, signing in counts as confirming a change where there is no password."""


# 32 random bytes as `secrets.token_urlsafe` writes them.
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")


class Sessions:
    """Finds players by session token, creates guests, and ends sessions."""

    def __init__(
        self,
        database: Database,
        session_days: int,
        clock: Clock = now_ms,
        monotonic: Callable[[], float] = time.monotonic,
        *,
        max_days: int = 180,
    ) -> None:
        """A session ends after ``session_days`` without use, and that of a player with an account after ``max_days``.

        A guest has only the session: ending it would lose the games and protect nothing.
        """
        self._database = database
        self._idle_ms = session_days * DAY_MS
        self._max_ms = max_days * DAY_MS
        self._clock = clock
        self._monotonic = monotonic
        self._cache: TTLCache[bytes, Player] = self._new_cache()
        # Of each player in it. A player's last token keeps the others here, so what is cached is never missing.
        self._cached_of: TTLCache[str, set[bytes]] = self._new_cache()
        self._forgotten = 0  # how often something was dropped from the cache

    def _new_cache(self) -> TTLCache[Any, Any]:
        return TTLCache(
            _CACHED_SESSIONS,
            _CACHE_SECONDS,
            timer=lambda: self._monotonic(),  # noqa: PLW0108 - tests replace it
        )

    async def find(self, token: str) -> Authenticated | None:
        """The player of a session token; None for one that is malformed, unknown, ended or expired."""
        if not _TOKEN.fullmatch(token):
            return None
        token_hash = hash_token(token)
        try:  # hot path: `get` would look up twice
            return Authenticated(self._cache[token_hash], is_first_this_hour=False)
        except KeyError:
            pass
        now_ms, forgotten = self.now_ms(), self._forgotten
        found = await self._database.read(
            partial(
                repository.find_session_owner, token_hash=token_hash, open_since=self._open_since()
            )
        )
        if found is None:
            return None
        is_first_this_hour = found.seen_ms < now_ms - HOUR_MS
        if is_first_this_hour:
            await self._database.write(
                partial(repository.touch_session, token_hash=token_hash, now_ms=now_ms)
            )
        player = Player(
            found.player_id, found.name, found.is_named, found.suspension, found.language or ""
        )
        if forgotten == self._forgotten:  # or this session may have ended meanwhile
            self._keep(token_hash, player)
        return Authenticated(player, is_first_this_hour)

    async def is_open(self, token: str, player_id: str) -> bool:
        """Whether a token's session is still open and the player's, as stored; asking does not count as using it."""
        found = await self._database.read(
            partial(
                repository.find_session_owner,
                token_hash=hash_token(token),
                open_since=self._open_since(),
            )
        )
        return found is not None and found.player_id == player_id

    async def new_guest(self, label: str = "") -> tuple[Player, str]:
        """Create a guest with a session; the player, and the only copy of the token."""
        player = Player(new_id(), guest_name())
        token = new_token()
        token_hash = hash_token(token)
        now_ms = self.now_ms()

        def add(connection: Connection) -> None:
            repository.add_player(connection, player.id, player.name, now_ms)
            repository.add_session(connection, token_hash, player.id, label, now_ms)

        await self._database.write(add)
        self._keep(token_hash, player)
        return player, token

    async def list_sessions(self, player: Player) -> list[Session]:
        """A player's sessions, the most recently used first."""
        return await self._database.read(
            partial(repository.list_sessions, player_id=player.id, open_since=self._open_since())
        )

    async def sign_out(self, player: Player, token: str) -> None:
        """End the session of a token, which is the player's."""
        await self._database.write(partial(repository.end_session, token_hash=hash_token(token)))
        self.forget_token(token)
        log_security_event(SecurityEvent.LOGOUT, "success", player_id=player.id)

    async def end_session(self, player: Player, session_id: str) -> None:
        """End one of a player's sessions; raises ``NotFoundError``."""
        for session in await self.list_sessions(player):
            if session.id == session_id:
                await self._database.write(
                    partial(repository.end_session, token_hash=session.token_hash)
                )
                self._drop(session.token_hash)
                log_security_event(SecurityEvent.LOGOUT, "success", player_id=player.id)
                return
        raise NotFoundError(gettext("This session has already ended, or it isn't yours."))

    async def end_other_sessions(self, player: Player, token: str) -> None:
        """End all sessions of a player except the one of ``token``."""
        await self._database.write(
            partial(repository.end_sessions, player_id=player.id, keep=hash_token(token))
        )
        self.forget(player.id)
        log_security_event(SecurityEvent.SESSIONS_ENDED, "success", player_id=player.id)

    async def check_is_new(self, player_id: str, token: str) -> None:
        """Raise ``SignInAgainError`` unless the session of a token is the player's and has just begun."""
        sessions = await self._database.read(
            partial(repository.list_sessions, player_id=player_id, open_since=self._open_since())
        )
        token_hash, oldest_ms = hash_token(token), self.now_ms() - NEW_MINUTES * MINUTE_MS
        if not any(
            one.token_hash == token_hash and one.created_ms >= oldest_ms for one in sessions
        ):
            raise SignInAgainError(
                ngettext(
                    "Please sign out and sign in again first. You then have %(n)s minute to do"
                    " this.",
                    "Please sign out and sign in again first. You then have %(n)s minutes to do"
                    " this.",
                    NEW_MINUTES,
                )
            )

    def forget(self, player_id: str) -> None:
        """Drop a player from the cache, after a change."""
        self._forgotten += 1
        for token_hash in self._cached_of.pop(player_id, ()):
            self._cache.pop(token_hash, None)

    def forget_token(self, token: str | None) -> None:
        """Drop a session token from the cache, after its session has ended."""
        if token:
            self._drop(hash_token(token))

    def _keep(self, token_hash: bytes, player: Player) -> None:
        self._cache[token_hash] = player
        self._cached_of[player.id] = self._cached_of.get(player.id, set()) | {token_hash}

    def _drop(self, token_hash: bytes) -> None:
        self._forgotten += 1
        self._cache.pop(token_hash, None)

    def _open_since(self) -> OpenSince:
        now_ms = self.now_ms()
        return OpenSince(now_ms - self._idle_ms, now_ms - self._max_ms)

    def now_ms(self) -> int:
        """The current time."""
        return self._clock()
