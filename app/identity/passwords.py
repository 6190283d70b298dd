"""Passwords: what one must be like, and hashing them without holding up anybody else.

Argon2id with 19 MiB, two passes and one lane, as OWASP recommends: about 40 ms of one core. It runs on two threads of
its own, without the interpreter's lock, and only so many may wait for them.
"""

from __future__ import annotations

import asyncio
import base64
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from app.errors import MalformedError, UnavailableError
from app.identity.confusables import name_key

T = TypeVar("T")

SHORTEST: Final = 8
LONGEST: Final = 200

_THREADS: Final = 2
_MOST_WAITING: Final = 32
_MEMORY_KIB: Final = 19_456
_PASSES: Final = 2
_LANES: Final = 1
_FEWEST_CHARACTERS: Final = 4  # different ones

_USUAL: Final = frozenset(
    {
        *("password", "passwort", "passw0rd", "password1", "password123", "iloveyou", "letmein1"),
        *("qwertyui", "qwertyuiop", "qwerty123", "qwertz123", "asdfghjkl", "1q2w3e4r", "1qaz2wsx"),
        *("12345678", "123456789", "1234567890", "87654321", "abcd1234", "abc12345", "football"),
        *("baseball", "princess", "sunshine", "superman", "trustno1", "welcome1", "whatever"),
        *("solitaire", "patience", "fairdeal", "fair deal", "changeme", "administrator"),
    }
)


def _nobodys_hash() -> str:
    """A hash that takes as long to check as any other and that no password has."""
    salt, made = (base64.b64encode(bytes(size)).rstrip(b"=").decode() for size in (16, 32))
    return f"$argon2id$v=19$m={_MEMORY_KIB},t={_PASSES},p={_LANES}${salt}${made}"


NOBODYS_HASH: Final = _nobodys_hash()


def check_new_password(password: str, name: str) -> None:
    """Raise ``MalformedError`` with a sentence when a password would be guessed at once."""
    length = len(password)
    if length < SHORTEST:
        raise MalformedError(
            f"A password has at least {SHORTEST} characters; this one has {length}."
        )
    if length > LONGEST:
        raise MalformedError(f"A password has at most {LONGEST} characters.")
    plain = password.casefold().strip()
    if plain in _USUAL or len(set(plain)) < _FEWEST_CHARACTERS:
        raise MalformedError("This password is among the first that anybody would try.")
    if name_key(password) == name_key(name):
        raise MalformedError("The password may not be the name: everybody knows that.")


class Passwords:
    """Hashes and checks passwords on threads of its own."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(_PASSES, _MEMORY_KIB, _LANES)
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="password")
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """What is kept of a password."""
        return await self._aside(partial(self._hasher.hash, _bytes(password)))

    async def matches(self, password: str, kept: str | None) -> bool:
        """Whether a password is the one of which ``kept`` was kept. Without one it is not, which takes as long."""
        found = await self._aside(partial(self._check, kept or NOBODYS_HASH, _bytes(password)))
        return found and kept is not None

    def is_outdated(self, kept: str) -> bool:
        """Whether ``kept`` was made at another cost than we ask for now."""
        return self._hasher.check_needs_rehash(kept)

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _check(self, kept: str, password: bytes) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _aside(self, work: Callable[[], T]) -> T:
        if self._waiting >= _MOST_WAITING:
            raise UnavailableError(
                "Too many people are logging in just now. Please try again in a moment."
            )
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _bytes(password: str) -> bytes:
    """The same bytes for the same password, whichever keyboard wrote it."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
