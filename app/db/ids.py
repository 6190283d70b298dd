"""Random ids of games and players, and the secret part of links."""

from __future__ import annotations

import secrets
import string
from typing import Final

_SYMBOLS: Final = string.ascii_letters + string.digits


def new_id() -> str:
    """16 random letters and digits (95 bits), so that a command line never takes an id for an option."""
    return _random(16)


def new_link() -> str:
    """22 random letters and digits (130 bits), so that no punctuation at the end gets lost in messages."""
    return _random(22)


def _random(length: int) -> str:
    return "".join(secrets.choice(_SYMBOLS) for _ in range(length))
