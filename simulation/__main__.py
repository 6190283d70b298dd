"""``python -m simulation [--seeds N | --seconds S] [--first K]``, or ``--seed K`` for one seed with its trace.

The last line is ``N seeds, M violations``; the exit status is 1 if there was one.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys

from simulation import sources

_HASHES = "PYTHONHASHSEED"


def main() -> int:
    """Run seeds and print what they find."""
    parser = argparse.ArgumentParser(prog="python -m simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, help="how many seeds to run (20)")
    parser.add_argument("--seconds", type=float, help="start no seed after this many seconds")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--seed", type=int, help="run this seed alone and print its trace")
    parser.add_argument("--no-twins", action="store_true", help="leave out the twin decks")
    parser.add_argument(
        "--first-violation", action="store_true", help="stop at the first violation"
    )
    options = parser.parse_args()
    if os.environ.get(_HASHES) != "0":
        # The order of sets of text must be the same in every run.
        os.execve(
            sys.executable,
            [sys.executable, "-m", "simulation", *sys.argv[1:]],
            {**os.environ, _HASHES: "0"},
        )
    sources.install()
    from simulation import report  # noqa: PLC0415 - the clocks have to be in place first

    sources.install_late()
    logging.basicConfig(level=logging.CRITICAL)
    first = options.first if options.seed is None else options.seed
    count = 1 if options.seed is not None else options.seeds
    if count is None and options.seconds is None:
        count = 20
    return report.run(
        first,
        count,
        options.seconds,
        check_twins=not options.no_twins,
        show_trace=options.seed is not None,
        only_first=options.first_violation,
    )


if __name__ == "__main__":
    sys.exit(main())
