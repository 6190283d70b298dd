"""The ids of games, players, orders and of links that only those find who were given them."""

from __future__ import annotations

import secrets
import string
from typing import Final

_SYMBOLS: Final = string.ascii_letters + string.digits
_LENGTH: Final = 16


def new_id(length: int = _LENGTH) -> str:
    """``length`` random letters and digits from the operating system, nearly six bits each; 16 have 95 bits.

    Nothing but letters and digits, so that a command line never takes an id for an option, and a link pasted into a
    message never loses its last symbol.
    """
    return "".join(secrets.choice(_SYMBOLS) for _ in range(length))
