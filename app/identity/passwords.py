"""Hashing passwords off the event loop. `app.identity.password_rules` has the rules for new ones.

Argon2id with 19 MiB, two passes and one lane, as OWASP recommends. It runs without the
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

from app.errors import UnavailableError
from app.text import gettext

T = TypeVar("T")

_THREADS: Final = 2
_MAX_WAITING: Final = 32
_MEMORY_KIB: Final = 19_456
_PASSES: Final = 2
_LANES: Final = 1


def _dummy_hash() -> str:
    """A hash that no password has, and that takes as long to check as any other."""
    salt, digest = (base64.b64encode(bytes(size)).rstrip(b"=").decode() for size in (16, 32))
    return f"$argon2id$v=19$m={_MEMORY_KIB},t={_PASSES},p={_LANES}${salt}${digest}"


DUMMY_HASH: Final = _dummy_hash()


class Passwords:
    """Hashes and checks passwords on its own threads."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher(_PASSES, _MEMORY_KIB, _LANES)
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="password")
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """The hash of a password."""
        return await self._run(partial(self._hasher.hash, _bytes(password)))

    async def matches(self, password: str, password_hash: str | None) -> bool:
        """Whether a password matches a hash. Without a hash the answer is no, as slowly."""
        found = await self._run(partial(self._check, password_hash or DUMMY_HASH, _bytes(password)))
        return found and bool(password_hash)

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
                gettext("Too many people are signing in right now. Please try again in a moment.")
            )
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _bytes(password: str) -> bytes:
    """The same bytes for the same password on every keyboard."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
