"""What is promised of a daily deal before its day.

The commitment is the SHA-256 of the ASCII text ``fairdeal/daily/1/GAME/YYYY-MM-DD/`` followed by the
32 bytes of the seed. Game and day are part of it, so that a promise made for one cannot be kept with
the seed of another. The seed itself comes from the operating system's randomness and from nothing else.
"""

from __future__ import annotations

from datetime import date

from app.deals import commitment as promises


def commitment(ruleset: str, day: date, seed: bytes) -> str:
    """The promise for a seed, as 64 hexadecimal digits."""
    return promises.commitment(f"fairdeal/daily/1/{ruleset}/{day.isoformat()}/", seed)
