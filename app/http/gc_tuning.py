"""How a server process looks for garbage: seldom, for nearly everything that it keeps lives long."""

from __future__ import annotations

import gc


def collect_seldom() -> None:
    """Let the search for cyclic garbage pass over what lives long.

    Tables in memory are a million small values without a cycle among them: looking through them all took a fifth of
    a second, time and again, while every player waited. What requests leave behind is young, and still found.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 1_000)
