"""The codes of race rooms: six symbols that people read aloud, and type as they like."""

from __future__ import annotations

import secrets
from typing import Final

from app.engine.shuffle import CODE_SYMBOLS
from app.races.errors import RaceNotFoundError
from app.text import gettext

CODE_LENGTH: Final = 6  # 30 bits: guessing is rate limited, and a hit only shows a race to watch
NO_RACE: Final = gettext(
    "No race has this code. Codes have six letters and digits, such as 7KQ4M2."
)
_LOOKALIKES: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})


def new_room_code() -> str:
    """A random code of six symbols that can be read aloud."""
    return "".join(secrets.choice(CODE_SYMBOLS) for _ in range(CODE_LENGTH))


def parse_room_code(text: str) -> str | None:
    """A code as a person may type it; ``None`` when it can't be one."""
    symbols = text.strip().upper().translate(_LOOKALIKES)
    if len(symbols) != CODE_LENGTH or not text.isascii() or not set(symbols) <= set(CODE_SYMBOLS):
        return None
    return symbols


def read_room_code(text: str) -> str:
    """A code as a person may type it; raises ``RaceNotFoundError``."""
    code = parse_room_code(text)
    if code is None:
        raise RaceNotFoundError(NO_RACE)
    return code
