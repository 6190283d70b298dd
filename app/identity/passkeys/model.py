"""Passkeys, the ceremonies that make and use them, and the relying party that they belong to."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple, Self

from app.errors import ConflictError, ForbiddenError
from app.settings import Settings
from app.text import gettext

_LOCALHOST: Final = "localhost"
_LOCAL_ORIGIN: Final = re.compile(r"https?://localhost(:\d{1,5})?")


class PasskeyRefusedError(ForbiddenError):
    """The answer of an authenticator does not prove a passkey of this site."""

    code = "passkey_refused"
    title = gettext("This passkey wasn't accepted")


class CeremonyEndedError(ForbiddenError):
    """The challenge was answered before, has expired, or was for another browser or purpose."""

    code = "passkey_expired"
    title = gettext("Please try again")


class PasskeyKnownError(ConflictError):
    """The passkey that was to be added is registered already."""

    code = "passkey_known"
    title = gettext("This passkey is already registered")


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """The site as authenticators know it. Passkeys belong to the ``id``, a domain, and work at its origins only."""

    id: str
    name: str
    origins: tuple[str, ...]

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The relying party that an operator has set."""
        named = (origin.strip().rstrip("/") for origin in settings.passkey_origins.split(","))
        return cls(settings.passkey_domain, settings.passkey_site_name, tuple(filter(None, named)))

    def has_origin(self, origin: str) -> bool:
        """Whether passkeys may be used at an origin."""
        if self.origins:
            return origin in self.origins
        if self.id == _LOCALHOST:
            return _LOCAL_ORIGIN.fullmatch(origin) is not None
        return origin == f"https://{self.id}"


class Purpose(StrEnum):
    """The purpose of a challenge. An answer for one purpose is refused for another."""

    SIGN_IN = "sign-in"
    CONFIRM = "confirm"  # re-authentication
    REGISTER = "register"


class Ceremony(NamedTuple):
    """A challenge, and the browser and player it is bound to."""

    challenge: bytes
    binding_hash: bytes
    """The SHA-256 of the cookie of the browser that asked."""
    purpose: Purpose
    player_id: str | None
    """``None`` for signing in: the answer says who it is."""
    user_handle: bytes | None
    """For a new passkey."""
    until_ms: int


UNNAMED: Final = "Passkey"
"""The label of a passkey whose owner gave it none, on a device that has none."""


class Passkey(NamedTuple):
    """A public key that an authenticator made for one player."""

    credential_id: bytes
    player_id: str
    user_handle: bytes
    public_key: bytes
    sign_count: int
    """0 for most: synchronized passkeys do not count."""
    transports: str
    label: str
    created_ms: int
    used_ms: int | None

    @property
    def id(self) -> str:
        """The public id, for links."""
        return hashlib.sha256(self.credential_id).hexdigest()[:16]
