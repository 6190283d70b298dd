"""``python -m bench [NAME ...]``: run benchmarks and compare each result with its limit."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import cast

from bench.report import Figure

NAMES = (
    "engine",
    "moves",
    "processes",
    "pooler",
    "long_games",
    "event_loop",
    "weight",
    "click",
    "daily_board",
    "hints",
    "explorer",
    "admin_list",
    "notices",
    "viewers",
    "tables",
    "slopes",
    "faults",
    "midnight",
    "failovers",
)


def main(names: list[str]) -> int:
    """Run the named benchmarks, or all; the exit code is 1 if a limit is missed, 2 for an unknown name."""
    unknown = set(names) - set(NAMES)
    if unknown:
        print(f"Unknown benchmark: {', '.join(sorted(unknown))}. Available: {', '.join(NAMES)}.")
        return 2
    missed = 0
    for name in names or NAMES:
        print(f"-- {name}: {(import_module(f'bench.{name}').__doc__ or '').splitlines()[0]}")
        run = cast(Callable[[], Iterator[Figure]], import_module(f"bench.{name}").run)
        for figure in run():
            print(figure, flush=True)
            missed += not figure.holds
    return min(missed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
