"""Players, their accounts and their sessions, and the errors of names and passwords."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from sqlalchemy import Connection

from app.errors import ConflictError, ForbiddenError
from app.identity.moderators_reasons import moderators_reason
from app.text import gettext, sentences


class NameTakenError(ConflictError):
    """Another player has this name, or one that looks like it."""

    code = "name_taken"
    title = gettext("This name is taken")


class HasAccountError(ConflictError):
    """The request is for guests only, and the caller has created an account."""

    code = "already_claimed"
    title = gettext("You already have an account")


class NoAccountError(ConflictError):
    """The request is for players with an account only, and the caller is a guest."""

    code = "not_claimed"
    title = gettext("Create an account first")


class WrongPasswordError(ForbiddenError):
    """The password does not match the name, or the name is unknown."""

    code = "wrong_password"
    title = gettext("Wrong name or password")


class SignInAgainError(ForbiddenError):
    """The change needs a confirmation, and the account has no password to confirm it with."""

    code = "sign_in_again"
    title = gettext("Please sign in again")


class LastSignInMethodError(ConflictError):
    """Without it, an account could not be signed in to, or a role would have no second factor."""

    code = "last_way_in"
    title = gettext("You still need this to sign in")


class SuspendedError(ForbiddenError):
    """Moderators have suspended the caller, who may still read."""

    code = "suspended"
    title = gettext("Your account is suspended")


STILL_ALLOWED: Final = gettext("You can still view everything and download your data.")


SignInMethod = Callable[[Connection, str], bool]
"""Whether a player, by id, can sign in in some way besides the password."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player as the rest of the site knows them: a guest, or the owner of an account."""

    id: str
    name: str
    is_named: bool = False
    """Whether the player has claimed the name. Guests are given names, which are not unique."""
    suspension: str | None = None
    """Why the player may change nothing for now, as a sentence. Reading and the data export stay allowed."""
    language: str = ""
    """The tag of the language that the player has chosen; empty to use the browser's."""

    def check_not_suspended(self) -> None:
        """Raise ``SuspendedError`` for a suspended player."""
        if self.suspension is not None:
            raise SuspendedError(
                sentences(
                    gettext("Your account is suspended, so nothing was changed."),
                    moderators_reason(self.suspension),
                    STILL_ALLOWED,
                )
            )


NO_PASSWORD: Final = ""
"""The password hash of an account that has other ways to sign in."""


class Account(NamedTuple):
    """A claimed name with its password hash, or ``NO_PASSWORD``."""

    player_id: str
    name: str
    password_hash: str
    claimed_ms: int

    @property
    def has_password(self) -> bool:
        """Whether the player can sign in with a password."""
        return self.password_hash != NO_PASSWORD


class Session(NamedTuple):
    """A device or a program that is signed in as a player."""

    token_hash: bytes
    label: str
    created_ms: int
    seen_ms: int

    @property
    def id(self) -> str:
        """The public id of the session, which reveals nothing about its token."""
        return self.token_hash.hex()[:16]


class OpenSince(NamedTuple):
    """Which sessions are open: used since ``seen_ms`` and, for players with an account, begun since ``created_ms``."""

    seen_ms: int
    created_ms: int


EVER: Final = OpenSince(0, 0)


class SessionOwner(NamedTuple):
    """The player of a session, and when the session was last seen."""

    player_id: str
    name: str
    is_named: bool
    seen_ms: int
    suspension: str | None
    language: str | None


@dataclass(frozen=True, slots=True)
class Authenticated:
    """The player of a session token; ``is_first_this_hour`` when the token had not been seen for an hour."""

    player: Player
    is_first_this_hour: bool


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """Where a request comes from: its address, the label of its device, and its session token."""

    address: str
    label: str
    token: str | None = None


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A player with a new session, the only copy of its token, and how many games an account merge added."""

    player: Player
    token: str
    merged_games: int = 0


def new_token() -> str:
    """A session token that cannot be guessed."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> bytes:
    """The session token hash: what the database stores instead of the token."""
    return hashlib.sha256(token.encode()).digest()
