"""The codes of race rooms: six symbols that can be read aloud, 30 bits.

Nobody is kept out of a room by not knowing its code for long: guessing is slowed down at the door, and all
that a guess can find is a race to watch.
"""

from __future__ import annotations

import secrets
from typing import Final

from app.engine.shuffle import CODE_SYMBOLS

LENGTH: Final = 6
_READING: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})


def new_code() -> str:
    """A fresh random code, from the operating system's randomness."""
    return "".join(secrets.choice(CODE_SYMBOLS) for _ in range(LENGTH))


def parse_code(text: str) -> str | None:
    """A code as a person may write it; ``None`` for what cannot be one."""
    symbols = text.strip().upper().translate(_READING)
    if len(symbols) != LENGTH or not text.isascii() or not set(symbols) <= set(CODE_SYMBOLS):
        return None
    return symbols
