"""The promise behind a daily deal: a hash of its secret seed, published before anybody can play it.

The commitment is the SHA-256 of the ASCII text ``fairdeal/daily/1/GAME/YYYY-MM-DD/`` followed by the
32 bytes of the seed. Game and day are part of it, so that a promise made for one cannot be kept with
the seed of another. The seed itself comes from the operating system's randomness and from nothing else.
"""

from __future__ import annotations

import hashlib
from datetime import date

from app.engine.shuffle import SEED_BYTES


def commitment(ruleset: str, day: date, seed: bytes) -> str:
    """The promise for a seed, as 64 hexadecimal digits."""
    if len(seed) != SEED_BYTES:
        message = f"A seed has {SEED_BYTES} bytes, not {len(seed)}."
        raise ValueError(message)
    text = f"fairdeal/daily/1/{ruleset}/{day.isoformat()}/"
    return hashlib.sha256(text.encode("ascii") + seed).hexdigest()
