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

from app.clock import DAY_MS
from app.db.engine import Database
from app.db.ids import new_id
from app.errors import NotFoundError
from app.identity import repository
from app.identity.errors import AlreadyClaimedError, SuspendedError
from app.identity.names import guest_name
from app.identity.repository import Session

_REMEMBERED_SECONDS = 5.0
_REMEMBERED_SESSIONS = 20_000
_STILL_ALLOWED = "You can still look at everything, and download what is kept of you."
_HOUR_MS = 3_600_000

# 32 random bytes as `secrets.token_urlsafe` writes them.
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who plays, as the rest of the site knows them."""

    id: str
    name: str
    is_named: bool = False
    """Whether the name was claimed: nobody else can bear it. Guests have names too, but were given them."""
    suspension: str | None = None
    """Why they may change nothing for now, in a sentence; looking and taking their data along stay allowed."""

    def check_not_suspended(self) -> None:
        """Raise ``SuspendedError`` where there is a suspension."""
        if self.suspension is not None:
            raise SuspendedError(
                f"Your account is suspended, so nothing was changed. {self.suspension} {_STILL_ALLOWED}"
            )


@dataclass(frozen=True, slots=True)
class Visit:
    """A player who showed a token; ``is_first_this_hour`` when it had not been seen for an hour."""

    player: Player
    is_first_this_hour: bool


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
        self._lifetime_ms = session_days * DAY_MS
        self._clock = clock
        self._ticks = ticks
        self._remembered: dict[bytes, _Remembered] = {}

    async def find(self, token: str) -> Visit | None:
        """Whoever a token belongs to; None for one that is malformed, unknown, ended or expired."""
        if not _TOKEN.fullmatch(token):
            return None
        token_hash = hash_of(token)
        known = self._remembered.get(token_hash)
        if known is not None and known.until > self._ticks():
            return Visit(known.player, is_first_this_hour=False)
        now_ms = self.now_ms()
        oldest_ms = now_ms - self._lifetime_ms
        found = await self._database.read(
            partial(repository.find_session, token_hash=token_hash, oldest_ms=oldest_ms)
        )
        if found is None:
            self._remembered.pop(token_hash, None)
            return None
        is_first_this_hour = found.seen_ms < now_ms - _HOUR_MS
        if is_first_this_hour:
            await self._database.write(
                partial(repository.touch_session, token_hash=token_hash, now_ms=now_ms)
            )
        player = Player(found.player_id, found.name, found.is_named, found.suspension)
        self._remember(token_hash, player)
        return Visit(player, is_first_this_hour)

    async def new_guest(self, label: str = "") -> tuple[Player, str]:
        """A player who was nobody before, and the token that shows who they are: kept nowhere but with them."""
        player = Player(new_id(), guest_name())
        token = new_token()
        token_hash = hash_of(token)
        now_ms = self.now_ms()

        def add(connection: Connection) -> None:
            repository.add_player(connection, player.id, player.name, now_ms)
            repository.add_session(connection, token_hash, player.id, label, now_ms)

        await self._database.write(add)
        self._remember(token_hash, player)
        return player, token

    async def another_name(self, player: Player) -> Player:
        """Give a guest another friendly name; raises ``AlreadyClaimedError`` and ``SuspendedError``."""
        player.check_not_suspended()
        name = guest_name()
        while name == player.name:
            name = guest_name()

        def rename(connection: Connection) -> None:
            # Renaming waits for a claim in another window; only then is it known.
            repository.rename_player(connection, player.id, name)
            if repository.is_named(connection, player.id):
                raise AlreadyClaimedError("You have a name of your own.")

        await self._database.write(rename)
        self.forget(player.id)
        return Player(player.id, name)

    async def sessions(self, player: Player) -> list[Session]:
        """Everything that can act for a player, the last used first."""
        oldest_ms = self.now_ms() - self._lifetime_ms
        return await self._database.read(
            partial(repository.sessions_of, player_id=player.id, oldest_ms=oldest_ms)
        )

    async def notices(self, player: Player) -> list[str]:
        """What those who look after the site have done about a player, in sentences for them."""
        found = []
        if player.suspension is not None:
            found.append(f"Your account is suspended. {player.suspension} {_STILL_ALLOWED}")
        withdrawn = await self._database.read(
            partial(repository.withdrawn_names_of, player_id=player.id)
        )
        found += [
            f"You cannot be called {name} here. {reason} You are welcome to choose another name."
            for name, reason in withdrawn
        ]
        return found

    async def sign_out(self, token: str) -> None:
        """End the session of one token."""
        token_hash = hash_of(token)
        await self._database.write(partial(repository.end_session, token_hash=token_hash))
        self.forget_token(token)

    async def revoke(self, player: Player, session_id: str) -> None:
        """End one of a player's sessions; raises ``NotFoundError``."""
        for session in await self.sessions(player):
            if session.id == session_id:
                await self._database.write(
                    partial(repository.end_session, token_hash=session.token_hash)
                )
                self._remembered.pop(session.token_hash, None)
                return
        raise NotFoundError("This session has ended already, or never was one of yours.")

    async def sign_out_elsewhere(self, player: Player, token: str) -> None:
        """End all sessions of a player but the one of ``token``."""
        await self._database.write(
            partial(repository.end_sessions_of, player_id=player.id, but=hash_of(token))
        )
        self.forget(player.id)

    def forget(self, player_id: str) -> None:
        """Look a player up again, here, when they come next: something about them has changed."""
        self._remembered = {
            token_hash: known
            for token_hash, known in self._remembered.items()
            if known.player.id != player_id
        }

    def forget_token(self, token: str | None) -> None:
        """Look up again, here, whom a token belongs to: its session has ended."""
        if token:
            self._remembered.pop(hash_of(token), None)

    def now_ms(self) -> int:
        """The time."""
        return int(self._clock() * 1000)

    def _remember(self, token_hash: bytes, player: Player) -> None:
        if len(self._remembered) >= _REMEMBERED_SESSIONS:
            self._remembered.clear()  # costs each player one query
        self._remembered[token_hash] = _Remembered(player, self._ticks() + _REMEMBERED_SECONDS)


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).digest()
