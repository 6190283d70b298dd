"""Job functions for the tests; worker processes import them by name."""

from __future__ import annotations

import os
import time
from pathlib import Path

from app.jobs.worker_main import is_stopping, report


def whoami() -> tuple[int, int]:
    """The id of this process, and its niceness."""
    return os.getpid(), os.nice(0)


def count_until_stopped(most: float = 60.0, found: str = "") -> str:
    """Count until asked to stop, with something found already."""
    begun = time.monotonic()
    while time.monotonic() < begun + most:
        report(0.5, found)
        if is_stopping():
            return "stopped"
        time.sleep(0.01)
    return "done"


def sleep_without_checking(seconds: float) -> None:
    """Sleep without checking whether to stop."""
    time.sleep(seconds)


def fail(word: str) -> None:
    raise ValueError(word)


def fail_to_read() -> None:
    """Raise what a broken connection to the server would raise, too."""
    raise FileNotFoundError("a file of the job")


def unsendable() -> object:
    """A result that cannot be pickled."""
    return lambda: None


def note_and_die(path: str) -> int:
    """Kill this process on the first try."""
    with Path(path).open("a", encoding="ascii") as file:
        file.write("x")
    tries = len(Path(path).read_text(encoding="ascii"))
    if tries < 2 or "always" in path:
        os.kill(os.getpid(), 9)
    return tries
