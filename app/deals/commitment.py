"""The promise behind a sealed deal: a hash of its secret seed, published before anybody can play it.

A commitment is the SHA-256 of an ASCII text that says what the deal is for, followed by the 32 bytes of the
seed. What it is for is part of it, so that a promise made for one thing cannot be kept with the seed of another.
"""

from __future__ import annotations

import hashlib

from app.engine.shuffle import SEED_BYTES


def commitment(purpose: str, seed: bytes) -> str:
    """The promise for a seed, as 64 hexadecimal digits; ``purpose`` ends with a slash."""
    if len(seed) != SEED_BYTES:
        message = f"A seed has {SEED_BYTES} bytes, not {len(seed)}."
        raise ValueError(message)
    return hashlib.sha256(purpose.encode("ascii") + seed).hexdigest()
