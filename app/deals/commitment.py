"""The commitment to a sealed deal: a hash of its secret seed, published before anyone can play it.

A commitment is the SHA-256 of an ASCII text that says what the deal is for, followed by the 32 bytes of the
seed. The purpose is part of it, so that a commitment for one purpose does not match the seed of another.
"""

from __future__ import annotations

import hashlib

from app.engine.shuffle import SEED_BYTES


def commitment(purpose: str, seed: bytes) -> str:
    """The commitment to a seed, as 64 hexadecimal digits; ``purpose`` ends with a slash."""
    if len(seed) != SEED_BYTES:
        message = f"A seed has {SEED_BYTES} bytes, not {len(seed)}."
        raise ValueError(message)
    return hashlib.sha256(purpose.encode("ascii") + seed).hexdigest()
