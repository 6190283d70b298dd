"""Passwords: the rules for new ones, and hashing them off the event loop.

Argon2id with 19 MiB, two passes and one lane, as OWASP recommends: about 40 ms of one core. It runs without the
interpreter's lock on two threads of its own, with a bounded queue.
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
from app.identity.names import name_key

T = TypeVar("T")

MIN_LENGTH: Final = 8
MAX_LENGTH: Final = 200

_THREADS: Final = 2
_MAX_WAITING: Final = 32
_MEMORY_KIB: Final = 19_456
_PASSES: Final = 2
_LANES: Final = 1
_MIN_DISTINCT: Final = 4  # characters

_COMMON: Final = frozenset(
    {
        *("password", "passwort", "passw0rd", "password1", "password123", "iloveyou", "letmein1"),
        *("qwertyui", "qwertyuiop", "qwerty123", "qwertz123", "asdfghjkl", "1q2w3e4r", "1qaz2wsx"),
        *("12345678", "123456789", "1234567890", "87654321", "abcd1234", "abc12345", "football"),
        *("baseball", "princess", "sunshine", "superman", "trustno1", "welcome1", "whatever"),
        *("solitaire", "patience", "fairdeal", "fair deal", "changeme", "administrator"),
    }
)


def _dummy_hash() -> str:
    """A hash that no password has, and that takes as long to check as any other."""
    salt, digest = (base64.b64encode(bytes(size)).rstrip(b"=").decode() for size in (16, 32))
    return f"$argon2id$v=19$m={_MEMORY_KIB},t={_PASSES},p={_LANES}${salt}${digest}"


DUMMY_HASH: Final = _dummy_hash()


def check_new_password(password: str, name: str) -> None:
    """Raise ``MalformedError`` with the reason when a password is too easy to guess."""
    length = len(password)
    if length < MIN_LENGTH:
        raise MalformedError(
            f"A password needs at least {MIN_LENGTH} characters; this one has {length}."
        )
    if length > MAX_LENGTH:
        raise MalformedError(f"A password can have at most {MAX_LENGTH} characters.")
    plain = password.casefold().strip()
    if plain in _COMMON or len(set(plain)) < _MIN_DISTINCT:
        raise MalformedError("This password is too common. Please choose another.")
    if name_key(password) == name_key(name):
        raise MalformedError("Your password can't be your name. Please choose another.")


class Passwords:
    """Hashes and checks passwords on its own threads."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher(_PASSES, _MEMORY_KIB, _LANES)
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="password")
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """The hash of a password."""
        return await self._run(partial(self._hasher.hash, _bytes(password)))

    async def matches(self, password: str, password_hash: str | None) -> bool:
        """Whether a password matches a hash. Without a hash the answer is no, and takes just as long."""
        found = await self._run(partial(self._check, password_hash or DUMMY_HASH, _bytes(password)))
        return found and password_hash is not None

    def is_outdated(self, password_hash: str) -> bool:
        """Whether a hash was made with other cost parameters than the current ones."""
        return self._hasher.check_needs_rehash(password_hash)

    def close(self) -> None:
        """Stop the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _check(self, password_hash: str, password: bytes) -> bool:
        try:
            return self._hasher.verify(password_hash, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= _MAX_WAITING:
            raise UnavailableError(
                "Too many people are signing in right now. Please try again in a moment."
            )
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _bytes(password: str) -> bytes:
    """The same bytes for the same password, whatever keyboard typed it."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
