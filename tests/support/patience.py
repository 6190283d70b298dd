"""How long a test waits for what should come soon.

The limit only ends a test that hangs, so it is far more than a busy machine needs: the worker processes
of the site are nice, and get little time while others want the processor.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 90  # seconds
_BETWEEN = 0.01  # seconds


async def until(condition: Callable[[], object]) -> None:
    """Let other tasks run until the condition holds."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - a condition has no event
            await asyncio.sleep(_BETWEEN)


def block_until(condition: Callable[[], object]) -> None:
    """Wait outside of an event loop until the condition holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(_BETWEEN)
