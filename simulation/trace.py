"""The trace of a seed: what happened, in order, and a hash over all of it that is the same in every run of the seed."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable
from typing import Final

_KEPT: Final = 60


class Violation(Exception):  # noqa: N818 - it is a finding, not a failure of the simulator
    """An invariant does not hold."""

    def __init__(self, invariant: str, detail: str) -> None:
        super().__init__(f"{invariant}: {detail}")
        self.invariant = invariant
        self.detail = detail


class Trace:
    """Keeps the last lines to read and a running hash of everything, with the bytes that were sent."""

    def __init__(self, *, keep_all: bool = False) -> None:
        """With ``keep_all`` every line is kept, to read or compare them."""
        self._hash = hashlib.sha256()
        self._lines: deque[str] = deque(maxlen=None if keep_all else _KEPT)
        self.marks: list[bytes] = []
        """A few bytes of the hash after each line."""
        self.on_line: Callable[[int], None] = lambda _count: None
        """Called with the number of lines."""

    def note(self, seconds: float, text: str, payload: bytes = b"") -> None:
        """Add a line; ``payload`` is only hashed."""
        line = f"{seconds:11.6f} {text}"
        self._hash.update(line.encode())
        self._hash.update(payload)
        self._lines.append(line)
        self.marks.append(self._hash.digest()[:4])
        self.on_line(len(self.marks))

    @property
    def digest(self) -> str:
        """The hash of everything so far."""
        return self._hash.hexdigest()

    @property
    def lines(self) -> list[str]:
        """The lines that were kept."""
        return list(self._lines)
