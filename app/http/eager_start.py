"""Beginning an awaitable at once, without a task: most of what is sent has ended before it ever waits."""

from __future__ import annotations

from collections.abc import Awaitable, Generator
from typing import Any


class _Rest(Awaitable[None]):
    """What is left of an awaitable that was begun and has come to wait for ``waiting``."""

    def __init__(self, steps: Generator[Any, Any, None], waiting: object) -> None:
        self._steps = steps
        self._waiting = waiting

    def __await__(self) -> Generator[Any, Any, None]:
        waiting = self._waiting
        try:
            while True:
                try:
                    came = yield waiting
                except GeneratorExit:
                    self._steps.close()
                    raise
                except BaseException as error:  # noqa: BLE001 - a cancellation, which is its to deal with
                    waiting = self._steps.throw(error)
                else:
                    waiting = self._steps.send(came)
        except StopIteration:
            return


def begin(work: Awaitable[None]) -> Awaitable[None] | None:
    """Run ``work`` until it waits for something; what is left of it then, to be awaited, or nothing."""
    steps: Generator[Any, Any, None] = work.__await__()
    try:
        waiting = steps.send(None)
    except StopIteration:
        return None
    return _Rest(steps, waiting)
