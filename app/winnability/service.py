"""The tallies of the record that the site ships."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Final

from app.folders import static_folder
from app.winnability.model import Tally, tally
from app.winnability.record import read_trials

FILE: Final = "winnability.csv.xz"
"""The record among the static files."""


async def find_tallies() -> Sequence[Tally]:
    """What the record says about each game, in the order of the games."""
    # Read once, in a thread: with tens of thousands of deals that takes longer than a request may hold up others.
    return await asyncio.to_thread(_read)


@cache
def _read() -> Sequence[Tally]:
    return tally(read_trials(static_folder() / FILE))
