"""Encryption of the secrets of authenticator apps, which unlike passwords can't be stored as hashes.

Without a key in the settings they are stored as they are: then anyone who reads the database or a backup of it can make
codes, but has neither the password nor a session.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from app.errors import ConflictError
from app.text import gettext

_PLAIN: Final = "plain:"
_SEALED: Final = "aes-gcm:"
_FERNET: Final = "fernet:"  # an older format: still read, no longer written
_NONCE_BYTES: Final = 12


class WrongKeyError(ConflictError):
    """A stored secret was encrypted with a key that the site no longer has."""

    code = "wrong_secret_key"
    title = gettext("The authenticator app can't be checked")


class SecretSealer:
    """Seals secrets with the key of the settings, if there is one."""

    def __init__(self, key: str = "", purpose: str = "authenticator") -> None:
        """Secrets sealed for one ``purpose`` cannot be unsealed for another."""
        self._key = hashlib.sha256(f"fairdeal {purpose} secrets\0{key}".encode()).digest()
        self._has_key = bool(key)

    def seal(self, secret: str) -> str:
        """A secret as it is stored."""
        if not self._has_key:
            return _PLAIN + secret
        nonce = secrets.token_bytes(_NONCE_BYTES)
        sealed = AESGCM(self._key).encrypt(nonce, secret.encode(), _SEALED.encode())
        return _SEALED + base64.urlsafe_b64encode(nonce + sealed).decode()

    def unseal(self, stored: str) -> str:
        """The secret again; raises ``WrongKeyError``."""
        if stored.startswith(_PLAIN):
            return stored.removeprefix(_PLAIN)
        try:
            if self._has_key:
                return self._decrypt(stored).decode()
        except (InvalidTag, InvalidToken, ValueError):  # ValueError: no base64, or too short
            pass
        raise WrongKeyError(
            gettext(
                "The codes of your authenticator app can't be checked, because the key of this site"
                " has changed. Ask the operator to reset your second factor."
            )
        )

    def _decrypt(self, stored: str) -> bytes:
        if stored.startswith(_FERNET):
            fernet = Fernet(base64.urlsafe_b64encode(self._key))
            return fernet.decrypt(stored.removeprefix(_FERNET).encode())
        sealed = base64.urlsafe_b64decode(stored.removeprefix(_SEALED))
        nonce, text = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        return AESGCM(self._key).decrypt(nonce, text, _SEALED.encode())
